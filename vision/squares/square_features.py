"""Measurements on each square of a view from above."""

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image

L_BYTES: Final = 2.55
"""Bytes of OpenCV for 1 of L of CIE Lab, 0 to 100."""

_INSET: Final = 0.15
"""Width of the edge of a square that is not measured, in squares."""

_COLOURFUL: Final = 0.4
"""Share of the pixels of a square, the most colourful ones, by which its tint is measured."""

_BURNT: Final = 250
"""Value of the darkest channel, 0 to 255, from which a pixel is overexposed. At 245 too much of
white plastic was, and a board of black and white was misread."""

_GREY: Final = 128
"""Value of a and b of a pixel without colour, in the bytes of OpenCV."""

BLACK_OFFSET: Final = 16.0
"""Constant of CIE Lab that makes L + 16 proportional to the cube root of light."""


@dataclass(frozen=True, slots=True, eq=False)
class SquareFeatures:
    """Features of each square, row by row.

    Attributes:
        tint: (n * n, 2) a / (L + 16) and b / (L + 16) of CIE Lab, the medians of the most
            colourful pixels. Since L, a and b are differences of cube roots, this hardly
            changes with brightness, in shadow or when a cloud passes.
        lightness: (n * n,) L of the same pixels, 0 to 100.
        burnt: (n * n,) bool, squares so bright throughout that colour is lost.
        hidden: (n * n,) bool, squares without information: burnt, or known to be under something.
    """

    tint: NDArray[np.float32]
    lightness: NDArray[np.float32]
    burnt: NDArray[np.bool_]
    hidden: NDArray[np.bool_]

    @property
    def lab(self) -> NDArray[np.float32]:
        """(n * n, 3) a, b and L of CIE Lab of the same pixels."""
        light = self.lightness[:, None]
        return np.hstack([self.tint * (light + np.float32(BLACK_OFFSET)), light])


def measure_squares(view: Image, size: int, margin: int) -> SquareFeatures:
    """Measures each square in a view.

    Args:
        view: square picture of the board from above, from `vision.geometry.grid.Warp`.
        size: squares along a side of the board.
        margin: squares of surroundings on each side of the view.
    """
    lab = np.asarray(cv2.cvtColor(view, cv2.COLOR_BGR2LAB), np.uint8)
    blue, green, red = cv2.split(view)
    faintest = np.asarray(cv2.min(cv2.min(blue, green), red), np.uint8)
    light, a, b = _inner(_cut(lab, size, margin))
    (darkest,) = _inner(_cut(faintest[..., None], size, margin))
    burnt = (darkest >= _BURNT).mean(axis=1, dtype=np.float32) > 1 - _COLOURFUL
    return SquareFeatures(*_measured(light, a, b), burnt, burnt)


def _measured(
    light: NDArray[np.uint8], a: NDArray[np.uint8], b: NDArray[np.uint8]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Tint and lightness of squares, as in `SquareFeatures`.

    Args:
        light: (k, pixels) L of CIE Lab of each square, in the bytes of OpenCV.
        a: (k, pixels) a of CIE Lab.
        b: (k, pixels) b of CIE Lab.
    """
    # The sum of two squares of up to 128 fits into 16 bits without a sign. One number holds a
    # whole pixel, its colourfulness first, so that one partition finds the most colourful pixels.
    away_a, away_b = a.astype(np.int16) - _GREY, b.astype(np.int16) - _GREY
    colour = (away_a * away_a).view(np.uint16) + (away_b * away_b).view(np.uint16)
    pixels = np.zeros((*colour.shape, 8), np.uint8)
    pixels[..., 0], pixels[..., 1], pixels[..., 2] = light, a, b
    keys = pixels.view("<u8")[..., 0]
    keys |= colour.astype(np.uint64) << np.uint64(24)
    first = round(colour.shape[1] * (1 - _COLOURFUL))
    keys.partition(first, axis=1)
    chosen = keys[:, first:].astype("<u8").view(np.uint8).reshape(len(keys), -1, 8)
    half = chosen.shape[1] // 2
    middle = [
        np.partition(np.ascontiguousarray(chosen[:, :, k]), half, axis=1)[:, half] for k in range(3)
    ]
    lightness = np.asarray(middle[0] / L_BYTES, np.float32)
    tint = np.stack(middle[1:], axis=1).astype(np.float32) - _GREY
    tint /= lightness[:, None] + np.float32(BLACK_OFFSET)
    return tint, lightness


def hiding(observed: SquareFeatures, squares: NDArray[np.bool_]) -> SquareFeatures:
    """Returns the features with some more squares hidden; LEDs that are lit there are not burnt."""
    return replace(observed, burnt=observed.burnt & ~squares, hidden=observed.hidden | squares)


def without_pattern(observed: SquareFeatures, empty: SquareFeatures) -> SquareFeatures:
    """Removes the pattern of the bare board from the features.

    Args:
        observed: features of the board with its pieces.
        empty: features of the same board without pieces, in the same place.
    """
    tint = observed.tint - (empty.tint - np.median(empty.tint, axis=0))
    light = observed.lightness - (empty.lightness - np.median(empty.lightness))
    return replace(observed, tint=tint.astype(np.float32), lightness=light.astype(np.float32))


def beside(lit: NDArray[np.bool_], size: int) -> NDArray[np.bool_]:
    """(n * n,) lit squares and their neighbours, on which their light may fall."""
    mask = lit.reshape(size, size).astype(np.uint8)
    return np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)), bool).ravel()


def _cut(view: Image, size: int, margin: int) -> Image:
    """(n * n, scale, scale, channels) pixels of each square, row by row."""
    scale = view.shape[0] // (size + 2 * margin)
    inner = slice(margin * scale, (margin + size) * scale)
    apart = view[inner, inner].reshape(size, scale, size, scale, -1).transpose(0, 2, 1, 3, 4)
    return apart.reshape(size * size, scale, scale, -1)


def _inner(squares: Image) -> NDArray[np.uint8]:
    """(channels, n * n, pixels): the inner part of each square, one channel after another."""
    count, scale, _, channels = squares.shape
    edge = round(_INSET * scale)
    inner = squares[:, edge : scale - edge, edge : scale - edge].transpose(3, 0, 1, 2)
    return np.ascontiguousarray(inner).reshape(channels, count, -1)
