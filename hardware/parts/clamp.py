"""Clamp around a tube: a block with a slit, closed by an M4 bolt of 20 and its nut.

The tube is the z axis, the ear with the bolt points to x, and the side at `CLAMP_HALF` of y is
flat from block to ear: there it lies on the print bed.
"""

from build123d import Align, Box, Cylinder, Part, Plane, Pos, RegularPolygon, Rot, extrude

from hardware.parts.dimensions import (
    BOLT_M4,
    BORE_BEYOND,
    CLAMP_BOLT,
    CLAMP_EAR,
    CLAMP_EAR_HALF,
    CLAMP_HALF,
    CLAMP_LONG,
    CLAMP_SLIT,
    NUT_M4,
    NUT_M4_HIGH,
    TUBE,
    TUBE_GAP,
)

_EAR = (Align.MIN, Align.MIN, Align.CENTER)


def clamp(long: float = CLAMP_LONG) -> Part:
    """Returns a clamp without its bore: a block of some length along z around the origin."""
    block = Box(2 * CLAMP_HALF, 2 * CLAMP_HALF, long)
    deep = CLAMP_EAR_HALF + CLAMP_HALF
    ear = Pos(0, -CLAMP_EAR_HALF) * Box(CLAMP_EAR, deep, long, align=_EAR)
    return block + ear


def clamp_cut(long: float = CLAMP_LONG) -> Part:
    """Returns what is cut from a clamp: bore, slit, hole of the bolt, pocket of the nut."""
    through = long + 2 * BORE_BEYOND
    bore = Cylinder(TUBE / 2 + TUBE_GAP, through)
    slit = Box(CLAMP_EAR + 1, CLAMP_SLIT, through, align=(Align.MIN, Align.CENTER, Align.CENTER))
    hole = Pos(CLAMP_BOLT) * Rot(90) * Cylinder(BOLT_M4 / 2, 4 * CLAMP_HALF)
    return bore + slit + hole + _nut_pocket()


def _nut_pocket() -> Part:
    """Returns the pocket of the nut, open at the flat side and deep enough for a bolt of 20."""
    nut = RegularPolygon(NUT_M4 / 2, 6, major_radius=False)
    start = CLAMP_EAR_HALF - NUT_M4_HIGH
    flat = Plane((CLAMP_BOLT, start, 0), x_dir=(1, 0, 0), z_dir=(0, 1, 0))
    return extrude(flat * nut, CLAMP_HALF)
