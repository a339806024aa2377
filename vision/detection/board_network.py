"""The network that finds boards: the corners of fields of squares in a small view of a picture.

It marks the corners and tells from each the way to the middle of its board, so that the four of
one board are known. It was trained on boards that are drawn by a path tracer and by the simulated
table, at every slant, size and light, and on no photograph; see `tests.training.finder`.
"""

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.squares.network import forward

VIEW_PX: Final = 256
"""Side of the square view in pixels."""

STRIDE: Final = 4
"""Pixels of the view per place of the outputs."""

CORNER: Final = 0
"""Output with the log odds that a corner of a field is at a place."""

NEAR: Final = slice(1, 3)
"""Outputs with the way from a place to the corner, right and down, in places."""

MIDDLE: Final = slice(3, 5)
"""Outputs with the way from a corner to the middle of its board, in views."""

SQUARES: Final = 5
"""Output with the log odds that a place is on a field of squares."""

LARGER: Final = 6
"""Output with the log odds that this field has twenty squares along a side, not fourteen."""

OUTPUTS: Final = 7
"""Number of outputs for each place."""

FILE: Final = Path(__file__).with_suffix(".onnx")
"""File of the network, as `python -m tests.training finder` saves it."""

_FLAT: Final = 6.0
"""Grey levels added to the spread, so that a view without contrast is not amplified."""


def normalised(view: Image, within: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Returns (3, side, side) a view with mean 0 and spread 1 in the picture, and 0 outside it.

    Args:
        view: (side, side, 3) uint8.
        within: (side, side), 0 outside the picture.
    """
    inside = within > 0
    values = view[inside] if inside.any() else view.reshape(-1, 3)
    mean, spread = values.mean(axis=0), values.std() + _FLAT
    flat = (view.astype(np.float32) - mean.astype(np.float32)) / np.float32(spread)
    flat[~inside] = 0
    return np.ascontiguousarray(flat.transpose(2, 0, 1))


def outputs_of(view: Image, within: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(OUTPUTS, side / 4, side / 4) outputs of the network for a view.

    Args:
        view: (side, side, 3) uint8.
        within: (side, side), 0 outside the picture.
    """
    return forward(FILE, normalised(view, within))
