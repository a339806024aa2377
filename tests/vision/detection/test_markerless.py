"""Boards without markers."""

from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import cv2
import numpy as np
import pytest

from tests.support.drawn_boards import flat_board, photograph
from tests.support.ruined_pictures import without_markers
from vision.camera import Image
from vision.detection.board_detector import locate
from vision.detection.board_pose import fit_squares
from vision.detection.markerless import find
from vision.detection.markers import find_markers
from vision.detection.proposals import proposals
from vision.errors import BoardFailure, GeometryError
from vision.geometry.grid import OUTLINE, Grid, Points, Warp

pytestmark = pytest.mark.slow


def load(samples: Path, name: str) -> Image:
    image = cv2.imread(str(samples / f"{name}.jpg"))
    assert image is not None
    return np.asarray(image, np.uint8)


def found_in(image: Image) -> Grid | None:
    return find(image, proposals(image))


def away(grid: Grid, corners: Points) -> float:
    """Error of a grid at its corners, in squares, least over its quarter turns."""
    turns = [np.abs(np.roll(grid.corners, k, axis=0) - corners).max() for k in range(4)]
    return float(min(turns) / grid.square_px)


@pytest.mark.parametrize("name", ["markers_005", "markers_008"])
def test_a_board_is_found_by_its_squares_alone(
    samples: Path, truth: dict[str, Any], name: str
) -> None:
    image = without_markers(load(samples, name))
    assert not find_markers(image)[0]
    grid = found_in(image)
    assert grid is not None
    assert grid.size == 14
    assert away(grid, np.array(truth[f"{name}.jpg"]["corners"])) < 0.15


def test_corners_that_are_seen_inside_of_a_board_are_enough(
    samples: Path, truth: dict[str, Any]
) -> None:
    image = without_markers(load(samples, "markers_005"))
    true = Grid.of(truth["markers_005.jpg"]["corners"], 14, image.shape)
    seen = proposals(image)[0]
    inside = true.project(12.4 * OUTLINE + 0.8)
    assert fit_squares(image, true.with_corners(inside)) is None
    grid = find(image, [replace(seen, corners=inside)])
    assert grid is not None
    assert away(grid, true.corners) < 0.15


def test_no_board_is_fitted_to_more_rows_than_are_in_the_picture(
    samples: Path, truth: dict[str, Any]
) -> None:
    image = without_markers(load(samples, "markers_005"))
    true = Grid.of(truth["markers_005.jpg"]["corners"], 14, image.shape)
    view = np.ascontiguousarray(Warp.of(true, 30, 1)(image)[:-60])
    corners = 30 * (np.array([14, 13]) * OUTLINE + 1.0)
    seen = replace(proposals(image)[0], corners=corners)
    with patch("vision.detection.markerless.fit_squares", return_value=None) as fit:
        assert find(view, [seen]) is None
    assert fit.called
    assert all(call.args[1].corners.max(axis=0)[1] <= len(view) for call in fit.call_args_list)


@pytest.mark.parametrize("margin", [0.3, 0.5, 0.8])
def test_a_board_that_fills_its_picture_is_found(
    samples: Path, truth: dict[str, Any], margin: float
) -> None:
    image = load(samples, "markers_008")
    grid = Grid.of(truth["markers_008.jpg"]["corners"], 14, image.shape)
    rest = round(30 * (1 - margin))
    picture = np.ascontiguousarray(Warp.of(grid, 30, 1)(image)[rest:-rest, rest:-rest])
    fit = locate(picture, alone=True)
    assert not isinstance(fit, BoardFailure)
    assert away(fit.grid, 30 * (margin + 14 * OUTLINE)) < 0.15


@pytest.mark.parametrize("degrees", [43, 45, 47])
def test_a_board_on_its_corner_is_found(samples: Path, truth: dict[str, Any], degrees: int) -> None:
    image, corners = load(samples, "markers_008"), np.array(truth["markers_008.jpg"]["corners"])
    x, y = corners.mean(axis=0)
    turn = cv2.getRotationMatrix2D((float(x), float(y)), degrees, 0.7)
    size, edge = (image.shape[1], image.shape[0]), cv2.BORDER_REPLICATE
    turned = cv2.warpAffine(without_markers(image), turn, size, borderMode=edge)
    grid = found_in(np.asarray(turned, np.uint8))
    assert grid is not None
    assert away(grid, np.column_stack([corners, np.ones(4)]) @ turn.T) < 0.25


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_one_marker_is_enough_to_tell_which_side_is_up(
    samples: Path, truth: dict[str, Any], turn: int
) -> None:
    image = without_markers(load(samples, "markers_005"), keep=(2,))
    assert [marker.id for marker in find_markers(image)[0]] == [2]
    height, width = image.shape[:2]
    turned = np.ascontiguousarray(np.rot90(image, -turn))
    corners = np.array(truth["markers_005.jpg"]["corners"])
    for _ in range(turn):  # a clockwise quarter turn of the picture
        corners = np.stack([height - 1 - corners[:, 1], corners[:, 0]], axis=1)
        height, width = width, height
    fit = locate(turned)
    assert not isinstance(fit, BoardFailure)
    assert np.abs(fit.grid.corners - corners).max() < 0.15 * fit.grid.square_px


