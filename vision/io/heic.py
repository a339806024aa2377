"""Decoding of HEIC pictures, the format of iPhones, by libheif through pi-heif."""

from typing import Any, Final

import cv2
import numpy as np
import pi_heif

from vision.camera import Image

_BRANDS: Final = {b"heic", b"heix", b"heim", b"heis", b"mif1"}
"""Brands of files that hold single HEVC pictures (ISO/IEC 23008-12, B.4)."""

_DAMAGE: Final = (ValueError, EOFError, SyntaxError, RuntimeError, OSError, IndexError)
"""Errors that pi-heif raises for files that are damaged or too large."""


def is_heic(data: bytes) -> bool:
    """True if a file has the signature of a HEIC picture.

    Args:
        data: the file, or its first 12 bytes.
    """
    return data[4:8] == b"ftyp" and data[8:12] in _BRANDS


def size_of(data: bytes) -> tuple[int, int]:
    """Width and height in pixels. libheif refuses to decode a picture that has another size.

    Args:
        data: the whole file.

    Raises:
        ValueError: the file is damaged; the message is a short phrase.
    """
    width, height = _opened(data).size
    return width, height


def decoded(data: bytes, reduced: int) -> Image:
    """(height, width, 3) uint8 picture, turned upright and reduced.

    Args:
        data: the whole file.
        reduced: factor of the reduction along each side.

    Raises:
        ValueError: the file is damaged; the message is a short phrase.
        MemoryError: there is not enough memory for it.
    """
    picture = _opened(data)
    try:
        whole = np.asarray(picture)
    except _DAMAGE as error:
        raise ValueError("is damaged") from error
    if reduced > 1:
        part = 1 / reduced
        image = cv2.resize(whole, None, fx=part, fy=part, interpolation=cv2.INTER_AREA)
    else:
        # The pixels of pi-heif are freed together with its picture.
        image = whole.copy()
    if image.ndim == 2:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    return np.ascontiguousarray(image[:, :, :3], np.uint8)


def _opened(data: bytes) -> Any:
    """Opens the main picture of a file: reads its header and decodes nothing."""
    options = pi_heif.options
    options.DECODE_THREADS = 1
    options.THUMBNAILS = options.DEPTH_IMAGES = options.AUX_IMAGES = False
    try:
        file = pi_heif.open_heif(data, convert_hdr_to_8bit=True, bgr_mode=True)
        return file[file.primary_index]
    except _DAMAGE as error:
        raise ValueError("is damaged") from error
