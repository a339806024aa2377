"""Lengths and tolerances of all parts, in millimetres where no other unit is named."""

from typing import Final

# The print bed.

BED: Final = 220.0
"""Side and height of what a usual printer prints."""

BRIM: Final = 5.0
"""Border of the bed that stays free, for a brim that holds a part down."""

LARGEST: Final = BED - 2 * BRIM
"""Longest side of a part."""

# Tolerances. Plastic from a usual printer is within 0.1 to 0.2 of what is drawn.

JOINT_GAP: Final = 0.2
"""Gap on each side of a dovetail: slides together by hand, and does not rattle."""

TUBE_GAP: Final = 0.2
"""Gap around a tube: it turns by hand, and a bolt closes it."""

SHEET_GAP: Final = 0.5
"""Gap on each side of a sheet that is laid in: sheets are cut to 0.3, and acrylic expands."""

PIECE_GAP: Final = 0.15
"""Distance of a piece from the sides of its squares: two pieces side by side lie 0.3 apart."""

# Screws.

BOLT_M4: Final = 4.4
"""Hole that an M4 bolt goes through."""

NUT_M4: Final = 7.2
"""Width across flats of the pocket of an M4 nut (7.0)."""

NUT_M4_HIGH: Final = 3.4
"""Depth of that pocket (nut 3.2)."""

BOLT_M6: Final = 6.5
"""Hole that an M6 bolt goes through."""

NUT_M6: Final = 10.3
"""Width across flats of the pocket of an M6 nut (10.0)."""

NUT_M6_HIGH: Final = 5.4
"""Depth of that pocket (nut 5.0)."""

TAP_M2: Final = 1.7
"""Hole in which an M2 screw cuts its own thread."""

TAP_M2_5: Final = 2.2
"""Hole in which an M2.5 screw cuts its own thread."""

TAP_M3: Final = 2.6
"""Hole in which an M3 screw cuts its own thread."""

PASS_M3: Final = 3.4
"""Hole that an M3 screw goes through."""

QUARTER_INCH: Final = 6.6
"""Hole or slot that a photo screw of a quarter inch (6.35) goes through."""

WOOD_SCREW: Final = 4.5
"""Hole that a wood screw of 4 goes through."""

# The mast.

TUBE: Final = 20.0
"""Outside of the aluminium tube of upright and arm: a size of every hardware store."""

CLAMP_LONG: Final = 36.0
"""Length of tube that a clamp holds: 1.8 diameters, so that it does not tilt."""

CLAMP_HALF: Final = 16.0
"""Half the side of the block around a tube: 5.8 of plastic at the thinnest."""

CLAMP_EAR: Final = 28.0
"""Distance of the end of the clamp's ear from the axis of the tube."""

CLAMP_EAR_HALF: Final = 9.0
"""Half the thickness of the ear: an M4 bolt of 20 reaches its nut."""

CLAMP_BOLT: Final = 21.5
"""Distance of the bolt from the axis of the tube: its hole leaves 9 of plastic to the tube."""

CLAMP_SLIT: Final = 3.0
"""Slit that the bolt closes."""

BORE_BEYOND: Final = 1.0
"""Length by which a bore goes on beyond its clamp: the seat of a tube that ends there."""

FOOT_GRIP: Final = (10.0, 45.0)
"""Thickness of table tops that the foot holds."""

FOOT_OPEN: Final = 52.0
"""Opening of the foot: the thickest table top, and the head of the bolt with its pad."""

FOOT_WIDE: Final = 2 * CLAMP_HALF
"""Width of the foot: that of its clamp, so that it is printed lying on its side."""

FOOT_JAW: Final = 10.0
"""Thickness of the jaw on the table top."""

FOOT_LOWER_JAW: Final = 14.0
"""Thickness of the jaw below, with its nut: it bends most where the bolt presses."""

FOOT_SPINE: Final = 14.0
"""Thickness of the spine that joins the jaws."""