def test_a_small_board_leaning_aside_in_a_cropped_picture_is_found() -> None:
    rows = [
        "BBB.....Y.......RR..",
        ".BB.YYYY....G....RRR",
        "....................",
        "B.B......GGG........",
    ]
    sheet = flat_board(rows * 5, markers=False)
    where = np.array([[225.0, 466], [452, 229], [694, 407], [416, 719]])
    grid = found_in(photograph(sheet, 20, where, (900, 900)))
    assert grid is not None
    assert grid.size == 20
    assert away(grid, where) < 0.15


def chequered(squares: int) -> Image:
    """Draws a cloth that fills the picture."""
    odd = np.indices((squares, squares)).sum(axis=0) % 2
    cloth = cv2.resize((90 + 120 * odd).astype(np.uint8), (900, 700), interpolation=0)
    return np.asarray(cv2.cvtColor(cloth, cv2.COLOR_GRAY2BGR), np.uint8)


@pytest.mark.parametrize("squares", [17, 26, 40])
def test_a_chequered_cloth_is_no_board(squares: int) -> None:
    assert found_in(chequered(squares)) is None


def test_a_place_too_steep_to_be_looked_at_is_refused(samples: Path) -> None:
    image, too_small = without_markers(load(samples, "markers_008")), GeometryError("too small")
    with patch("vision.detection.markerless.find_extent", side_effect=too_small) as tried:
        assert found_in(image) is None
    assert tried.called


def test_noise_and_nothing_are_no_board() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (240, 320, 3), np.uint8)
    assert found_in(noise) is None
    assert found_in(np.full((480, 640, 3), 128, np.uint8)) is None


def test_a_board_cut_off_by_the_edge_of_the_picture_is_not_guessed(
    samples: Path, truth: dict[str, Any]
) -> None:
    image = load(samples, "markers_005")
    middle = int(np.array(truth["markers_005.jpg"]["corners"])[:, 0].mean())
    half = cv2.resize(image[:, :middle], None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
    assert found_in(np.asarray(half, np.uint8)) is None


def test_two_boards_are_not_taken_for_one(samples: Path) -> None:
    image = without_markers(load(samples, "markers_005"))
    assert locate(np.hstack([image, image]), alone=True) == BoardFailure.TWO_BOARDS


def test_two_boards_that_are_small_in_the_picture_are_not_taken_for_one(samples: Path) -> None:
    image = without_markers(load(samples, "markers_005"))
    both = cv2.resize(np.hstack([image, image]), (800, 300), interpolation=cv2.INTER_AREA)
    room = np.full((1600, 1600, 3), 128, np.uint8)
    room[: both.shape[0], : both.shape[1]] = both
    assert locate(room, alone=True) == BoardFailure.TWO_BOARDS


def test_a_board_far_from_all_markers_is_not_taken_for_theirs(samples: Path) -> None:
    marked = load(samples, "markers_005")
    image, beside = without_markers(marked), np.full_like(marked, 128)
    (marker,) = (one for one in find_markers(marked)[0] if one.id == 2)
    top, left, low, right = (int(v) for v in np.r_[marker.corners.min(0), marker.corners.max(0)])
    part = np.s_[left - 9 : right + 9, top - 9 : low + 9]
    beside[part] = marked[part]
    for picture in (np.hstack([image, beside]), np.hstack([beside, image])):
        assert [one.id for one in find_markers(picture)[0]] == [2]
        assert locate(picture) == BoardFailure.COVERED


def test_a_board_near_some_markers_of_another_is_not_taken_for_it(samples: Path) -> None:
    marked = load(samples, "markers_005")
    near, far = without_markers(marked, keep=(2,)), without_markers(marked, keep=(0,))
    far[200:, 200:] = 128
    picture = np.hstack([far, near])
    assert {one.id for one in find_markers(picture)[0]} == {0, 2}
    assert locate(picture) == BoardFailure.COVERED
