"""Reads a picture from a file: within bounds, upright, with one sentence if it is no picture.

Every picture from outside is read here. Whatever the file contains, decoding takes at most 200 MB
and a few seconds, because the header is checked first and the decoder is limited. Our own pictures
are encoded here too.
"""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.camera import Image
from vision.errors import SourceError, read_bounded
from vision.io import heic
from vision.io.image_header import ImageFormat, ImageHeader, format_of, header_of
from vision.io.limits import decoder_limits

_FEWEST_PX: Final = 32
"""Shortest side of a picture in pixels."""

_LONGEST: Final = 16
"""Largest ratio of the long side to the short one; the widest panoramas of phones have ten."""

_MOST: Final = 16_500_000
"""Pixels of the largest picture that is read without reduction: phones have 12 or 16 million."""

_LIMIT: Final = 200_000_000
"""Pixels of the largest picture that is read: the largest of any phone. Only a baseline JPEG of
that size is within the other bounds."""

_LARGEST: Final = 80_000_000
"""Bytes of the largest file: a photograph of 200 million pixels has up to 60 million."""

_MEMORY: Final = 180_000_000
"""Bytes that a file and its decoder may take, estimated from the header: with the program and
another picture, that of the bare board, the total is under 300 MB."""

_UNESTIMATED: Final = 15_000_000
"""Additional bytes for the decoder, which the estimate does not include."""

_MOST_WORK: Final = 2_000_000_000
"""Most pixels times scans. A progressive JPEG has about 10 scans, which takes 2 s."""

_REDUCED: Final = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}
"""Flags of OpenCV by the factor of the reduction along each side."""

_REMEDY: Final = "copy it again from its source, or save it anew as a JPEG"
"""End of a sentence about a picture that cannot be decoded."""

SUFFIXES: Final = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif")
"""Suffixes of the names of pictures."""


@dataclass(frozen=True, slots=True, eq=False)
class LoadedImage:
    """Picture from a file.

    Attributes:
        image: (height, width, 3) uint8, turned upright by its EXIF orientation.
        reduced: factor by which it was reduced along each side.
    """

    image: Image
    reduced: int


def load_picture(path: Path) -> Image:
    """Reads only the pixels of the picture that `open_picture` reads."""
    return open_picture(path).image


def open_picture(path: Path) -> LoadedImage:
    """Reads the picture in a file; a very large one is reduced.

    Args:
        path: path of a JPEG, PNG, WebP or HEIC file.

    Raises:
        SourceError: there is no such file, or it is no complete picture, or it is too large.
    """
    return decode_picture(read_encoded(path), str(path))


def read_encoded(path: Path) -> bytes:
    """Reads the bytes of a picture's file.

    Raises:
        SourceError: it cannot be read, or is too large.
    """
    return read_bounded(path, _LARGEST, "picture")


def decode_picture(data: bytes, name: str) -> LoadedImage:
    """Decodes the bytes of a picture; a very large one is reduced.

    Args:
        data: bytes of a JPEG, PNG, WebP or HEIC file.
        name: name of the picture, for messages.

    Raises:
        SourceError: it is no complete picture, or it is too large.
    """
    return _decode(data, name, decoder_limits(_MEMORY + _UNESTIMATED - len(data)))


def decode_live(data: bytes, name: str) -> LoadedImage:
    """Decodes a picture like `decode_picture`, a JPEG without disturbing other threads.

    `decoder_limits` hold for the whole process: while a picture is decoded, other threads have
    less memory, and what they print on standard error is lost. A JPEG needs no such limit, because
    its header gives all the memory that its decoder takes. The decoder prints a line on standard
    error if its data are damaged.
    """
    if format_of(data) is not ImageFormat.JPEG:
        return decode_picture(data, name)
    return _decode(data, name, nullcontext())


def _decode(data: bytes, name: str, limits: AbstractContextManager[None]) -> LoadedImage:
    """Decodes the bytes of a picture within limits; see `decode_picture`."""
    try:
        with limits:
            header = header_of(data)
            if header is None:
                raise SourceError(f"{name} is not a picture; give a JPEG, PNG, WebP or HEIC file")
            reduced = _reduced(name, header, len(data))
            return LoadedImage(_decoded(data, header, reduced), reduced)
    except ValueError as error:
        raise SourceError(f"the picture {name} {error}; {_REMEDY}") from error
    except (cv2.error, MemoryError) as error:
        raise SourceError(f"the picture {name} is damaged; {_REMEDY}") from error


def _reduced(name: str, header: ImageHeader, length: int) -> int:
    """Chooses the factor by which a picture is reduced.

    Raises:
        SourceError: no board can be seen in it, or decoding it takes too much memory or time.
    """
    short, long = sorted((header.width, header.height))
    if short < _FEWEST_PX or long > _LONGEST * short:
        raise SourceError(
            f"the picture {name} has {header.width}x{header.height} pixels, "
            "too small to show a board"
        )
    reduced = next((k for k in _REDUCED if header.pixels <= _MOST * k * k), max(_REDUCED))
    if (
        header.pixels > _LIMIT
        or header.memory(reduced) + length > _MEMORY
        or header.pixels * header.scans > _MOST_WORK
    ):
        raise SourceError(
            f"the picture {name} has {header.pixels / 1e6:.0f} million pixels, too many for a "
            f"{header.kind}; make it smaller, or save it as an ordinary JPEG of at most "
            f"{_LIMIT / 1e6:.0f} million"
        )
    return reduced


def _decoded(data: bytes, header: ImageHeader, reduced: int) -> Image:
    """Decodes the pixels.

    Raises:
        ValueError: the file is damaged; the message is a short phrase.
    """
    if header.format is ImageFormat.HEIC:
        return heic.decoded(data, reduced)
    image = cv2.imdecode(np.frombuffer(data, np.uint8), _REDUCED[reduced])
    if image is None:
        raise ValueError("is damaged")
    return np.asarray(image, np.uint8)


def encode_jpeg(image: Image, quality: int) -> bytes:
    """A picture as a JPEG file.

    Args:
        image: (height, width, 3) uint8.
        quality: of the encoder, 0 to 100.
    """
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


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
