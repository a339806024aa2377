"""A good set-up is fine, and each fault is reported by its own code and by no other."""

from collections.abc import Callable
from functools import partial

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.drawn_boards import EMPTY_ROWS, flat_board, photograph
from vision.camera import Image
from vision.geometry.grid import Grid, Points
from vision.geometry.image_quality import (
    Brightness,
    blur_px,
    brightness_of,
    flicker_of,
    light_of,
    separation,
)
from vision.setup.camera_pose import estimate_camera_pose
from vision.setup.rating import Rating
from vision.setup.report import SetupFinding, SetupReport
from vision.setup.setup_check import check_setup

pytestmark = pytest.mark.slow

ROWS = [
    *EMPTY_ROWS[:4],
    ".....PPOO.....",
    "....PPOO......",
    "....P.O.......",
    *EMPTY_ROWS[:7],
]
UPRIGHT = np.array([[240.0, 100.0], [720.0, 100.0], [720.0, 580.0], [240.0, 580.0]])
PICTURE = photograph(flat_board(ROWS), corners=UPRIGHT)
LEVELS = {
    "board": Rating.FINE,
    "markers": Rating.FINE,
    "framing": Rating.FINE,
    "resolution": Rating.FINE,
    "focus": Rating.FINE,
    "exposure": Rating.FINE,
    "glare": Rating.FINE,
    "colours": Rating.FINE,
    "flicker": Rating.UNMEASURED,
}


def levels(report: SetupReport) -> dict[str, Rating]:
    return {point.code: point.level for point in report.points}


def point(report: SetupReport, code: str) -> SetupFinding:
    return next(point for point in report.points if point.code == code)


def mirrored(picture: Image) -> Image:
    """Draws a lamp mirrored on squares b13 and c13, and a little on d13."""
    glaring = picture.copy()
    left, top, side = 240, 100, 480 / 14
    cv2.rectangle(
        glaring,
        (round(left + side), round(top + side)),
        (round(left + 3.3 * side), round(top + 2 * side)),
        (255, 255, 255),
        -1,
    )
    return glaring


def blurred(picture: Image, sigma: float) -> Image:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.uint8)


def scaled(picture: Image, light: float | NDArray[np.float64]) -> Image:
    return np.asarray(np.clip(picture * light, 0, 255), np.uint8)


def without_marker(picture: Image) -> Image:
    covered = picture.copy()
    covered[20:90, 160:230] = 120
    return covered


def test_a_good_set_up_is_fine() -> None:
    report = check_setup(PICTURE)
    assert levels(report) == LEVELS
    assert report.is_fine
    assert report.size == 14
    assert report.corners is not None
    assert np.abs(report.corners - UPRIGHT).max() < 3


@pytest.mark.parametrize(
    ("spoil", "code", "fault", "also"),
    [
        (partial(blurred, sigma=6), "focus", "blurred", set()),
        (partial(scaled, light=0.18), "exposure", "dark", {"colours"}),
        (mirrored, "glare", "squares-lost", set()),
    ],
)
def test_each_fault_is_reported_by_its_code(
    spoil: Callable[[Image], Image], code: str, fault: str, also: set[str]
) -> None:
    report = check_setup(spoil(PICTURE), 14, corners=UPRIGHT)
    faults = {one.code for one in report.points if one.level is Rating.MEND}
    assert code in faults
    assert faults <= {code} | also
    assert point(report, code).fault == fault
    assert point(report, code).remedy.endswith(".")
    assert not report.is_fine


def test_burnt_squares_are_named() -> None:
    report = check_setup(mirrored(PICTURE), 14, corners=UPRIGHT)
    assert {15, 16} <= set(point(report, "glare").squares) <= {15, 16, 17}
    names = report.to_json(lambda square, size: f"{square}/{size}")["checks"][6]["squares"]
    assert names[:2] == ["15/14", "16/14"]


@pytest.mark.parametrize(
    ("corners", "code", "fault", "level"),
    [
        (UPRIGHT / 2 + 100, "resolution", "too-small", Rating.FAIR),
        (np.add(UPRIGHT, [0, 150]), "framing", "cut-off", Rating.MEND),
        (np.add(UPRIGHT, [0, 110]), "framing", "tight", Rating.FAIR),
        (
            np.array([[330.0, 150], [630, 150], [760, 430], [200, 430]]),
            "framing",
            "slanted",
            Rating.MEND,
        ),
    ],
)
def test_a_board_that_lies_badly_is_reported(
    corners: NDArray[np.float64], code: str, fault: str, level: Rating
) -> None:
    report = check_setup(photograph(flat_board(ROWS), corners=corners), 14, corners=corners)
    assert point(report, code).fault == fault
    assert point(report, code).level is level
    assert levels(report)["markers"] is not Rating.MEND


def test_a_marker_that_is_missing_is_named() -> None:
    missing = point(check_setup(without_marker(PICTURE)), "markers")
    assert missing.fault == "markers-missing"
    assert "markers: 0." in missing.remedy
    assert missing.level is Rating.FAIR


