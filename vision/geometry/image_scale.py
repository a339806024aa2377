"""Resizing of pictures. Pure.

The centre of the first pixel is (0, 0) at every scale.
"""

from typing import Final

import cv2
import numpy as np

from vision.camera import Image

_HALF: Final = 0.5
"""Ratio of the sides of one step of a reduction."""


def shrunk(image: Image, longest_px: int) -> tuple[Image, float]:
    """Reduces a picture to sides of at most `longest_px`; also returns the ratio of the sides.

    Args:
        image: (height, width) or (height, width, 3) uint8.
        longest_px: the length in pixels.
    """
    zoom = min(1.0, longest_px / max(image.shape[:2]))
    return zoomed(image, zoom), zoom


def zoomed(image: Image, zoom: float) -> Image:
    """Returns a picture with sides `zoom` times as long, at most 1; the same picture for 1.

    It is a pixel high and wide at least.
    """
    # Halving is ten times as fast, and leaves a small picture for the general method.
    while zoom <= _HALF and not (image.shape[0] % 2 or image.shape[1] % 2):
        image, zoom = _shrunk_by_area(image, _HALF), zoom / _HALF
    return image if zoom == 1 else _shrunk_by_area(image, zoom)


def _shrunk_by_area(image: Image, zoom: float) -> Image:
    down, across = (max(zoom, 1 / side) for side in image.shape[:2])
    small = cv2.resize(image, None, fx=across, fy=down, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)
