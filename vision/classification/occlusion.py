"""Detects squares under a hand or an object from one picture alone.

A bare square and each square of a piece have lines along all four sides; skin, sleeves and cups
have edges in any direction. Skin may have the hue of a piece and a sleeve that of the board, so
neither lines nor colour are enough: both are added as log odds, and a covered square makes its
neighbours more likely to be covered. The share of lines that are missed on free squares is learned
from the picture itself, because noise and glare hide ridges.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.fitted.constants import fitted

Values = NDArray[np.float64]

_FREE_LINES: Final = (0.002, 0.006, 0.022, 0.09, 0.88)
"""Probabilities that 0 to 4 of the lines around a free square are seen in a fair picture."""

_COVERED_LINES: Final = (0.17, 0.34, 0.3, 0.15, 0.04)
"""The same for a square under something."""

_FAIR_SQUARES: Final = 500.0
"""Weight of the fair picture, in squares."""

_COUPLING: Final = fitted("classification.occlusion.coupling")
"""Log odds that neighbours add when all of them are covered."""

_FEWEST: Final = 3
"""Connected squares from which an object is large."""

_ROUNDS: Final = 6
"""Iterations of the mean field."""


def covered_odds(lines: NDArray[np.intp] | None, strangeness: Values, size: int) -> Values:
    """(n * n,) log odds that each square is under something.

    Computes the mean field of a grid in which neighbours tend to agree (Koller and Friedman,
    Probabilistic Graphical Models, 11.5).

    Args:
        lines: (n * n,) number of the four lines around each square that are seen; None if the
            network of shapes is used instead.
        strangeness: (n * n,) log odds that its colours are those of neither board nor piece.
        size: squares along a side.
    """
    free: Values = np.array(_FREE_LINES)
    odds = own = strangeness + _by_lines(lines, free)
    for _ in range(_ROUNDS):
        share = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
        odds = own + _COUPLING * _nearby(2 * share - 1, size)
        if lines is not None:
            members = (1 - share) @ np.eye(5)[lines]
            total = _FAIR_SQUARES + members.sum()
            free = (_FAIR_SQUARES * np.array(_FREE_LINES) + members) / total
            own = strangeness + _by_lines(lines, free)
    return np.asarray(odds, np.float64)


def _by_lines(lines: NDArray[np.intp] | None, free: Values) -> Values | float:
    """(n * n,) log odds of being covered, by lines."""
    if lines is None:
        return 0.0
    return np.asarray((np.log(np.array(_COVERED_LINES)) - np.log(free))[lines])


def near_large(covered: NDArray[np.bool_], size: int) -> NDArray[np.bool_]:
    """(n * n,) squares of large groups of covered ones, and their neighbours.

    Args:
        covered: (n * n,) squares that may be under something.
        size: squares along a side.
    """
    mask = covered.reshape(size, size).astype(np.uint8)
    _, labels = cv2.connectedComponents(mask, connectivity=8)
    sizes = np.bincount(np.asarray(labels).ravel())
    large = (mask > 0) & (sizes[np.asarray(labels)] >= _FEWEST)
    grown = cv2.dilate(large.astype(np.uint8), np.ones((3, 3), np.uint8))
    return np.asarray(grown, np.bool_).ravel()


def _nearby(share: Values, size: int) -> Values:
    """(n * n,) weighted mean over the neighbours of each square, 0 outside the field."""
    kernel = np.array([[0.5, 1, 0.5], [1, 0, 1], [0.5, 1, 0.5]]) / 6
    field = share.reshape(size, size)
    mean = cv2.filter2D(field, -1, kernel, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(mean, np.float64).ravel()
