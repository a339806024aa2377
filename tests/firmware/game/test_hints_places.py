"""Places of a piece: against each placement examined by itself, and how long they take."""

import time

import pytest

from firmware.game.hints import corners_of, places_of
from firmware.rules.board import mask_of
from firmware.rules.pieces import PIECES, normalised
from firmware.rules.position import Position
from tests.support.random_games import played
from tests.support.wall_clock import WALL_CLOCK


@pytest.mark.parametrize(("game", "plies"), [("duo", 8), ("classic", 24), ("duo-4", 17)])
def test_places_are_those_of_all_placements_that_break_no_rule(game: str, plies: int) -> None:
    position = played(game, 5, plies)
    colour, board = position.to_move, position.board
    assert colour is not None
    for piece in PIECES:
        ways: dict[object, int] = {}
        for index in board.indices(board.of_piece[piece.index]):
            move = board.move(index)
            shape = normalised(tuple(divmod(square, board.size) for square in move.squares))
            if not position.examine(move.squares, colour):
                ways[shape] = ways.get(shape, 0) | move.mask
        assert places_of(position, colour, piece.name) == ways
        assert all(mask & corners_of(position, colour) for mask in ways.values())


def test_places_of_a_first_piece_start_at_the_starting_squares() -> None:
    position = Position.start("duo")
    starts = mask_of(position.board.parse_squares("e10,j5"))
    assert corners_of(position, 0) == starts
    assert places_of(position, 0, "1") == {((0, 0),): starts}
    assert places_of(position, 0, "Q") == {}


@WALL_CLOCK
@pytest.mark.parametrize(("game", "plies"), [("duo", 10), ("classic", 28)])
def test_places_are_found_at_once_in_the_middle_of_a_game(game: str, plies: int) -> None:
    position = played(game, 3, plies)
    colour = position.to_move
    assert colour is not None
    longest = 0.0
    for piece in position.in_hand(colour):
        begun = time.perf_counter()
        places_of(position, colour, piece.name)
        longest = max(longest, time.perf_counter() - begun)
    assert longest < 0.05
