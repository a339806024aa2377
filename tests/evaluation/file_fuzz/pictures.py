"""Damaged pictures of every format, and pictures that need too much memory or time."""

import random
import struct
import zlib
from functools import cache

import numpy as np
from PIL import Image

from tests.conftest import ROOT
from tests.evaluation.file_fuzz.case import ANY, Damage, FuzzCase, damaged
from tests.support.picture_files import (
    bmp_of_size,
    heic_of_size,
    jpeg_of_size,
    jpeg_with,
    jpeg_with_scans,
    packed,
    png_of_size,
    webp_of_code_tables,
    webp_of_size,
)

SAMPLES = ROOT / "tests" / "vision" / "data"
SIDES = (0, 1, 31, 40, 100, 640, 2000, 5000, 9000, 16_000, 30_000, 65_535)
MARKS = (
    *(b"IHDR", b"IDAT", b"fcTL"),
    *(b"VP8 ", b"VP8L", b"VP8X", b"ANMF"),
    *(b"meta", b"mdat", b"iloc"),
)
"""Names of chunks in PNG and WebP, and of boxes in HEIC."""

LENGTHS = (0, 1, 2, 3, 7, 100, 65_535, 0x7FFFFFFF, 0xFFFFFFFF)


def picture(chance: random.Random) -> FuzzCase:
    """Returns a damaged picture for `read` or `calibrate`."""
    words = chance.choice((("read", "--json"), ("read", "--json"), ("calibrate",)))
    return FuzzCase((*words, "@picture"), {"picture": _broken(chance)})


def bare_board(chance: random.Random) -> FuzzCase:
    """Returns a damaged picture of the bare board with a good picture."""
    good = seeds()["JPEG"]
    files = {"good.jpg": good, "picture": _broken(chance)}
    return FuzzCase(("read", "--json", "--empty", "@picture", "@good.jpg"), files)


def _broken(chance: random.Random) -> bytes:
    if chance.random() < 0.1:
        return chance.choice(bombs())
    return damaged(seeds()[chance.choice([*seeds()])], WAYS, chance)


@cache
def seeds() -> dict[str, bytes]:
    """Returns a good picture of a board with pieces in each common format."""
    board = Image.open(SAMPLES / "game_30.jpg").convert("RGB")
    small = board.resize((400, 300))
    levels = np.asarray(small.convert("L"), np.uint16) * 256
    exif = Image.Exif()
    exif[0x0112] = 6
    return {
        "JPEG": packed(board, "JPEG", quality=85),
        "progressive": packed(board, "JPEG", quality=85, progressive=True),
        "grey": packed(board.convert("L"), "JPEG"),
        "CMYK": packed(board.convert("CMYK"), "JPEG"),
        "turned": packed(board, "JPEG", exif=exif),
        "PNG": packed(small, "PNG"),
        "PNG of 16 bits": packed(Image.fromarray(levels), "PNG"),
        "PNG of a palette": packed(small.quantize(32), "PNG"),
        "animated PNG": packed(small, "PNG", save_all=True, append_images=[small.rotate(9)]),
        "WebP": packed(board, "WEBP", quality=80),
        "lossless WebP": packed(small, "WEBP", lossless=True),
        "WebP with alpha": packed(small.convert("RGBA"), "WEBP"),
        "animated WebP": packed(small, "WEBP", save_all=True, append_images=[small.rotate(9)]),
        "HEIC": (SAMPLES / "game_30.heic").read_bytes(),
    }


@cache
def bombs() -> list[bytes]:
    """Returns small files that need much memory or time."""
    known = seeds()
    return [
        bmp_of_size(20_000, 20_000),
        packed(Image.new("L", (9000, 9000)), "TIFF", compression="tiff_deflate"),
        packed(Image.new("P", (9000, 9000)), "GIF"),
        jpeg_with(jpeg_of_size(known["JPEG"], 20_000, 20_000), b"\xff"),
        jpeg_of_size(known["JPEG"], 14_000, 14_000),
        jpeg_of_size(known["JPEG"], 3900, 3900),
        jpeg_of_size(known["progressive"], 8000, 8000),
        jpeg_of_size(known["progressive"], 5000, 5000),
        jpeg_with_scans(known["progressive"], 3000),
        jpeg_with_scans(jpeg_of_size(known["progressive"], 4000, 4000), 100),
        webp_of_code_tables(),
        packed(Image.new("RGB", (5000, 5000)), "WEBP", lossless=True, quality=0, method=0),
        packed(Image.new("RGB", (6000, 6000)), "PNG"),
        _checkered(),
        packed(Image.effect_noise((3900, 3900), 90).convert("RGB"), "JPEG"),
    ]


