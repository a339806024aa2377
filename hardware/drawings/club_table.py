"""Pictures of build B: a mast, a panel of LEDs beside the board, buttons, one supply."""

from collections.abc import Sequence
from typing import Final

from firmware.cameras.mounting import FLOOR_MM, BoardSize
from firmware.printing.marker_layout import MarkerLayout
from hardware.drawings.assembled import add_placed, lying
from hardware.drawings.drawing import NEW, Drawing
from hardware.drawings.electronics import (
    BLUE,
    GLOW,
    GREEN,
    RED,
    button,
    cable,
    clamps,
    computer,
    fuse,
    panel,
    shifter,
    supply,
)
from hardware.drawings.solids import Solid, box, rod
from hardware.drawings.things import (
    BLACK,
    METAL,
    Spot,
    board,
    markers,
    phone,
    pieces,
    table,
)
from hardware.drawings.twenty_minutes import measuring
from hardware.drawings.view import View
from hardware.parts.placement import Placed, assembly, mast_plan

_GAME: Final = "duo"
"""Game whose board the pictures show."""

_CAMERA: Final = "module-3"
"""Camera on the mast of the pictures, by its name in `firmware.cameras.mounting.MODELS`."""

_SIZE: Final = BoardSize.usual(14)
"""The usual board of that game, which has 14 squares along a side."""

_LAYOUT: Final = MarkerLayout(_SIZE)
"""Places of the markers beside that board."""

_MAST: Final = mast_plan("club_table", _GAME, _CAMERA)
"""Mast that carries that camera above that board; lengths in the pictures are its own."""

_BESIDE: Final = ("button", "panel")
"""Beginnings of the names of what stands beside the board, which the picture of the mast leaves
out."""

_DRAWN_HERE: Final = ("board", "marker-card")
"""Beginnings of the names of what `things` draws in place of the assembled parts."""

_MAST_ROW: Final = (
    ("mast-foot", -140.0),
    ("foot-pad", -70.0),
    ("mast-elbow", 10.0),
    ("head-small", 125.0),
)
"""Parts of the mast, and x of each where they lie side by side."""

_LIFT: Final = 110.0
"""Height in millimetres by which a part that is laid in hangs above its place."""

_LIT: Final = ((4, 9), (4, 8), (5, 8), (6, 8), (5, 7))
"""Squares (column, row from the front) that glow on the panel."""


def pictures() -> dict[str, Drawing]:
    """Returns the pictures by the names of their files, without suffix."""
    return {
        "whole": _whole(),
        "step-1": measuring(),
        "step-2": _tubes(),
        "step-3": _mast(),
        "step-4": _wires(),
        "step-5": _beside(),
        "step-6": _markers(),
        "step-7": _play(),
    }


def _placed() -> dict[str, Placed]:
    return {one.name: one for one in assembly("club_table", _GAME, _CAMERA)}


def _scene(drawing: Drawing, new: Sequence[str] = (), left_out: Sequence[str] = ()) -> None:
    """Adds the whole table but for what is left out."""
    found = assembly("club_table", _GAME, _CAMERA)
    add_placed(drawing, found, new, (*_DRAWN_HERE, *left_out))
    board(drawing, _SIZE)


def _glow(drawing: Drawing) -> None:
    """Lights squares of the panel, in the plane of its opal sheet."""
    opal = _placed()["panel-opal-one"]
    high = float(opal.triangles[..., 2].max())
    for column, row in _LIT:
        square = box(9, 9, 0.5).moved(10 * column - 65, 10 * row - 65, high)
        drawing.add(Solid(square.triangles @ opal.rotation.T + opal.position), GLOW)


def _whole() -> Drawing:
    drawing = Drawing("Board with markers, mast with camera, panel of LEDs, two buttons")
    _scene(drawing)
    markers(drawing, _LAYOUT)
    pieces(drawing, _SIZE, Spot(z=FLOOR_MM))
    _glow(drawing)
    aside, high = _MAST.upright_x_mm, _MAST.arm_axis_mm
    drawing.number(1, (0, 0, _MAST.lens_mm + 12), (-90, -20, high - 30))
    drawing.number(2, (aside, _MAST.arm_mm, 200), (aside + 90, _MAST.arm_mm, 220))
    drawing.number(3, (300, 20, 60), (340, 60, 160))
    drawing.number(4, (-157, -30, 30), (-225, -90, 20))
    drawing.number(5, (-60, -118, FLOOR_MM), (-60, -215, 0))
    return drawing


def _beside() -> Drawing:
    drawing = Drawing("Panel in its holder and buttons in their boxes, beside the board")
    _scene(drawing, ("button", "panel-"), ("panel-opal",))
    opal = _placed()["panel-opal-one"]
    drawing.add(Solid(opal.placed).moved(z=_LIFT), NEW)
    x, y, z = opal.position.tolist()
    drawing.arrow((x, y, z + _LIFT - 4), (x, y, z + 14))
    return drawing


