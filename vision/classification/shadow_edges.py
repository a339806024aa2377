"""Distinguishes black and white plastic from shadows and mirrored lamps by their edges.

Black and white are recognised by lightness alone, like a shadow. But plastic ends at a line
between squares, where lightness changes at once. A shadow fades over several squares.
"""

import math
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]

_SHARP: Final = 0.6
"""Share of the usual step that three in four sides of a patch need."""

_SOFTEST: Final = 0.25
"""Share of the usual step that every side of it needs."""


def faded(contents: NDArray[np.intp], light: Values, usual: Values) -> NDArray[np.bool_]:
    """(n * n,) squares of patches whose sides fade like those of a shadow.

    Args:
        contents: (n * n,) likeliest content of each square, 0 for empty; negative if not visible.
        light: (n * n,) logarithm of the lightness of each square.
        usual: (1 + k,) logarithm of the lightness of empty squares and of each colour.
    """
    size = math.isqrt(len(contents))
    field = contents.reshape(size, size)
    soft = np.zeros((size, size), np.bool_)
    steps = _steps(field, light.reshape(size, size), usual)
    for content in range(1, len(usual)):
        mask = (field == content).astype(np.uint8)
        count, patches = cv2.connectedComponents(mask, connectivity=4)
        for name in range(1, count):
            patch = np.asarray(patches) == name
            sides = steps[:, patch]
            sides = sides[np.isfinite(sides)]
            if len(sides) and (
                sides.min() < _SOFTEST or np.quantile(sides, 0.25, method="lower") < _SHARP
            ):
                soft |= patch
    return soft.ravel()


def near(squares: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(n * n,) squares at most two away from one of `squares`."""
    size = math.isqrt(len(squares))
    mask = squares.reshape(size, size).astype(np.uint8)
    return np.asarray(cv2.dilate(mask, np.ones((5, 5), np.uint8)), np.bool_).ravel()


def _steps(field: NDArray[np.intp], light: Values, usual: Values) -> Values:
    """(4, n, n) step of lightness to each neighbour over the usual step; NaN if there is none."""
    wide = np.pad(field, 1, constant_values=-1)
    bright = np.pad(light, 1)
    steps = np.full((4, *field.shape), np.nan)
    inner = slice(1, -1)
    for k, (rows, columns) in enumerate(
        (
            (slice(0, -2), inner),
            (slice(2, None), inner),
            (inner, slice(0, -2)),
            (inner, slice(2, None)),
        )
    ):
        other = wide[rows, columns]
        apart = (other >= 0) & (field >= 0) & (other != field)
        step = light - bright[rows, columns]
        expected = usual[field] - usual[other]
        steps[k][apart] = step[apart] / expected[apart]
    return steps
