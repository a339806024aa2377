"""The network of squares: classes, colours and edges on known boards, and the names of colours."""

import json
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.conftest import ROOT
from tests.training.shapes.boards import ANY_SHADE, NOT_KNOWN, connected
from tests.training.shapes.plain_boards import plain_board
from tests.training.squares import read_by_network
from tests.training.squares.judgement import judge
from tests.training.squares.network import APART, SquareOutputs, outputs_of
from vision.features.square_features import SquareFeatures
from vision.geometry.grid import Grid
from vision.io.image_file import load_picture
from vision.plastics import PLASTICS
from vision.reading import Reading
from vision.shape.network import BARE, COLUMNS, DARK, KINDS, LIGHT, OUTSIDE, UNDER

SAMPLES = ROOT / "tests" / "vision" / "data"
NAME = "markers_005.jpg"
SQUARES = 196
BOARD = (("purple", 0, 9), ("orange", 1, 9))
PALETTE = ("purple", "orange")
SURE = 0.95
IN_DOUBT = -0.7
"""Log probability of each of two contents."""

BETWEEN_PURPLE_AND_BLUE = (0.72, -1.08)


@pytest.fixture(scope="module")
def known() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((SAMPLES / "truth.json").read_text(encoding="utf-8"))[NAME]
    return found


@pytest.fixture(scope="module")
def seen(known: dict[str, Any]) -> SquareOutputs:
    image = load_picture(SAMPLES / NAME)
    return outputs_of(image, Grid.of(known["corners"], 14, image.shape))


@pytest.fixture(scope="module")
def cells(known: dict[str, Any]) -> NDArray[np.str_]:
    return np.array([list(row) for row in known["cells"]])


def test_tiles_are_distinguished_from_bare_squares(
    seen: SquareOutputs, cells: NDArray[np.str_]
) -> None:
    tile = np.isin(seen.classes.argmax(axis=1), (DARK, LIGHT))
    assert (tile != (cells.ravel() != ".")).sum() <= 2


def test_squares_of_one_colour_lie_together_and_those_of_two_apart(
    seen: SquareOutputs, cells: NDArray[np.str_]
) -> None:
    apart = ((seen.colours[:, None] - seen.colours[None]) ** 2).sum(axis=2)
    same = cells.ravel()[:, None] == cells.ravel()[None]
    assert ((apart < APART) == same).mean() > 0.97


def test_a_piece_ends_where_another_colour_or_bare_board_begins(
    seen: SquareOutputs, cells: NDArray[np.str_]
) -> None:
    ends = seen.ends.reshape(14, 14, 2)
    asked = (cells[:, :-1] != ".") | (cells[:, 1:] != ".")
    wrong = (ends[:, :-1, 0] > 0) != (cells[:, :-1] != cells[:, 1:])
    assert (wrong & asked).sum() <= 0.03 * asked.sum()


def test_a_picture_is_read_by_the_network(cells: NDArray[np.str_]) -> None:
    reading = read_by_network(load_picture(SAMPLES / NAME), 14)
    assert isinstance(reading, Reading)
    assert set(reading.palette) == set(PALETTE)
    empty = reading.probabilities.argmax(axis=1) == 0
    assert (empty != (cells.ravel() == ".")).sum() <= 2


def board(*groups: tuple[str, int, int], tint: float = 1.0) -> tuple[SquareOutputs, SquareFeatures]:
    """Returns a board with groups of tiles: name of the colour, place of the group, tiles."""
    classes = np.full((SQUARES, KINDS), -7.0, np.float32)
    classes[:, BARE] = 0.0
    colours = np.zeros((SQUARES, 6), np.float32)
    tints = np.zeros((SQUARES, 2), np.float32)
    first = 0
    for name, place, count in groups:
        squares = slice(first, first + count)
        classes[squares, BARE], classes[squares, LIGHT] = -7.0, 0.0
        colours[squares, place] = 4.0
        tints[squares] = np.array(PLASTICS[name].tint) * tint
        first += count
    light, none = np.full(SQUARES, 50.0, np.float32), np.zeros(SQUARES, np.float32)
    pairs = np.zeros((SQUARES, 2), np.float32)
    relief = np.zeros((SQUARES, COLUMNS), np.float32)
    features = SquareFeatures(tints, light, light, none, none > 0, relief)
    return SquareOutputs(classes, pairs, pairs, colours), features


@pytest.mark.parametrize("tint", [0.8, 1.0, 1.2])
@pytest.mark.parametrize("palette", [PALETTE, ("blue", "green"), ("red", "yellow")])
def test_groups_are_named_in_pale_and_in_deep_colours(
    palette: tuple[str, str], tint: float
) -> None:
    judged = judge(*board((palette[1], 0, 5), (palette[0], 1, 9), tint=tint), 14, None)
    assert judged.palette == palette
    assert judged.is_sure
    assert (judged.evidence.argmax(axis=1) == np.repeat([2, 1, 0], [5, 9, 182])).all()


def test_a_tile_that_mirrors_a_lamp_has_the_colour_of_its_group() -> None:
    shapes, observed = board(*BOARD)
    observed.tint[3] = 0.0
    observed.lightness[3] = 90.0
    assert judge(shapes, observed, 14, None).evidence[3].argmax() == 1


def test_a_doubtful_square_is_what_others_of_its_colour_are() -> None:
    shapes, observed = board(*BOARD)
    shapes.classes[[3, 100], BARE] = shapes.classes[[3, 100], LIGHT] = IN_DOUBT
    judged = judge(shapes, observed, 14, PALETTE)
    assert judged.evidence[3, 1] > SURE
    assert judged.evidence[100, 0] > SURE


def test_colours_are_open_while_the_edition_is_not_sure() -> None:
    shapes, observed = board(("purple", 0, 1))
    observed.tint[0] = BETWEEN_PURPLE_AND_BLUE
    judged = judge(shapes, observed, 14, None)
    assert not judged.is_sure
    assert judged.evidence[0, 1:].max() < 0.6


def test_what_is_covered_has_even_evidence() -> None:
    shapes, observed = board(*BOARD)
    shapes.classes[50], shapes.classes[50, UNDER] = -9.0, 0.0
    judged = judge(shapes, observed, 14, PALETTE)
    assert np.flatnonzero(judged.covered).tolist() == [50]
    assert np.allclose(judged.evidence[50], 1 / 3, atol=0.02)


def test_a_plain_board_has_its_tiles_and_its_frame() -> None:
    colours = np.zeros((16, 16), np.intp)
    colours[3, 3:7], colours[8:11, 5] = 1, 2
    shapes = np.where(colours > 0, ANY_SHADE, BARE)
    shapes[[0, -1]] = shapes[:, [0, -1]] = OUTSIDE
    kept = 0
    for seed in range(6):
        chance = np.random.default_rng(seed)
        light, labels, laid, pieces = plain_board(shapes, colours, connected(colours), chance)
        assert light.shape == (256, 256, 3)
        assert light.min() >= 0
        assert ((labels == OUTSIDE) == (shapes == OUTSIDE)).all()
        assert not (labels == NOT_KNOWN).any()
        tiles = ~np.isin(labels, (BARE, OUTSIDE))
        assert not (tiles & (colours == 0)).any()
        assert ((laid > 0) == tiles).all()
        assert ((pieces > 0) == tiles).all()
        kept += int(tiles.sum())
    assert kept > 0
