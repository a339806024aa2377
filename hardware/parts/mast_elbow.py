"""Elbow of the mast: a cross clamp of upright and arm, which pass each other.

The origin is the axis of the arm where it passes the upright; the upright stands at
-`ELBOW_ASIDE` of x. It is printed as it is used, on its flat bottom.
"""

from build123d import Part, Plane

from hardware.parts.clamp import clamp, clamp_cut
from hardware.parts.dimensions import CLAMP_HALF, ELBOW_ASIDE

_LONG = 2 * CLAMP_HALF
"""Length of both clamps: that of the other's block, so that both end in one plane."""

_ARM = Plane((0, 0, 0), x_dir=(0, 0, 1), z_dir=(0, -1, 0))
"""Place of the arm's clamp: the tube lies along y, and the ear points up."""

_UPRIGHT = Plane((-ELBOW_ASIDE, 0, 0), x_dir=(-1, 0, 0), z_dir=(0, 0, 1))
"""Place of the upright's clamp: the tube stands, and the ear points away from the arm."""


def mast_elbow() -> Part:
    """Returns the elbow."""
    body = _ARM * clamp(_LONG) + _UPRIGHT * clamp(_LONG)
    return body - _ARM * clamp_cut(_LONG) - _UPRIGHT * clamp_cut(_LONG)
