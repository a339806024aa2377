"""A picture in a file: read within bounds, upright, and with one sentence where it is none."""

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.camera import Image
from vision.errors import SourceError

_FEWEST_PX: Final = 32
_MOST: Final = 16_000_000
"""Pixels of the largest picture that is read as it is: phones have 12 million."""

_LIMIT: Final = 200_000_000
"""Pixels of the largest picture that is read at all: 600 MB while a PNG is being shrunk. A JPEG
is never decoded at its full size."""

_REDUCED: Final = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """What was in a file.

    Attributes:
        image: (height, width, 3) uint8, turned upright as its EXIF orientation says.
        reduced: how many pixels of the file one pixel of the image is wide.
    """

    image: Image
    reduced: int


def open_picture(path: Path) -> Picture:
    """The picture in a file, a very large one reduced.

    Args:
        path: a JPEG, PNG or whatever else OpenCV reads.

    Raises:
        SourceError: there is no such file, or it is no complete picture, or it is too large.
    """
    data, pixels = _whole(path)
    reduced = next((k for k in _REDUCED if pixels <= _MOST * k * k), max(_REDUCED))
    return Picture(_decoded(path, data, reduced), reduced)


def load_picture(path: Path) -> Image:
    """The picture in a file as it is: one of several of a camera, whose pixels others speak of.

    Args:
        path: a JPEG, PNG or whatever else OpenCV reads.

    Raises:
        SourceError: there is no such file, or it is no complete picture, or it is too large.
    """
    return _decoded(path, _whole(path)[0], 1)


def _whole(path: Path) -> tuple[bytes, int]:
    """What is in a file, and how many pixels it has, as far as that can be told."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SourceError(f"cannot read the picture {path}: {error.strerror}") from error
    if _is_cut_short(data):
        raise SourceError(f"the picture {path} is cut short; copy it again from its source")
    pixels = _pixels(data)
    if pixels > _LIMIT:
        raise SourceError(
            f"the picture {path} has {pixels / 1e6:.0f} million pixels; "
            f"give one of {_LIMIT / 1e6:.0f} million or fewer"
        )
    return data, pixels


def _decoded(path: Path, data: bytes, reduced: int) -> Image:
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), _REDUCED[reduced]) if data else None
    except cv2.error as error:
        raise SourceError(f"the picture {path} is too large or damaged to decode") from error
    if image is None:
        raise SourceError(f"{path} is not a picture; give a JPEG or PNG file")
    if min(image.shape[:2]) < _FEWEST_PX:
        raise SourceError(f"the picture {path} is too small to show a board")
    return np.asarray(image, np.uint8)


def _is_cut_short(data: bytes) -> bool:
    """Whether a JPEG or PNG lacks its end, which decoders fill with grey without a word."""
    if data.startswith(b"\xff\xd8"):
        return data.rfind(b"\xff\xd9") < data.rfind(b"\xff\xda")
    return data.startswith(b"\x89PNG") and b"IEND" not in data[-64:]


def _pixels(data: bytes) -> int:
    """How many pixels a JPEG (T.81, B.2.2) or PNG (11.2.2) has; 0 where it does not tell."""
    if data.startswith(b"\x89PNG") and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return int(width * height)
    place = 2 if data.startswith(b"\xff\xd8") else len(data)
    while place + 9 <= len(data) and data[place] == 0xFF:
        mark, length = data[place + 1], struct.unpack(">H", data[place + 2 : place + 4])[0]
        # Frame headers, of which three numbers in their row are something else.
        if 0xC0 <= mark <= 0xCF and mark not in {0xC4, 0xC8, 0xCC}:
            height, width = struct.unpack(">HH", data[place + 5 : place + 9])
            return int(width * height)
        place += 2 + length
    return 0
