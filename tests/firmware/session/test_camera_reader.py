"""Kept corners are used where the picture agrees, and dropped where the board lies elsewhere."""

import logging
import time
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from firmware.session.camera_reader import CameraReader, CornerCheck, Place
from firmware.session.devices import in_shares
from firmware.storage.camera_memory import CameraMemory, Corners, StoredCorners
from tests.support.drawn_boards import EMPTY_ROWS, flat_board, photograph
from tests.vision.setup.test_setup_check import PICTURE, ROWS, UPRIGHT
from vision.camera import Frame, Image
from vision.errors import BoardFailure
from vision.reading import Reading

pytestmark = pytest.mark.slow

PHONE, SIZE = "the camera at http://phone/video", (PICTURE.shape[1], PICTURE.shape[0])
SQUARE = (UPRIGHT[1, 0] - UPRIGHT[0, 0]) / 14
PATIENCE_S = 30.0
STEP_S = 0.5


def shares(corners: NDArray[np.float64]) -> Corners:
    return in_shares(corners, SIZE)


ONE_OFF = UPRIGHT + np.array([SQUARE, 0.0])
"""Corners of a board that lies one square further right: all its lines are lines of this one."""


class Evening:
    """A reader of a camera whose memory outlives it."""

    def __init__(self, cameras: CameraMemory, *, is_set: bool = False) -> None:
        self.cameras = cameras
        self.reader = CameraReader(14, ("purple", "orange"), cameras, lambda: PHONE, is_set=is_set)
        self.now_s = 0.0
        self.readings: list[Reading | BoardFailure] = []

    @property
    def stored_corners(self) -> StoredCorners | None:
        return self.cameras.of(PHONE, SIZE).boards.get(14)

    def see(self, image: Image = PICTURE) -> Reading | BoardFailure:
        self.now_s += STEP_S
        number = len(self.readings) + 1
        self.readings.append(self.reader.read(Frame(image, self.now_s, number)))
        return self.readings[-1]

    def see_until(self, holds: Callable[[], bool], image: Image = PICTURE) -> None:
        until = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < until, "it did not come to that"
            self.see(image)
            time.sleep(0.02)

    def is_read(self) -> bool:
        return bool(self.readings) and isinstance(self.readings[-1], Reading)

    def has_board_at(self, corners: NDArray[np.float64]) -> bool:
        reading = self.readings[-1]
        assert isinstance(reading, Reading)
        return bool(np.abs(reading.corners - corners).max() < SQUARE / 2)


@pytest.fixture
def cameras() -> CameraMemory:
    return CameraMemory(None)


def keep(cameras: CameraMemory, corners: NDArray[np.float64], detected: Corners = ()) -> None:
    cameras.keep_corners(PHONE, SIZE, 14, StoredCorners(shares(corners), detected))


def test_kept_corners_with_which_the_picture_agrees_are_used(cameras: CameraMemory) -> None:
    keep(cameras, UPRIGHT)
    evening = Evening(cameras)
    evening.see_until(evening.is_read)
    assert evening.has_board_at(UPRIGHT)
    for _ in range(10):
        assert isinstance(evening.see(), Reading)
    assert evening.stored_corners == StoredCorners(shares(UPRIGHT))


def test_colours_that_were_named_stay_named_although_others_are_seen(
    cameras: CameraMemory,
) -> None:
    reader = CameraReader(14, ("blue", "green"), cameras, lambda: PHONE)
    reading = reader.read(Frame(PICTURE, 0.0, 1))
    assert isinstance(reading, Reading)
    assert set(reading.palette) == {"blue", "green"}


def test_corners_keep_their_order_through_a_restart(cameras: CameraMemory) -> None:
    turned = np.roll(UPRIGHT, 1, axis=0)
    keep(cameras, turned)
    evening = Evening(cameras)
    evening.see_until(evening.is_read)
    assert evening.has_board_at(turned)


