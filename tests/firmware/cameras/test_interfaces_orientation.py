"""Pictures of every driver are turned once: by their EXIF, then as the settings say."""

import numpy as np
import PIL.Image
import pytest

from firmware.cameras.interfaces import Picture
from tests.support.picture_files import packed
from vision.camera import UPRIGHT, CameraOrientation, Image

CORNERS = np.array([[10, 80], [160, 240]])
"""Shades of the top left, top right, bottom left and bottom right quarter of a picture."""


def quartered() -> Image:
    shades = np.repeat(np.repeat(CORNERS, 40, axis=0), 60, axis=1)
    return np.asarray(np.repeat(shades[:, :, None], 3, axis=2), np.uint8)


def from_phone(orientation: int) -> Picture:
    exif = PIL.Image.Exif()
    exif[0x0112] = orientation
    return Picture(0.0, encoded=packed(PIL.Image.fromarray(quartered()), "JPEG", exif=exif))


def quarters(image: Image) -> list[list[int]]:
    """The nearest shade of each quarter."""
    height, width = image.shape[:2]
    known = CORNERS.ravel()
    rows, columns = (height // 4, 3 * height // 4), (width // 4, 3 * width // 4)
    return [
        [int(known[np.abs(known - int(image[y, x, 0])).argmin()]) for x in columns] for y in rows
    ]


@pytest.mark.parametrize(
    ("mirror", "turn", "seen"),
    [
        (False, 0, [[10, 80], [160, 240]]),
        (True, 0, [[80, 10], [240, 160]]),
        (False, 90, [[160, 10], [240, 80]]),
        (False, 180, [[240, 160], [80, 10]]),
        (False, 270, [[80, 240], [10, 160]]),
        (True, 90, [[240, 80], [160, 10]]),
    ],
)
def test_a_picture_is_mirrored_first_and_then_turned_clockwise(
    mirror: bool,  # noqa: FBT001
    turn: int,
    seen: list[list[int]],
) -> None:
    image = quartered()
    upright = Picture(0.0, image=image).upright(CameraOrientation(mirror, turn))
    assert quarters(upright) == seen
    assert upright.shape[:2] == ((80, 120) if turn in {0, 180} else (120, 80))
    assert quarters(image) == CORNERS.tolist(), "the picture itself stays as it came"


TURNED_BY_EXIF = {
    1: [[10, 80], [160, 240]],
    2: [[80, 10], [240, 160]],
    3: [[240, 160], [80, 10]],
    4: [[160, 240], [10, 80]],
    5: [[10, 160], [80, 240]],
    6: [[160, 10], [240, 80]],
    7: [[240, 80], [160, 10]],
    8: [[80, 240], [10, 160]],
}


@pytest.mark.parametrize(("orientation", "seen"), TURNED_BY_EXIF.items())
def test_the_exif_of_a_phone_is_obeyed_once(orientation: int, seen: list[list[int]]) -> None:
    assert quarters(from_phone(orientation).upright(UPRIGHT)) == seen


def test_the_settings_turn_what_exif_has_turned() -> None:
    assert quarters(from_phone(6).upright(CameraOrientation(turn=270))) == CORNERS.tolist()
