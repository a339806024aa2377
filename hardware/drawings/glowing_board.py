"""Pictures of build C: LEDs under a board of one's own, and a mast."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from firmware.printing.marker_layout import MarkerLayout
from hardware.drawings.assembled import add_placed, colour_of
from hardware.drawings.drawing import NEW, PLAIN, Drawing
from hardware.drawings.electronics import (
    BLUE,
    COPPER,
    GLOW,
    GREEN,
    RED,
    button,
    cable,
    clamps,
    computer,
    fuse,
    shifter,
    strip,
    supply,
)
from hardware.drawings.solids import Solid, box
from hardware.drawings.things import (
    BLACK,
    WHITE,
    WOOD,
    Spot,
    grid,
    markers,
    phone,
    pieces,
    table,
)
from hardware.drawings.view import View
from hardware.parts.catalogue import triangles_of
from hardware.parts.dimensions import BASE_HIGH, FRAME_RIM, GLOWING_FLOOR, STRIP_PITCH
from hardware.parts.mesh import bounds
from hardware.parts.placement import assembly, board_of, mast_plan

_GAME: Final = "duo"
"""Game whose board the pictures show."""

_CAMERA: Final = "module-3"
"""Camera on the mast of the pictures, by its name in `firmware.cameras.mounting.MODELS`."""

_SIZE: Final = board_of("glowing_board", _GAME)
"""Glowing board of that game: its squares are as far apart as the LEDs of a strip."""

_MAST: Final = mast_plan("glowing_board", _GAME, _CAMERA)
"""Mast that carries that camera above that board; lengths in the pictures are its own."""

_MAST_PARTS: Final = ("mast-", "upright", "arm", "head-", "camera")
"""Beginnings of the names of the mast."""

_BELOW_OPAL: Final = ("strips", "light-grid")
"""Beginnings of the names of what a closed board hides."""

_LIT: Final = ((5, 4), (7, 9), (11, 6), (1, 7))
"""Squares (column, row from the front) that glow."""

_SQUARES: Final = 14
"""Squares along a side."""

_SIDE: Final = _SQUARES * STRIP_PITCH
"""Side of all squares together, in millimetres."""

_OUTER: Final = _SIDE + 2 * FRAME_RIM
"""Side of the base plate, in millimetres."""

_TAPE: Final = 0.6
"""Thickness of a strip without its LEDs."""


def pictures() -> dict[str, Drawing]:
    """Returns the pictures by the names of their files, without suffix."""
    return {
        "whole": _whole(),
        "step-1": _test_print(),
        "step-2": _strips(),
        "step-3": _joints(),
        "step-4": _wires(),
        "step-5": _stack(),
        "step-6": _buttons(),
        "step-7": _mast(),
        "step-8": _play(),
    }


def _scene(drawing: Drawing, new: Sequence[str] = (), left_out: Sequence[str] = ()) -> None:
    """Adds the whole table but for what is left out, and its squares."""
    found = assembly("glowing_board", _GAME, _CAMERA)
    add_placed(drawing, found, new, (*_BELOW_OPAL, *left_out))
    grid(drawing, _SIZE, Spot(z=GLOWING_FLOOR))


def _markers(drawing: Drawing, colour: str = WHITE) -> None:
    markers(drawing, MarkerLayout(_SIZE), GLOWING_FLOOR, colour)


def _game(drawing: Drawing) -> None:
    """Adds pieces, and squares that glow: a corner where the next piece may touch."""
    pieces(drawing, _SIZE, Spot(z=GLOWING_FLOOR))
    for column, row in _LIT:
        x, y = ((place + 0.5) * STRIP_PITCH - _SIDE / 2 for place in (column, row))
        drawing.add(box(15, 15, 0.4).moved(x, y, GLOWING_FLOOR), GLOW)


def _whole() -> Drawing:
    drawing = Drawing("A glowing board in its frame, markers, buttons, mast with camera")
    _scene(drawing, left_out=("marker-card",))
    _markers(drawing)
    _game(drawing)
    high, aside, y = _MAST.arm_axis_mm, _MAST.upright_x_mm, _MAST.arm_mm
    drawing.number(1, (0, 0, _MAST.lens_mm + 12), (-110, -20, high - 30))
    drawing.number(2, (aside, y, 240), (aside + 100, y, 260))
    drawing.number(3, (40, -105, GLOWING_FLOOR), (40, -235, 0))
    drawing.number(4, (-181, -30, 30), (-250, -90, 20))
    drawing.number(5, (172, -126, GLOWING_FLOOR), (245, -150, 20))
    return drawing


def _test_print() -> Drawing:
    drawing = Drawing("The sheet that measures the pitch, and the piece of five", View(12, 50))
    drawing.add(Solid(triangles_of("pitch-sheet-large")), PLAIN)
    piece = Solid(triangles_of("piece-i5"))
    low, high = bounds(piece.triangles)
    drawing.add(piece.moved(-float(low[0]), -float(high[1]) - 25, -float(low[2])), NEW)
    drawing.arrow((42, -28, 5), (20, 40, 3))
    return drawing


def _stack() -> Drawing:
    """Draws the board pulled apart, from the base plate up."""
    drawing = Drawing("From below: base plate with strips, grid, frame, opal top", View(28, 28))
    heights = {"light-grid": 90.0, "frame-corner": 190.0, "opal": 290.0}
    for one in assembly("glowing_board", _GAME, _CAMERA):
        if one.name.startswith(("base", "strips")):
            drawing.add(Solid(one.placed), colour_of(one.name))
        for name, lift in heights.items():
            if one.name.startswith(name):
                drawing.add(Solid(one.placed).moved(z=lift), NEW)
    edge = _OUTER / 2
    for low, high in pairwise((0.0, *heights.values())):
        drawing.arrow((edge + 25, -edge, high), (edge + 25, -edge, low + 24))
    return drawing


def _buttons() -> Drawing:
    drawing = Drawing("Markers on their seats beside the frame, buttons in their boxes")
    _scene(drawing, ("marker-seat", "button"), (*_MAST_PARTS, "marker-card"))
    _markers(drawing)
    return drawing


def _mast() -> Drawing:
    drawing = Drawing(
        "Foot at the table's edge, upright with Raspberry Pi, elbow, arm, head with camera"
    )
    _scene(drawing, ("mast-", "head-", "computer"), ("marker-card",))
    _markers(drawing)
    text = f"{_MAST.plan.height_mm / 10:.0f} cm"
    drawing.length((0, 0, GLOWING_FLOOR), (0, 0, _MAST.lens_mm), text)
    return drawing


def _play() -> Drawing:
    drawing = Drawing("A phone opens the page; squares glow where something is to be seen")
    _scene(drawing, left_out=("marker-card",))
    _markers(drawing)
    _game(drawing)
    phone(drawing, Spot(0, -215), NEW)
    return drawing


def _row_y(row: int) -> float:
    """Returns the y of a row of LEDs, the first at the back."""
    return ((_SQUARES - 1) / 2 - row) * STRIP_PITCH


def _strips() -> Drawing:
    drawing = Drawing("Fourteen strips on the base plate, laid to and fro", View(14, 50))
    drawing.add(box(_OUTER, _OUTER, BASE_HIGH), WOOD)
    for row in range(_SQUARES):
        strip(drawing, Spot(0, _row_y(row), BASE_HIGH), _SQUARES, STRIP_PITCH, NEW)
    far = _SIDE / 2
    for row in range(4):
        side, y = -1 if row % 2 == 0 else 1, _row_y(row)
        drawing.arrow((side * (far + 22), y, BASE_HIGH), (side * far, y, BASE_HIGH))
    drawing.number(1, (-far + 8, _row_y(0), BASE_HIGH + 2), (-far - 20, _row_y(0) + 40, BASE_HIGH))
    last, y = -far + 8, _row_y(_SQUARES - 1)
    drawing.number(_SQUARES**2, (last, y, BASE_HIGH + 2), (last - 30, y - 36, BASE_HIGH))
    return drawing


def _joints() -> Drawing:
    """Draws the right ends of four rows, larger than life."""
    drawing = Drawing("Rows joined at their ends: 5 V, data, ground", View(14, 50))
    half, count = 2.5 * STRIP_PITCH, 5
    drawing.add(box(2 * half + 30, 4.6 * STRIP_PITCH, BASE_HIGH).moved(x=15), WOOD)
    for row in range(4):
        y = (1.5 - row) * STRIP_PITCH
        strip(drawing, Spot(0, y, BASE_HIGH), count, STRIP_PITCH)
        for k in (-1, 0, 1):
            drawing.add(box(2.4, 1.8, 0.3).moved(half - 1.4, y + 3 * k, BASE_HIGH + _TAPE), COPPER)
    for row in (0, 2):
        _bridge(drawing, half, (1.5 - row) * STRIP_PITCH)
    _lead_in(drawing, half, -1.5 * STRIP_PITCH)
    return drawing


def _bridge(drawing: Drawing, x: float, y: float) -> None:
    """Draws the wires from the end of a row to the next one."""
    top = BASE_HIGH + _TAPE + 0.8
    for k, (pad, ink, out) in enumerate(((3, RED, 14), (0, GREEN, 9.5), (-3, BLACK, 5))):
        low = y - STRIP_PITCH + pad
        points = [(x - 1.4, y + pad, top + k), (x + out, y + pad, top + k)]
        points += [(x + out, low, top + k), (x - 1.4, low, top + k)]
        cable(drawing, points, ink, 0.8)


def _lead_in(drawing: Drawing, x: float, y: float) -> None:
    """Draws the wires that bring power to the end of a row."""
    top = BASE_HIGH + _TAPE + 0.8
    for pad, ink, out in ((3, RED, 34), (-3, BLACK, 30)):
        cable(drawing, [(x - 1.4, y + pad, top), (x + out, y + pad, top)], ink, 1.1)


def _wires() -> Drawing:
    drawing = Drawing("Supply, fuse, clamps, level shifter and Raspberry Pi", View(16, 48))
    table(drawing, 560, 300, Spot(0, -10))
    supply(drawing, Spot(-190, 40), NEW)
    fuse(drawing, Spot(-85, 55))
    clamps(drawing, Spot(-5, 55))
    shifter(drawing, Spot(40, -20))
    computer(drawing, Spot(-100, -75))
    drawing.add(box(150, 90, BASE_HIGH).moved(195, 35), WOOD)
    for row in range(5):
        strip(drawing, Spot(195, 35 + (2 - row) * STRIP_PITCH, BASE_HIGH), 9, STRIP_PITCH)
    _power(drawing)
    _signals(drawing)
    for number, (at, label) in enumerate(_LABELS, 1):
        drawing.number(number, at, label)
    return drawing


def _power(drawing: Drawing) -> None:
    """Draws the wires of 5 V and ground."""
    cable(drawing, [(-128, 55, 6), (-102, 55, 6)], RED)
    cable(drawing, [(-68, 55, 6), (-30, 55, 6)], RED)
    cable(drawing, [(-128, 28, 6), (-40, 28, 6), (-29, 50, 6)], BLACK)
    cable(drawing, [(19, 60, 6), (60, 75, 6), (121, 71, 6)], RED)
    cable(drawing, [(19, 52, 6), (60, 62, 6), (121, 65, 6)], BLACK)
    cable(drawing, [(10, 46, 4), (34, 10, 4), (34, -9, 4)], RED, 1)
    cable(drawing, [(2, 46, 4), (24, 0, 4), (24, -16, 4)], BLACK, 1)
    cable(drawing, [(-6, 46, 4), (-70, -10, 4), (-118, -30, 10), (-118, -51, 14)], BLACK, 1)


def _signals(drawing: Drawing) -> None:
    """Draws the data line, and the wires of two buttons."""
    cable(drawing, [(-106, -51, 14), (-60, -30, 10), (20, -26, 5)], GREEN, 1)
    cable(drawing, [(57, -14, 5), (90, 40, 5), (121, 68, 5)], GREEN, 1)
    for k, ink in enumerate((NEW, BLUE)):
        x = 60 + 62 * k
        button(drawing, Spot(x, -112), 50, ink)
        points = [(-100 + 6 * k, -51, 14), (-60, -62 - 8 * k, 5), (x - 20, -70, 5), (x, -88, 5)]
        cable(drawing, points, ink, 1)


_LABELS: Final = (
    ((-190, 40, 34), (-215, 115, 20)),
    ((-85, 55, 19), (-85, 118, 20)),
    ((-5, 55, 14), (-5, 118, 20)),
    ((40, -20, 8), (80, -50, 20)),
    ((-120, -75, 12), (-190, -120, 20)),
    ((200, 35, 6), (240, -40, 10)),
    ((90, -112, 30), (190, -120, 20)),
)
"""Points of what is wired, and of their numbers."""
