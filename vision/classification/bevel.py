"""Detection of shiny black plastic: its flat middle mirrors the room, but its bevels stay black.

Black that mirrors a grey wall is as light as a bare board, and a mirrored lamp makes it white.
Bare squares and white pieces are about as light at their sides as in the middle; so a square of
which most sides are much darker is neither surely empty nor surely white.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.classification.colour_model import OFFSET, Values
from vision.features.square_features import L_BYTES

_RIM: Final = (0.06, 0.18)
"""Extent of a bevel from its side, as shares of the square."""

_MIDDLE: Final = (0.2, 0.8)
"""Extent of the flat part between the bevels, as shares of the square."""

_DARK: Final = 0.45
"""Least difference in the logarithm of L + 16 between the middle and the rim of shiny black."""

_DARK_SIDES: Final = 2
"""Sides that have to be dark, of four: a neighbour's shadow falls on one."""


def doubting_rims(evidence: Values, dark: NDArray[np.bool_], palette: tuple[str, ...]) -> Values:
    """Makes evidence uniform on squares that are not read as black but have black bevels.

    Args:
        evidence: (n * n, 1 + k) probabilities of empty and each colour.
        dark: (n * n,) squares with black bevels.
        palette: names of the colours, black among them.
    """
    taken = evidence.argmax(axis=1) == 1 + palette.index("black")
    return np.where((dark & ~taken)[:, None], 1.0 / evidence.shape[1], evidence)


def dark_rims(lab: Image) -> NDArray[np.bool_]:
    """(k,) True for squares, (k, scale, scale, 3), with sides much darker than their middle."""
    if not len(lab):
        return np.zeros(0, np.bool_)
    light = lab[..., 0]
    scale = light.shape[1]
    near, far = (round(part * scale) for part in _RIM)
    inner = slice(*(round(part * scale) for part in _MIDDLE))
    sides = [np.rot90(light, turn, axes=(1, 2))[:, near:far, inner] for turn in range(4)]
    rims = np.sort([np.median(side, axis=(1, 2)) for side in sides], axis=0)
    middle = np.median(light[:, inner, inner], axis=(1, 2))
    step = np.log(middle / L_BYTES + OFFSET) - np.log(rims[_DARK_SIDES - 1] / L_BYTES + OFFSET)
    return np.asarray(step > _DARK)