FOOT_PAD: Final = (20.0, 5.0, 3.0)
"""Diameter and height of the pad between bolt and table top, and depth of the bolt in it."""

FLANGE: Final = (90.0, 44.0)
"""Width and depth of the foot that is screwed down."""

FLANGE_HOLES: Final = (70.0, 24.0)
"""Distances of its four screws."""

TABLE_EDGE: Final = 20.0
"""Distance of the table's edge from the axis of the upright, away from the board."""

ELBOW_ASIDE: Final = 27.0
"""Distance of the axes of upright and arm: the tubes pass each other with 6.6 between them."""

TUBE_OVER: Final = 5.0
"""Length of tube that shows beyond a clamp."""

# Camera heads. The origin of a head is the lens.

HEAD_PLATE: Final = 4.0
"""Thickness of the plate that carries the camera."""

HEAD_STOP: Final = 4.0
"""Wall at which the arm's tube ends."""

STANDOFF: Final = 8.0
"""Height of the posts between plate and camera: the ribbon and its connector need 6."""

STANDOFF_WIDE: Final = 5.0
"""Diameter of a post on a board of 25 x 24, whose screws stand 2 from the edge."""

RIBBON: Final = (18.0, 3.5)
"""Slot for the ribbon of the camera, which is 16 wide."""

SMALL_BOARD: Final = (25.0, 24.0)
"""Board of Camera Module 2, 3, 3 Wide and AI Camera."""

SMALL_HOLES: Final = (21.0, 12.5)
"""Distances of its holes: of the two beside the lens, and of these to the two others."""

SMALL_LENS: Final = 9.5
"""Distance of the lens from the edge with the ribbon; the lens is level with two of the holes."""

SMALL_LENS_DOWN: Final = 6.0
"""Distance of the pinhole of the lens from the back of the board: 1 of board, 4 to 7 of camera."""

LARGE_BOARD: Final = 38.0
"""Side of the board of HQ and Global Shutter Camera; the lens is in its middle."""

LARGE_HOLES: Final = 30.0
"""Distance of its holes."""

LARGE_LENS_DOWN: Final = 30.0
"""Distance of the pinhole of a 6 mm CS lens from the back of the board: 17.5 to its flange, and
about a third of a lens that is 34 long (the makers name no entrance pupil)."""

USB_LENS: Final = 35.0
"""Distance of the lens of a webcam from the plate that its thread is screwed to (25 to 45; the arm
is pushed in its clamp until the board is in the middle of the picture)."""

USB_SLOT: Final = (40.0, 56.0)
"""Ends of the slot for the photo screw, below the axis of the arm: its head has room below the
clamp's ear."""

USB_PLATE: Final = (40.0, 5.0)
"""Width and thickness of the plate that a webcam is screwed to."""

PHONE_WIDE: Final = (60.0, 85.0)
"""Widths of phones that the shelf holds."""

PHONE_EDGE: Final = 18.0
"""Distance of a phone's main camera from its long edge (12 to 25)."""

PHONE_ASIDE: Final = 60.0
"""Distance of the middle of the shelf from the lens, along the phone: about its middle."""

PHONE_SHELF: Final = (60.0, 5.0)
"""Width and thickness of the shelf."""

PHONE_JAW: Final = (9.0, 4.0)
"""Height above the shelf, and thickness, of the jaws that hold the long edges of a phone."""

PHONE_JAW_BASE: Final = (40.0, 24.0)
"""Width and depth of the base of the jaw that moves."""

SMALL_BLOCK: Final = SMALL_LENS + 8.5
"""Distance of the arm's clamp from the lens: between them the ribbon goes up."""

LARGE_BLOCK: Final = LARGE_BOARD / 2 + 8.0
"""The same for a large board."""

# The glowing board, from below: base plate, strip in a grid of walls, opal top.

