"""Fields of squares in a view where they stand upright, by the lines between their squares.

Ridges, edges of pieces and grooves within them all lie on the lines of one lattice. A comb of
lines is laid over the view at every pitch and place; where it fits, the edges of the field are
where the lines across them end: a frame has none.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.geometry import Points

Strength = NDArray[np.float32]

SIZES: Final = (14, 20)
"""Squares along a side of the boards there are."""

_PITCH: Final = 8
"""Pixels a square in the view that is searched; it is shrunk until the squares have them."""

_STEP: Final = 1.03
"""From one pitch to the next: 14 squares end within a quarter of one at the worst."""

_NORMAL_PX, _FLOOR, _STRONGEST = 51, 6.0, 4.0
_CLIP: Final = 0.6
_PITCHES: Final = 4
_LEAST: Final = 0.1
_BORDER_WEIGHT, _WORST_WEIGHT = 0.3, 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """A field of squares that may be there.

    Attributes:
        score: how well it fits; a plain board has 0.4 to 0.8, chance 0.2 to 0.35.
        size: squares along a side.
        corners: (4, 2) its outer corners in pixels of the view, clockwise from the top left.
    """

    score: float
    size: int
    corners: Points


def upright_edges(view: Image, within: NDArray[np.uint8]) -> tuple[Strength, Strength]:
    """Upright and level edges, each (height, width), where they prevail; measured locally.

    Args:
        view: (height, width, 3) uint8.
        within: (height, width), 0 where the view shows nothing.
    """
    smooth = cv2.GaussianBlur(view, (0, 0), 0.8)
    upright, level = (
        np.abs(cv2.Sobel(smooth, cv2.CV_16S, dx, dy, ksize=3)).max(axis=2).astype(np.float32)
        for dx, dy in ((1, 0), (0, 1))
    )
    usual = cv2.blur(upright + level, (_NORMAL_PX, _NORMAL_PX)) + _FLOOR
    seen = cv2.erode(within, np.ones((7, 7), np.uint8)).astype(np.float32)
    pair = [
        np.asarray(np.sqrt(np.clip(more / usual, 0, _STRONGEST)) * seen, np.float32)
        for more in (upright - level, level - upright)
    ]
    return pair[0], pair[1]


def fields(edges: tuple[Strength, Strength], sizes: tuple[int, ...] = SIZES) -> list[Field]:
    """The fields of squares that fit best, best first; some of them overlap.

    Args:
        edges: as `upright_edges` gives them.
        sizes: squares along a side of the boards to look for.
    """
    found = sorted(_combed(edges, min(sizes)), key=lambda hit: -hit.score)
    every = [field for hit in found[:_PITCHES] for field in _around(hit, edges, sizes)]
    return sorted(every, key=lambda field: -field.score)


@dataclass(frozen=True, slots=True)
class _Hit:
    """A comb that fits at a pitch, in pixels of the view, with a line through (x, y)."""

    score: float
    pitch: float
    x: int
    y: int


def _combed(edges: tuple[Strength, Strength], size: int) -> Iterator[_Hit]:
    """The best comb of `size` squares at each pitch."""
    widest = min(edges[0].shape) / (size + 0.5)
    smaller, shrunk = edges, 1.0
    for pitch in _PITCH * _STEP ** np.arange(np.log(max(widest / _PITCH, 1)) / np.log(_STEP)):
        if pitch / shrunk > 2 * _PITCH:
            smaller, shrunk = _halved(smaller), 2 * shrunk
        scores = _scores(_lines(smaller, pitch / shrunk), size)
        if scores.size:
            y, x = np.unravel_index(scores.argmax(), scores.shape)
            yield _Hit(float(scores[y, x]), float(pitch), int(x), int(y))


def _halved(edges: tuple[Strength, Strength]) -> tuple[Strength, Strength]:
    one, other = (cv2.resize(e, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) for e in edges)
    return np.asarray(one, np.float32), np.asarray(other, np.float32)


def _lines(edges: tuple[Strength, Strength], pitch: float) -> tuple[Strength, Strength]:
    """How much more edge there is than half a square beside it, with `_PITCH` pixels a square."""
    zoom = _PITCH / pitch
    half = _PITCH // 2
    pair = []
    for strength, axis in zip(edges, (1, 0), strict=True):
        small = cv2.resize(strength, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
        soft = np.asarray(cv2.GaussianBlur(small, (0, 0), 1.0), np.float32)
        beside = np.roll(soft, half, axis) + np.roll(soft, -half, axis)
        pair.append(np.clip(soft - 0.5 * beside, -_CLIP, _CLIP))
    return pair[0], pair[1]


def _scores(lines: tuple[Strength, Strength], size: int) -> Strength:
    """(y, x) mean along a comb's lines, by the place of its top left corner."""
    upright, level = lines
    span = size * _PITCH
    height, width = upright.shape
    if height < span + _PITCH or width < span + _PITCH:
        return np.empty((0, 0), np.float32)
    down = np.cumsum(upright, axis=0)
    along = np.cumsum(level, axis=1)
    both = _every_pitch(down[span:] - down[:-span], size)
    both += _every_pitch((along[:, span:] - along[:, :-span]).T, size).T
    return np.asarray(both / (2 * (size + 1) * span), np.float32)


