"""Base plate and opal top of a glowing board, to be cut from sheets.

The origin is the middle of the board, the bottom of the sheet is z = 0.
"""

from build123d import Box, Cylinder, Edge, Part, Pos, Rot

from hardware.parts.board_frame import outer_half, screw_places
from hardware.parts.dimensions import (
    BASE_HIGH,
    OPAL_BEYOND,
    OPAL_HIGH,
    PASS_M3,
    STRIP_PITCH,
)
from hardware.parts.solids import STANDING, rounded

_ROUND = 2.0
"""Radius of the corners of a sheet."""


def base_plate(squares: int) -> Part:
    """Returns the base plate of a board with some squares along a side."""
    places = [Rot(0, 0, 90 * k) * Pos(*xy) for k in range(4) for xy in screw_places(squares)]
    hole = Cylinder(PASS_M3 / 2, 4 * BASE_HIGH)
    return _sheet(2 * outer_half(squares), BASE_HIGH) - [place * hole for place in places]


def opal_top(squares: int) -> Part:
    """Returns the opal top of a board with some squares along a side."""
    return _sheet(squares * STRIP_PITCH + 2 * OPAL_BEYOND, OPAL_HIGH)


def square_lines(squares: int) -> list[Edge]:
    """Returns the lines of the squares, which a laser scores into the opal top."""
    half = squares * STRIP_PITCH / 2
    places = [k * STRIP_PITCH - half for k in range(squares + 1)]
    across = [Edge.make_line((-half, y), (half, y)) for y in places]
    return across + [Edge.make_line((x, -half), (x, half)) for x in places]


def _sheet(side: float, high: float) -> Part:
    """Returns a square sheet with round corners."""
    return rounded(Box(side, side, high, align=STANDING), _ROUND)
