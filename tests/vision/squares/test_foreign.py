"""What is of no set is named as foreign."""

import numpy as np

from tests.support.square_outputs import outputs
from vision.squares.foreign import foreign_squares
from vision.squares.network import LIT, Shapes
from vision.squares.square_features import SquareFeatures
from vision.squares.tile_groups import grouped

BOARD = (("purple", 0, 9), ("orange", 1, 9))
SURE = 0.95


def found(shapes: Shapes, observed: SquareFeatures) -> list[int]:
    return np.flatnonzero(foreign_squares(grouped(shapes, 2), shapes, observed, 14)).tolist()


def test_nothing_is_foreign_on_a_usual_board() -> None:
    assert found(*outputs(*BOARD)) == []


def test_a_tile_of_another_colour_is_foreign_but_not_a_lit_square() -> None:
    shapes, observed = outputs(*BOARD)
    shapes.colours[[3, 100]] = -4.0
    shapes.classes[100] = np.log((1 - SURE) / 6)
    shapes.classes[100, LIT] = np.log(SURE)
    assert found(shapes, observed) == [3]


def test_paper_unlike_the_bare_squares_nearby_is_foreign() -> None:
    shapes, observed = outputs(*BOARD)
    shapes.colours[[60, 120]] += 0.3
    observed.lightness[[60, 120, 150]] += (3.0, 30.0, 30.0)
    # A lighter square with the colour of the bare ones may have a mark printed on it.
    assert found(shapes, observed) == [120]
