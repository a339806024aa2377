"""Grids that are corrected by the squares of a board, or that are beside them."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.support.drawn_boards import CORNERS, EMPTY_ROWS, flat_board, photograph, with_hand
from tests.support.ruined_pictures import without_markers
from tests.vision.detection.test_markerless import away
from vision.camera import Frame, Image
from vision.detection.board_detector import locate
from vision.detection.board_pose import fit_squares, squares_between
from vision.detection.markers import find_markers
from vision.errors import BoardFailure
from vision.geometry.grid import OUTLINE, Grid, Points
from vision.geometry.image_scale import zoomed
from vision.io.image_file import load_picture
from vision.reader import Reader
from vision.reading import Reading

pytestmark = pytest.mark.slow

NAME = "markers_005"


def one_of(samples: Path, truth: dict[str, Any]) -> tuple[Image, Grid]:
    image = load_picture(samples / f"{NAME}.jpg")
    return image, Grid.of(truth[f"{NAME}.jpg"]["corners"], 14, image.shape)


@pytest.mark.parametrize("zoom", [1.0, 0.3])
@pytest.mark.parametrize(
    ("across", "down"),
    [((0, 15), (0, 14)), ((0, 14), (-1.5, 14)), ((0, 13), (0, 14)), ((-1, 15.5), (-1, 15.5))],
    ids=["a column more", "a row and a half more", "a column less", "two and a half more"],
)
def test_squares_too_wide_or_too_narrow_are_noticed(
    samples: Path, truth: dict[str, Any], across: Points, down: Points, zoom: float
) -> None:
    image, grid = one_of(samples, truth)
    image = zoomed(image, zoom)
    grid = grid.shrunk(zoom, image.shape)
    first, last = np.transpose([across, down])
    wrong = grid.with_corners(grid.project(first + (last - first) * OUTLINE))
    fit = fit_squares(image, wrong)
    # It is corrected, or the fault is detected.
    assert fit is None or away(fit, grid.corners) < 0.2


@pytest.mark.parametrize("off", [(0.35, 0.0), (-0.2, 0.4), (0.0, -0.45)])
def test_a_grid_that_is_off_is_moved_to_where_the_squares_are(
    samples: Path, truth: dict[str, Any], off: tuple[float, float]
) -> None:
    image, grid = one_of(samples, truth)
    corners = grid.project(14 * OUTLINE + np.array([off, [0.1, -0.1], off, [0.2, 0.05]]))
    fit = fit_squares(image, grid.with_corners(corners))
    assert fit is not None
    assert away(fit, grid.corners) < 0.12


def test_a_sheet_without_squares_is_no_board() -> None:
    """Nothing on it is beside its place, as nothing is seen on it."""
    sheet = np.full((600, 800, 3), 90, np.uint8)
    cv2.fillConvexPoly(sheet, CORNERS.astype(np.int32), (60, 90, 60))
    noise = np.random.default_rng(1).normal(0, 2, sheet.shape)
    image = np.clip(cv2.GaussianBlur(sheet + noise, (0, 0), 0.7), 0, 255).astype(np.uint8)
    assert fit_squares(image, Grid.of(CORNERS, 14, image.shape)) is None


def test_what_a_hand_hides_does_not_count() -> None:
    rows = ["." * 14] * 6 + ["....PPP......."] * 2 + ["." * 14] * 6
    picture = photograph(flat_board(rows))
    found = locate(picture, 14, None)
    assert not isinstance(found, BoardFailure)
    assert fit_squares(with_hand(picture), found.grid) is not None


@pytest.mark.parametrize("shrinks", [0.5, 1.0], ids=["settles", "drifts"])
def test_a_place_is_corrected_while_the_steps_shrink_else_not_at_all(
    monkeypatch: pytest.MonkeyPatch, shrinks: float
) -> None:
    image = photograph(flat_board(EMPTY_ROWS))
    true = Grid.of(CORNERS, 14, image.shape)
    steps = [0.2]

    def step(grid: Grid, *_: object) -> Grid:
        steps.append(steps[-1] * shrinks)
        return grid.with_corners(grid.corners - steps[-2] * grid.square_px)

    monkeypatch.setattr("vision.detection.board_pose._moved", step)
    monkeypatch.setattr("vision.detection.board_pose._holds", lambda *_: True)
    fit = fit_squares(image, true.with_corners(CORNERS + 0.4 * true.square_px))
    assert (fit is None) == (shrinks == 1)
    assert fit is None or squares_between(true, fit) == pytest.approx(0.02, abs=0.05)


def test_a_board_whose_lines_were_taken_for_its_cloths_is_not_found_half_beside_itself(
    samples: Path,
) -> None:
    truth = json.loads((samples / "ruined.json").read_text(encoding="utf-8"))
    fit = locate(load_picture(samples / "beside_itself.png"), alone=True)
    corners = np.array(truth["beside_itself.png"]["corners"])
    assert isinstance(fit, BoardFailure) or away(fit.grid, corners) < 0.25


def test_markers_stuck_down_unevenly_do_not_have_a_board_a_row_off(
    samples: Path, truth: dict[str, Any]
) -> None:
    image, grid = one_of(samples, truth)
    markers = find_markers(image)[0]
    moved = without_markers(image)
    for marker in markers:
        side = grid.unproject(marker.corners)
        middle = side.mean(axis=0)
        outline = grid.project(middle + 1.3 * (side - middle) + [0.8, 0])
        _stick(moved, marker.id, outline)
    assert sorted(one.id for one in find_markers(moved)[0]) == sorted(one.id for one in markers)
    fit = locate(moved, 14, None)
    assert not isinstance(fit, BoardFailure)
    assert np.abs(fit.grid.corners - grid.corners).max() < 0.2 * grid.square_px
    # The same holds after a push of the camera.
    push = (-20, 12)
    pushed = np.roll(moved, push, axis=(1, 0))
    reader = Reader(14)
    for number, picture in enumerate([moved, moved, pushed], 1):
        reader.read(Frame(picture, number / 2, number))
    reading = reader.read(Frame(pushed, 2.0, 4))
    assert isinstance(reading, Reading)
    assert np.abs(reading.corners - push - grid.corners).max() < 0.2 * grid.square_px


def _stick(image: Image, name: int, outline: Points) -> None:
    """Pastes a marker with its white card so that the card's corners are an outline."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    drawn = cv2.aruco.generateImageMarker(dictionary, name, 60)
    card = cv2.copyMakeBorder(drawn, 9, 9, 9, 9, cv2.BORDER_CONSTANT, value=(255,))
    corners = len(card) * OUTLINE.astype(np.float32)
    view = cv2.getPerspectiveTransform(corners, outline.astype(np.float32))
    size = image.shape[1::-1]
    seen = cv2.warpPerspective(card, view, size)
    there = cv2.warpPerspective(np.full_like(card, 255), view, size) > 127
    image[there] = np.asarray(seen)[there][:, None]
