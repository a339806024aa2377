"""Squares into which a neighbour's piece merely reaches.

A piece that lies 2 mm off its place and 4 degrees askew hangs over the square beside it by up to
a third, and the most colourful pixels of that square are then the piece's. But what hangs over
hugs one side of the square, and what lies on it does not: seen from that side, the half beyond
is empty.
"""

from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.colours import Colours, Values, foreign_density, is_grey, log_density
from vision.look import measured, squares_of

_ACROSS: Final = 0.15
_FAR: Final = (0.12, 0.5)
_MIDDLE: Final = (0.36, 0.56)
"""Parts of a square, from the side away from the piece: its far half, and a strip about its
middle. What covers two thirds of the square reaches into both, what hangs over into none."""

_COLOURFUL: Final = 0.3
_LEAD: Final = 2.0
"""Log density by which a part has to look empty rather than of the colour."""

_SURE: Final = 0.5
_BARELY: Final = 0.55
_SURELY: Final = 0.96
"""Probability that a square is empty of which the far half is, and of which the middle is too."""

_SIDES: Final = ((0, 1), (0, -1), (1, 0), (-1, 0))
"""Where the piece is, seen from the square beside it: rows down, columns to the right."""


def without_overhang(
    evidence: Values, view: Image, colours: Colours, size: int, margin: int
) -> tuple[Values, NDArray[np.bool_]]:
    """The evidence with squares beside a piece told empty where the piece only reaches into them.

    Args:
        evidence: (n * n, 1 + k) probabilities of empty and each colour.
        view: straight down on the board, as `vision.geometry.Warp` makes it.
        colours: how they look there.
        size: squares along a side.
        margin: squares of surroundings on each side of the view.

    Returns:
        The evidence, and (n * n,) which squares are seen to be empty for sure: board in the
        middle and beyond it, and a neighbour's edge.
    """
    called = evidence.argmax(axis=1).reshape(size, size)
    # Where the whole square leaves doubt, its parts tell of glare rather than of overhang.
    sure = (evidence.max(axis=1) > _SURE).reshape(size, size)
    empty = evidence[:, 0].copy()
    seen = np.zeros(size * size, np.bool_)
    for down, right in _SIDES:
        alike = (called > 0) & (called == _next_to(called, down, right))
        squares = np.flatnonzero(alike & sure)
        if not len(squares):
            continue
        cut = _turned(view, squares, (down, right), size, margin)
        far = _looks_empty(_part(cut, _FAR), squares, called, colours)
        middle = far & _looks_empty(_part(cut, _MIDDLE), squares, called, colours)
        probability = np.where(middle, _SURELY, np.where(far, _BARELY, 0.0))
        seen[squares] |= middle
        empty[squares] = np.maximum(empty[squares], probability)
    rest = (1 - empty) / np.maximum(evidence[:, 1:].sum(axis=1), 1e-9)
    return np.column_stack([empty, evidence[:, 1:] * rest[:, None]]), seen


def _next_to(called: NDArray[np.intp], down: int, right: int) -> NDArray[np.intp]:
    """For each square what its neighbour is called; empty beyond the edge."""
    size = len(called)
    wide = np.zeros((size + 2, size + 2), called.dtype)
    wide[1:-1, 1:-1] = called
    return wide[1 + down : 1 + down + size, 1 + right : 1 + right + size]


def _turned(
    view: Image, squares: NDArray[np.intp], towards: tuple[int, int], size: int, margin: int
) -> Image:
    """(k, s, s, 3) pictures of squares, turned so that the piece is at their right."""
    cut = squares_of(view, size, margin)[squares]
    quarters = {(0, 1): 0, (1, 0): 1, (0, -1): 2, (-1, 0): 3}[towards]
    return np.ascontiguousarray(np.rot90(cut, quarters, axes=(1, 2)))


def _part(cut: Image, along: tuple[float, float]) -> Image:
    """(k, pixels, 1, 3) of a strip of each square."""
    scale = cut.shape[1]
    across = slice(round(_ACROSS * scale), round((1 - _ACROSS) * scale))
    strip = cut[:, across, round(along[0] * scale) : round(along[1] * scale)]
    return np.ascontiguousarray(strip).reshape(len(cut), -1, 1, 3)


def _looks_empty(
    pixels: Image, squares: NDArray[np.intp], called: NDArray[np.intp], colours: Colours
) -> NDArray[np.bool_]:
    """(k,) whether parts of squares look empty rather than of the colour that they are called."""
    count = pixels.shape[1]
    lab = np.asarray(cv2.cvtColor(pixels.reshape(-1, 1, 3), cv2.COLOR_BGR2LAB), np.uint8)
    light, a, b = lab.reshape(len(pixels), count, 3).transpose(2, 0, 1)
    tint, lightness, depth = measured(light, a, b, _COLOURFUL)
    features = np.column_stack([tint, depth if is_grey(colours.palette) else lightness])
    here = replace(colours, light=colours.light[squares])
    density = log_density(features, here)[0]
    rival = density[np.arange(len(squares)), called.ravel()[squares]]
    rival = np.maximum(rival, foreign_density(features, here))
    return np.asarray(density[:, 0] - rival > _LEAD, np.bool_)
