"""Shapes that several parts share: places of origins, round edges, countersunk heads."""

from build123d import Align, Axis, Cone, Part, fillet

STANDING = (Align.CENTER, Align.CENTER, Align.MIN)
HANGING = (Align.CENTER, Align.CENTER, Align.MAX)
BEHIND = (Align.CENTER, Align.MIN, Align.MIN)
CORNER = (Align.MIN, Align.MIN, Align.MIN)
"""Origin in the middle of the bottom, of the top, of the bottom's front edge, or in its corner."""


def rounded(body: Part, radius: float) -> Part:
    """Returns a body whose upright edges are round."""
    return fillet(body.edges().filter_by(Axis.Z), radius)


def sunk_head(screw: float) -> Part:
    """Returns the countersunk head of a screw of some diameter."""
    return Cone(screw / 2, screw, screw / 2, align=HANGING)
