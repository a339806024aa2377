"""Triangle meshes, in mm, and the simple bodies of which boards, tiles and hands consist.

x goes right along the columns, y up the rows, z up from the floor of the squares. Faces are
counter-clockwise as seen from outside.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

Values = NDArray[np.float64]

_AROUND: Final = 28
_CAP: Final = 7
"""Steps around a round body, and from the middle of a round end to its rim."""


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """A surface.

    Attributes:
        vertices: (k, 3) in mm.
        faces: (m, 3) indices of `vertices`.
        colours: (m, 3) albedo of each face in red, green and blue.
    """

    vertices: Values
    faces: NDArray[np.intp]
    colours: Values

    @staticmethod
    def of(vertices: ArrayLike, faces: ArrayLike, colour: ArrayLike = 0.5) -> "Mesh":
        """Returns a surface of one colour."""
        corners = np.asarray(faces, np.intp).reshape(-1, 3)
        shared = np.broadcast_to(np.asarray(colour, np.float64), (len(corners), 3))
        return Mesh(np.asarray(vertices, np.float64).reshape(-1, 3), corners, shared.copy())

    def moved(self, offset: ArrayLike, turn: ArrayLike | None = None) -> "Mesh":
        """Returns the mesh turned by a (3, 3) matrix about the origin, then shifted."""
        turned = self.vertices if turn is None else self.vertices @ np.asarray(turn).T
        return Mesh(turned + np.asarray(offset, np.float64), self.faces, self.colours)

    def painted(self, colours: ArrayLike) -> "Mesh":
        """Returns the mesh in one colour, or one for each face."""
        return Mesh(self.vertices, self.faces, np.broadcast_to(colours, (len(self.faces), 3)))

    @property
    def middles(self) -> Values:
        """Returns (m, 3) the middle of each face."""
        return np.asarray(self.vertices[self.faces].mean(axis=1))


def joined(meshes: Iterable[Mesh]) -> Mesh:
    """Returns several meshes as one."""
    parts = list(meshes)
    starts = np.cumsum([0, *(len(part.vertices) for part in parts)])
    return Mesh(
        np.concatenate([part.vertices for part in parts]),
        np.concatenate([part.faces + start for part, start in zip(parts, starts, strict=False)]),
        np.concatenate([part.colours for part in parts]),
    )


def vector(x: float, y: float, z: float) -> Values:
    """Returns (3,) a vector."""
    return np.array([x, y, z], np.float64)


def about_z(degrees: float) -> Values:
    """Returns (3, 3) a turn to the left, seen from above."""
    angle = np.radians(degrees)
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])


def leaning(degrees_x: float, degrees_y: float) -> Values:
    """Returns (3, 3) a turn about the x axis, then the y axis."""
    (sx, sy), (cx, cy) = (f(np.radians([degrees_x, degrees_y])) for f in (np.sin, np.cos))
    about_x = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    about_y = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    return np.asarray(about_y @ about_x, np.float64)


def relief(x: Values, y: Values, heights: Values) -> tuple[Values, NDArray[np.intp]]:
    """Returns vertices and faces of a surface over a grid of places.

    The cells are divided along the diagonal that points away from the middle, so that edges which
    meet at a corner are mitred.

    Args:
        x: (k,) rising.
        y: (l,) rising.
        heights: (l, k).
    """
    columns, rows = np.meshgrid(np.arange(len(x) - 1), np.arange(len(y) - 1))
    low = rows * len(x) + columns
    corners = np.stack([low, low + 1, low + len(x) + 1, low + len(x)], axis=-1).reshape(-1, 4)
    east = (x[columns] + x[columns + 1]).ravel() > x[0] + x[-1]
    north = (y[rows] + y[rows + 1]).ravel() > y[0] + y[-1]
    rising = (east == north)[:, None]
    first = np.where(rising, corners[:, [0, 1, 2]], corners[:, [0, 1, 3]])
    second = np.where(rising, corners[:, [0, 2, 3]], corners[:, [1, 2, 3]])
    places = np.stack([*np.meshgrid(x, y), heights], axis=-1).reshape(-1, 3)
    return places, np.concatenate([first, second])


def rim(columns: int, rows: int) -> NDArray[np.intp]:
    """Returns the outer vertices of a `relief`, counter-clockwise."""
    bottom = np.arange(columns)
    right = np.arange(1, rows) * columns + columns - 1
    top = (rows - 1) * columns + np.arange(columns - 2, -1, -1)
    left = np.arange(rows - 2, 0, -1) * columns
    return np.concatenate([bottom, right, top, left])


def walled(
    top: Values, faces: NDArray[np.intp], edge: NDArray[np.intp], floor: Values
) -> tuple[Values, NDArray[np.intp]]:
    """Returns a surface closed by walls down to a floor.

    Args:
        top: (k, 3) vertices of the surface.
        faces: its faces.
        edge: its outer vertices, counter-clockwise.
        floor: (len(edge), 3) foot of each of them.
    """
    upper, after = edge, np.roll(edge, -1)
    lower = len(top) + np.arange(len(edge))
    below = np.roll(lower, -1)
    middle = np.full_like(lower, len(top) + len(edge))
    walls = [np.stack(parts, axis=1) for parts in ((lower, below, upper), (below, after, upper))]
    under = np.stack([below, lower, middle], axis=1)
    vertices = np.concatenate([top, floor, floor.mean(axis=0)[None]])
    return vertices, np.concatenate([faces, *walls, under])


def capsule(ends: ArrayLike, radii: Sequence[float], colour: ArrayLike = 0.5) -> Mesh:
    """Returns a rod with round ends of different radii.

    Args:
        ends: (2, 3) the middles of the round ends.
        radii: radii of both ends.
        colour: colour of all faces.
    """
    first, second = np.asarray(ends, np.float64)
    along = second - first
    along = along / max(float(np.linalg.norm(along)), 1e-9)
    return _lathed(first, second, along, radii, colour)


def _lathed(
    first: Values, second: Values, along: Values, radii: Sequence[float], colour: ArrayLike
) -> Mesh:
    across = np.cross(along, [0.0, 0.0, 1.0] if abs(along[2]) < 0.9 else [1.0, 0.0, 0.0])
    across /= np.linalg.norm(across)
    other = np.cross(along, across)
    angles = np.arange(_AROUND) * 2 * np.pi / _AROUND
    ring = np.cos(angles)[:, None] * across + np.sin(angles)[:, None] * other
    rises = np.linspace(0, np.pi / 2, _CAP + 1)[1:]
    rows = [first - radii[0] * along[None]]
    rows += [first + radii[0] * (np.sin(r) * ring - np.cos(r) * along) for r in rises]
    rows += [second + radii[1] * (np.sin(r) * ring + np.cos(r) * along) for r in rises[::-1]]
    rows.append(second + radii[1] * along[None])
    return Mesh.of(np.concatenate(rows), _lathe_faces(len(rows) - 2), colour)


def _lathe_faces(rings: int) -> NDArray[np.intp]:
    """Returns faces between one vertex, rings of `_AROUND`, and one vertex."""
    step = np.arange(_AROUND)
    after = (step + 1) % _AROUND
    faces = [np.stack([np.zeros_like(step), 1 + after, 1 + step], axis=1)]
    for ring in range(rings - 1):
        low = 1 + ring * _AROUND
        high = low + _AROUND
        faces.append(np.stack([low + step, low + after, high + step], axis=1))
        faces.append(np.stack([low + after, high + after, high + step], axis=1))
    low = 1 + (rings - 1) * _AROUND
    faces.append(np.stack([low + step, low + after, np.full_like(step, low + _AROUND)], axis=1))
    return np.concatenate(faces)


def ellipsoid(middle: ArrayLike, axes: ArrayLike, turn: ArrayLike, colour: ArrayLike) -> Mesh:
    """Returns a ball scaled along three axes, then turned by a (3, 3) matrix."""
    ball = capsule([[0, 0, -1e-6], [0, 0, 1e-6]], (1, 1), colour)
    stretched = Mesh(ball.vertices * np.asarray(axes, np.float64), ball.faces, ball.colours)
    return stretched.moved(middle, turn)


def cylinder(radius: float, height: float, colour: ArrayLike) -> Mesh:
    """Returns a cylinder that stands on the origin."""
    angles = np.arange(2 * _AROUND) * np.pi / _AROUND
    ring = radius * np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
    lid = np.concatenate([ring + vector(0, 0, height), [[0, 0, height]]])
    edge = np.arange(len(ring))
    faces = np.stack([edge, np.roll(edge, -1), np.full_like(edge, len(ring))], axis=1)
    return Mesh.of(*walled(lid, faces, edge, ring), colour)


def box(size: ArrayLike, colour: ArrayLike) -> Mesh:
    """Returns a box whose underside has its middle at the origin."""
    length, width, height = np.asarray(size, np.float64)
    x, y = np.array([-length / 2, length / 2]), np.array([-width / 2, width / 2])
    top, faces = relief(x, y, np.full((2, 2), height))
    edge = rim(2, 2)
    return Mesh.of(*walled(top, faces, edge, top[edge] * [1, 1, 0]), colour)


def disc(middle: ArrayLike, facing: ArrayLike, radius: float, colour: ArrayLike = 0.5) -> Mesh:
    """Returns a flat disc, visible from the side it faces."""
    normal = np.asarray(facing, np.float64)
    normal = normal / np.linalg.norm(normal)
    across, other = axes_across(normal)
    angles = np.arange(2 * _AROUND) * np.pi / _AROUND
    ring = radius * (np.cos(angles)[:, None] * across + np.sin(angles)[:, None] * other)
    edge = np.arange(len(ring))
    faces = np.stack([edge, np.roll(edge, -1), np.full_like(edge, len(ring))], axis=1)
    return Mesh.of(np.concatenate([ring, np.zeros((1, 3))]) + np.asarray(middle), faces, colour)


def plate(middle: ArrayLike, facing: ArrayLike, size: Sequence[float]) -> Mesh:
    """Returns a flat rectangle, visible from the side it faces, its first side horizontal."""
    normal = np.asarray(facing, np.float64)
    normal = normal / np.linalg.norm(normal)
    across, other = axes_across(normal)
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2 * np.asarray(size)
    corners = signs[:, :1] * across + signs[:, 1:] * other + np.asarray(middle)
    return Mesh.of(corners, [[0, 1, 2], [0, 2, 3]])


def axes_across(normal: Values) -> tuple[Values, Values]:
    """Returns two directions that form a right-handed orthogonal system with the normal."""
    upright = abs(normal[2]) < 0.99
    across = np.cross([0.0, 0.0, 1.0] if upright else [0.0, 1.0, 0.0], normal)
    across /= np.linalg.norm(across)
    return across, np.cross(normal, across)
