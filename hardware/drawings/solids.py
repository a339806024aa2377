"""Shapes of triangles in millimetres: boxes, prisms, cylinders. Pure.

x goes right, y away from the viewer, z up. Outlines run counterclockwise seen from above.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Triangles = NDArray[np.float64]
"""Corners of triangles in millimetres, (n, 3, 3), counterclockwise seen from outside."""

Point = tuple[float, float, float]
"""x, y and z in millimetres."""

_SEGMENTS: Final = 40
"""Flat faces that stand for a cylinder."""

_SLIM_SEGMENTS: Final = 14
"""Flat faces that stand for a cylinder thinner than `_SLIM_MM`."""

_SLIM_MM: Final = 3.0
"""Radius in millimetres below which a cylinder is slim."""

_AXES: Final = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}
"""Coordinates that a turn about an axis mixes."""


@dataclass(frozen=True, slots=True)
class Solid:
    """A closed shape."""

    triangles: Triangles

    def moved(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> "Solid":
        """Returns it, moved by millimetres."""
        return Solid(self.triangles + np.array((x, y, z)))

    def turned(self, axis: str, degrees: float) -> "Solid":
        """Returns it, turned about the axis `x`, `y` or `z` through the origin."""
        one, other = _AXES[axis]
        cosine, sine = _unit(degrees)
        turned = self.triangles.copy()
        first, second = self.triangles[..., one], self.triangles[..., other]
        turned[..., one] = first * cosine - second * sine
        turned[..., other] = first * sine + second * cosine
        return Solid(turned)


def joined(solids: Iterable[Solid]) -> Solid:
    """Returns several shapes as one."""
    return Solid(np.concatenate([solid.triangles for solid in solids]))


def box(width: float, depth: float, height: float) -> Solid:
    """Returns a box that stands on the middle of its bottom."""
    x, y = width / 2, depth / 2
    return prism(((-x, -y), (x, -y), (x, y), (-x, y)), height)


def rounded_box(width: float, depth: float, height: float, radius: float) -> Solid:
    """Returns a box with round upright edges that stands on the middle of its bottom."""
    x, y, steps = width / 2 - radius, depth / 2 - radius, 6
    outline = []
    for start, (right, back) in zip((180, 270, 0, 90), _CORNERS, strict=True):
        for k in range(steps + 1):
            cosine, sine = _unit(start + 90 * k / steps)
            outline.append((right * x + radius * cosine, back * y + radius * sine))
    return prism(outline, height)


_CORNERS: Final = ((-1, -1), (1, -1), (1, 1), (-1, 1))
"""Signs of x and y at the corners of a box, counterclockwise from the front left."""


def cylinder(radius: float, height: float) -> Solid:
    """Returns an upright cylinder that stands on the middle of its bottom."""
    count = _SLIM_SEGMENTS if radius < _SLIM_MM else _SEGMENTS
    turns = (_unit(360 * k / count) for k in range(count))
    return prism([(radius * cosine, radius * sine) for cosine, sine in turns], height)


def rod(start: Point, end: Point, radius: float) -> Solid:
    """Returns a cylinder from one point to another."""
    along = [b - a for a, b in zip(start, end, strict=True)]
    length = math.sqrt(sum(part * part for part in along))
    tilt = math.degrees(math.acos(along[2] / length))
    heading = math.degrees(math.atan2(along[1], along[0]))
    return cylinder(radius, length).turned("y", tilt).turned("z", heading).moved(*start)


def prism(outline: Sequence[tuple[float, float]], height: float) -> Solid:
    """Returns an upright prism on the plane z = 0.

    Args:
        outline: corners (x, y) of its convex bottom, counterclockwise from above.
        height: its height in millimetres.
    """
    low = [(x, y, 0.0) for x, y in outline]
    high = [(x, y, height) for x, y in outline]
    faces: list[tuple[Point, Point, Point]] = []
    for k in range(1, len(outline) - 1):
        faces += [(high[0], high[k], high[k + 1]), (low[0], low[k + 1], low[k])]
    for k in range(len(outline)):
        m = (k + 1) % len(outline)
        faces += [(low[k], low[m], high[m]), (low[k], high[m], high[k])]
    return Solid(np.array(faces))


def _unit(degrees: float) -> tuple[float, float]:
    """Returns cosine and sine, of right angles exactly."""
    quarters, rest = divmod(degrees, 90)
    if rest == 0:
        return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[int(quarters) % 4]
    angle = math.radians(degrees)
    return math.cos(angle), math.sin(angle)