def test_without_a_board_nothing_else_is_measured() -> None:
    lost = check_setup(np.full_like(PICTURE, 90))
    assert lost.size is None
    assert point(lost, "board").fault == "not-found"


@pytest.mark.parametrize(("corners", "code"), [(None, "board"), (UPRIGHT, "markers")])
def test_a_mirrored_picture_is_reported_once_with_the_setting(
    corners: Points | None, code: str
) -> None:
    report = check_setup(np.ascontiguousarray(PICTURE[:, ::-1]), 14, corners=corners)
    assert not report.is_fine
    mirrored = [one for one in report.points if one.fault == "mirrored"]
    assert [one.code for one in mirrored] == [code]
    assert "camera.mirror = true" in mirrored[0].remedy


def test_without_markers_squares_or_corners_will_do() -> None:
    plain = photograph(flat_board(ROWS, markers=False), corners=UPRIGHT)
    assert check_setup(plain).size == 14
    with_corners = check_setup(plain, 14, corners=UPRIGHT)
    assert with_corners.is_fine
    assert levels(with_corners)["markers"] is Rating.UNMEASURED
    astray = check_setup(plain, 14, corners=np.add(UPRIGHT, 17))
    assert point(astray, "board").fault == "lines-off"


def flickering(depth: float, *, bands: bool) -> list[Brightness]:
    rows = np.arange(720)[:, None, None]
    frames = []
    for k in range(6):
        phase = k * 1.3 + (rows / 90 if bands else 0 * rows)
        frames.append(brightness_of(scaled(PICTURE, 1 + depth * np.sin(phase))))
    return frames


def test_flicker_is_measured_over_frames() -> None:
    still = flicker_of(flickering(0, bands=False))
    assert max(still.whole, still.bands) < 0.001
    swaying = flicker_of(flickering(0.2, bands=False))
    assert swaying.whole == pytest.approx(0.2 / np.sqrt(2), rel=0.2)
    assert swaying.bands < 0.02
    banded = flicker_of(flickering(0.2, bands=True))
    assert banded.bands == pytest.approx(0.2 / np.sqrt(2), rel=0.2)
    strong = flickering(0.3, bands=True)
    flicker = point(check_setup(PICTURE, 14, corners=UPRIGHT, frames=strong), "flicker")
    assert (flicker.fault, flicker.level) == ("bands", Rating.MEND)


def test_a_hand_that_moves_is_no_flicker() -> None:
    frames = []
    for x in (300, 420, 540):
        frame = PICTURE.copy()
        cv2.circle(frame, (x, 350), 80, (120, 155, 205), -1)
        frames.append(brightness_of(frame))
    found = flicker_of(frames)
    assert max(found.whole, found.bands) < 0.03


@pytest.mark.parametrize("sigma", [1.5, 2.5, 3.5])
def test_blur_is_measured_in_pixels_whatever_the_light(sigma: float) -> None:
    step = np.full((200, 200, 3), 60, np.uint8)
    step[:, 100:] = 180
    where = np.ones((200, 200), bool)
    for light in (0.4, 1.0):
        assert blur_px(scaled(blurred(step, sigma), light), where) == pytest.approx(sigma, rel=0.2)
    assert blur_px(np.full((200, 200, 3), 90, np.uint8), where) is None


def test_noise_is_measured_in_grey_levels() -> None:
    grain = np.random.default_rng(2).normal(0, 12, PICTURE.shape)
    noisy = np.clip(PICTURE + grain, 0, 255).astype(np.uint8)
    everywhere = np.ones(PICTURE.shape[:2], bool)
    assert light_of(noisy, everywhere).noise == pytest.approx(12, rel=0.15)
    assert light_of(PICTURE, everywhere).noise == pytest.approx(3, rel=0.15)


def test_colours_are_distinguished_in_units_of_their_noise() -> None:
    chance = np.random.default_rng(5)
    spread = np.array([0.1, 0.1, 5.0])
    features = chance.normal(0, 1, (600, 3)) * spread
    labels = np.repeat([0, 1], 300)
    features[300:, 2] += 8 * spread[2]
    apart = separation(features, labels, 3)
    assert apart[0, 1] == pytest.approx(8, rel=0.15)
    assert np.isnan(apart[2]).all()


def test_the_slant_of_a_camera_is_measured_from_the_grid() -> None:
    focal, distance, n = 0.85 * 960, 30.0, 14
    for slant in (0.0, 15.0, 35.0):
        turn = cv2.Rodrigues(np.array([np.radians(slant), 0, 0]))[0]
        square = np.array([[0, 0, 0], [n, 0, 0], [n, n, 0], [0, n, 0.0]]) - [n / 2, n / 2, 0]
        solid = square @ np.asarray(turn).T + [0, 0, distance]
        corners = focal * solid[:, :2] / solid[:, 2:] + [479.5, 359.5]
        found = estimate_camera_pose(Grid.of(corners, n, (720, 960)))
        assert found.slant_deg == pytest.approx(slant, abs=0.5)
