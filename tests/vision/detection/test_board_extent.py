"""The border of a field of squares."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.square_outputs import outputs
from vision.detection.board_extent import find_extent, is_cut, is_inner
from vision.geometry.grid import OUTLINE, Grid, Warp
from vision.io.image_file import load_picture
from vision.squares.network import OUTSIDE, UNDER

SIZES = (14, 20)


@pytest.mark.parametrize("name", ["markers_005", "markers_008", "game_34"])
@pytest.mark.parametrize("rows", [(0, 0), (1, 0), (0, -1), (-2, 1)])
def test_a_field_ends_where_its_frame_begins(
    samples: Path, truth: dict[str, Any], name: str, rows: tuple[int, int]
) -> None:
    image = load_picture(samples / f"{name}.jpg")
    grid = Grid.of(truth[f"{name}.jpg"]["corners"], 14, image.shape)
    off = grid.with_corners(grid.project(14 * OUTLINE + np.array(rows)))
    border = find_extent(image, off, SIZES)
    assert border is not None
    assert (border.size, border.column, border.row) == (14, -rows[0], -rows[1])
    assert border.is_of(off) == (rows == (0, 0))
    assert np.abs(border.corners(off) - grid.corners).max() < 1.0


def test_a_part_of_a_field_has_no_border(samples: Path, truth: dict[str, Any]) -> None:
    image = load_picture(samples / "markers_005.jpg")
    whole = Grid.of(truth["markers_005.jpg"]["corners"], 14, image.shape)
    left = whole.crossings[:, :, 0].min() + 5 * whole.square_px
    cut = np.ascontiguousarray(image[:, round(left) :])
    moved = Grid.of(whole.corners - [round(left), 0], 14, cut.shape)
    assert find_extent(cut, moved, SIZES) is None


def test_a_field_inside_of_a_board_is_told_from_one_at_its_border(
    samples: Path, truth: dict[str, Any]
) -> None:
    image = load_picture(samples / "markers_005.jpg")
    whole = Grid.of(truth["markers_005.jpg"]["corners"], 14, image.shape)
    for size, first, inside in ((12, (1, 1), True), (13, (0, 1), False), (14, (0, 0), False)):
        field = Grid.of(whole.project(size * OUTLINE + np.array(first)), size, image.shape)
        assert is_inner(image, field) == inside


def test_a_field_as_large_as_the_picture_may_be_a_part_of_a_cloth(
    samples: Path, truth: dict[str, Any]
) -> None:
    image = load_picture(samples / "markers_005.jpg")
    grid = Grid.of(truth["markers_005.jpg"]["corners"], 14, image.shape)
    view = Warp.of(grid, 32, 2)(image)
    for left, top, is_found in ((64, 64, False), (0, 64, False), (64, 0, False), (0, 0, True)):
        cut = np.ascontiguousarray(view[top : 16 * 32, left : 16 * 32])
        field = Grid.of(32 * 14 * OUTLINE + [64 - left, 64 - top], 14, cut.shape)
        assert (find_extent(cut, field, SIZES) is not None) == is_found


@pytest.mark.parametrize("size", [14, 12])
@pytest.mark.parametrize("strip_px", [8, 16, 24])
def test_a_strip_beyond_a_side_shows_whether_the_lines_of_a_field_go_on(
    samples: Path, truth: dict[str, Any], size: int, strip_px: int
) -> None:
    image = load_picture(samples / "markers_005.jpg")
    whole = Grid.of(truth["markers_005.jpg"]["corners"], 14, image.shape)
    field = Grid.of(whole.project((14 - size) / 2 + size * OUTLINE), size, image.shape)
    cut = Warp.of(field, 32, 1)(image)[32 - strip_px : strip_px - 32, 32 - strip_px : strip_px - 32]
    seen = Grid.of(strip_px + 32 * size * OUTLINE, size, cut.shape)
    found = find_extent(np.ascontiguousarray(cut), seen, (size,))
    assert (found is not None) == (size == 14)


@pytest.mark.parametrize("line", [np.s_[2], np.s_[-1], np.s_[:, 0]], ids=str)
def test_a_field_of_which_a_whole_line_near_the_border_is_not_seen_is_cut(line: Any) -> None:
    shapes, _ = outputs(("purple", 0, 9))
    squares = np.arange(14 * 14).reshape(14, 14)[line]
    assert not is_cut(shapes, 14)
    shapes.classes[squares[:9], UNDER] = 0.0
    assert not is_cut(shapes, 14), "a hand"
    shapes.classes[squares[9:], OUTSIDE] = 0.0
    assert is_cut(shapes, 14)
