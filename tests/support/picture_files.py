"""Picture files of every format, valid ones and those that need too much memory or time."""

import io
import struct
from typing import Any

import numpy as np
from PIL import Image

START_OF_FRAME = (b"\xff\xc0", b"\xff\xc2")
START_OF_SCAN = b"\xff\xda"


def packed(image: Image.Image, kind: str, **options: Any) -> bytes:
    """Returns the file of a picture."""
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def plain(width: int, height: int, mode: str = "RGB") -> Image.Image:
    """Returns a picture of one colour."""
    return Image.new(mode, (width, height), 90 if mode == "L" else None)


def shaded(width: int, height: int) -> Image.Image:
    """Returns a picture with colour gradients from left to right and from top to bottom."""
    down, across = np.mgrid[:height, :width]
    shades = np.stack([255 * across / width, 255 * down / height, across * 0 + 100.0], axis=2)
    return Image.fromarray(shades.astype(np.uint8))


def jpeg_of_size(jpeg: bytes, width: int, height: int) -> bytes:
    """Returns a JPEG with another size in its header."""
    frame = min(at for mark in START_OF_FRAME if (at := jpeg.find(mark)) > 0)
    return jpeg[: frame + 5] + struct.pack(">HH", height, width) + jpeg[frame + 9 :]


def jpeg_with(jpeg: bytes, inserted: bytes) -> bytes:
    """Returns a JPEG with data before its frame header."""
    frame = min(at for mark in START_OF_FRAME if (at := jpeg.find(mark)) > 0)
    return jpeg[:frame] + inserted + jpeg[frame:]


def jpeg_with_scans(jpeg: bytes, more: int) -> bytes:
    """Returns a JPEG with `more` copies of its last scan."""
    last = jpeg.rindex(START_OF_SCAN)
    return jpeg[:-2] + jpeg[last:-2] * more + jpeg[-2:]


def png_of_size(png: bytes, width: int, height: int) -> bytes:
    """Returns a PNG with another size in its header."""
    return png[:16] + struct.pack(">II", width, height) + png[24:]


def webp_of_size(webp: bytes, width: int, height: int) -> bytes:
    """Returns a lossless WebP with another size in its header."""
    sizes = (width - 1) | (height - 1) << 14
    return webp[:21] + sizes.to_bytes(4, "little") + webp[25:]


def heic_of_size(heic: bytes, width: int, height: int) -> bytes:
    """Returns a HEIC with another size in its header."""
    at = heic.index(b"ispe") + 8
    return heic[:at] + struct.pack(">II", width, height) + heic[at + 8 :]


def bmp_of_size(width: int, height: int) -> bytes:
    """Returns a BMP of a kilobyte with the size in its header."""
    head = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, 0, 0, 0, 0, 0)
    return b"BM" + struct.pack("<IHHI", 1024, 0, 0, 54) + head + b"\0" * 970


class _Bits:
    """Writes bits, the lowest first (RFC 9649, 3.1)."""

    def __init__(self) -> None:
        self._done = bytearray()
        self._value = self._count = 0

    def put(self, value: int, count: int) -> None:
        self._value |= value << self._count
        self._count += count
        while self._count >= 8:
            self._done.append(self._value & 255)
            self._value >>= 8
            self._count -= 8

    def done(self) -> bytes:
        return bytes([*self._done, self._value])


def webp_of_code_tables() -> bytes:
    """Returns a lossless WebP of 1024x1024 pixels with 65,536 groups of five code tables.

    See RFC 9649, 3.7. The header does not show them; libwebp 1.6 takes 360 MB for it.
    """
    bits = _Bits()
    side = 1024
    bits.put(0x2F, 8)
    for size in (side - 1, side - 1):
        bits.put(size, 14)
    bits.put(0, 4)  # no alpha, version 0
    bits.put(0, 1)  # no transform
    bits.put(1 | 11 << 1, 5)  # a colour cache of 11 bits, for long tables
    bits.put(1, 4)  # a group of tables for each block of 4x4 pixels, from an entropy image
    bits.put(0, 1)  # no colour cache of the entropy image
    _code_of_bytes(bits, alphabet=256 + 24)
    _code_of_bytes(bits, alphabet=256)
    for _ in range(3):
        _code_of_one(bits)
    for group in range(1 << 16):
        for byte in (group & 255, group >> 8):
            bits.put(int(f"{byte:08b}"[::-1], 2), 8)
    for _ in range(5 << 16):
        _code_of_one(bits)
    bits.put(0, 64)
    content = bits.done()
    content += b"\0" * (len(content) % 2)
    chunk = b"VP8L" + struct.pack("<I", len(content)) + content
    return b"RIFF" + struct.pack("<I", 4 + len(chunk)) + b"WEBP" + chunk


def _code_of_bytes(bits: _Bits, alphabet: int) -> None:
    """Writes a code with 8 bits for each of the first 256 symbols and none for the others."""
    lengths = (17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8)
    bits.put(0, 1)
    bits.put(len(lengths) - 4, 4)
    for length in lengths:
        bits.put(1 if length in {0, 8} else 0, 3)
    bits.put(0, 1)
    for symbol in range(alphabet):
        bits.put(1 if symbol < 256 else 0, 1)


def _code_of_one(bits: _Bits) -> None:
    """Writes a code of the symbol 0 alone."""
    bits.put(1, 4)