def _markers() -> Drawing:
    drawing = Drawing("Four markers left and right of the board, level with its corners")
    _scene(drawing)
    markers(drawing, _LAYOUT, colour=NEW)
    return drawing


def _play() -> Drawing:
    drawing = Drawing("A phone opens the page; the panel shows what the board would")
    _scene(drawing)
    markers(drawing, _LAYOUT)
    pieces(drawing, _SIZE, Spot(z=FLOOR_MM))
    _glow(drawing)
    phone(drawing, Spot(0, -185), NEW)
    return drawing


def _tubes() -> Drawing:
    """Draws the parts of the mast side by side, and the two tubes with their lengths."""
    drawing = Drawing("Parts of the mast, and two tubes with their lengths", View(16, 40))
    found = _placed()
    for name, x in _MAST_ROW:
        drawing.add(lying(found[name]).moved(x, 90), NEW)
    for length, y in zip(_MAST.tube_lengths_mm, (0.0, -60.0), strict=True):
        drawing.add(rod((-length / 2, y, 10), (length / 2, y, 10), 10), METAL)
        drawing.length((-length / 2, y - 22, 0), (length / 2, y - 22, 0), f"{length:.0f} mm")
    return drawing


def _mast() -> Drawing:
    drawing = Drawing(
        "Foot at the table's edge, upright with Raspberry Pi, elbow, arm, head with camera"
    )
    _scene(drawing, ("mast-", "head-", "computer"), _BESIDE)
    drawing.length((0, 0, FLOOR_MM), (0, 0, _MAST.lens_mm), f"{_MAST.plan.height_mm / 10:.0f} cm")
    return drawing


def _wires() -> Drawing:
    drawing = Drawing("Supply, fuses, clamps, level shifter, Raspberry Pi, panel", View(16, 48))
    table(drawing, 560, 330, Spot(0, -10))
    supply(drawing, Spot(-190, 60), NEW)
    fuse(drawing, Spot(-85, 75))
    fuse(drawing, Spot(-85, 40))
    clamps(drawing, Spot(-5, 75))
    shifter(drawing, Spot(30, -10))
    computer(drawing, Spot(-100, -75))
    panel(drawing, Spot(175, 25), 16, 16)
    _power(drawing)
    _signals(drawing)
    for number, (at, label) in enumerate(_LABELS, 1):
        drawing.number(number, at, label)
    return drawing


def _power(drawing: Drawing) -> None:
    """Draws the wires of 5 V and ground."""
    cable(drawing, [(-128, 75, 6), (-102, 75, 6)], RED)
    cable(drawing, [(-68, 75, 6), (-30, 75, 6)], RED)
    cable(drawing, [(-128, 48, 6), (-110, 40, 6), (-102, 40, 6)], RED)
    cable(
        drawing, [(-68, 40, 6), (-60, 0, 6), (-150, -40, 6), (-150, -108, 6), (-131, -104, 7)], RED
    )
    cable(drawing, [(-128, 66, 4), (-40, 60, 4), (-29, 70, 5)], BLACK)
    cable(drawing, [(19, 82, 6), (60, 108, 4), (92, 104, 3)], RED)
    cable(drawing, [(19, 76, 6), (60, 100, 4), (92, 97, 3)], BLACK)
    cable(drawing, [(19, 72, 6), (60, -30, 4), (92, -47, 3)], RED)
    cable(drawing, [(19, 66, 6), (54, -36, 4), (92, -54, 3)], BLACK)
    cable(drawing, [(8, 66, 4), (24, 20, 4), (24, 1, 4)], RED, 1)
    cable(drawing, [(0, 66, 4), (14, 10, 4), (14, -6, 4)], BLACK, 1)


def _signals(drawing: Drawing) -> None:
    """Draws the data line, and the wires of two buttons."""
    cable(drawing, [(-106, -51, 14), (-60, -30, 10), (10, -16, 5)], GREEN, 1)
    cable(drawing, [(47, -4, 5), (70, 60, 5), (94, 90, 4)], GREEN, 1)
    for k, ink in enumerate((NEW, BLUE)):
        x = 20 + 66 * k
        button(drawing, Spot(x, -126), 52, ink)
        points = [(-100 + 6 * k, -51, 14), (-60, -62 - 8 * k, 5), (x - 20, -82, 5), (x, -101, 5)]
        cable(drawing, points, ink, 1)


_LABELS: Final = (
    ((-190, 60, 34), (-215, 140, 20)),
    ((-85, 75, 19), (-85, 140, 20)),
    ((-5, 75, 14), (-5, 140, 20)),
    ((30, -10, 8), (62, -62, 20)),
    ((-120, -75, 12), (-190, -130, 20)),
    ((180, 25, 4), (230, -80, 10)),
    ((86, -126, 30), (150, -130, 20)),
)
"""Points of what is wired, and of their numbers."""
