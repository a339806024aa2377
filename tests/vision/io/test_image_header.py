"""Headers of pictures, compared with the results of decoders."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.support.picture_files import (
    heic_of_size,
    jpeg_of_size,
    jpeg_with,
    jpeg_with_scans,
    packed,
    plain,
    shaded,
)
from vision.io.image_header import ImageFormat, ImageHeader, header_of

WIDTH, HEIGHT = 90, 70
JPEG = packed(shaded(WIDTH, HEIGHT), "JPEG")
PROGRESSIVE = packed(shaded(WIDTH, HEIGHT), "JPEG", progressive=True)


def known(data: bytes) -> ImageHeader:
    header = header_of(data)
    assert header is not None
    return header


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (JPEG, ImageFormat.JPEG),
        (PROGRESSIVE, ImageFormat.JPEG),
        (packed(plain(WIDTH, HEIGHT, "L"), "JPEG"), ImageFormat.JPEG),
        (packed(plain(WIDTH, HEIGHT, "CMYK"), "JPEG"), ImageFormat.JPEG),
        (packed(plain(WIDTH, HEIGHT), "PNG"), ImageFormat.PNG),
        (packed(plain(WIDTH, HEIGHT, "P"), "PNG"), ImageFormat.PNG),
        (packed(shaded(WIDTH, HEIGHT), "WEBP"), ImageFormat.WEBP),
        (packed(shaded(WIDTH, HEIGHT), "WEBP", lossless=True), ImageFormat.WEBP),
        (packed(plain(WIDTH, HEIGHT, "RGBA"), "WEBP"), ImageFormat.WEBP),
        (
            packed(
                shaded(WIDTH, HEIGHT),
                "WEBP",
                save_all=True,
                append_images=[plain(WIDTH, HEIGHT)],
            ),
            ImageFormat.WEBP,
        ),
    ],
)
def test_format_and_size_are_read(data: bytes, expected: ImageFormat) -> None:
    header = known(data)
    assert (header.format, header.width, header.height) == (expected, WIDTH, HEIGHT)
    decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert decoded is not None
    assert decoded.shape[:2] == (HEIGHT, WIDTH)


def test_the_size_of_a_heic_is_read(samples: Path) -> None:
    data = (samples / "game_30.heic").read_bytes()
    header = known(data)
    assert (header.format, header.width, header.height) == (ImageFormat.HEIC, 800, 600)
    assert known(heic_of_size(data, 30_000, 20_000)).pixels == 600_000_000


@pytest.mark.parametrize(
    "inserted", [b"\xff", b"\xff" * 9, b"\x00\x01", b"\xff\x00", b"\xff\xe0\x00\x04ab", b"\xff\xd3"]
)
def test_whatever_a_decoder_passes_over_before_the_frame_header(inserted: bytes) -> None:
    data = jpeg_with(JPEG, inserted)
    assert (known(data).width, known(data).height) == (WIDTH, HEIGHT)
    assert cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) is not None


def test_a_frame_header_within_another_segment_is_none() -> None:
    thumbnail = jpeg_of_size(JPEG, 8, 8)
    segment = b"\xff\xe1" + (len(thumbnail) + 2).to_bytes(2) + thumbnail
    assert known(JPEG[:2] + segment + JPEG[2:]).width == WIDTH


def test_what_a_decoder_holds_until_the_last_scan_is_reported() -> None:
    assert known(JPEG).held == 0
    assert known(JPEG).scans == 1
    # Blocks of 8x8 pixels in pairs of pairs: 6x5 of them, with two colours at half resolution.
    assert known(PROGRESSIVE).held == 6 * 5 * (4 + 1 + 1) * 128
    assert known(PROGRESSIVE).scans == 10
    assert known(jpeg_with_scans(PROGRESSIVE, 7)).scans == 17
    full = packed(shaded(WIDTH, HEIGHT), "JPEG", progressive=True, subsampling=0)
    assert known(full).held == 12 * 9 * 3 * 128


def test_a_baseline_jpeg_of_a_scan_for_each_colour_is_held_too() -> None:
    # The first scan of a progressive picture, read as the first of a baseline one.
    one_colour = jpeg_with_one_colour_a_scan()
    assert known(one_colour).held > 0


def jpeg_with_one_colour_a_scan() -> bytes:
    at = JPEG.index(b"\xff\xda")
    header = b"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00"
    return JPEG[:at] + header + JPEG[at + 2 + int.from_bytes(JPEG[at + 2 : at + 4]) :]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (JPEG[:-2], "cut short"),
        (b"\xff\xd8\xff\xd9", "damaged"),
        (JPEG.replace(b"\xff\xc0", b"\xff\xc3"), "rare kind"),
        (JPEG.replace(b"\xff\xc0", b"\xff\xc9"), "rare kind"),
        (JPEG.replace(b"\xff\xc0\x00\x11\x08", b"\xff\xc0\x00\x11\x0c"), "rare kind"),
        (JPEG.replace(b"\xff\xc0\x00\x11\x08", b"\xff\xc0\x00\x10\x08"), "damaged"),
        (jpeg_with(JPEG, JPEG[JPEG.index(b"\xff\xc0") :][:19]), "damaged"),
        (jpeg_with(JPEG, b"\xff\xe0\x00\x02" * 20_000), "damaged"),
        (packed(plain(WIDTH, HEIGHT), "PNG")[:-12], "cut short"),
        (packed(plain(WIDTH, HEIGHT), "WEBP")[:-2], "cut short"),
    ],
)
def test_damage_is_reported_before_anything_is_decoded(data: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        header_of(data)


@pytest.mark.parametrize("kind", ["BMP", "TIFF", "GIF", "PPM", "JPEG2000", "AVIF", "TGA", "ICO"])
def test_no_other_format_is_known(kind: str) -> None:
    assert header_of(packed(plain(32, 32), kind)) is None


def test_an_estimate_grows_with_what_is_decoded_at_once() -> None:
    phone = ImageHeader(ImageFormat.JPEG, 11_600, 8_700)
    assert phone.memory(4) < 40_000_000 < phone.memory(1)
    png = ImageHeader(ImageFormat.PNG, 6000, 4500)
    assert 3 * png.pixels < png.memory(2) < png.memory(1)
    assert ImageHeader(ImageFormat.WEBP, 100, 100, 12 * 100 * 100).memory(1) == 120_000
