"""A lamp that is mirrored in the board: a white spot with soft edges."""

from typing import Final

import cv2
import numpy as np

from vision.synthetic.backdrop import Canvas
from vision.synthetic.scene import CameraPose, GlareLook

_STRENGTH: Final = 330.0
"""Grey levels that the middle of the spot adds; more than 255, so that it saturates."""

_REACH: Final = 1.9
"""Radii from the middle beyond which the spot adds less than half a grey level."""


def draw_glare(canvas: Canvas, glare: GlareLook, camera: CameraPose) -> None:
    """Draws a mirrored lamp over the board and the pieces on it.

    Args:
        canvas: (height, width, 3) picture, changed in place.
        glare: the spot.
        camera: camera that takes the picture.
    """
    points = np.array(
        [[glare.x_mm, glare.y_mm, 0.0], [glare.x_mm + glare.radius_mm, glare.y_mm, 0]]
    )
    middle, edge = camera.project(points)
    radius = float(np.hypot(*(edge - middle)))
    height, width = canvas.shape[:2]
    left, top = np.clip(middle - _REACH * radius, 0, [width, height]).astype(int)
    right, bottom = np.clip(middle + _REACH * radius + 1, 0, [width, height]).astype(int)
    if left >= right or top >= bottom:
        return
    rows, columns = np.ogrid[top:bottom, left:right]
    far = ((columns - middle[0]) ** 2 + (1.5 * (rows - middle[1])) ** 2) / radius**2
    light = np.asarray(_STRENGTH * np.exp(-2.0 * far), np.float32)
    part = canvas[top:bottom, left:right]
    part[:] = cv2.add(part, cv2.merge([light] * 3), dtype=cv2.CV_8U)