def _checkered() -> bytes:
    """Returns a picture of a checkered cloth."""
    down, across = np.mgrid[:1440, :1920]
    cloth = ((across // 14 + down // 14) % 2 * 200 + 20).astype(np.uint8)
    return packed(Image.fromarray(cloth), "JPEG", quality=90)


# Damage specific to the format


def resized(data: bytes, chance: random.Random) -> bytes:
    """Changes the size in the header."""
    width, height = chance.choice(SIDES), chance.choice(SIDES)
    try:
        if data.startswith(b"\xff\xd8"):
            return jpeg_of_size(data, width, height)
        if data.startswith(b"\x89PNG"):
            return _with_checksums(png_of_size(data, width, height))
        if data[12:16] == b"VP8L":
            return webp_of_size(data, 1 + width % (1 << 14), 1 + height % (1 << 14))
        return heic_of_size(data, width, height)
    except (ValueError, struct.error):
        return data


def filled(data: bytes, chance: random.Random) -> bytes:
    """Inserts data before the frame header of a JPEG."""
    junk = (b"\xff", b"\xff" * 50, b"\x00\x01", b"\xff\xe1\x00\x04ab", b"\xff\xd0", b"\xff\xdd\x00")
    try:
        return jpeg_with(data, chance.choice(junk))
    except ValueError:
        return data


def relengthened(data: bytes, chance: random.Random) -> bytes:
    """Changes a length within the file: of a segment, a chunk or a box."""
    broken = bytearray(data)
    marks = (
        b"IHDR",
        b"IDAT",
        b"fcTL",
        b"VP8 ",
        b"VP8L",
        b"VP8X",
        b"ANMF",
        b"meta",
        b"mdat",
        b"iloc",
    )
    found = [at for mark in marks if (at := data.find(mark)) >= 4]
    if data.startswith(b"\xff\xd8"):
        at = data.find(b"\xff", 2 + chance.randrange(200)) + 2
        broken[at : at + 2] = (chance.choice(LENGTHS) & 0xFFFF).to_bytes(2)
    elif found:
        at = chance.choice(found)
        place = at + 4 if data.startswith(b"RIFF") else at - 4
        order = "<I" if data.startswith(b"RIFF") else ">I"
        broken[place : place + 4] = struct.pack(order, chance.choice(LENGTHS))
    return bytes(broken)


def checked(data: bytes, chance: random.Random) -> bytes:
    """Flips bits of a PNG and corrects its checksums."""
    broken = bytearray(data)
    for _ in range(chance.choice((1, 5, 40))):
        broken[chance.randrange(8, len(broken))] ^= 1 << chance.randrange(8)
    return _with_checksums(bytes(broken)) if data.startswith(b"\x89PNG") else bytes(broken)


def _with_checksums(png: bytes) -> bytes:
    """Returns a PNG with correct checksums (5.3), as far as the lengths of chunks are valid."""
    mended, place = bytearray(png), 8
    while place + 12 <= len(mended):
        end = place + 8 + int.from_bytes(mended[place : place + 4])
        if end + 4 > len(mended):
            break
        mended[end : end + 4] = zlib.crc32(mended[place + 4 : end]).to_bytes(4)
        place = end + 4
    return bytes(mended)


def spliced(data: bytes, chance: random.Random) -> bytes:
    """Joins the beginning of this file and the end of another."""
    other = seeds()[chance.choice([*seeds()])]
    at = chance.randrange(min(len(data), 2000) + 1)
    return data[:at] + other[min(at, len(other)) :]


WAYS: tuple[Damage, ...] = (*ANY, resized, resized, resized, filled, relengthened, checked, spliced)
