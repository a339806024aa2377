"""Brightens views from dark pictures.

A tint hardly depends on brightness, except near black: below a hundredth of the light of white,
CIE Lab's L is proportional to the light and no longer to its cube root (CIE 15, 8.2.1.1), so that
in the dark all tints shrink towards grey, purple first. The usual lightness of white plastic holds
for a fair exposure only, too. So a view that is darker than any taken in a lit room is brightened
before colours are measured. This adds no information: noise is amplified as well.
"""

from typing import Final

import cv2
import numpy as np

from vision.camera import Image

_WHITE: Final = 0.98
"""Quantile of brightness that counts as white: the few pixels above it may be mirrored lamps."""

_FAIR: Final = 130.0
"""Brightness of white, 0 to 255, from which a view is bright enough."""


def exposed(view: Image) -> Image:
    """Brightens a view until its whites are as bright as in a lit room; a bright one is unchanged.

    Args:
        view: (side, side, 3) uint8, of a board and its surroundings.
    """
    blue, green, red = cv2.split(view)
    counts = np.bincount(np.asarray(cv2.max(cv2.max(blue, green), red)).ravel(), minlength=256)
    white = int(np.searchsorted(counts.cumsum(), _WHITE * counts.sum()))
    if white >= _FAIR:
        return view
    # Pixel values grow about with the square root of light, so a factor on them is one on light.
    return np.asarray(cv2.convertScaleAbs(view, alpha=_FAIR / max(white, 1)), np.uint8)
