"""The size of a picture and the memory that decoding it takes, from its file, before it is decoded.

Only formats that cameras, phones and browsers write are known: JPEG (ITU T.81), PNG (W3C, Third
Edition), WebP (RFC 9649) and HEIC (ISO/IEC 23008-12). Decoders read much more, and a kilobyte of
BMP or TIFF can name a picture of gigabytes.
"""

import re
import struct
from dataclasses import dataclass
from enum import Enum
from typing import Final

from vision.io import heic

_BYTES_A_PIXEL: Final = 3
"""Of the picture in memory: blue, green, red."""

_LOSSLESS, _ANIMATED, _HEIC = 7, 12, 7
"""Bytes a pixel that decoders take, with the result: libwebp for a lossless picture, libwebp and
OpenCV for an animated one, libheif. Measured on pictures of 3 to 27 million pixels: 7.0, 11.4 and
12.0, 6.5."""

_COEFFICIENT_BYTES: Final = 2 * 64
"""Of a block of 8x8 pixels, which a JPEG decoder holds until the last scan of a picture."""

_MOST_SEGMENTS: Final = 10_000
"""Segments of a JPEG before its first scan; phones write 20 to 300."""


class ImageFormat(Enum):
    """The formats that are decoded, each with its name in messages."""

    JPEG = "JPEG"
    PNG = "PNG"
    WEBP = "WebP"
    HEIC = "HEIC"


@dataclass(frozen=True, slots=True)
class ImageHeader:
    """The properties of a picture in a file.

    Attributes:
        format: of the file.
        width: in pixels, before any EXIF orientation.
        height: in pixels.
        held: bytes that the decoder needs at least: for the coefficients of a JPEG, or for all of
            another picture.
        scans: how many times the decoder goes over the picture.
    """

    format: ImageFormat
    width: int
    height: int
    held: int = 0
    scans: int = 1

    @property
    def pixels(self) -> int:
        """How many there are in the file."""
        return self.width * self.height

    @property
    def kind(self) -> str:
        """The format in words, and what makes it costly to decode."""
        costly = {ImageFormat.JPEG: "progressive ", ImageFormat.PNG: "animated "}
        return (costly.get(self.format, "") if self.held else "") + self.format.value

    def memory(self, reduced: int) -> int:
        """Bytes that decoding takes at the most, the file not counted.

        Args:
            reduced: pixels of the file for one of the result, across and down. A JPEG is decoded
                at that size; others are decoded whole and then made smaller.
        """
        result = _BYTES_A_PIXEL * self.pixels // reduced**2
        if self.format is ImageFormat.JPEG:
            return max(self.held, result) + result
        return max(self.held, _BYTES_A_PIXEL * self.pixels + result)


def header_of(data: bytes) -> ImageHeader | None:
    """The header of a picture; None where it is in none of the formats.

    Args:
        data: the whole file.

    Raises:
        ValueError: the file is damaged; a short phrase that says so.
    """
    if data.startswith(b"\xff\xd8\xff"):
        return _jpeg(data)
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return _png(data)
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return _webp(data)
    if heic.is_heic(data):
        width, height = heic.size_of(data)
        return ImageHeader(ImageFormat.HEIC, width, height, _HEIC * width * height)
    return None


# JPEG

_START_OF_SCAN: Final = b"\xff\xda"
_END: Final = b"\xff\xd9"
_MARKER: Final = re.compile(rb"\xff+([^\x00\xff])", re.DOTALL)
_FRAMES: Final = {0xC0, 0xC1, 0xC2}
"""Frame headers of baseline, extended and progressive pictures, the ones that people have."""

_OTHER_FRAMES: Final = {0xC3, *range(0xC5, 0xC8), *range(0xC9, 0xCC), *range(0xCD, 0xD0)}
_WITH_LENGTH: Final = {0xC4, 0xCC, *range(0xDB, 0xDE), *range(0xE0, 0xF0), 0xFE}
_WITHOUT_LENGTH: Final = {0x01, *range(0xD0, 0xD8)}
_SCAN: Final = 0xDA


