import cv2
import numpy as np
import pytest

from tests.support.drawn_boards import CORNERS, EMPTY_ROWS, flat_board, photograph
from vision.detection.grid_fit import from_markers, refine
from vision.detection.markers import Marker, find_markers, plane_of
from vision.geometry.grid import Grid, Points

ROWS = [*EMPTY_ROWS[:5], ".....PP.......", "......PP.OO...", "......P..OOO..", *EMPTY_ROWS[:6]]


def away(grid: Grid, corners: Points = CORNERS) -> float:
    """Error of a grid at its corners, in squares."""
    true = Grid.of(corners, grid.size, (720, 960))
    n = grid.size
    square = np.array([[0, 0], [n, 0], [n, n], [0, n]], float)
    return float(np.abs(grid.unproject(true.project(square)) - square).max())


def test_a_board_is_found_by_its_four_markers() -> None:
    picture = photograph(flat_board(ROWS))
    fit = from_markers(picture, find_markers(picture)[0], None)
    assert fit is not None
    assert fit.is_sure
    assert fit.grid.size == 14
    assert away(fit.grid) < 0.08


@pytest.mark.parametrize("missing", [(0,), (3,), (1, 3), (0, 2)], ids=str)
def test_any_two_opposite_markers_will_do(missing: tuple[int, ...]) -> None:
    picture = photograph(flat_board(ROWS))
    markers = [marker for marker in find_markers(picture)[0] if marker.id not in missing]
    fit = from_markers(picture, markers, 14)
    assert fit is not None
    assert away(fit.grid) < 0.08


def test_a_large_board_is_distinguished_from_a_small_one() -> None:
    sheet = flat_board(["." * 20] * 20)
    corners = np.array([[170.0, 70.0], [760.0, 80.0], [750.0, 660.0], [160.0, 640.0]])
    picture = photograph(sheet, 20, corners)
    fit = from_markers(picture, find_markers(picture)[0], None)
    assert fit is not None
    assert fit.grid.size == 20
    assert away(fit.grid, corners) < 0.1


def test_a_marker_with_a_wrong_id_is_left_out() -> None:
    sheet = flat_board(ROWS)
    markers = find_markers(photograph(sheet))[0]
    assert [marker.id for marker in markers] == [0, 1, 2, 3]
    stray = flat_board(ROWS)
    side = 76
    corner = sheet[8 : 8 + side, 8 : 8 + side]
    # A second marker 0 is at a wrong place, at the middle of the right edge.
    stray[400 : 400 + side, -side - 4 : -4] = corner
    picture = photograph(stray)
    again = find_markers(picture)[0]
    assert [marker.id for marker in again] == [0, 1, 2, 3]
    assert np.abs(again[0].corners - markers[0].corners).max() < 2


def test_one_marker_alone_does_not_tell_the_plane() -> None:
    assert plane_of([Marker(0, np.array([[0, 0], [9, 0], [9, 9], [0, 9.0]]))]) is None


@pytest.mark.parametrize("shift", [(0.3, 0.0), (-0.25, 0.3), (0.2, -0.3)], ids=str)
def test_a_rough_grid_is_pulled_to_the_lines(shift: tuple[float, float]) -> None:
    picture = photograph(flat_board(ROWS))
    rough = Grid.of(CORNERS + np.array(shift) * 36, 14, picture.shape)
    assert away(rough) > 0.2
    fit = refine(picture, rough)
    assert fit.is_sure
    assert away(fit.grid) < 0.06


def test_a_lens_that_bends_lines_is_allowed_for() -> None:
    """Lines of a distorted picture are found at their true places, not at a homography's."""
    flat = photograph(flat_board(ROWS))
    bent = Grid.of(CORNERS, 14, flat.shape, -0.06)
    y, x = np.mgrid[0:720, 0:960].astype(float)
    source = Grid.of(CORNERS, 14, flat.shape).project(
        bent.unproject(np.stack([x.ravel(), y.ravel()], axis=1))
    )
    maps = source.astype(np.float32).reshape(720, 960, 2)
    picture = np.asarray(cv2.remap(flat, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR), np.uint8)
    fit = refine(picture, Grid.of(CORNERS, 14, picture.shape))
    assert fit.grid.bend == pytest.approx(-0.06, abs=0.02)


def test_a_bare_table_is_no_board() -> None:
    noise = np.random.default_rng(1).integers(60, 120, (720, 960, 3)).astype(np.uint8)
    assert not refine(noise, Grid.of(CORNERS, 14, noise.shape)).is_sure
