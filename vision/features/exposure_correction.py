"""A dark view as it would be if it had been exposed longer.

What a tint is hardly changes with brightness, but for CIE Lab's foot: below a hundredth of the
light of white, L is proportional to the light and no longer to its cube root (CIE 15, 8.2.1.1),
so that in the dark all tints shrink towards grey, purple first. How light white plastic usually
is presumes a fair exposure too. So a view that is darker than any taken in a lit room is made
brighter before colours are measured. That adds nothing to what is known: noise grows alike.
"""

from typing import Final

import cv2
import numpy as np

from vision.camera import Image

_WHITE: Final = 0.98
"""Share of the pixels that are no lighter than what counts as white: mirrored lamps are few."""

_FAIR: Final = 130.0
"""Brightness of white, 0 to 255, from where a view is lit well enough."""


def exposed(view: Image) -> Image:
    """The view with its whites as bright as in a lit room; the same if they are.

    Args:
        view: (side, side, 3) uint8, of a board with what lies around it.
    """
    blue, green, red = cv2.split(view)
    counts = np.bincount(np.asarray(cv2.max(cv2.max(blue, green), red)).ravel(), minlength=256)
    white = int(np.searchsorted(counts.cumsum(), _WHITE * counts.sum()))
    if white >= _FAIR:
        return view
    # Bytes go with about the square root of light, so that a factor of them is one of light.
    return np.asarray(cv2.convertScaleAbs(view, alpha=_FAIR / max(white, 1)), np.uint8)
