"""Turns a camera's picture so that it shows the table as people see it.

This is the one place at which the pixels of a `Picture` are decoded and turned, for every driver:
EXIF of a JPEG first, then the mirror image, then the turn. A recording of what a camera sent keeps
its bytes, which are turned in the same way when they are played.
"""

from firmware.cameras.interfaces import Picture
from vision.camera import CameraOrientation, Image
from vision.io.image_file import decode_live


def image_of(picture: Picture, orientation: CameraOrientation) -> Image:
    """Returns the pixels of a picture, upright: (height, width, 3) uint8, blue green red.

    Raises:
        VisionError: its file cannot be decoded.
    """
    image = picture.image
    if image is None:
        assert picture.encoded is not None, "a picture has a file or pixels"
        image = decode_live(picture.encoded, "the camera's picture").image
    return orientation.upright(image)