STRIP_PITCH: Final = 50 / 3
"""Distance of LEDs on a strip of 60 a metre, and so of squares and pieces."""

BASE_HIGH: Final = 4.0
"""Thickness of the base plate: plywood or acrylic."""

STRIP: Final = (10.0, 3.0)
"""Width and height of the strip with its tape."""

STRIP_GAP: Final = 0.3
"""Gap on each side of the strip in the notches of the grid."""

GRID_HIGH: Final = 12.0
"""Height of the walls: light of an LED fills its square when the opal is 10 above it."""

GRID_WALL: Final = 1.2
"""Thickness of the walls: three lines of a nozzle of 0.4, which light does not pass."""

OPAL_HIGH: Final = 3.0
"""Thickness of the opal acrylic, white, about 30 to 50 per cent of light."""

OPAL_BEYOND: Final = 6.0
"""Width of the opal beyond the squares: it lies on the outer walls of the grid."""

GLOWING_FLOOR: Final = BASE_HIGH + GRID_HIGH + OPAL_HIGH
"""Height of the squares above the table."""

FRAME_RIM: Final = 30.0
"""Width from the squares to the outside of the frame: room for wires below its deck."""

GRID_TAIL: Final = (2.4, 4.8, 3.0)
"""Dovetail of the grid: width of its neck and head, and its depth."""

GRID_TAIL_WALL: Final = 1.6
"""Plastic around the socket of that dovetail: four lines of the nozzle."""

FRAME_WALL: Final = 3.0
"""Thickness of the outer wall of the frame."""

FRAME_TAIL: Final = (9.0, 13.0, 8.0)
"""Dovetail that joins the corners of the frame: width of its neck and head, and its depth."""

FRAME_TAIL_IN: Final = 13.0
"""Distance of the middle of that dovetail from the outside of the frame."""

FRAME_TAIL_LOW: Final = 6.0
"""Height above the base plate at which dovetails begin: wires go below them."""

FRAME_TAIL_WALL: Final = 3.0
"""Plastic around the sockets of the frame."""

FRAME_BOSS: Final = (8.0, 6.5)
"""Diameter of a post for a screw, and distance of its middle from the outside of the frame."""

FRAME_SCREW_DEEP: Final = 10.0
"""Depth of the hole in a post: an M3 screw of 12 through the base plate."""

FRAME_CABLE: Final = (16.0, 8.0)
"""Width and height of the opening for cables in the outer wall."""

SEAT_TAIL: Final = (6.0, 9.0, 6.0)
"""Dovetail of a marker's seat: width of its neck and head, and its depth."""

SEAT_WALL: Final = 2.4
"""Thickness of the top and the legs of a seat."""

SEAT_BORDER: Final = 2.0
"""Width of the seat around the card."""

SEAT_GROOVE: Final = (0.8, 0.4)
"""Width and depth of the groove that shows where the card lies; the bed side bridges that."""

MARKER_CARD: Final = 42.0
"""Side of the card of a marker of 30, as `cornerlight print markers` prints it."""

SEAT_AWAY: Final = 4.0
"""Distance of that card from the frame, as on that print."""

# Buttons.

BUTTON_HOLE: Final = 30.0
"""Hole of an arcade button of 30, which wants 29.5 to 30; printed ones come out 0.1 to 0.2 less."""

BUTTON_PLATE: Final = 3.0
"""Thickness of the plate that the button snaps into (2 to 4)."""

BUTTON_PITCH: Final = 50.0
"""Distance of two buttons in one box: fingers do not press both."""

BUTTON_BOX: Final = (60.0, 46.0)
"""Depth and height of the box; the first is its width for one button too. A button is 34 deep with
its plugs."""

BOX_WALL: Final = 2.4
"""Walls of boxes: six lines of a nozzle of 0.4."""

BOX_POST: Final = (8.0, 5.5)
"""Diameter of a post for a screw, and distance of its middle from both outsides."""

BOX_ROUND: Final = 5.0
"""Radius of the upright edges of a box."""

