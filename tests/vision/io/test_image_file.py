"""Pictures in files."""

import os
import resource
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from tests.support.bounded_runs import MOST_BYTES, Runner, runner
from tests.support.picture_files import (
    bmp_of_size,
    heic_of_size,
    jpeg_of_size,
    jpeg_with,
    jpeg_with_scans,
    packed,
    plain,
    png_of_size,
    shaded,
    webp_of_code_tables,
    webp_of_size,
)
from vision.errors import SourceError
from vision.io.image_file import decode_live, load_picture, open_picture

pytestmark = pytest.mark.slow


def test_a_picture_is_turned_as_its_exif_says(tmp_path: Path) -> None:
    _, data = cv2.imencode(".jpg", np.zeros((40, 80, 3), np.uint8))
    exif = b"Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06"
    exif += b"\x00\x00\x00\x00\x00\x00"
    segment = b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif
    path = tmp_path / "turned.jpg"
    path.write_bytes(data.tobytes()[:2] + segment + data.tobytes()[2:])
    assert load_picture(path).shape == (80, 40, 3)


@pytest.mark.parametrize("share", [0.3, 0.9])
@pytest.mark.parametrize("ending", [".jpg", ".png"])
def test_a_picture_that_is_cut_short_is_refused(tmp_path: Path, ending: str, share: float) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (64, 64, 3)).astype(np.uint8)
    data = cv2.imencode(ending, noise)[1].tobytes()
    path = tmp_path / f"cut{ending}"
    path.write_bytes(data[: round(len(data) * share)])
    with pytest.raises(SourceError, match="cut short"):
        load_picture(path)


@pytest.mark.parametrize("content", [b"", b"not a picture", b"\x00" * 400])
def test_what_is_no_picture_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "odd.jpg"
    path.write_bytes(content)
    with pytest.raises(SourceError, match=r"odd\.jpg is not a picture"):
        load_picture(path)


def test_a_missing_picture_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"none\.jpg"):
        load_picture(tmp_path / "none.jpg")


def test_a_speck_is_refused(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "speck.png"), np.zeros((8, 8, 3), np.uint8))
    with pytest.raises(SourceError, match="too small"):
        load_picture(tmp_path / "speck.png")


def test_a_very_large_picture_is_reduced_and_says_by_how_much(tmp_path: Path) -> None:
    path = tmp_path / "large.jpg"
    cv2.imwrite(str(path), np.zeros((4000, 4800, 3), np.uint8))
    picture = open_picture(path)
    assert (picture.image.shape, picture.reduced) == ((2000, 2400, 3), 2)


def test_a_picture_that_is_too_large_to_hold_is_refused_unread(tmp_path: Path) -> None:
    data = bytearray(cv2.imencode(".png", np.zeros((64, 64, 3), np.uint8))[1].tobytes())
    data[16:24] = (30000).to_bytes(4, "big") * 2
    path = tmp_path / "vast.png"
    path.write_bytes(data)
    with pytest.raises(SourceError, match="900 million pixels, too many for a PNG"):
        load_picture(path)


