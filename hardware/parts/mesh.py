"""Triangles of a part: reads STL files, measures them. Lengths are in millimetres."""

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

Triangles = NDArray[np.float64]
"""Triangles (N, 3, 3): their corners, anticlockwise as seen from outside."""

_RECORD: Final = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("unused", "<u2")])
"""A triangle in a binary STL file."""

_HEADER: Final = 80
"""Bytes of the header of an STL file."""

_WELD: Final = 1e-4
"""Distance within which two corners are one: STL has single precision, 1e-5 at 200."""


def read_stl(path: Path) -> Triangles:
    """Returns the triangles (N, 3, 3) of a binary STL file.

    Raises:
        ValueError: the file is cut off, or not binary STL.
    """
    data = path.read_bytes()
    count = int.from_bytes(data[_HEADER : _HEADER + 4], "little")
    if len(data) != _HEADER + 4 + count * _RECORD.itemsize:
        raise ValueError(f"{path.name} is not a whole binary STL file; generate it anew")
    records = np.frombuffer(data, _RECORD, count, _HEADER + 4)
    return np.asarray(records["corners"], dtype=np.float64)


def bounds(triangles: Triangles) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns the least and the greatest x, y, z, each (3,)."""
    corners = triangles.reshape(-1, 3)
    return corners.min(axis=0), corners.max(axis=0)


def volume(triangles: Triangles) -> float:
    """Returns the enclosed volume in cubic millimetres; negative if inside out."""
    first, second, third = np.moveaxis(triangles, 1, 0)
    return float(np.einsum("ij,ij->", first, np.cross(second, third)) / 6)


def open_edges(triangles: Triangles) -> int:
    """Returns the number of edges that not exactly two triangles share, one in each direction."""
    keys = np.round(triangles.reshape(-1, 3) / _WELD).astype(np.int64)
    names = np.unique(keys, axis=0, return_inverse=True)[1].reshape(-1, 3)
    edges = np.concatenate([names[:, [0, 1]], names[:, [1, 2]], names[:, [2, 0]]])
    forward, there = np.unique(edges, axis=0, return_counts=True)
    back, again = np.unique(edges[:, ::-1], axis=0, return_counts=True)
    known = set(map(tuple, forward[there == 1])) & set(map(tuple, back[again == 1]))
    return len(edges) - len(known)


def crossings(
    triangles: Triangles, origin: tuple[float, float, float], axis: int
) -> NDArray[np.float64]:
    """Returns where a line parallel to an axis goes through the surface, in rising order.

    Args:
        triangles: triangles (N, 3, 3).
        origin: point of the line; its coordinate along the axis does not matter.
        axis: 0 for x, 1 for y, 2 for z.

    Returns:
        Coordinates (M,) along the axis, in and out by turns for a closed part. The line must not
        meet an edge exactly: choose odd fractions.
    """
    across = [k for k in range(3) if k != axis]
    flat = triangles[:, :, across] - np.array(origin)[across]
    first, second, third = np.moveaxis(flat, 1, 0)
    weights = np.stack([_cross(second, third), _cross(third, first), _cross(first, second)], axis=1)
    total = weights.sum(axis=1)
    hit = (np.all(weights > 0, axis=1) | np.all(weights < 0, axis=1)) & (total != 0)
    shares = weights[hit] / total[hit, None]
    return np.sort(np.einsum("ij,ij->i", shares, triangles[hit, :, axis]))


def _cross(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the cross products (N,) of vectors (N, 2)."""
    product: NDArray[np.float64] = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
    return product
