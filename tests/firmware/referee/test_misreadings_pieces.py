"""Pieces of a picture that are doubtful as a whole."""

import numpy as np
import pytest
from numpy.typing import NDArray

from firmware.referee.misreadings import doubtful_pieces
from firmware.rules.board import Move, mask_of
from firmware.rules.position import Position

LEAST = -5.0
POSITION = (
    Position.start("duo")
    .put(Move.parse("e10,f10,f9,g9,g8", 14), 0)
    .put(Move.parse("j5,j6,j7", 14), 1)
)
BOARD = POSITION.board


def odds(squares: str, value: float, colour: int = 1) -> NDArray[np.float64]:
    """Returns log odds in which a colour is more probable on some squares than elsewhere."""
    values = np.full((2, BOARD.squares), -9.0)
    values[colour, BOARD.parse_squares(squares)] = value
    return values


def found(values: NDArray[np.float64], hidden: str = "") -> list[str]:
    mask = mask_of(BOARD.parse_squares(hidden)) if hidden else 0
    return sorted(map(BOARD.format_square, doubtful_pieces(POSITION, values, mask, LEAST)))


def test_a_legal_piece_that_is_a_little_probable_as_a_whole_may_lie_unseen() -> None:
    assert found(odds("k4,l4,m4,m3", -4.5)) == ["k4", "l4", "m3", "m4"]


@pytest.mark.parametrize(
    ("squares", "value"),
    [("k4,l4,m4,m3", -6.5), ("b2,c2,d2", -4.5), ("j4,k4,l4", -9.0)],
    ids=["too improbable", "at no corner of its colour", "as usual"],
)
def test_nothing_else_may_lie_there(squares: str, value: float) -> None:
    assert found(odds(squares, value)) == []


def test_the_rest_of_a_standing_piece_may_lie_unseen() -> None:
    assert found(odds("k7,l7", -4.0)) == ["k7", "l7"]


@pytest.mark.parametrize("square", ["k4", "k7"], ids=["a piece of one square", "the rest of one"])
def test_a_single_square_is_doubtful_though_less_probable(square: str) -> None:
    assert found(odds(square, -5.8)) == [square]
    assert found(odds(square, -6.2)) == []


def test_a_single_square_beside_hidden_ones_is_as_doubtful_as_any_piece() -> None:
    assert found(odds("l4", -5.2), hidden="k4") == []
    assert found(odds("l4", -4.8), hidden="k4") == ["l4"]


def test_a_square_that_is_plainly_empty_is_no_part_of_an_unseen_piece() -> None:
    values = odds("k4,l4,l3", -2.0)
    assert found(values) == ["k4", "l3", "l4"]
    values[1, BOARD.parse_squares("l3")] = -8.5
    assert found(values) == ["k4", "l4"]


def test_a_standing_piece_may_have_another_colour() -> None:
    assert found(odds("e10,f10,f9,g9,g8", -4.0)) == ["e10", "f10", "f9", "g8", "g9"]
    assert found(odds("e10,f10", -4.0)) == []


def test_hidden_squares_of_a_piece_do_not_count() -> None:
    values = odds("k4", -6.2)
    values[:, BOARD.parse_squares("l4,m4")] = 0.0
    assert found(values, hidden="l4,m4") == []