def _jpeg(data: bytes) -> ImageHeader:
    """The header of a JPEG, its segments found as libjpeg finds them.

    Like libjpeg it passes over any bytes before a marker, and over fill bytes (B.1.1.2).
    """
    if data.rfind(_END) < data.rfind(_START_OF_SCAN):
        raise ValueError("is cut short")
    frame: tuple[int, bytes] | None = None
    place = 2
    for _ in range(_MOST_SEGMENTS):
        found = _MARKER.search(data, place)
        if found is None:
            raise ValueError("is damaged")
        mark, place = found[1][0], found.end()
        if mark in _WITHOUT_LENGTH:
            continue
        if mark == _SCAN and frame is not None:
            return _scanned(*frame, data, place)
        if mark not in _FRAMES | _WITH_LENGTH or (mark in _FRAMES and frame is not None):
            unusual = "is a JPEG of a rare kind" if mark in _OTHER_FRAMES else "is damaged"
            raise ValueError(unusual)
        length = int.from_bytes(data[place : place + 2])
        if mark in _FRAMES:
            frame = mark, data[place + 2 : place + length]
        place += max(length, 2)
    raise ValueError("is damaged")


def _scanned(mark: int, frame: bytes, data: bytes, place: int) -> ImageHeader:
    """The header of a JPEG from its frame header (B.2.2) and its first scan (B.2.3) at a place."""
    if len(frame) < 6 or len(frame) != 6 + 3 * frame[5] or place + 2 >= len(data):
        raise ValueError("is damaged")
    depth, height, width, count = struct.unpack(">BHHB", frame[:6])
    sampling = [divmod(factors, 16) for factors in frame[7::3]]
    if count not in {1, 3, 4} or not all(1 <= f <= 4 for pair in sampling for f in pair):
        raise ValueError("is damaged")
    if depth != 8:
        raise ValueError("is a JPEG of a rare kind")
    if mark != 0xC2 and data[place + 2] == count:
        return ImageHeader(ImageFormat.JPEG, width, height)
    # The decoder holds all coefficients until the last scan.
    across, down = (max(pair[axis] for pair in sampling) for axis in (0, 1))
    units = -(-width // (8 * across)) * -(-height // (8 * down))
    held = sum(_COEFFICIENT_BYTES * units * h * v for h, v in sampling)
    return ImageHeader(ImageFormat.JPEG, width, height, held, data.count(_START_OF_SCAN, place) + 1)


# PNG


def _png(data: bytes) -> ImageHeader:
    """The header of a PNG (11.2.1), which comes first in the file."""
    if b"IEND" not in data[-64:]:
        raise ValueError("is cut short")
    if data[12:16] != b"IHDR":
        raise ValueError("is damaged")
    width, height = struct.unpack(">II", data[16:24])
    animated = b"acTL" in data[:_FIRST_CHUNKS]
    return ImageHeader(
        ImageFormat.PNG, width, height, _ANIMATED * width * height if animated else 0
    )


_FIRST_CHUNKS: Final = 1 << 20
"""Bytes in which the chunk stands that makes a PNG an animated one."""


# WebP

_ANIMATION: Final = 0x02
"""Bit of the flags in a VP8X chunk."""


def _webp(data: bytes) -> ImageHeader:
    """The header of a WebP, from the first chunk in it (RFC 9649, 2.5 to 2.7)."""
    if len(data) < 8 + int.from_bytes(data[4:8], "little") or len(data) < 30:
        raise ValueError("is cut short")
    kind, first = data[12:16], data[20:30]
    if kind == b"VP8X":
        width, height = (int.from_bytes(first[at : at + 3], "little") + 1 for at in (4, 7))
        lossless = b"VP8L" in data[30:]
        held = _ANIMATED if first[0] & _ANIMATION else _LOSSLESS if lossless else 0
    elif kind == b"VP8L" and first[0] == 0x2F:
        bits = int.from_bytes(first[1:5], "little")
        width, height, held = 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF), _LOSSLESS
    elif kind == b"VP8 " and first[3:6] == b"\x9d\x01\x2a":
        width, height = (word & 0x3FFF for word in struct.unpack("<HH", first[6:10]))
        held = 0
    else:
        raise ValueError("is damaged")
    return ImageHeader(ImageFormat.WEBP, width, height, held * width * height)
