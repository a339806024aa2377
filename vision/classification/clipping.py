"""Change of a colour in an overexposed picture."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.features.square_features import BLACK_OFFSET

Values = NDArray[np.float64]

_DIM: Final = 40.0
"""L at which no channel of any colour is clipped."""

_EXPOSURES: Final = 2.0 ** np.linspace(-4, 6, 61).reshape(-1, 1, 1)
"""Factors on the light of that colour that are tried."""


def overexposed(tint: Values, light: Values) -> Values:
    """(s, 2) tints that a plastic has when it is so light that channels are clipped.

    Orange turns into yellow, blue into cyan, and finally everything into white.

    Args:
        tint: (2,) tint of the plastic without clipping, in the units of
            `vision.features.square_features.SquareFeatures`.
        light: (s,) observed L.
    """
    dark = np.array([[[_DIM, *(tint * (_DIM + BLACK_OFFSET))]]], np.float32)
    plain = np.clip(cv2.cvtColor(dark, cv2.COLOR_LAB2LRGB), 0, None)
    ever_lighter = np.clip(plain * _EXPOSURES, 0, 1).astype(np.float32)
    lab = cv2.cvtColor(ever_lighter, cv2.COLOR_LRGB2LAB)[:, 0].astype(np.float64)
    tints = lab[:, 1:] / (lab[:, :1] + BLACK_OFFSET)
    return np.column_stack([np.interp(light, lab[:, 0], tints[:, k]) for k in (0, 1)])
