"""Finds fields of squares in a rectified view by the lines between their squares.

Ridges, edges of pieces and grooves within them are all on the lines of one lattice. A lattice
of the size of a board is compared with the view at every pitch and place; where it fits, the
borders of the field are where the lines across them end, because a frame has none.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.geometry.grid import OUTLINE, SIZES, Points

Strength = NDArray[np.float32]

_PITCH: Final = 8
"""Pixels per square in the searched view, which is shrunk for each pitch."""

_FINEST: Final = 10.0
"""Fewest pixels per square of a board in the view: 14 of them are a seventh of its side."""

_STEP: Final = 1.03
"""Ratio of one pitch to the next: 14 squares end within a quarter of one at the worst."""

_SOFT: Final = np.exp(-0.5 * np.arange(-3, 4) ** 2.0)
"""Bell curve with a standard deviation of one pixel."""

_ALONG: Final = _SOFT / _SOFT.sum()
"""Filter along a line."""

_ACROSS: Final = np.convolve(_ALONG, [-0.5, 0, 0, 0, 1, 0, 0, 0, -0.5])
"""Filter across a line: the line minus the mean of half a square on either side."""

_COARSE: Final = 0.45
"""Zoom below which linear interpolation would skip pixels."""

_NORMAL_PX: Final = 51
"""Side in pixels of the area whose mean edge normalises edges."""

_FLOOR: Final = 6.0
"""Value added to that mean, so that faint edges of an even area stay faint."""

_STRONGEST: Final = 4.0
"""Bound of the ratio of an edge to that sum."""

_CLIP: Final = 0.6
"""Bound of the strength of a line."""

_PITCHES: Final = 4
"""Best pitches at which fields are searched."""

_LEAST: Final = 0.1
"""Least mean strength of the lines inside a field."""

_BORDER_WEIGHT: Final = 0.3
"""Weight of the ends of lines at all borders."""

_WORST_WEIGHT: Final = 0.5
"""Weight of the ends of lines at the worst border, if lines are stronger beyond it."""


@dataclass(frozen=True, slots=True, eq=False)
class LatticeField:
    """Candidate for a field of squares.

    Attributes:
        score: measure of its fit; a clear board has 0.4 to 0.8, chance 0.2 to 0.35.
        size: squares along a side.
        corners: (4, 2) its outer corners in pixels of the view, clockwise from the top left.
    """

    score: float
    size: int
    corners: Points


def edge_slopes(view: Image) -> tuple[Strength, Strength]:
    """Strength of upright and of level edges, (height, width) each.

    The strongest of the three channels counts, because purple on black hardly shows in grey.
    """
    channels, pair = cv2.split(view), []
    for dx, dy in ((1, 0), (0, 1)):
        each = (np.abs(cv2.Sobel(one, cv2.CV_16S, dx, dy, ksize=3)) for one in channels)
        pair.append(np.asarray(reduce(cv2.max, each), np.float32))
    return pair[0], pair[1]


def upright_edges(view: Image, within: NDArray[np.uint8]) -> tuple[Strength, Strength]:
    """Strength of upright and level edges, each (height, width), minus the other direction.

    It is relative to the edges nearby.

    Args:
        view: (height, width, 3) uint8.
        within: (height, width), 0 outside the picture.
    """
    smooth = cv2.GaussianBlur(view, (0, 0), 0.8)
    upright, level = edge_slopes(np.asarray(smooth, np.uint8))
    usual = cv2.blur(upright + level, (_NORMAL_PX, _NORMAL_PX)) + _FLOOR
    seen = cv2.erode(within, np.ones((7, 7), np.uint8)).astype(np.float32)
    pair = [
        np.asarray(np.sqrt(np.clip(more / usual, 0, _STRONGEST)) * seen, np.float32)
        for more in (upright - level, level - upright)
    ]
    return pair[0], pair[1]


def fields(edges: tuple[Strength, Strength], sizes: tuple[int, ...] = SIZES) -> list[LatticeField]:
    """Finds the fields of squares that fit best, best first; some of them overlap.

    Args:
        edges: edges from `upright_edges`.
        sizes: squares along a side of the boards to search.
    """
    found = sorted(_hits(edges, min(sizes)), key=lambda hit: -hit.score)
    every = [field for hit in found[:_PITCHES] for field in _around(hit, edges, sizes)]
    return sorted(every, key=lambda field: -field.score)


@dataclass(frozen=True, slots=True)
class _Hit:
    """Best lattice at a pitch, in pixels of the view, with a corner at (x, y) at `_PITCH`."""

    score: float
    pitch: float
    x: int
    y: int


def _hits(edges: tuple[Strength, Strength], size: int) -> Iterator[_Hit]:
    """Yields the best lattice of `size` squares at each pitch."""
    ratio = min(edges[0].shape) / (size + 0.5) / _FINEST
    smaller, shrunk = edges, 1.0
    for pitch in _FINEST * _STEP ** np.arange(np.log(max(ratio, 1)) / np.log(_STEP)):
        while pitch / shrunk > 2 * _PITCH:
            smaller, shrunk = _halved(smaller), 2 * shrunk
        scores = _scores(_lines(smaller, pitch / shrunk), size)
        if scores.size:
            y, x = np.unravel_index(scores.argmax(), scores.shape)
            yield _Hit(float(scores[y, x]), float(pitch), int(x), int(y))


def _halved(edges: tuple[Strength, Strength]) -> tuple[Strength, Strength]:
    one, other = (cv2.resize(e, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) for e in edges)
    return np.asarray(one, np.float32), np.asarray(other, np.float32)


def _lines(edges: tuple[Strength, Strength], pitch: float) -> tuple[Strength, Strength]:
    """Strength of edges minus that half a square beside them, at `_PITCH` pixels per square."""
    zoom = _PITCH / pitch
    way = cv2.INTER_AREA if zoom < _COARSE else cv2.INTER_LINEAR
    pair = []
    for strength, kernels in zip(edges, ((_ACROSS, _ALONG), (_ALONG, _ACROSS)), strict=True):
        small = cv2.resize(strength, None, fx=zoom, fy=zoom, interpolation=way)
        lines = cv2.sepFilter2D(small, cv2.CV_32F, *kernels, borderType=cv2.BORDER_REFLECT_101)
        pair.append(np.asarray(np.clip(lines, -_CLIP, _CLIP), np.float32))
    return pair[0], pair[1]


def _scores(lines: tuple[Strength, Strength], size: int) -> Strength:
    """(y, x) mean strength along the lines of a lattice, by the place of its top left corner."""
    upright, level = lines
    span = size * _PITCH
    height, width = upright.shape
    if height < span + _PITCH or width < span + _PITCH:
        return np.empty((0, 0), np.float32)
    down = _summed(upright, (1, span))[: height - span, :]
    along = _summed(level, (span, 1))[:, : width - span]
    both = np.zeros((height - span, width - span), np.float32)
    for start in range(0, span + 1, _PITCH):
        both += down[:, start : start + width - span]
        both += along[start : start + height - span]
    both /= np.float32(2 * (size + 1) * span)
    return both


def _summed(values: Strength, box: tuple[int, int]) -> Strength:
    """Sums over a box, (width, height), right and down of each place."""
    sums = cv2.boxFilter(values, -1, box, anchor=(0, 0), normalize=False)
    return np.asarray(sums, np.float32)


def _around(
    hit: _Hit, edges: tuple[Strength, Strength], sizes: tuple[int, ...]
) -> Iterator[LatticeField]:
    """Yields the fields on a lattice."""
    zoom = hit.pitch / _PITCH
    first = np.array([hit.x % _PITCH, hit.y % _PITCH])
    lattice = _segments(_lines(edges, hit.pitch), first)
    for score, size, row, column in _windows(lattice, sizes):
        corner = (first + _PITCH * np.array([column, row])) * zoom
        yield LatticeField(score, size, corner + hit.pitch * size * OUTLINE)


def _segments(
    lines: tuple[Strength, Strength], first: NDArray[np.intp]
) -> tuple[Strength, Strength]:
    """Mean strength of each line segment of a lattice: (rows, columns + 1), (rows + 1, columns)."""
    upright, level = lines
    height, width = upright.shape
    xs, ys = np.arange(first[0], width, _PITCH), np.arange(first[1], height, _PITCH)
    down = np.pad(np.cumsum(upright, 0, np.float32), ((1, 0), (0, 0)))[ys][:, xs]
    along = np.pad(np.cumsum(level, 1, np.float32), ((0, 0), (1, 0)))[ys][:, xs]
    return (
        np.asarray(np.diff(down, axis=0) / _PITCH, np.float32),
        np.asarray(np.diff(along, axis=1) / _PITCH, np.float32),
    )


def _windows(
    lattice: tuple[Strength, Strength], sizes: tuple[int, ...]
) -> Iterator[tuple[float, int, int, int]]:
    """Yields the best fields on a lattice: lines inside, and none across beyond each side.

    Args:
        lattice: strength of each upright segment (rows, columns + 1) and of each level one
            (rows + 1, columns).
        sizes: squares along a side of the boards to search.

    Yields:
        The score of a field, its squares along a side, and the row and column of its first one.
    """
    upright, level = lattice
    for n in sizes:
        rows, columns = upright.shape[0] - n + 1, level.shape[1] - n + 1
        if rows < 1 or columns < 1:
            continue
        inside = (_boxes(upright, n, n + 1) + _boxes(level, n + 1, n)) / (2 * n * (n + 1))
        # Lines across each row of squares, and across each column, the outermost left out.
        across = _boxes(upright, 1, n - 1)[:, 1 : columns + 1] / np.float32(n - 1)
        beside = _boxes(level, n - 1, 1)[1 : rows + 1].T / np.float32(n - 1)
        falls = np.stack(_falls(across, rows, n) + [one.T for one in _falls(beside, columns, n)])
        border = _BORDER_WEIGHT * falls.sum(axis=0)
        border += _WORST_WEIGHT * np.minimum(falls.min(axis=0), 0)
        score = np.where(inside < _LEAST, -1.0, inside + border)
        for place in np.argsort(-score, axis=None)[:3]:
            row, column = np.unravel_index(place, score.shape)
            yield float(score[row, column]), n, int(row), int(column)


def _falls(across: Strength, rows: int, size: int) -> list[Strength]:
    """Drop in the strength of lines across, beyond the first row and beyond the last one."""
    beyond = np.pad(across, ((1, 1), (0, 0)))
    first = across[:rows] - beyond[:rows]
    last = across[size - 1 : size - 1 + rows] - beyond[size + 1 : size + 1 + rows]
    return [np.clip(first, -0.5, 0.5), np.clip(last, -0.5, 0.5)]


def _boxes(values: Strength, height: int, width: int) -> Strength:
    """Sums over every box of a height and width, by its top left corner."""
    total = np.pad(values, ((1, 0), (1, 0))).cumsum(axis=0).cumsum(axis=1)
    sums = total[height:, width:] - total[:-height, width:]
    return np.asarray(sums - total[height:, :-width] + total[:-height, :-width], np.float32)
