"""Recognition of tiles by their shape alone."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.camera import Image
from vision.geometry.grid import Grid
from vision.io.image_file import load_picture
from vision.squares.network import (
    APART,
    BARE,
    DARK,
    LIGHT,
    LIT,
    Shapes,
    shapes_of,
)

SURELY = 3.0


def pictured(samples: Path, truth: dict[str, Any], name: str) -> tuple[Image, Grid]:
    image = load_picture(samples / f"{name}.jpg")
    return image, Grid.of(truth[f"{name}.jpg"]["corners"], 14, image.shape)


def tiles_of(truth: dict[str, Any], name: str) -> NDArray[np.bool_]:
    return np.array([letter != "." for row in truth[f"{name}.jpg"]["cells"] for letter in row])


def lead(image: Image, grid: Grid) -> NDArray[np.float32]:
    classes = shapes_of(image, grid).classes
    return np.asarray(np.logaddexp(classes[:, DARK], classes[:, LIGHT]) - classes[:, BARE])


@pytest.mark.parametrize("corner", [(0, 0), (5, 6), (11, 3), (11, 11)])
def test_some_squares_are_classified_as_on_the_whole_board(
    samples: Path, truth: dict[str, Any], corner: tuple[int, int]
) -> None:
    image, grid = pictured(samples, truth, "markers_005")
    wanted = np.zeros((14, 14), bool)
    wanted[corner[0] : corner[0] + 3, corner[1] : corner[1] + 2] = True
    some, whole = shapes_of(image, grid, wanted.ravel()), shapes_of(image, grid)
    for name in ("classes", "away", "ends", "colours"):
        ours, theirs = (getattr(one, name)[wanted.ravel()] for one in (some, whole))
        assert np.allclose(ours, theirs, atol=1e-3)


def pairs(shapes: Shapes, squares: NDArray[np.intp]) -> NDArray[np.bool_]:
    places = shapes.colours[squares]
    return np.asarray(((places[:, None] - places[None]) ** 2).sum(axis=2) < APART)


def test_tiles_of_one_colour_lie_together_and_those_of_two_apart(
    samples: Path, truth: dict[str, Any]
) -> None:
    image, grid = pictured(samples, truth, "markers_005")
    letters = np.array([*"".join(truth["markers_005.jpg"]["cells"])])
    squares = np.flatnonzero(letters != ".")
    same = letters[squares][:, None] == letters[squares][None]
    assert (pairs(shapes_of(image, grid), squares) == same).mean() > 0.99


def test_a_piece_ends_where_another_colour_or_bare_board_begins(
    samples: Path, truth: dict[str, Any]
) -> None:
    image, grid = pictured(samples, truth, "markers_005")
    rows = np.array([list(row) for row in truth["markers_005.jpg"]["cells"]])
    ends = shapes_of(image, grid).ends.reshape(14, 14, 2)
    right = (rows[:, :-1] != ".") | (rows[:, 1:] != ".")
    wrong = (ends[:, :-1, 0] > 0) != (rows[:, :-1] != rows[:, 1:])
    assert (wrong & right).sum() <= 0.03 * right.sum()


@pytest.mark.parametrize("name", ["markers_005", "markers_008"])
def test_tiles_are_distinguished_from_bare_squares_in_whatever_colours(
    samples: Path, truth: dict[str, Any], name: str
) -> None:
    image, grid = pictured(samples, truth, name)
    for channels in ([0, 1, 2], [2, 0, 1], [1, 2, 0]):
        results = lead(np.ascontiguousarray(image[..., channels]), grid)
        assert ((results > 0) != tiles_of(truth, name)).sum() <= 6


def test_in_a_picture_without_colour_little_is_read_wrongly_for_sure(
    samples: Path, truth: dict[str, Any]
) -> None:
    image, grid = pictured(samples, truth, "markers_005")
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    results = lead(np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8), grid)
    tiles = tiles_of(truth, "markers_005")
    assert ((results > 0) != tiles).mean() < 0.15
    assert (((results > 0) != tiles) & (np.abs(results) > SURELY)).sum() <= 2


def in_the_open(tiles: NDArray[np.bool_]) -> list[int]:
    """Squares without a neighbouring tile, except at the edge of the board."""
    near = cv2.dilate(tiles.reshape(14, 14).astype(np.uint8), np.ones((3, 3), np.uint8))
    near[[0, -1]] = near[:, [0, -1]] = 1
    return np.flatnonzero(np.asarray(near).ravel() == 0).tolist()


def test_a_square_lit_from_below_is_not_taken_for_a_tile(
    samples: Path, truth: dict[str, Any]
) -> None:
    image, grid = pictured(samples, truth, "markers_005")
    results = []
    for square in in_the_open(tiles_of(truth, "markers_005")):
        assert shapes_of(image, grid).classes[square].argmax() == BARE
        place = np.array([square % 14, square // 14])
        outline = grid.project(place + np.array([[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]))
        light = np.zeros(image.shape, np.float32)
        cv2.fillConvexPoly(light, outline.astype(np.int32), (230.0, 230.0, 230.0))
        glow = cv2.GaussianBlur(light, (0, 0), 0.1 * grid.square_px)
        lit = np.clip(image + glow, 0, 255).astype(np.uint8)
        results.append(int(shapes_of(lit, grid).classes[square].argmax()))
    assert results
    assert results.count(LIT) > 0.8 * len(results)
