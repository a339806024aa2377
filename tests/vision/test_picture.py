"""Pictures in files."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import SourceError
from vision.picture import load_picture, open_picture


def test_a_picture_is_turned_as_its_exif_says(tmp_path: Path) -> None:
    _, data = cv2.imencode(".jpg", np.zeros((40, 80, 3), np.uint8))
    exif = b"Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06"
    exif += b"\x00\x00\x00\x00\x00\x00"
    segment = b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif
    path = tmp_path / "turned.jpg"
    path.write_bytes(data.tobytes()[:2] + segment + data.tobytes()[2:])
    assert load_picture(path).shape == (80, 40, 3)


@pytest.mark.parametrize("kept", [0.3, 0.9])
@pytest.mark.parametrize("ending", [".jpg", ".png"])
def test_a_picture_that_is_cut_short_is_refused(tmp_path: Path, ending: str, kept: float) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (64, 64, 3)).astype(np.uint8)
    data = cv2.imencode(ending, noise)[1].tobytes()
    path = tmp_path / f"cut{ending}"
    path.write_bytes(data[: round(len(data) * kept)])
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
    with pytest.raises(SourceError, match="900 million pixels; give one of 200 million"):
        load_picture(path)


@pytest.mark.parametrize("damage", [b"\xff\xd8\xff", b"\xff\xd8\xff\xe1\x00\x00", b"\x89PNG\r\n"])
def test_a_head_without_a_picture_is_refused(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "head.jpg"
    path.write_bytes(damage)
    with pytest.raises(SourceError):
        load_picture(path)
