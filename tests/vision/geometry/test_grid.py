import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.drawn_boards import CORNERS
from vision.errors import GeometryError
from vision.geometry.grid import WITHIN, Grid, Warp, outside_px

SHAPE = (720, 960)


@given(st.floats(-0.2, 0.2), st.floats(0, 14), st.floats(0, 14))
def test_projecting_and_back_returns_the_place(bend: float, x: float, y: float) -> None:
    grid = Grid.of(CORNERS, 14, SHAPE, bend)
    assert np.allclose(grid.unproject(grid.project([[x, y]])), [[x, y]], atol=2e-3)


@pytest.mark.parametrize("bend", [-0.1, 0.0, 0.1])
def test_corners_are_where_they_were_given_whatever_the_bend(bend: float) -> None:
    grid = Grid.of(CORNERS, 14, SHAPE, bend)
    assert np.allclose(grid.project([[0, 0], [14, 0], [14, 14], [0, 14]]), CORNERS, atol=0.05)


def test_a_barrel_bend_pulls_the_middle_of_a_side_outwards() -> None:
    straight, bent = (Grid.of(CORNERS, 14, SHAPE, bend).project([[7, 0]]) for bend in (0.0, -0.1))
    assert bent[0, 1] < straight[0, 1] - 2


@pytest.mark.parametrize(
    "corners",
    [
        [[0, 0], [100, 100], [100, 0], [0, 100]],
        [[0, 0], [1, 0], [1, 1], [0, 1]],
        [[0, 0], [100, 0], [100, 100], [float("nan"), 100]],
        [[0, 0], [100, 0], [100, 100]],
        [[139, 35], [633336, 36], [624, 555], [119, 527]],
    ],
    ids=["crossed", "tiny", "not a number", "three", "far away"],
)
def test_corners_that_describe_no_board_are_refused(corners: list[list[float]]) -> None:
    with pytest.raises(GeometryError, match=r"corner|small"):
        Grid.of(corners, 14, SHAPE)


def test_a_warp_shows_each_square_where_it_belongs() -> None:
    grid = Grid.of([[100, 100], [380, 100], [380, 380], [100, 380]], 14, (480, 480))
    picture = np.zeros((480, 480, 3), np.uint8)
    picture[100 + 3 * 20 + 8, 100 + 5 * 20 + 8] = 255
    view = Warp.of(grid, 20, 1)(picture)
    brightest = np.argwhere(view[..., 0] == view[..., 0].max())[0]
    assert (brightest // 20).tolist() == [4, 6]


def test_a_warp_knows_what_lies_beyond_the_picture() -> None:
    warp = Warp.of(Grid.of([[0, 0], [280, 0], [280, 280], [0, 280]], 14, (400, 400)), 20, 1)
    assert not warp.inside[:15].any()
    assert (warp.inside[25:, 25:] == WITHIN).all()


def test_corners_are_outside_a_picture_by_sides() -> None:
    corners = np.array([[-2, 5], [90, 3], [103, 70], [4, 58.0]])
    assert outside_px(corners, (60, 100, 3)).tolist() == [2, -3, 3, 10]
