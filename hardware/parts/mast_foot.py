"""Feet of the mast: one holds the edge of a table top, the other is screwed down.

The origin is the axis of the upright on the table top; the board lies towards -y, the edge of the
table towards y. The first is printed lying on its side.
"""

from build123d import Box, Cylinder, GridLocations, Part, Plane, Pos, RegularPolygon, extrude

from hardware.parts.clamp import clamp, clamp_cut
from hardware.parts.dimensions import (
    BOLT_M6,
    CLAMP_HALF,
    CLAMP_LONG,
    FLANGE,
    FLANGE_HOLES,
    FOOT_JAW,
    FOOT_LOWER_JAW,
    FOOT_OPEN,
    FOOT_PAD,
    FOOT_SPINE,
    FOOT_WIDE,
    NUT_M6,
    NUT_M6_HIGH,
    TABLE_EDGE,
    WOOD_SCREW,
)
from hardware.parts.solids import BEHIND, STANDING, rounded, sunk_head

_UPRIGHT = Plane((0, 0, FOOT_JAW + CLAMP_LONG / 2))
"""Clamp of the upright: its ear points along the edge of the table, up on the print bed."""


def mast_foot() -> Part:
    """Returns the foot."""
    body = _jaws() + _UPRIGHT * clamp()
    return body - _UPRIGHT * clamp_cut() - _screw()


def _jaws() -> Part:
    """Returns the C of two jaws and their spine."""
    deep = CLAMP_HALF + TABLE_EDGE + FOOT_SPINE
    high = FOOT_LOWER_JAW + FOOT_OPEN + FOOT_JAW
    whole = Pos(0, -CLAMP_HALF, FOOT_JAW - high) * Box(FOOT_WIDE, deep, high, align=BEHIND)
    mouth = Box(FOOT_WIDE, CLAMP_HALF + TABLE_EDGE, FOOT_OPEN, align=BEHIND)
    return whole - Pos(0, -CLAMP_HALF, -FOOT_OPEN) * mouth


def _screw() -> Part:
    """Returns the hole of the M6 bolt through the lower jaw, with the pocket of its nut."""
    bottom = -FOOT_OPEN - FOOT_LOWER_JAW
    hole = Pos(0, 0, bottom) * Cylinder(BOLT_M6 / 2, 4 * FOOT_LOWER_JAW)
    nut = RegularPolygon(NUT_M6 / 2, 6, major_radius=False)
    pocket = extrude(Plane((0, 0, -FOOT_OPEN - NUT_M6_HIGH)) * nut, NUT_M6_HIGH)
    return hole + pocket


def foot_pad() -> Part:
    """Returns the pad on the end of the M6 bolt; its origin touches the table top from below."""
    wide, high, deep = FOOT_PAD
    pad = Pos(0, 0, -high) * Cylinder(wide / 2, high, align=STANDING)
    return pad - Pos(0, 0, -high) * Cylinder(BOLT_M6 / 2, deep, align=STANDING)


def mast_flange() -> Part:
    """Returns the foot that is screwed to a table top; its origin is the same."""
    wide, deep = FLANGE
    plate = Pos(0, -CLAMP_HALF) * Box(wide, deep, FOOT_JAW, align=BEHIND)
    body = rounded(plate, 4) + _UPRIGHT * clamp()
    middle = Pos(0, deep / 2 - CLAMP_HALF, FOOT_JAW)
    places = GridLocations(*FLANGE_HOLES, 2, 2)
    screws = [middle * place * _wood_screw() for place in places]
    return body - _UPRIGHT * clamp_cut() - screws


def _wood_screw() -> Part:
    """Returns the hole of a countersunk wood screw whose head ends at z = 0."""
    return Cylinder(WOOD_SCREW / 2, 3 * FOOT_JAW) + sunk_head(WOOD_SCREW)
