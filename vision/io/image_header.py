"""Reads the header of a picture: its size, and the memory that decoding it takes.

Only formats that cameras, phones and browsers write are supported: JPEG (ITU T.81), PNG (W3C, Third
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
"""Bytes per pixel of the picture in memory: blue, green, red."""

_LOSSLESS: Final = 7
"""Bytes per pixel that libwebp takes for a lossless picture, including the result: 7.0 on pictures
of 3 to 27 million pixels."""

_ANIMATED: Final = 12
"""The same of libwebp and of OpenCV for an animated picture: 11.4 and 12.0."""

_HEIC: Final = 7
"""The same of libheif: 6.5."""

_COEFFICIENT_BYTES: Final = 2 * 64
"""Bytes of a block of 8x8 pixels that a JPEG decoder holds until the last scan of a picture."""

_MOST_SEGMENTS: Final = 10_000
"""Most segments of a JPEG before its first scan; phones write 20 to 300."""


class ImageFormat(Enum):
    """Formats that are decoded, each with its name in messages."""

    JPEG = "JPEG"
    PNG = "PNG"
    WEBP = "WebP"
    HEIC = "HEIC"


@dataclass(frozen=True, slots=True)
class ImageHeader:
    """Properties of a picture in a file.

    Attributes:
        format: format of the file.
        width: width in pixels, before any EXIF orientation.
        height: height in pixels.
        held: bytes that the decoder needs at least: for the coefficients of a JPEG, or for all of
            a picture in another format.
        scans: number of passes of the decoder over the picture.
    """

    format: ImageFormat
    width: int
    height: int
    held: int = 0
    scans: int = 1

    @property
    def pixels(self) -> int:
        """Number of pixels in the file."""
        return self.width * self.height

    @property
    def kind(self) -> str:
        """Format in words, with the property that makes it costly to decode."""
        costly = {ImageFormat.JPEG: "progressive ", ImageFormat.PNG: "animated "}
        return (costly.get(self.format, "") if self.held else "") + self.format.value

    def memory(self, reduced: int) -> int:
        """Most bytes that decoding takes, without the file.

        Args:
            reduced: factor of the reduction along each side. A JPEG is decoded at the reduced
                size; others are decoded whole and then reduced.
        """
        result = _BYTES_A_PIXEL * self.pixels // reduced**2
        if self.format is ImageFormat.JPEG:
            return max(self.held, result) + result
        return max(self.held, _BYTES_A_PIXEL * self.pixels + result)


def format_of(data: bytes) -> ImageFormat | None:
    """Returns the format of a picture by its signature; None if it is none of them.

    Args:
        data: the file, or its first 12 bytes.
    """
    if data.startswith(b"\xff\xd8\xff"):
        return ImageFormat.JPEG
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return ImageFormat.PNG
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return ImageFormat.WEBP
    return ImageFormat.HEIC if heic.is_heic(data) else None


def header_of(data: bytes) -> ImageHeader | None:
    """Reads the header of a picture; None if it has none of the formats.

    Args:
        data: the whole file.

    Raises:
        ValueError: the file is damaged; the message is a short phrase.
    """
    match format_of(data):
        case ImageFormat.JPEG:
            return _jpeg(data)
        case ImageFormat.PNG:
            return _png(data)
        case ImageFormat.WEBP:
            return _webp(data)
        case ImageFormat.HEIC:
            width, height = heic.size_of(data)
            return ImageHeader(ImageFormat.HEIC, width, height, _HEIC * width * height)
        case None:
            return None


# JPEG

_START_OF_SCAN: Final = b"\xff\xda"
"""Marker that begins a scan."""

_END: Final = b"\xff\xd9"
"""Marker that ends a picture."""

_MARKER: Final = re.compile(rb"\xff+([^\x00\xff])", re.DOTALL)
"""Pattern of a marker, with fill bytes before it."""

_FRAMES: Final = {0xC0, 0xC1, 0xC2}
"""Frame headers of baseline, extended and progressive pictures, the usual ones."""

_OTHER_FRAMES: Final = {0xC3, *range(0xC5, 0xC8), *range(0xC9, 0xCC), *range(0xCD, 0xD0)}
"""Frame headers of rare kinds, which are refused."""

_WITH_LENGTH: Final = {0xC4, 0xCC, *range(0xDB, 0xDE), *range(0xE0, 0xF0), 0xFE}
"""Other markers of segments, which begin with their length."""

_WITHOUT_LENGTH: Final = {0x01, *range(0xD0, 0xD8)}
"""Markers that stand alone."""

_SCAN: Final = 0xDA
"""Second byte of the marker of a scan."""


def _jpeg(data: bytes) -> ImageHeader:
    """Reads the header of a JPEG; finds its segments like libjpeg.

    Like libjpeg it skips any bytes before a marker, and fill bytes (B.1.1.2).
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
    """Reads a JPEG's frame header (B.2.2) and the header of its first scan (B.2.3) at a place."""
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

_FIRST_CHUNKS: Final = 1 << 20
"""Bytes at the start of a PNG that are searched for the chunk of an animation."""


def _png(data: bytes) -> ImageHeader:
    """Reads the header of a PNG (11.2.1), which is first in the file."""
    if b"IEND" not in data[-64:]:
        raise ValueError("is cut short")
    if data[12:16] != b"IHDR":
        raise ValueError("is damaged")
    width, height = struct.unpack(">II", data[16:24])
    animated = b"acTL" in data[:_FIRST_CHUNKS]
    return ImageHeader(
        ImageFormat.PNG, width, height, _ANIMATED * width * height if animated else 0
    )


# WebP

_ANIMATION: Final = 0x02
"""Bit of the flags in a VP8X chunk."""


def _webp(data: bytes) -> ImageHeader:
    """Reads the header of a WebP from its first chunk (RFC 9649, 2.5 to 2.7)."""
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
