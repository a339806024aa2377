"""Writes a picture to a file that a person named."""

from pathlib import Path

import cv2

from firmware.errors import UnreadableError
from vision.camera import Image


def write_picture(path: Path, image: Image) -> None:
    """Writes a picture in the format of the file's suffix.

    Args:
        path: path of a .png or .jpg file.
        image: (height, width, 3) uint8, blue green red.

    Raises:
        UnreadableError: it cannot be written.
    """
    try:
        done = cv2.imwrite(str(path), image)
    except cv2.error as error:
        raise UnreadableError(f"cannot write {path}; name a .png or .jpg file") from error
    if not done:
        raise UnreadableError(f"cannot write {path}; is its folder there?")
