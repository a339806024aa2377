"""The reason that no board is found in a single picture is named, with the remedy."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.support.drawn_boards import EMPTY_ROWS, MARGIN, SCALE, flat_board
from tests.support.ruined_pictures import without_markers
from tests.vision.detection.test_markerless import load
from vision.camera import Image
from vision.detection.board_detector import locate
from vision.detection.failure_reasons import is_drawn, is_painted
from vision.errors import BoardFailure
from vision.geometry.grid import Grid, rescaled
from vision.geometry.image_scale import shrunk

pytestmark = pytest.mark.slow


def beside(image: Image) -> Image:
    return np.hstack([image, image])


def below(image: Image) -> Image:
    """Draws a second board further down, turned by 20 degrees."""
    height, width = image.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), 20, 0.9)
    other = cv2.warpAffine(image, turn, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(np.vstack([image, other]), np.uint8)


def half(image: Image) -> Image:
    return np.ascontiguousarray(image[:, : round(0.45 * image.shape[1])])


def dark(image: Image) -> Image:
    return np.asarray(image * 0.02, np.uint8)


def burnt(image: Image) -> Image:
    return np.asarray(np.clip(image * 3.0 + 250, 0, 255), np.uint8)


def bright(image: Image) -> Image:
    """Overexposes the table and most of the board."""
    return np.asarray(np.clip(image * 1.5 + 215.0, 0, 255), np.uint8)


def blurred(image: Image) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 16), np.uint8)


def tiny(image: Image) -> Image:
    return np.asarray(cv2.resize(image, (120, 90), interpolation=cv2.INTER_AREA), np.uint8)


@pytest.mark.parametrize(
    ("worse", "reason_part"),
    [
        (beside, "two boards are in the picture"),
        (below, "two boards are in the picture"),
        (half, "the board goes on at the right of the picture"),
        (dark, "too dark to see a board in; turn on a light"),
        (burnt, "burnt out; expose it less"),
        (bright, "burnt out; expose it less"),
        (blurred, "too blurred to see squares in; hold the camera still"),
        (tiny, "too small in the picture to be read; come nearer"),
    ],
)
def test_what_is_wrong_with_a_picture_is_reported(
    samples: Path, worse: Callable[[Image], Image], reason_part: str
) -> None:
    found = locate(worse(without_markers(load(samples, "markers_005"))), alone=True)
    assert isinstance(found, BoardFailure)
    assert reason_part in found.reason


@pytest.mark.parametrize(
    ("quarters", "code"),
    [
        (0, BoardFailure.CUT_RIGHT),
        (1, BoardFailure.CUT_ABOVE),
        (2, BoardFailure.CUT_LEFT),
        (3, BoardFailure.CUT_BELOW),
    ],
)
def test_the_side_beyond_which_a_board_goes_on_is_named(
    samples: Path, quarters: int, code: BoardFailure
) -> None:
    image = half(without_markers(load(samples, "markers_005")))
    assert locate(np.ascontiguousarray(np.rot90(image, quarters)), alone=True) == code


def test_a_drawing_is_not_taken_for_a_photograph(samples: Path) -> None:
    drawing = flat_board(EMPTY_ROWS, markers=False)
    assert is_drawn(drawing)
    found = locate(drawing, alone=True)
    assert isinstance(found, BoardFailure)
    assert "screenshot or a drawing" in found.reason
    assert not is_drawn(load(samples, "markers_005"))


@pytest.mark.parametrize("px", [160, 320])
def test_a_small_drawing_is_told_by_its_squares_alone(px: int) -> None:
    """Its blocks have lines everywhere, so that no part of it is even."""
    beyond = (MARGIN - 1) * SCALE
    whole = flat_board(["PP.OO.PP.OO.PP"] * 14, markers=False)
    tight = whole[beyond:-beyond, beyond:-beyond]
    drawing = np.asarray(cv2.resize(tight, (px, px), interpolation=cv2.INTER_AREA), np.uint8)
    assert not is_drawn(drawing)
    found = locate(drawing, alone=True)
    assert isinstance(found, BoardFailure)
    assert found is BoardFailure.DRAWING


@pytest.mark.parametrize("px", [320, 640])
def test_a_small_photograph_is_not_taken_for_a_drawing(
    samples: Path, truth: dict[str, Any], px: int
) -> None:
    small, share = shrunk(load(samples, "markers_005"), px)
    corners = rescaled(np.array(truth["markers_005.jpg"]["corners"]), share)
    assert not is_painted(small, Grid.of(corners, 14, small.shape))


def test_a_photograph_packed_very_small_is_not_taken_for_a_drawing(
    samples: Path, truth: dict[str, Any]
) -> None:
    start, end = MARGIN * SCALE, (MARGIN + 14) * SCALE
    square = np.array([[start, start], [end, start], [end, end], [start, end]], np.float64)
    drawing = flat_board(["PP.OO.PP.OO.PP"] * 14, markers=False)
    assert is_painted(drawing, Grid.of(square, 14, drawing.shape))
    photograph = load(samples, "markers_005")
    data = cv2.imencode(".jpg", photograph, [cv2.IMWRITE_JPEG_QUALITY, 15])[1]
    packed = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    corners = np.array(truth["markers_005.jpg"]["corners"])
    assert not is_painted(packed, Grid.of(corners, 14, packed.shape))