CABLE_HOLE: Final = 6.5
"""Hole for a cable of three cores, which is 5 to 6 thick."""

CABLE_HIGH: Final = 10.0
"""Height of that hole above the lid."""

TIE_SLOT: Final = (4.0, 2.0, 8.0)
"""Slots for a cable tie that takes the pull: width, thickness, distance of the two."""

# Holder of the panel beside the board.

PANEL: Final = 160.0
"""Side of a panel of 16 x 16 LEDs, pitch 10."""

PANEL_HIGH: Final = 10.0
"""Distance of the opal sheet from the holder's floor: 2 of panel, 8 in which light spreads."""

PANEL_FLOOR: Final = 3.0
"""Thickness of the holder's floor: heads of M3 screws are sunk in it."""

PANEL_BAR: Final = 20.0
"""Width of the bars of the floor; between them leads go down from the back of the panel."""

PANEL_LEDGE: Final = 2.5
"""Width of the ledge on which the opal sheet lies."""

PANEL_TAIL: Final = (8.0, 12.0, 6.0)
"""Dovetail that joins holders of four panels: width of its neck and head, and its depth."""

PANEL_SCREWS: Final = (140.0, 120.0)
"""Distances of the screws that hold a panel's holder on its feet, across and along."""

PANEL_TILT_DEG: Final = 15.0
"""Angle by which one panel leans towards the players."""

PANEL_FOOT: Final = (14.0, 12.0, 150.0)
"""Width, least height and length of a foot: leads go below the holder."""

# Pieces, and what measures bought ones.

PITCHES: Final = (8.0, 40.0)
"""Pitches for which pieces are drawn: those that the program takes for a board."""

PIECE_HIGH: Final = 0.27
"""Height of a piece in its pitch: 4.5 at 16.67, easily taken by its sides."""

PIECE_TOP: Final = 0.6
"""Chamfer of the upper edges."""

PIECE_BOTTOM: Final = 0.3
"""Chamfer of the lower edges, which widen on the print bed."""

PIECE_GROOVE: Final = (1.0, 0.4)
"""Width and depth of the grooves between the squares of a piece, to count them."""

TESTED_SMALL: Final = (13.0, 13.5, 14.0, 14.5, 15.0, 15.5, 16.0, 16.5)
"""Pitches of the slots of the sheet that measures small bought pieces."""

TESTED_LARGE: Final = (16.67, 17.0, 17.5, 18.0, 18.5, 19.0, 19.5, 20.0)
"""Pitches of the slots of the sheet that measures large ones."""

TESTED_SQUARES: Final = 5
"""Length of a slot in squares: the straight piece of five shows five times the difference."""

SLOT_GAP: Final = 0.2
"""Length by which a slot is longer and wider than its squares: printed slots come out less."""

SHEET_BAR: Final = (3.0, 9.0)
"""Plastic between slots, and at the end with the numbers."""

SHEET_HIGH: Final = 2.4
"""Thickness of a sheet."""

LETTER: Final = (2.0, 4.0)
"""Width and height of a number, from middle to middle of its strokes."""

LETTER_STEP: Final = 3.6
"""Distance of two numbers."""

LETTER_LINE: Final = 0.8
"""Width of the strokes: two lines of a nozzle of 0.4."""

LETTER_DEEP: Final = 0.6
"""Depth of the strokes: three layers."""

COMPUTER_CASE: Final = (66.0, 30.0, 96.0)
"""Width, thickness and height of a Raspberry Pi in its case, strapped to the upright."""

COMPUTER_BELOW: Final = 12.0
"""Distance of that case from the elbow."""

RIBBON_BENDS: Final = 60.0
"""Length of a camera's cable for its bends, at the case, the elbow and the head."""

LONGEST_RIBBON: Final = 500.0
"""Longest cable that Raspberry Pi sells for its cameras; longer ones of others lose pictures."""
