"""What the board looked like before and after a decision: the board, and nothing beside it."""

from typing import Final

import cv2
import numpy as np

from vision.camera import Image
from vision.reading import Reading

SIDE_PX: Final = 448
"""32 pixels a square of Duo, 22 of Classic: enough to see a piece that lies askew."""


def crop(image: Image, reading: Reading, turned: int) -> Image:
    """The field of squares, seen straight from above.

    Args:
        image: the frame.
        reading: what was read in it; only its corners are used.
        turned: the clockwise turn in degrees from the reader's frame to the game's.

    Returns:
        (448, 448, 3) uint8, in the frame of the game.
    """
    end = SIDE_PX - 0.5
    # The middle of the first pixel is 0, 0, so the outer corners lie half a pixel outside.
    corners = np.array([[-0.5, -0.5], [end, -0.5], [end, end], [-0.5, end]], np.float32)
    away = cv2.getPerspectiveTransform(reading.corners.astype(np.float32), corners)
    board = cv2.warpPerspective(image, away, (SIDE_PX, SIDE_PX), flags=cv2.INTER_AREA)
    return np.ascontiguousarray(np.rot90(board, -turned // 90)).astype(np.uint8, copy=False)