def test_a_board_that_lies_elsewhere_is_never_read_by_its_kept_corners(
    cameras: CameraMemory, caplog: pytest.LogCaptureFixture
) -> None:
    keep(cameras, ONE_OFF)
    evening = Evening(cameras)
    with caplog.at_level(logging.WARNING):
        evening.see_until(evening.is_read)
    assert evening.has_board_at(UPRIGHT)
    assert evening.now_s >= 3.0
    assert evening.stored_corners is None
    assert cameras.has_dropped
    [record] = caplog.records
    assert "the board lies elsewhere" in record.getMessage()
    assert isinstance(evening.see(), Reading)


def test_corners_that_a_person_sets_are_used_at_once_and_outlive_a_wrong_detection(
    cameras: CameraMemory,
) -> None:
    keep(cameras, ONE_OFF)
    evening = Evening(cameras, is_set=True)
    evening.see()
    assert evening.has_board_at(ONE_OFF)
    evening.see_until(
        lambda: evening.stored_corners is not None and evening.stored_corners.detected != ()
    )
    for _ in range(10):
        evening.see()
    assert evening.has_board_at(ONE_OFF)
    again = Evening(cameras)
    again.see_until(again.is_read)
    assert again.has_board_at(ONE_OFF)
    assert not cameras.has_dropped


def test_a_board_that_moved_during_the_game_is_followed_and_its_corners_are_dropped(
    cameras: CameraMemory,
) -> None:
    keep(cameras, UPRIGHT)
    evening = Evening(cameras)
    evening.see_until(evening.is_read)
    moved = UPRIGHT + np.array([0.8, 0.3]) * SQUARE
    image = photograph(flat_board(ROWS), corners=moved)
    evening.see_until(lambda: evening.stored_corners is None and evening.is_read(), image)
    assert evening.has_board_at(moved)
    assert cameras.has_dropped


def test_a_board_that_was_carried_away_is_found_again_where_it_lies(cameras: CameraMemory) -> None:
    keep(cameras, UPRIGHT)
    evening = Evening(cameras)
    evening.see_until(evening.is_read)
    carried = 0.8 * UPRIGHT + np.array([0.0, 30.0])
    image = photograph(flat_board(ROWS), corners=carried)
    evening.see_until(lambda: evening.stored_corners is None, image)
    evening.see(image)
    assert evening.has_board_at(carried)


def test_a_picture_without_a_board_contradicts_nothing(cameras: CameraMemory) -> None:
    keep(cameras, UPRIGHT)
    evening = Evening(cameras)
    dark = np.full_like(PICTURE, 20)
    for _ in range(20):
        assert isinstance(evening.see(dark), BoardFailure)
        time.sleep(0.02)
    assert evening.stored_corners is not None
    evening.see_until(evening.is_read)
    assert evening.has_board_at(UPRIGHT)


def test_another_board_or_size_of_pictures_is_detected(cameras: CameraMemory) -> None:
    cameras.keep_corners(PHONE, SIZE, 20, StoredCorners(shares(ONE_OFF)))
    cameras.keep_corners(PHONE, (640, 480), 14, StoredCorners(shares(ONE_OFF)))
    evening = Evening(cameras)
    assert isinstance(evening.see(), Reading)
    assert evening.has_board_at(UPRIGHT)
    assert cameras.of(PHONE, SIZE).boards.keys() == {20}


def place_of(corners: NDArray[np.float64], image: Image, detected: Corners = ()) -> Place:
    check = CornerCheck(14, StoredCorners(shares(corners), detected), None)
    until = time.monotonic() + PATIENCE_S
    while (place := check.see(image)) is None:
        assert time.monotonic() < until
        time.sleep(0.02)
    return place


def test_a_check_tells_the_same_place_another_one_and_none() -> None:
    plain = photograph(flat_board(EMPTY_ROWS), corners=UPRIGHT)
    assert place_of(UPRIGHT, plain) is Place.SAME
    assert place_of(np.roll(UPRIGHT, 2, axis=0), plain) is Place.SAME
    assert place_of(UPRIGHT + np.array([0.3, 0.0]) * SQUARE, plain) is Place.SAME
    assert place_of(ONE_OFF, plain) is Place.ELSEWHERE
    assert place_of(ONE_OFF, plain, shares(UPRIGHT)) is Place.SAME
    assert place_of(UPRIGHT, np.full_like(plain, 40)) is Place.UNSEEN
