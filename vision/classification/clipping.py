"""What becomes of a colour in a picture that was exposed for too long."""

from typing import Final

import cv2
import numpy as np

from vision.classification.colour_model import OFFSET, Values

_DIM: Final = 40.0
_EXPOSURES: Final = 2.0 ** np.linspace(-4, 6, 61).reshape(-1, 1, 1)
"""A lightness at which none of the colours burns out, and how many times brighter it may get."""


def overexposed(tint: Values, light: Values) -> Values:
    """(s, 2) what becomes of a tint where it is so light that channels burn out.

    Orange turns into yellow, blue into cyan, and everything into white at last.

    Args:
        tint: (2,) of a plastic, as `vision.features.square_features.SquareFeatures` has it, where
            nothing burns out.
        light: (s,) L that it is seen with.
    """
    dark = np.array([[[_DIM, *(tint * (_DIM + OFFSET))]]], np.float32)
    plain = np.clip(cv2.cvtColor(dark, cv2.COLOR_LAB2LRGB), 0, None)
    ever_lighter = np.clip(plain * _EXPOSURES, 0, 1).astype(np.float32)
    lab = cv2.cvtColor(ever_lighter, cv2.COLOR_LRGB2LAB)[:, 0].astype(np.float64)
    tints = lab[:, 1:] / (lab[:, :1] + OFFSET)
    return np.column_stack([np.interp(light, lab[:, 0], tints[:, k]) for k in (0, 1)])
