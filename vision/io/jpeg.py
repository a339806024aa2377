"""JPEG encoding of pictures."""

import cv2

from vision.camera import Image


def encode_jpeg(image: Image, quality: int) -> bytes:
    """A picture as a JPEG file.

    Args:
        image: (height, width, 3) uint8.
        quality: of the encoder, 0 to 100.
    """
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
