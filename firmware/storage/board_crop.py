"""Rectified pictures of the board without its surroundings, for decisions."""

from typing import Final

import cv2
import numpy as np

from vision.camera import Image
from vision.reading import Reading

SIDE_PX: Final = 448
"""Side of a picture in pixels: 32 a square of Duo, 22 of Classic, which shows an askew piece."""


def crop(image: Image, reading: Reading, turned: int) -> Image:
    """Rectifies the field of squares.

    Args:
        image: the frame.
        reading: reading of the frame; only its corners are used.
        turned: the clockwise turn in degrees from the reader's frame to the game's.

    Returns:
        (448, 448, 3) uint8, in the frame of the game.
    """
    end = SIDE_PX - 0.5
    # The middle of the first pixel is 0, 0, so the outer corners lie half a pixel outside.
    corners = np.array([[-0.5, -0.5], [end, -0.5], [end, end], [-0.5, end]], np.float32)
    homography = cv2.getPerspectiveTransform(reading.corners.astype(np.float32), corners)
    board = cv2.warpPerspective(image, homography, (SIDE_PX, SIDE_PX), flags=cv2.INTER_AREA)
    return np.ascontiguousarray(np.rot90(board, -turned // 90)).astype(np.uint8, copy=False)
