"""PNG encoding of pictures."""

from typing import Final

import cv2

from vision.camera import Image

_FAST: Final = (
    cv2.IMWRITE_PNG_COMPRESSION,
    1,
    cv2.IMWRITE_PNG_STRATEGY,
    cv2.IMWRITE_PNG_STRATEGY_HUFFMAN_ONLY,
)
"""Settings of the encoder. A camera's noise repeats nowhere: without a search for repetitions, a
picture of 1640x1232 pixels took 96 ms instead of 119 and 2.8 MB instead of 3.3."""


def encode_png(image: Image) -> bytes:
    """A picture as a PNG file, encoded fast.

    Args:
        image: (height, width, 3) uint8.
    """
    return cv2.imencode(".png", image, _FAST)[1].tobytes()
