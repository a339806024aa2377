"""Finds the reason that a single picture shows no board."""

from collections.abc import Sequence
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.detection.proposals import BoardProposal, cut_side
from vision.errors import BoardFailure
from vision.geometry.grid import Grid
from vision.geometry.image_quality import OVEREXPOSED, WHITE, blur_px
from vision.geometry.image_scale import shrunk

_FEWEST_PX: Final = 100
"""Shortest side of a picture in pixels."""

_BLACK: Final = 20.0
"""Brightness of white, 0 to 255, below which nothing can be read."""

_DARKEST: Final = 40.0
"""Brightness of white, 0 to 255, below which darkness is named as the reason."""

_BURNT: Final = 90.0
"""Percentage of the pixels that have to be overexposed for the picture to be refused."""

_MUCH_BURNT: Final = 35.0
"""Percentage of them by which a picture without a board is overexposed. Of ten photographs the
white table of one makes 32; those that are not found at 1.6 times their light have 41 to 56."""

_BLURRED: Final = 4.0
"""Blur, in thousandths of the picture's longer side, at which lines between squares vanish."""

_LOOKED_AT_PX: Final = 1600
"""Longer side in pixels of the picture that is analysed."""

_SEARCHED_PX: Final = 800
"""Longer side in pixels of the picture in which squares are searched."""

_BLOCK: Final = 12
"""Pixels along a side of a block."""

_DRAWN: Final = 0.1
"""Share of blocks of one single colour in a drawing: photographs have at most a twentieth."""

_INNER: Final = np.linspace(0.25, 0.75, 6)
"""Places in a square, along each side, at which its colour is sampled."""

_PAINTED: Final = 0.9
"""Share of squares of one single colour in a drawing. Of 100 photographs and path-traced boards at
160 to 1,200 pixels, as they are and packed down to JPEG quality 5, none had more than 0.87."""

_HARD: Final = 60
"""Grey levels between neighbouring pixels at a hard edge."""

_SMALLEST_PX: Final = 7.0
"""Pixels per square from which squares can be seen."""

_STEEPEST: Final = 0.62
"""Foreshortening below which a board is seen too much from aside: that of 52 degrees."""

_CUT: Final = (
    BoardFailure.CUT_ABOVE,
    BoardFailure.CUT_RIGHT,
    BoardFailure.CUT_BELOW,
    BoardFailure.CUT_LEFT,
)
"""Reasons for a board that goes on beyond a side of the picture, clockwise from the upper one."""


def hopeless(image: Image) -> BoardFailure | None:
    """Finds a fault because of which nothing could be read reliably: size, darkness, overexposure.

    Args:
        image: (height, width, 3) uint8.
    """
    if min(image.shape[:2]) < _FEWEST_PX:
        return BoardFailure.TOO_SMALL
    grey = cv2.cvtColor(shrunk(image, _SEARCHED_PX)[0], cv2.COLOR_BGR2GRAY)
    if np.percentile(grey, WHITE) < _BLACK:
        return BoardFailure.TOO_DARK
    return BoardFailure.OVEREXPOSED if _is_burnt(grey, _BURNT) else None


def _is_burnt(grey: NDArray[Any], percentage: float) -> bool:
    """True if that percentage of the pixels is overexposed."""
    return bool(np.percentile(grey, 100 - percentage) >= OVEREXPOSED)


def failure_reason(image: Image, seen: Sequence[BoardProposal]) -> BoardFailure | None:
    """Finds the reason that no board was found; None if it is unknown.

    Args:
        image: (height, width, 3) uint8, not `hopeless`, in which no board was found.
        seen: boards that a network sees in it, likeliest first.
    """
    small, _ = shrunk(image, _LOOKED_AT_PX)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    if np.percentile(grey, WHITE) < _DARKEST:
        return BoardFailure.TOO_DARK
    side = cut_side(image)
    if side is not None:
        return _CUT[side]
    plain = [one for one in seen if one.is_plain]
    badly_seen = next(map(_badly_seen, plain), None)
    blur = blur_px(small, np.ones(small.shape[:2], np.bool_))
    # Without any edge no blur can be measured.
    is_blurred = bool(plain) if blur is None else blur > _BLURRED * max(small.shape[:2]) / 1000
    if badly_seen is None and is_blurred:
        badly_seen = BoardFailure.OUT_OF_FOCUS
    if badly_seen is not None:
        return badly_seen
    if is_drawn(image):
        return BoardFailure.DRAWING
    if _is_burnt(grey, _MUCH_BURNT):
        return BoardFailure.OVEREXPOSED
    return BoardFailure.PARTIAL if plain else None


def _badly_seen(board: BoardProposal) -> BoardFailure | None:
    """Reason that squares cannot be seen of a board that is itself plain to see."""
    if board.square_px < _SMALLEST_PX:
        return BoardFailure.TOO_SMALL
    return BoardFailure.TOO_STEEP if board.foreshortening < _STEEPEST else None


def is_drawn(image: Image) -> bool:
    """True if a picture may be computer graphics: parts without any noise, and hard edges.

    A photograph that was strongly compressed, or smoothed, may have them too.
    """
    step = -(-max(image.shape[:2]) // _LOOKED_AT_PX)
    few = image[::step, ::step]
    rows, columns = (side // _BLOCK for side in few.shape[:2])
    if not rows or not columns:
        return False
    cut = few[: rows * _BLOCK, : columns * _BLOCK].reshape(rows, _BLOCK, columns, _BLOCK, 3)
    highest, lowest = cut.max(axis=(1, 3)), cut.min(axis=(1, 3))
    # Overexposed and black parts are even in photographs too.
    fair = (highest.max(axis=2) > 8) & (lowest.min(axis=2) < 247)
    even = (highest - lowest).max(axis=2) <= 1
    hard = np.abs(np.diff(few.max(axis=2).astype(np.int16), axis=1)).max() > _HARD
    return bool(hard and fair.any() and even[fair].mean() > _DRAWN)


def is_painted(image: Image, grid: Grid) -> bool:
    """True if each square of a board has a single colour, as in no photograph.

    Args:
        image: (height, width, 3) uint8.
        grid: place of the board.
    """
    n = grid.size
    y, x, v, u = np.meshgrid(np.arange(n), np.arange(n), _INNER, _INNER, indexing="ij")
    places = np.round(grid.project(np.stack([x + u, y + v], axis=-1).reshape(-1, 2)))
    last = np.array(image.shape[1::-1]) - 1
    across, down = np.clip(places, 0, last).astype(np.intp).T
    pixels = image[down, across].reshape(n * n, -1, 3)
    return bool((np.ptp(pixels, axis=1).max(axis=1) <= 1).mean() > _PAINTED)
