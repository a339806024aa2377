"""Clamp around a tube: a block with a slit, closed by an M4 bolt of 20 and its nut.

The tube is the z axis; the ear with the bolt points to x, and the nut lies in its side at y. A
clamp is printed standing, or with its ear up: then nothing of the slit hangs in the air.
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

_EAR = (Align.MIN, Align.CENTER, Align.CENTER)
"""Alignment of ear and slit: they begin at the axis of the tube, and lie at x."""


def clamp(long: float = CLAMP_LONG) -> Part:
    """Returns a clamp without its bore: a block of some length along z around the origin."""
    block = Box(2 * CLAMP_HALF, 2 * CLAMP_HALF, long)
    return block + Box(CLAMP_EAR, 2 * CLAMP_EAR_HALF, long, align=_EAR)


def clamp_cut(long: float = CLAMP_LONG) -> Part:
    """Returns what is cut from a clamp: bore, slit, hole of the bolt, pocket of the nut."""
    through = long + 2 * BORE_BEYOND
    bore = Cylinder(TUBE / 2 + TUBE_GAP, through)
    slit = Box(CLAMP_EAR + 1, CLAMP_SLIT, through, align=_EAR)
    hole = Pos(CLAMP_BOLT) * Rot(90) * Cylinder(BOLT_M4 / 2, 4 * CLAMP_HALF)
    return bore + slit + hole + _nut_pocket()


def _nut_pocket() -> Part:
    """Returns the pocket of the nut in the side of the ear."""
    nut = RegularPolygon(NUT_M4 / 2, 6, major_radius=False)
    side = Plane((CLAMP_BOLT, CLAMP_EAR_HALF, 0), x_dir=(1, 0, 0), z_dir=(0, 1, 0))
    return extrude(side * nut, NUT_M4_HIGH, both=True)
