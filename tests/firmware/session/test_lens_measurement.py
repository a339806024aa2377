"""A lens is measured on a board that is moved about, and only where it lies still."""

import time

import cv2
import numpy as np
import pytest

from firmware.session.lens_measurement import WANTED, LensMeasurement
from tests.support.drawn_boards import EMPTY_ROWS, LENS_PLACES, MARGIN, SCALE, flat_board
from vision.camera import Image
from web.contract import MeasurementCode

pytestmark = pytest.mark.slow

SHEET = flat_board(EMPTY_ROWS)
FOCAL, BENT = 800.0, -0.12
CAMERA = np.array([[FOCAL, 0, 479.5], [0, FOCAL, 359.5], [0, 0, 1.0]])
PATIENCE_S = 60.0


def picture(x: float, y: float, turn: float, tilt: float, seed: int) -> Image:
    """Renders the board through a lens that bends lines."""
    start, end = MARGIN * SCALE - 0.5, (MARGIN + 14) * SCALE - 0.5
    flat = np.array([[start, start], [end, start], [end, end], [start, end]], np.float32)
    board = np.array([[-7.0, -7, 0], [7, -7, 0], [7, 7, 0], [-7, 7, 0]])
    place = np.radians([tilt, tilt / 2, turn]), np.array([x, y, 36.0])
    corners, _ = cv2.projectPoints(board, *place, CAMERA, np.zeros(5))
    matrix = cv2.getPerspectiveTransform(flat, corners.reshape(4, 2).astype(np.float32))
    straight = cv2.warpPerspective(
        SHEET, matrix, (960, 720), flags=cv2.INTER_AREA, borderValue=(60, 90, 120)
    )
    grid = np.stack(np.meshgrid(np.arange(960.0), np.arange(720.0)), axis=2).reshape(-1, 1, 2)
    source = cv2.undistortPoints(grid, CAMERA, np.array([BENT, 0, 0, 0, 0]), None, None, CAMERA)
    x_map, y_map = np.moveaxis(source.reshape(720, 960, 2).astype(np.float32), 2, 0)
    bent = cv2.remap(straight, x_map, y_map, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    noise = np.random.default_rng(seed).normal(0, 2, bent.shape)
    return np.asarray(np.clip(bent + noise, 0, 255), np.uint8)


def look(measurement: LensMeasurement, image: Image, views: int) -> None:
    """Shows a picture until there are so many views, or the measurement has ended."""
    until = time.monotonic() + PATIENCE_S
    while measurement.entry.views < views and measurement.state is MeasurementCode.RUNNING:
        assert time.monotonic() < until, "the view was not taken"
        measurement.see(image)
        time.sleep(0.02)


def settle(measurement: LensMeasurement, image: Image, seconds: float = 1.5) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        measurement.see(image)
        time.sleep(0.02)


def test_the_bend_of_a_lens_is_found_in_views_of_eight_places() -> None:
    measurement = LensMeasurement(14)
    for count, place in enumerate(LENS_PLACES, 1):
        look(measurement, picture(*place, seed=count), count)
        assert len(measurement.entry.places) == count
    until = time.monotonic() + PATIENCE_S
    last = picture(*LENS_PLACES[-1], seed=99)
    while measurement.state is MeasurementCode.RUNNING:
        assert time.monotonic() < until
        measurement.see(last)
        time.sleep(0.02)
    assert measurement.state is MeasurementCode.DONE
    assert measurement.calibration is not None
    lens = measurement.calibration.lens
    assert lens is not None
    assert measurement.calibration.pictures >= WANTED - 2  # a tilted one may be too faint
    assert measurement.calibration.residual_px < 0.5
    rim = np.array([[60.0, 60.0], [900.0, 60.0], [900.0, 660.0], [60.0, 660.0]])
    truth = cv2.undistortPoints(
        rim.reshape(-1, 1, 2), CAMERA, np.array([BENT, 0, 0, 0, 0]), None, None, CAMERA
    ).reshape(-1, 2)
    bend, expected = lens.straighten(rim) - rim, truth - rim
    assert np.linalg.norm(expected, axis=1).min() > 8
    # A lens whose focal length is another bends lines as much; only the scale may differ.
    assert np.abs(bend - expected).max() < 0.25 * np.abs(expected).max()
    measurement.close()


def test_a_board_that_stays_or_moves_all_the_time_gives_no_further_view() -> None:
    measurement = LensMeasurement(14)
    still = picture(*LENS_PLACES[0], seed=1)
    look(measurement, still, 1)
    settle(measurement, still)
    assert measurement.entry.views == 1
    moving = [picture(0.5 * step, 0.0, 0.0, 0.0, seed=step) for step in range(8)]
    until, number = time.monotonic() + 2.0, 0
    while time.monotonic() < until:
        measurement.see(moving[number % len(moving)])
        measurement._search.wait(PATIENCE_S)
        number += 1
    assert measurement.entry.views == 1
    measurement.close()


def test_pictures_of_another_size_begin_anew() -> None:
    measurement = LensMeasurement(14)
    image = picture(*LENS_PLACES[0], seed=1)
    look(measurement, image, 1)
    small = np.asarray(cv2.resize(image, (800, 600), interpolation=cv2.INTER_AREA), np.uint8)
    measurement.see(small)
    assert measurement.entry.views == 0
    look(measurement, small, 1)
    measurement.close()


def test_a_picture_without_a_board_is_no_view() -> None:
    measurement = LensMeasurement(14)
    settle(measurement, np.full((720, 960, 3), 120, np.uint8), 1.0)
    assert measurement.entry.views == 0
    assert measurement.state is MeasurementCode.RUNNING
    measurement.close()
