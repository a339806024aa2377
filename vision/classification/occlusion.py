"""Which squares lie under a hand or a thing, told from one picture alone.

A bare square and each square of a piece have lines along all four sides; skin, sleeves and cups
have edges that run anyhow. Skin may have the hue of a piece and a sleeve that of the board, so
neither lines nor colour are enough: both are added up as log odds, and what covers one square
rather covers its neighbours too. How often a line goes unseen on a free square is learned from
the picture itself, because noise and glare hide ridges.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]

_FREE_LINES: Final = (0.002, 0.006, 0.022, 0.09, 0.88)
"""How often 0 to 4 of the lines around a free square are seen in a fair picture."""

_COVERED_LINES: Final = (0.17, 0.34, 0.3, 0.15, 0.04)
"""The same of a square under something."""

_FAIR_SQUARES: Final = 500.0
"""How many squares' worth the fair picture counts."""

_COUPLING: Final = 2.0
"""Log odds that neighbours give when all of them are covered."""

_FEWEST: Final = 3
_ROUNDS: Final = 6


def covered_odds(lines: NDArray[np.intp] | None, strangeness: Values, size: int) -> Values:
    """(n * n,) log odds that each square lies under something.

    Mean field of a grid in which neighbours rather agree (Koller and Friedman, Probabilistic
    Graphical Models, 11.5).

    Args:
        lines: (n * n,) how many of the four lines around each square are seen; None where
            something else tells shapes better.
        strangeness: (n * n,) log odds by which its colours are those of neither board nor piece.
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
    """What lines say: (n * n,) log odds of being covered."""
    if lines is None:
        return 0.0
    return np.asarray((np.log(np.array(_COVERED_LINES)) - np.log(free))[lines])


def near_large(covered: NDArray[np.bool_], size: int) -> NDArray[np.bool_]:
    """(n * n,) squares of groups of covered ones that are large enough for a thing, and beside.

    Args:
        covered: (n * n,) squares that seem to be under something.
        size: squares along a side.
    """
    mask = covered.reshape(size, size).astype(np.uint8)
    _, labels = cv2.connectedComponents(mask, connectivity=8)
    sizes = np.bincount(np.asarray(labels).ravel())
    large = (mask > 0) & (sizes[np.asarray(labels)] >= _FEWEST)
    grown = cv2.dilate(large.astype(np.uint8), np.ones((3, 3), np.uint8))
    return np.asarray(grown, np.bool_).ravel()


def _nearby(share: Values, size: int) -> Values:
    """The mean over the neighbours of each square; the edge of the field tells nothing."""
    kernel = np.array([[0.5, 1, 0.5], [1, 0, 1], [0.5, 1, 0.5]]) / 6
    field = share.reshape(size, size)
    mean = cv2.filter2D(field, -1, kernel, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(mean, np.float64).ravel()