@pytest.mark.parametrize("damage", [b"\xff\xd8\xff", b"\xff\xd8\xff\xe1\x00\x00", b"\x89PNG\r\n"])
def test_a_head_without_a_picture_is_refused(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "head.jpg"
    path.write_bytes(damage)
    with pytest.raises(SourceError):
        load_picture(path)


# Usual pictures


def stored(folder: Path, data: bytes) -> Path:
    path = folder / "picture"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("width", "height", "reduced"),
    [(4000, 3000, 1), (8160, 6120, 2), (8700, 11_600, 4), (12_000, 9000, 4), (16_320, 12_240, 4)],
)
def test_a_phones_jpeg_of_any_resolution_is_read(
    tmp_path: Path, width: int, height: int, reduced: int
) -> None:
    small = packed(shaded(64, 64), "JPEG")
    picture = open_picture(stored(tmp_path, jpeg_of_size(small, width, height)))
    assert picture.reduced == reduced
    assert picture.image.shape == (-(-height // reduced), -(-width // reduced), 3)


@pytest.mark.parametrize(
    ("data", "within"),
    [
        (packed(shaded(320, 240), "JPEG", quality=95, progressive=True), 8),
        (packed(shaded(320, 240).convert("CMYK"), "JPEG", quality=95), 8),
        (packed(shaded(320, 240), "PNG"), 0),
        (packed(shaded(320, 240).convert("RGBA"), "PNG"), 0),
        (packed(shaded(320, 240), "WEBP", lossless=True), 0),
        (packed(shaded(320, 240), "WEBP", quality=95), 12),
        (
            packed(
                shaded(320, 240),
                "WEBP",
                lossless=True,
                save_all=True,
                append_images=[plain(320, 240)],
            ),
            0,
        ),
        (
            packed(shaded(320, 240), "PNG", save_all=True, append_images=[plain(320, 240)]),
            0,
        ),
    ],
    ids=["progressive", "CMYK", "PNG", "alpha", "lossless", "WebP", "animated WebP", "APNG"],
)
def test_every_kind_that_people_have_is_read(tmp_path: Path, data: bytes, within: int) -> None:
    image = load_picture(stored(tmp_path, data))
    expected = np.asarray(shaded(320, 240))[:, :, ::-1]
    assert np.abs(image.astype(int) - expected).max() <= within


def test_greys_and_sixteen_bits_are_read_as_eight(tmp_path: Path) -> None:
    levels = np.arange(64 * 64, dtype=np.uint16).reshape(64, 64) * 16
    deep = cv2.imencode(".png", levels)[1].tobytes()
    assert (load_picture(stored(tmp_path, deep))[:, :, 1] == levels >> 8).all()
    grey = packed(Image.fromarray((levels >> 8).astype(np.uint8)), "JPEG", quality=100)
    assert (
        np.abs(load_picture(stored(tmp_path, grey))[:, :, 0].astype(int) - (levels >> 8)).max() < 3
    )


def test_a_heic_is_read_and_a_large_one_reduced(samples: Path) -> None:
    image = load_picture(samples / "game_30.heic")
    jpeg = load_picture(samples / "game_30.jpg")
    assert image.shape == jpeg.shape
    assert np.abs(image.astype(int) - jpeg).mean() < 4


# Pictures that need too much memory or time


SMALL = packed(shaded(64, 64), "JPEG")
LOSSLESS = packed(shaded(64, 64), "WEBP", lossless=True)
SLOW = packed(plain(2000, 2000, "L"), "JPEG", progressive=True)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (bmp_of_size(20_000, 20_000), "give a JPEG, PNG, WebP or HEIC"),
        (packed(plain(64, 64), "TIFF"), "give a JPEG, PNG, WebP or HEIC"),
        (packed(plain(64, 64), "GIF"), "give a JPEG, PNG, WebP or HEIC"),
        (jpeg_with(jpeg_of_size(SMALL, 16_000, 16_000), b"\xff"), "256 million pixels"),
        (jpeg_with(jpeg_of_size(SMALL, 16_000, 16_000), b"\x00\x01"), "256 million pixels"),
        (
            jpeg_of_size(packed(plain(64, 64), "JPEG", progressive=True), 9000, 9000),
            "too many for a progressive JPEG",
        ),
        (jpeg_with_scans(SLOW, 600), "too many for a progressive JPEG"),
        (png_of_size(packed(plain(64, 64), "PNG"), 9000, 9000), "too many for a PNG"),
        (webp_of_size(LOSSLESS, 16_000, 8000), "128 million pixels, too many for a WebP"),
        (jpeg_of_size(SMALL, 64, 40_000), "too small to show a board"),
    ],
    ids=[
        "BMP", "TIFF", "GIF", "fill byte", "bytes before", "progressive", "scans", "PNG", "WebP",
        "strip",
    ],
)  # fmt: skip
def test_what_would_take_too_much_is_refused_by_its_header(
    tmp_path: Path, data: bytes, message: str
) -> None:
    path = stored(tmp_path, data)
    begun = time.process_time()
    with pytest.raises(SourceError, match=message):
        load_picture(path)
    with pytest.raises(SourceError, match=message):
        decode_live(data, "the camera's picture")
    assert time.process_time() - begun < 1.0


@pytest.fixture(scope="module")
def running() -> Iterator[Runner]:
    with runner() as started:
        yield started


def test_memory_that_the_header_does_not_tell_of_is_refused_too(
    tmp_path: Path, running: Runner
) -> None:
    run = running.run(["read", stored(tmp_path, webp_of_code_tables())])
    assert run.status == 2
    assert "is damaged" in run.err
    assert run.peak < MOST_BYTES
    assert not run.fault


def test_a_heic_that_tells_another_size_is_refused(
    tmp_path: Path, samples: Path, running: Runner
) -> None:
    data = (samples / "game_30.heic").read_bytes()
    for side in (64, 20_000):
        run = running.run(["read", stored(tmp_path, heic_of_size(data, side, side))])
        assert (run.status, run.fault) == (2, "")


def test_no_more_of_a_file_is_read_than_any_picture_has(tmp_path: Path, running: Runner) -> None:
    path = stored(tmp_path, b"")
    os.truncate(path, 20_000_000_000)
    run = running.run(["read", path])
    assert (run.status, run.fault) == (2, "")
    assert "larger than 80 MB" in run.err


def test_damage_that_a_decoder_passes_over_is_not_printed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    # The picture is ten times as high as its data: libjpeg prints a warning and continues.
    load_picture(stored(tmp_path, jpeg_of_size(SMALL, 64, 640)))
    assert capfd.readouterr().err == ""


# Live pictures


def test_a_live_jpeg_has_the_same_pixels_as_its_file(tmp_path: Path) -> None:
    for data in (SMALL, packed(shaded(320, 240), "JPEG", progressive=True)):
        same = load_picture(stored(tmp_path, data)) == decode_live(data, "it").image
        assert same.all()


def test_a_live_jpeg_is_decoded_without_losing_what_other_threads_print(
    capfd: pytest.CaptureFixture[str],
) -> None:
    data = packed(shaded(640, 480), "JPEG")
    ended = threading.Event()
    limits = set()
    printed = 0

    def decode() -> None:
        while not ended.is_set():
            decode_live(data, "it")

    with ThreadPoolExecutor(1) as threads:
        decoding = threads.submit(decode)
        begun = time.monotonic()
        while time.monotonic() - begun < 0.5:
            limits.add(resource.getrlimit(resource.RLIMIT_DATA))
            printed += os.write(2, b".")
        ended.set()
        decoding.result()
    assert capfd.readouterr().err == "." * printed
    assert len(limits) == 1


def test_a_live_picture_of_another_format_is_decoded_within_limits() -> None:
    with pytest.raises(SourceError, match="is damaged"):
        decode_live(webp_of_code_tables(), "the camera's picture")
