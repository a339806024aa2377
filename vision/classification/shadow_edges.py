"""Whether what looks darker or lighter than the board is plastic, or a shadow or a lamp.

Black and white are told by lightness alone, and so is a shadow. But plastic ends at a line
between squares: right beside it lightness is another. A shadow fades over several squares.
"""

import math
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]

_SHARP: Final = 0.6
"""Share of the usual step that three in four sides of a patch have to show."""

_SOFTEST: Final = 0.25
"""Share of the usual step that every side of it has to show."""


def faded(contents: NDArray[np.intp], light: Values, usual: Values) -> NDArray[np.bool_]:
    """(n * n,) squares of patches whose sides fade as those of a shadow do.

    Args:
        contents: (n * n,) what each square is taken for, 0 empty; below 0 it cannot be seen.
        light: (n * n,) logarithm of the lightness of each square.
        usual: (1 + k,) the same of empty squares and of each colour.
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
    """(n * n,) squares at most two away from one of some squares."""
    size = math.isqrt(len(squares))
    mask = squares.reshape(size, size).astype(np.uint8)
    return np.asarray(cv2.dilate(mask, np.ones((5, 5), np.uint8)), np.bool_).ravel()


def _steps(field: NDArray[np.intp], light: Values, usual: Values) -> Values:
    """(4, n, n) step of light to each neighbour over the usual one; NaN where there is none."""
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