def _every_pitch(strips: Strength, size: int) -> Strength:
    """Sums of size + 1 columns a pitch apart, by the first of them."""
    height, width = strips.shape
    columns = -(-width // _PITCH)
    padded = np.zeros((height, columns * _PITCH), np.float32)
    padded[:, :width] = strips
    total = padded.reshape(height, columns, _PITCH).cumsum(axis=1, dtype=np.float32)
    sums = total[:, size:].copy()
    sums[:, 1:] -= total[:, : -size - 1]
    return sums.reshape(height, -1)[:, : width - size * _PITCH]


def _around(hit: _Hit, edges: tuple[Strength, Strength], sizes: tuple[int, ...]) -> Iterator[Field]:
    """The fields on the lattice of a comb."""
    zoom = hit.pitch / _PITCH
    first = np.array([hit.x % _PITCH, hit.y % _PITCH])
    lattice = _segments(_lines(edges, hit.pitch), first)
    for window in windows(lattice, sizes):
        corner = (first + _PITCH * np.array([window.column, window.row])) * zoom
        span = hit.pitch * window.size
        square = np.array([[0, 0], [span, 0], [span, span], [0, span]])
        yield Field(window.score, window.size, corner + square)


@dataclass(frozen=True, slots=True)
class Window:
    """A field on a lattice: how well it fits and the row and column of its first square."""

    score: float
    size: int
    row: int
    column: int


def windows_around(
    edges: tuple[Strength, Strength], pitch: float, sizes: tuple[int, ...]
) -> list[Window]:
    """The best fields on the lattice through the view's top left corner, best first."""
    lattice = _segments(_lines(edges, pitch), np.zeros(2, np.intp))
    return sorted(windows(lattice, sizes), key=lambda window: -window.score)


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


def windows(lattice: tuple[Strength, Strength], sizes: tuple[int, ...]) -> list[Window]:
    """The best fields on a lattice: lines inside, and none across the line beyond each side.

    Args:
        lattice: strength of each upright segment (rows, columns + 1) and of each level one
            (rows + 1, columns).
        sizes: squares along a side of the boards to look for.
    """
    upright, level = lattice
    found = []
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
            found.append(Window(float(score[row, column]), n, int(row), int(column)))
    return found


def _falls(across: Strength, rows: int, size: int) -> list[Strength]:
    """By how much lines across fall off from the first row to the one before, and at the end."""
    beyond = np.pad(across, ((1, 1), (0, 0)))
    first = across[:rows] - beyond[:rows]
    last = across[size - 1 : size - 1 + rows] - beyond[size + 1 : size + 1 + rows]
    return [np.clip(first, -0.5, 0.5), np.clip(last, -0.5, 0.5)]


def _boxes(values: Strength, height: int, width: int) -> Strength:
    """Sums over every box of a height and width, by its top left corner."""
    total = np.pad(values, ((1, 0), (1, 0))).cumsum(axis=0).cumsum(axis=1)
    sums = total[height:, width:] - total[:-height, width:]
    return np.asarray(sums - total[height:, :-width] + total[:-height, :-width], np.float32)
