"""A view from far away: places and depths in the picture, and the edges that shapes show. Pure."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hardware.drawings.solids import Point, Solid, Triangles

Seen = NDArray[np.float64]
"""Points (x right, y down, depth away from the viewer) in millimetres, (..., 3)."""

Numbers = NDArray[np.int64]

_CREASE_COSINE: Final = math.cos(math.radians(28))
"""Cosine of the angle between two faces from which their common edge is drawn."""

_EDGE_ON: Final = 1e-7
"""Cosine below which a face is seen from its side: it counts as turned away."""

_GRID_MM: Final = 1e-3
"""Distance in millimetres below which two corners are one."""


@dataclass(frozen=True, slots=True)
class View:
    """A direction of looking, without perspective.

    Attributes:
        turn_deg: angle by which the viewer stands to the right of the front.
        tilt_deg: angle by which the viewer looks down.
    """

    turn_deg: float = 28.0
    tilt_deg: float = 34.0

    def seen(self, points: Triangles) -> Seen:
        """Returns points (..., 3) as they are seen."""
        # Sums of products of single numbers are equal on every machine; those of matrices are not.
        right, down, away = self._axes
        return np.stack([_along(points, axis) for axis in (right, down, away)], axis=-1)

    def place(self, point: Point) -> tuple[float, float]:
        """Returns a point's x and y in the drawing."""
        x, y, _ = self.seen(np.array(point)).tolist()
        return x, y

    @property
    def _axes(self) -> tuple[Point, Point, Point]:
        turn, tilt = math.radians(self.turn_deg), math.radians(self.tilt_deg)
        cosine, sine = math.cos(turn), math.sin(turn)
        level, steep = math.cos(tilt), math.sin(tilt)
        right = (cosine, sine, 0.0)
        away = (-sine * level, cosine * level, -steep)
        down = (sine * steep, -cosine * steep, -level)
        return right, down, away


def faces_viewer(seen: Seen) -> NDArray[np.bool_]:
    """Returns which triangles (n, 3, 3) as seen show their outside."""
    return np.asarray(normals(seen)[:, 2] < -_EDGE_ON)


def normals(triangles: Triangles) -> Triangles:
    """Returns the unit vectors (n, 3) that stand on triangles (n, 3, 3)."""
    one, other = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    upright = np.stack(
        [
            one[:, (k + 1) % 3] * other[:, (k + 2) % 3]
            - one[:, (k + 2) % 3] * other[:, (k + 1) % 3]
            for k in range(3)
        ],
        axis=-1,
    )
    length = np.sqrt((upright[:, 0] ** 2 + upright[:, 1] ** 2) + upright[:, 2] ** 2)
    safe = np.where(length > 0, length, 1.0)
    return np.asarray(upright / safe[:, None])


@dataclass(frozen=True, slots=True)
class Edge:
    """A line that a shape shows: from where to where as seen, and True if it is an outline."""

    start: Seen
    end: Seen
    is_outline: bool


def edges(solid: Solid, view: View) -> Iterator[Edge]:
    """Yields the outlines and the creases of a shape, hidden ones included."""
    seen = view.seen(solid.triangles)
    upright = normals(solid.triangles)
    front = faces_viewer(seen)
    sides, first, second = _sides(solid.triangles)
    one, other = sides[first] // 3, sides[second] // 3
    is_outline = ~(front[one] & front[other]) | (first == second)
    shown = (front[one] | front[other]) & (is_outline | _is_crease(upright[one], upright[other]))
    for k in np.flatnonzero(shown).tolist():
        face, corner = divmod(int(sides[first[k]]), 3)
        yield Edge(seen[face, corner], seen[face, (corner + 1) % 3], bool(is_outline[k]))


def _sides(triangles: Triangles) -> tuple[Numbers, Numbers, Numbers]:
    """Returns the sides of triangles, those of one edge one after the other.

    Returns:
        sides (3 n,), three times the number of their triangle and that of their first corner; and
        for each edge the places of its first and its last side among them.
    """
    keys = np.rint(triangles.reshape(-1, 3) / _GRID_MM).astype(np.int64)
    _, names = np.unique(keys, axis=0, return_inverse=True)
    starts = names.reshape(-1, 3)
    ends = np.roll(starts, -1, axis=1)
    codes = np.minimum(starts, ends) * len(keys) + np.maximum(starts, ends)
    sides = np.argsort(codes.ravel(), kind="stable")
    ordered = codes.ravel()[sides]
    breaks = np.flatnonzero(np.diff(ordered)) + 1
    first = np.concatenate(([0], breaks))
    return sides, first, np.concatenate((breaks, [len(ordered)])) - 1


def _is_crease(one: Triangles, other: Triangles) -> NDArray[np.bool_]:
    """Returns which pairs of unit vectors (n, 3) differ by the angle of a crease or more."""
    both = one * other
    return np.asarray((both[:, 0] + both[:, 1]) + both[:, 2] < _CREASE_COSINE)


def _along(points: Triangles, axis: Point) -> NDArray[np.float64]:
    x, y, z = axis
    return np.asarray((points[..., 0] * x + points[..., 1] * y) + points[..., 2] * z)
