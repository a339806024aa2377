"""Detects the square that is lit from below, by the difference of two frames."""

from typing import Final

import cv2
import numpy as np

from vision.camera import Image
from vision.geometry.grid import Grid, Warp

_SCALE: Final = 12
"""Pixels per square in the view."""

_CORE: Final = 3
"""Pixels at each side of a square on which its neighbours' light may fall."""

_FAINTEST: Final = 6.0
"""Grey levels by which a square has to get brighter: three times the noise of a usual sensor."""

_AHEAD: Final = 1.5
"""Least ratio of its gain to that of any other square."""


def lit_leds(dark: Image, lit: Image, grid: Grid) -> int | None:
    """Finds the square under which one LED is lit.

    Args:
        dark: (height, width, 3) uint8, a frame with all LEDs dark.
        lit: (height, width, 3) uint8, a frame a moment later with one LED lit.
        grid: place of the board in both.

    Returns:
        Its number, row by row from the top left of the grid; None if no square stands out,
        because the LED is dead, beside the board or covered.
    """
    warp = Warp.of(grid, _SCALE, 0)
    rise = cv2.subtract(warp(lit), warp(dark)).max(axis=2).astype(np.float64)
    squares = rise.reshape(grid.size, _SCALE, grid.size, _SCALE)
    inner = squares[:, _CORE:-_CORE, :, _CORE:-_CORE]
    gains = inner.mean(axis=(1, 3)).ravel()
    best, second = np.argsort(gains)[:-3:-1]
    stands_out = gains[best] > _FAINTEST and gains[best] > _AHEAD * gains[second]
    return int(best) if stands_out else None
