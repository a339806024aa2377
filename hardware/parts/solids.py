"""Shapes that several parts share: places of origins, round edges, countersunk heads."""

from build123d import Align, Axis, Cone, Part, fillet

STANDING = (Align.CENTER, Align.CENTER, Align.MIN)
"""Alignment of a solid that stands on the middle of its bottom."""

HANGING = (Align.CENTER, Align.CENTER, Align.MAX)
"""Alignment of a solid that hangs from the middle of its top."""

BEHIND = (Align.CENTER, Align.MIN, Align.MIN)
"""Alignment of a solid that lies at y and z of its place, with its middle at x."""

CORNER = (Align.MIN, Align.MIN, Align.MIN)
"""Alignment of a solid that lies at x, y and z of its place."""


def rounded(body: Part, radius: float) -> Part:
    """Returns a body whose upright edges are round."""
    return fillet(body.edges().filter_by(Axis.Z), radius)


def sunk_head(screw: float) -> Part:
    """Returns the countersunk head of a screw of some diameter."""
    return Cone(screw / 2, screw, screw / 2, align=HANGING)
