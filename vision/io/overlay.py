"""Draws a reading over its picture."""

from collections.abc import Collection
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.plastics import PLASTICS
from vision.reading import Reading

_LINE: Final = (255, 255, 255)
"""Colour of the grid, blue green red."""

_DOUBT: Final = (60, 220, 255)
"""Colour of marks of doubt, blue green red."""

_SHIFT: Final = 4
"""Fractional bits of drawn coordinates."""

_CHIP: Final = 0.3
"""Radius of a chip, in sides of a square."""


def draw(image: Image, reading: Reading, unsure: Collection[int] = ()) -> Image:
    """Draws the grid, a chip in each piece's colour, and marks of doubt on a copy of a picture.

    A square that cannot be seen is hatched; one that is in doubt has a yellow ring. Lines
    follow the distortion of the lens.

    Args:
        image: the picture that was read, (height, width, 3) uint8; it is not changed.
        reading: its reading.
        unsure: squares in doubt, row times the size plus column.
    """
    crossings = reading.crossings
    dimmed = cv2.addWeighted(image, 0.82, np.zeros_like(image), 0, 0)
    canvas = np.asarray(dimmed, np.uint8)
    side = np.linalg.norm(np.diff(crossings, axis=0), axis=2).mean()
    thick = max(1, round(side / 24))
    _draw_lines(canvas, crossings, thick)
    likely = reading.probabilities.argmax(axis=1)
    for square in range(reading.size**2):
        row, column = divmod(square, reading.size)
        around = crossings[row : row + 2, column : column + 2]
        if reading.covered[square]:
            _hatch(canvas, around, thick)
            continue
        if likely[square]:
            paint = PLASTICS[reading.palette[likely[square] - 1]].screen[::-1]
            _chip(canvas, around, paint, thick)
        if square in unsure:
            _ring(canvas, around, thick)
    return canvas


def _draw_lines(canvas: Image, crossings: NDArray[np.float64], thick: int) -> None:
    last = len(crossings) - 1
    sheet = canvas.copy()
    for k in range(len(crossings)):
        for line in (crossings[k], crossings[:, k]):
            width = thick * 2 if k in {0, last} else thick
            _draw_line(sheet, line, _LINE, width)
    canvas[:] = cv2.addWeighted(sheet, 0.55, canvas, 0.45, 0)


def _chip(
    canvas: Image, around: NDArray[np.float64], paint: tuple[int, int, int], thick: int
) -> None:
    """Draws a disc in the colour of the piece, with a rim so that it is visible on the piece."""
    outline = _circle(around, _CHIP)
    cv2.fillPoly(canvas, [outline], paint, cv2.LINE_AA, _SHIFT)
    rim = _LINE if sum(paint) < 3 * 200 else (60, 60, 60)
    cv2.polylines(canvas, [outline], True, rim, thick, cv2.LINE_AA, _SHIFT)  # noqa: FBT003


def _ring(canvas: Image, around: NDArray[np.float64], thick: int) -> None:
    outline = _circle(around, 0.42)
    cv2.polylines(canvas, [outline], True, _DOUBT, 2 * thick, cv2.LINE_AA, _SHIFT)  # noqa: FBT003


def _hatch(canvas: Image, around: NDArray[np.float64], thick: int) -> None:
    for shift in (-0.35, 0.0, 0.35):
        reach = 0.4 - abs(shift) / 2
        ends = np.array([[shift - reach, shift + reach], [shift + reach, shift - reach]])
        _draw_line(canvas, _within(around, ends), _DOUBT, thick)


def _circle(around: NDArray[np.float64], radius: float) -> NDArray[np.int32]:
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    rim = radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return _fixed(_within(around, rim))


def _within(around: NDArray[np.float64], places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Converts places in a square to pixels, (k, 2).

    Args:
        around: (2, 2, 2) pixels of its corners, upper ones first, from left to right.
        places: (k, 2) offsets from its middle to the right and down, in sides.
    """
    x, y = (part[:, None] for part in (places + 0.5).T)
    upper, lower = ((1 - x) * left + x * right for left, right in around)
    return np.asarray((1 - y) * upper + y * lower)


def _draw_line(
    canvas: Image, pixels: NDArray[np.float64], paint: tuple[int, int, int], thick: int
) -> None:
    cv2.polylines(canvas, [_fixed(pixels)], False, paint, thick, cv2.LINE_AA, _SHIFT)  # noqa: FBT003


def _fixed(pixels: NDArray[np.float64]) -> NDArray[np.int32]:
    """(k, 1, 2) pixels as fixed-point numbers with `_SHIFT` fractional bits, for OpenCV."""
    return np.round(pixels * 2**_SHIFT).astype(np.int32).reshape(-1, 1, 2)
