"""Scores: the printed examples of the rule sheets, sides, teams, a shared colour, ties."""

import pytest
from hypothesis import given, settings

from firmware.codes import Scoring
from firmware.rules.board import Board, Move
from firmware.rules.pieces import PIECE_NAMED, PIECES
from firmware.rules.position import Position
from firmware.rules.scoring import score
from firmware.rules.variants import GAMES
from tests.support.random_games import positions


def position_with(game: str, in_hand: list[str], *, last: str = "1") -> Position:
    """A position in which each colour holds the named pieces; the others are on any squares.

    Args:
        game: key of the game.
        in_hand: for each colour the names of the pieces in hand, separated by spaces.
        last: the piece that each colour laid last, if it has laid it.
    """
    position = Position.start(game)
    # Large pieces of all colours first, so that there is room for all of them.
    order = sorted(PIECES, key=lambda piece: (piece.name == last, -piece.size))
    for piece in order:
        for colour, names in enumerate(in_hand):
            if piece not in {PIECE_NAMED[name] for name in names.split()}:
                move = _anywhere(position.board, position, piece.index)
                position = position.put(move, colour)
    return position


def _anywhere(board: Board, position: Position, piece: int) -> Move:
    free = board.of_piece[piece] & ~board.covering_any(position.occupied)
    return board.move(int(board.indices(free)[0]))


def test_the_printed_example_of_duo() -> None:
    found = score(position_with("duo", ["", "I3 V3 I4"]))
    assert [one.advanced for one in found.colours] == [20, -10]
    assert [one.basic for one in found.colours] == [0, 10]
    assert found.leaders(Scoring.ADVANCED) == (found.sides[0],)


def test_the_printed_example_of_classic() -> None:
    in_hand = ["", "I4 L4", "I3 I4 L4 T4 Z4 F", "V3 I4 O T4 W"]
    found = score(position_with("classic", in_hand))
    assert [one.advanced for one in found.colours] == [20, -8, -24, -20]
    assert [one.placed for one in found.colours] == [89, 81, 65, 69]


def test_all_placed_without_the_single_square_last_is_fifteen() -> None:
    found = score(position_with("duo", ["", "X F U"], last="2"))
    assert [one.advanced for one in found.colours] == [15, -15]


def test_the_single_square_last_counts_only_when_all_are_placed() -> None:
    assert score(position_with("duo", ["X", "X"])).colours[0].advanced == -5


@pytest.mark.parametrize("game", ["classic-2", "classic-teams", "duo-4"])
def test_sides_add_the_scores_of_their_colours(game: str) -> None:
    in_hand = ["I5", "I4 I3", "L5 2", "1"] if game != "duo-4" else [
        "I5 L5 N P T5 U V5 W X Y Z5 F", "I5 L5 N P T5 U V5 W X Y", "I5 L5 N P T5 U V5 W X Y Z5",
        "I5 L5 N P T5 U V5 W X",
    ]  # fmt: skip
    found = score(position_with(game, in_hand))
    assert [side.colours for side in found.sides] == [(0, 2), (1, 3)]
    for side in found.sides:
        assert side.basic == sum(found.colours[colour].basic for colour in side.colours)
        assert side.advanced == -side.basic


@pytest.mark.parametrize("shared", range(4))
def test_a_shared_colour_scores_for_nobody(shared: int) -> None:
    position = Position.start(GAMES["classic-3"].sharing(shared))
    found = score(position.put(Move.parse("a20", 20), shared))
    assert [one.advanced for one in found.colours] == [
        None if colour == shared else -89 for colour in range(4)
    ]
    assert found.colours[shared].placed == 1
    assert all(shared not in side.colours for side in found.sides)
    assert len(found.leaders(Scoring.ADVANCED)) == 3


def test_the_two_scorings_can_name_different_winners() -> None:
    # In hand 0 and 12 against 5 and 5: 12 squares against 10, but 15 - 12 points against -10.
    found = score(position_with("classic-2", ["", "F", "F L5 2", "F"], last="2"))
    assert [side.basic for side in found.sides] == [12, 10]
    assert [side.advanced for side in found.sides] == [3, -10]
    assert found.leaders(Scoring.BASIC)[0].colours == (1, 3)
    assert found.leaders(Scoring.ADVANCED)[0].colours == (0, 2)


def test_equal_sides_lead_together() -> None:
    found = score(position_with("duo", ["F", "X"]))
    for scoring in Scoring:
        assert found.leaders(scoring) == found.sides


def test_a_piece_laid_twice_leaves_the_hand_once() -> None:
    position = Position.start("duo").put(Move.parse("e10", 14), 0).put(Move.parse("f9", 14), 0)
    found = score(position).colours[0]
    assert (found.placed, found.basic) == (2, 88)


@settings(max_examples=30)
@given(positions())
def test_what_is_placed_and_what_is_left_are_all_squares(position: Position) -> None:
    for one in score(position).colours:
        assert one.placed + one.basic == 89
