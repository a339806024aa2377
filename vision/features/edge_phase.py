"""Fast measurement of a shift of the board between frames, by the phase of its edges.

In the view from above, edges repeat with every square. The change of their phase on each square
since the last clear frame is the shift of that square; pieces laid meanwhile change only their
own squares, a hand only those it covers, and the median ignores both.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.geometry.grid import Grid

_CLOSE: Final = 0.06
"""Squares from the median within which the shift of a square agrees with it."""

_FEWEST_AGREEING: Final = 0.5
"""Share of the squares that have to agree."""

_MOST_COVERED: Final = 0.85
"""Share of the squares above which too many are covered."""

_THUMBNAIL: Final = (160, 120)
"""Width and height of the reduced picture in pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class Drift:
    """Shift of the board since the last clear frame.

    Attributes:
        squares: (2,) shift to the right and down, at most half a square; 0 if not `agreed`.
        agreed: True if most squares agree, so that the shift is reliable.
    """

    squares: NDArray[np.float64]
    agreed: bool


def rhythm_of(grey: NDArray[np.uint8], size: int, margin: int) -> NDArray[np.complex64]:
    """(2, n * n) amplitude and phase, as complex numbers, of the edges on each square, x then y.

    Args:
        grey: brightness of the board seen from above, from `vision.geometry.grid.Warp`.
        size: squares along a side.
        margin: squares of surroundings on each side of the view.
    """
    scale = grey.shape[0] // (size + 2 * margin)
    waves = np.exp(-2j * np.pi * (np.arange(scale) + 0.5) / scale).astype(np.complex64)
    shift, span = margin * scale, size * scale
    both = []
    for dx, dy in ((1, 0), (0, 1)):
        slope = np.abs(np.asarray(cv2.Sobel(grey, cv2.CV_16S, dx, dy, ksize=3)))
        slope = slope[shift : shift + span, shift : shift + span].astype(np.float32)
        squares = slope.reshape(size, scale, size, scale)
        profile = squares.sum(axis=1) if dx else squares.sum(axis=3).transpose(0, 2, 1)
        both.append((profile @ waves).reshape(-1))
    return np.stack(both)


def drift_between(
    now: NDArray[np.complex64], clear: NDArray[np.complex64], covered: NDArray[np.bool_]
) -> Drift:
    """Measures the shift between two frames.

    Args:
        now: `rhythm_of` a frame.
        clear: `rhythm_of` the last clear frame.
        covered: (n * n,) squares to ignore.
    """
    if covered.mean() > _MOST_COVERED:
        return Drift(np.zeros(2), agreed=False)
    moves = -np.angle(now[:, ~covered] * clear[:, ~covered].conj()) / (2 * np.pi)
    middle = np.median(moves, axis=1)
    near = (np.abs(moves - middle[:, None]) < _CLOSE).all(axis=0)
    agreed = bool(near.mean() > _FEWEST_AGREEING)
    return Drift(middle.astype(np.float64) if agreed else np.zeros(2), agreed)


def thumbnail(image: Image) -> NDArray[np.float32]:
    """Reduces the whole picture to a small grey one, by which large movements are found."""
    small = cv2.resize(image, _THUMBNAIL, interpolation=cv2.INTER_NEAREST)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)


def jumped(now: NDArray[np.float32], clear: NDArray[np.float32], grid: Grid) -> NDArray[np.float64]:
    """Measures the shift of the whole picture between two thumbnails.

    Returns:
        (2,) to the right and down, in pixels of the picture.
    """
    window = cv2.createHanningWindow(_THUMBNAIL, cv2.CV_32F)
    # If no border has to be added, OpenCV multiplies its arguments by the window in place.
    (x, y), _ = cv2.phaseCorrelate(clear.copy(), now.copy(), window)
    zoom = (grid.middle * 2 + 1) / np.array(_THUMBNAIL)
    return np.asarray(np.array([x, y]) * zoom, np.float64)
