"""Pieces of a puzzle that are lifted from anywhere."""

import pytest

from firmware.codes import Takeback
from firmware.game.events import Disturbed, MoveAccepted, Restored, Undone
from firmware.referee.puzzle_pieces import may_lift_any
from firmware.referee.referee import Referee, RefereeSettings
from firmware.rules.position import Position
from firmware.rules.variants import GAMES, PUZZLES
from tests.support.noisy_board import FOUR, NoisyBoard, NoisyMatch, names, only

FILLED = {"blue": "a1,b1,c1,d1", "red": "a2,b2,a3,b3", "green": "c2,d2,e2,d3"}
CHAIN = ("a1,b1,b2", "c3,d3,e3", "f4,f5,f6,f7")


def played(
    key: str, pieces: dict[str, tuple[str, ...]], takeback: Takeback = Takeback.ANY
) -> NoisyMatch:
    settings = RefereeSettings(takeback=takeback)
    match = NoisyMatch(NoisyBoard(20, FOUR), Referee(Position.start(key), FOUR, settings=settings))
    match.settle()
    for colour, moves in pieces.items():
        for squares in moves:
            match.table.lay(colour, squares)
            assert names(match.after_hand()) == ["move"]
    return match


def filled(takeback: Takeback = Takeback.ANY) -> NoisyMatch:
    return played("puzzle-tetrominoes", {c: (text,) for c, text in FILLED.items()}, takeback)


def chained(takeback: Takeback = Takeback.ANY) -> NoisyMatch:
    return played("puzzle-all", {"blue": CHAIN}, takeback)


@pytest.mark.parametrize("takeback", Takeback)
def test_a_filling_lets_any_piece_be_lifted_whatever_was_agreed(takeback: Takeback) -> None:
    match = filled(takeback)
    match.table.lift(FILLED["blue"])
    event = only(match.after_hand())
    assert isinstance(event, Undone)
    assert (event.ply, str(event.move)) == (1, FILLED["blue"])
    assert len(match.referee.state.history) == 2


def test_several_pieces_are_lifted_together() -> None:
    match = filled()
    for colour in ("green", "blue"):
        match.table.lift(FILLED[colour])
    assert names(match.after_hand()) == ["undone", "undone"]
    assert match.referee.state.piece_count == 1


def test_a_piece_laid_elsewhere_in_one_go_is_lifted_and_laid() -> None:
    match = filled()
    match.table.lift(FILLED["red"])
    match.table.lay("red", "g9,h9,g10,h10")
    assert names(match.after_hand()) == ["undone", "move"]


def test_another_colour_may_be_laid_in_the_place_of_a_lifted_piece() -> None:
    match = filled()
    match.table.lift(FILLED["red"])
    match.table.lay("yellow", "a2,a3,a4,a5")
    assert names(match.after_hand()) == ["undone", "move"]


def test_a_piece_in_the_middle_of_a_chain_has_to_stay() -> None:
    match = chained()
    match.table.lift(CHAIN[1])
    event = only(match.after_hand())
    assert isinstance(event, Disturbed)
    assert [one.squares for one in event.expected] == [tuple(match.table.squares(CHAIN[1]))]
    match.table.lay("blue", CHAIN[1])
    assert isinstance(only(match.after_hand()), Restored)
    assert match.referee.state.piece_count == 3


def test_the_rest_of_a_chain_may_be_lifted_too() -> None:
    match = chained()
    match.table.lift(CHAIN[1])
    match.after_hand()
    match.table.lift(CHAIN[2])
    assert names(match.after_hand()) == ["undone", "undone", "restored"]
    assert not match.referee.state.disturbed


def test_the_end_of_a_chain_may_be_lifted_after_other_colours_were_laid() -> None:
    match = chained()
    match.table.lay("red", "t20,t19")
    match.after_hand()
    match.table.lift(CHAIN[2])
    assert names(match.after_hand()) == ["undone"]


def test_only_the_last_piece_may_be_lifted_if_that_was_agreed() -> None:
    match = chained(Takeback.UNTIL_NEXT_MOVE)
    match.table.lift(CHAIN[0])
    assert names(match.after_hand()) == ["disturbed"]
    match.table.lay("blue", CHAIN[0])
    match.after_hand()
    match.table.lift(CHAIN[2])
    assert names(match.after_hand()) == ["undone"]


def test_larger_pieces_stay_while_smaller_ones_lie() -> None:
    assert not may_lift_any(PUZZLES["puzzle-all-by-size"], Takeback.ARBITER)
    match = chained(Takeback.ARBITER)
    match.table.lift(CHAIN[2])
    assert names(match.after_hand()) == ["disturbed"]


def test_a_piece_half_covered_is_not_lifted() -> None:
    match = filled()
    match.table.lift("a1,b1")
    for _ in range(20):
        match.show()
    assert not [event for event in match.events if isinstance(event, Undone)]


def test_a_piece_pushed_by_one_square_is_where_it_lies_now() -> None:
    match = filled()
    match.table.lift(FILLED["blue"])
    match.table.lay("blue", "e1,b1,c1,d1")
    assert names(match.after_hand()) == ["undone", "move"]
    moved = [event for event in match.events if isinstance(event, MoveAccepted)][-1]
    assert str(moved.move) == "b1,c1,d1,e1"


def test_the_pieces_of_a_game_stay() -> None:
    assert not may_lift_any(GAMES["classic"], Takeback.UNTIL_NEXT_MOVE)
