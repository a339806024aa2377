"""Turns a camera's picture so that it shows the table as people see it.

This is the one place at which the pixels of a `Picture` are decoded and turned, for every driver:
EXIF of a JPEG first, then the mirror image, then the turn. A recording of what a camera sent keeps
its bytes, which are turned in the same way when they are played.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from firmware.cameras.interfaces import Picture
from vision.camera import Image
from vision.io.image_file import decode_live

_TURNS: Final = {
    90: cv2.ROTATE_90_CLOCKWISE,
    180: cv2.ROTATE_180,
    270: cv2.ROTATE_90_COUNTERCLOCKWISE,
}
"""Codes of OpenCV by degrees clockwise."""


@dataclass(frozen=True, slots=True)
class CameraOrientation:
    """A camera as it is mounted.

    Attributes:
        mirror: True if its pictures are mirror images.
        turn: degrees clockwise by which they are turned after that: 0, 90, 180 or 270.
    """

    mirror: bool = False
    turn: int = 0

    def image_of(self, picture: Picture) -> Image:
        """Returns the pixels of a picture, upright: (height, width, 3) uint8, blue green red.

        Raises:
            VisionError: its file cannot be decoded.
        """
        image = picture.image
        if image is None:
            assert picture.encoded is not None, "a picture has a file or pixels"
            image = decode_live(picture.encoded, "the camera's picture").image
        if self.mirror:
            image = np.asarray(cv2.flip(image, 1), np.uint8)
        if self.turn:
            image = np.asarray(cv2.rotate(image, _TURNS[self.turn]), np.uint8)
        return image
