"""Dovetail that joins what is larger than the print bed; its parts slide together along z.

A dovetail is (width of its neck, width of its head, depth), in millimetres. It begins at y = 0,
points to y, and stands on z = 0.
"""

from math import hypot
from typing import Final

from build123d import Box, Part, Polygon, extrude

from hardware.parts.dimensions import JOINT_GAP
from hardware.parts.solids import BEHIND

Dovetail = tuple[float, float, float]

_INTO: Final = 1.0
"""Length in millimetres by which a dovetail goes back into what it grows from."""


def tail(size: Dovetail, high: float) -> Part:
    """Returns the dovetail itself."""
    return _prism(size, high, 0.0)


def socket(size: Dovetail, high: float) -> Part:
    """Returns what is cut for a dovetail, with `JOINT_GAP` all around."""
    return _prism(size, high, JOINT_GAP)


def socket_block(size: Dovetail, high: float, wall: float) -> Part:
    """Returns the block around a socket, with a wall of some thickness."""
    head, deep = size[1:]
    sides = (head + 2 * (JOINT_GAP + wall), deep + JOINT_GAP + wall, high)
    return Box(*sides, align=BEHIND)


def _prism(size: Dovetail, high: float, gap: float) -> Part:
    """Returns a dovetail whose every side is moved outwards by a gap."""
    neck, head, deep = size
    slope = (head - neck) / 2 / deep
    start = neck / 2 + gap * hypot(1, slope)
    end = start + slope * (deep + gap)
    right = ((start, -_INTO), (start, 0.0), (end, deep + gap))
    outline = (*right, *((-x, y) for x, y in reversed(right)))
    return extrude(Polygon(*outline, align=None), high)
