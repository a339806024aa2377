"""Parts that are printed or cut, as code, and where each of them stands when assembled.

Lengths are in millimetres. x is right, y is up as the camera sees the board, z is up; the middle of
the board is x = y = 0 and the table top z = 0. Each part is drawn in the place that it has when
used, around an origin of its own. Only the modules of the second and third list import the CAD
kernel.

What is known without the kernel:

  dimensions    lengths and tolerances, each with its reason
  mesh          triangles of a part: STL files, whether they are closed, sections, rays
  catalogue     every part, its files, its module, how it lies on the print bed
  bought        stand-ins for what is bought, as triangles: tubes, boards, cameras
  placement     where each part stands in each build, and how many there are

Geometry, one part or one family of parts a module:

  solids        what several parts share: countersunk heads, round edges, places of origins
  clamp         clamp around a tube
  joint         dovetail that joins what is larger than the print bed
  mast_foot     foot that holds the mast at the edge of a table
  mast_elbow    cross clamp of upright and arm
  camera_heads  holders of cameras at the end of the arm
  light_grid    walls around the LEDs below the board
  board_frame   frame around a glowing board, seats of its markers
  flat_parts    base plate and opal top, to be cut
  button_box    boxes for arcade buttons
  panel_holder  tray for a panel of LEDs beside the board
  pieces        the 21 pieces at any pitch
  pitch_sheet   slots that measure the pitch of pieces

Files:

  files         writes the files, and compares committed ones with fresh ones
"""

from hardware.parts.placement import assembly, fasteners, quantities

__all__ = ["assembly", "fasteners", "quantities"]
