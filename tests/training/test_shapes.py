"""Training data of the network of shapes."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.training.shapes.boards import ANY_SHADE, NOT_KNOWN, connected
from tests.training.shapes.dataset import turned
from tests.training.shapes.plain_boards import plain_board
from tests.training.shapes.simulated import FIRST_SEED, simulated
from vision.squares.network import BARE, OUTSIDE, PARTIAL

SIDE = 6


def seen_at(away: NDArray[np.float32]) -> set[tuple[float, float]]:
    """Returns the places in a view of squares with some offsets, (SIDE, SIDE, 2)."""
    row, column = np.mgrid[0:SIDE, 0:SIDE] + 0.5
    across, down = column + away[..., 0], row + away[..., 1]
    return {
        (round(float(x), 3), round(float(y), 3))
        for x, y in zip(across.flat, down.flat, strict=True)
    }


def turned_left(place: tuple[float, float]) -> tuple[float, float]:
    return place[1], round(SIDE - place[0], 3)


@pytest.mark.parametrize("quarters", range(4))
@pytest.mark.parametrize("mirror", [1, -1])
def test_squares_that_are_off_are_turned_with_the_view(quarters: int, mirror: int) -> None:
    away = np.random.default_rng(4).normal(0, 0.1, (SIDE, SIDE, 2)).astype(np.float32)
    places = seen_at(away)
    for _ in range(quarters):
        places = {turned_left(place) for place in places}
    if mirror < 0:
        places = {(round(SIDE - x, 3), y) for x, y in places}
    view = np.arange(SIDE * SIDE).reshape(SIDE, SIDE)
    views, offsets = turned([view[None], away[None]], quarters, mirror)
    assert (views[0] == np.rot90(view, quarters)[:, ::mirror]).all()
    assert seen_at(offsets[0]) == places


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


def test_the_simulated_table_has_misplaced_pieces_on_some_boards() -> None:
    boards = [simulated(FIRST_SEED + number) for number in range(6)]
    partial = [(board.shapes == PARTIAL).any() for board in boards]
    assert 0 < sum(partial) < len(boards)
    for board in boards:
        tiles = ~np.isin(board.shapes, (BARE, PARTIAL)) & (board.pieces > 0)
        assert (board.colours[tiles] > 0).all()


def test_the_simulated_table_has_single_tiles_on_some_boards() -> None:
    singles = 0
    for number in range(12):
        board = simulated(FIRST_SEED + number)
        sizes = np.bincount(board.pieces[board.shapes == ANY_SHADE])[1:]
        singles += int((sizes == 1).sum())
    assert singles > 12
