"""Holders of panels of 16 x 16 LEDs beside the board: one panel for Duo, four for Classic.

The origin of a holder is the middle of its panel on its floor's lower side; its ledge carries an
opal sheet. Of four panels each has a holder of its own without walls towards the others; it is
drawn at -x and y and joined to the three others, which are turned by quarters of a turn. One panel
leans towards the players on two wedges, four lie flat on blocks. Wedges are printed lying on their
sides.
"""

from math import radians, tan

from build123d import (
    Align,
    Box,
    Cylinder,
    GridLocations,
    Part,
    Plane,
    Polygon,
    Pos,
    Rot,
    extrude,
)

from hardware.parts.dimensions import (
    BOX_WALL,
    JOINT_GAP,
    OPAL_HIGH,
    PANEL,
    PANEL_BAR,
    PANEL_FLOOR,
    PANEL_FOOT,
    PANEL_HIGH,
    PANEL_LEDGE,
    PANEL_SCREWS,
    PANEL_TAIL,
    PANEL_TILT_DEG,
    PASS_M3,
    SHEET_GAP,
    TAP_M3,
)
from hardware.parts.joint import socket, tail
from hardware.parts.solids import STANDING, rounded, sunk_head

_CORNER = (Align.MIN, Align.MAX, Align.MIN)
"""Alignment of a solid that lies at x, -y and z of its place."""

_BESIDE = PANEL_LEDGE + BOX_WALL
"""Width of a holder beside its panel: the ledge of the opal sheet, and the wall."""

_HIGH = PANEL_FLOOR + PANEL_HIGH + OPAL_HIGH
"""Height of a holder: its floor, the panel, and the opal sheet."""


def panel_tray() -> Part:
    """Returns the holder of one panel."""
    inside = PANEL + 2 * SHEET_GAP
    body = rounded(Box(inside + 2 * _BESIDE, inside + 2 * _BESIDE, _HIGH, align=STANDING), 2)
    body -= Pos(0, 0, PANEL_FLOOR) * Box(inside, inside, _HIGH, align=STANDING)
    opal = inside + 2 * PANEL_LEDGE
    body -= Pos(0, 0, PANEL_FLOOR + PANEL_HIGH) * Box(opal, opal, _HIGH, align=STANDING)
    return body - _windows() - _screws()


def panel_corner() -> Part:
    """Returns the holder of one of four panels."""
    half, gap = PANEL / 2, JOINT_GAP / 2
    edge = half + SHEET_GAP
    start = edge + _BESIDE
    side = start + half - gap
    body = Pos(-start, start) * Box(side, side, _HIGH, align=_CORNER)
    body -= Pos(-edge, edge, PANEL_FLOOR) * Box(2 * side, 2 * side, _HIGH, align=_CORNER)
    opal = edge + PANEL_LEDGE
    body -= Pos(-opal, opal, PANEL_FLOOR + PANEL_HIGH) * Box(
        2 * side, 2 * side, _HIGH, align=_CORNER
    )
    hook = Pos(half) * Rot(0, 0, -90) * tail(PANEL_TAIL, PANEL_FLOOR)
    cut = Pos(0, -half) * socket(PANEL_TAIL, PANEL_FLOOR)
    return body - _windows() - _screws() - cut + hook


def panel_wedge() -> Part:
    """Returns a foot of one panel; its origin is below the front end of its top, at z = 0."""
    wide, low, long = PANEL_FOOT
    high = low + long * tan(radians(PANEL_TILT_DEG))
    outline = Plane.YZ * Polygon((0, 0), (long, 0), (long, high), (0, low), align=None)
    body = extrude(outline, wide / 2, both=True)
    middle = Pos(0, long / 2, (low + high) / 2) * Rot(PANEL_TILT_DEG)
    tap = Cylinder(TAP_M3 / 2, 2 * low)
    return body - [middle * Pos(0, y) * tap for y in (-PANEL_SCREWS[1] / 2, PANEL_SCREWS[1] / 2)]


def panel_block() -> Part:
    """Returns a foot of one of four panels."""
    wide, high, _ = PANEL_FOOT
    return Box(wide, wide, high, align=STANDING) - Cylinder(TAP_M3 / 2, 4 * high)


def panel_opal(side_panels: int) -> Part:
    """Returns the opal sheet over some panels along a side."""
    side = side_panels * PANEL + 2 * PANEL_LEDGE
    return rounded(Box(side, side, OPAL_HIGH, align=STANDING), 1)


def _windows() -> list[Part]:
    """Returns the openings of the floor, between its bars."""
    side = (PANEL - 3 * PANEL_BAR) / 2
    window = Box(side, side, 4 * PANEL_FLOOR)
    return [place * window for place in GridLocations(side + PANEL_BAR, side + PANEL_BAR, 2, 2)]


def _screws() -> list[Part]:
    """Returns the holes of countersunk screws."""
    hole = Cylinder(PASS_M3 / 2, 4 * PANEL_FLOOR) + Pos(0, 0, PANEL_FLOOR) * sunk_head(PASS_M3)
    return [place * hole for place in GridLocations(*PANEL_SCREWS, 2, 2)]
