"""Shiny black plastic: its flat middle mirrors the room, but its bevels stay black.

Black that mirrors a grey wall is as light as a bare board, and a mirrored lamp makes it white.
Bare squares and white pieces are about as light at their sides as in the middle; so where most
sides are much darker, neither empty nor white is believed.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.colours import OFFSET, Values
from vision.look import squares_of

_RIM: Final = (0.06, 0.18)
_MIDDLE: Final = (0.2, 0.8)
"""Parts of a square: how far the bevel lies from a side, and what lies between the bevels."""

_DARK: Final = 0.45
"""Logarithm of (L + 16) by which the rim of a shiny black square is darker at least."""

_DARK_SIDES: Final = 2
"""How many of the four sides have to be so: a neighbour's shadow falls on one."""


def doubting_rims(evidence: Values, view: Image, palette: tuple[str, ...], size: int) -> Values:
    """The evidence with squares doubted that are not taken for black, but have black bevels.

    Args:
        evidence: (n * n, 1 + k) probabilities of empty and each colour.
        view: straight down on the board with one square of margin.
        palette: names of the colours, black among them.
        size: squares along a side.
    """
    taken = evidence.argmax(axis=1) == 1 + palette.index("black")
    doubtful = (darker_rim(view, size) > _DARK) & ~taken
    return np.where(doubtful[:, None], 1.0 / evidence.shape[1], evidence)


def darker_rim(view: Image, size: int) -> NDArray[np.float64]:
    """(n * n,) how much darker the darker sides of each square are than its middle."""
    lab = np.asarray(cv2.cvtColor(view, cv2.COLOR_BGR2LAB), np.uint8)
    squares = squares_of(lab, size, margin=1)[..., 0]
    scale = squares.shape[1]
    near, far = (round(part * scale) for part in _RIM)
    inner = slice(*(round(part * scale) for part in _MIDDLE))
    sides = [np.rot90(squares, turn, axes=(1, 2))[:, near:far, inner] for turn in range(4)]
    rims = np.sort([np.median(side, axis=(1, 2)) for side in sides], axis=0)
    middle = np.median(squares[:, inner, inner], axis=(1, 2))
    step = np.log(middle / 2.55 + OFFSET) - np.log(rims[_DARK_SIDES - 1] / 2.55 + OFFSET)
    return np.asarray(step, np.float64)
