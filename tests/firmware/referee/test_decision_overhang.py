"""Pieces that hang over the border of the board are never taken for smaller ones."""

import numpy as np
import pytest

from firmware.codes import Rule
from firmware.game.events import MoveAccepted, MoveRefused, Unsure
from firmware.referee.referee import Phase, Referee
from firmware.referee.still_photo import examine_picture
from firmware.rules.position import Position
from firmware.rules.variants import GAMES
from tests.support.noisy_board import FOUR, NoisyBoard, NoisyMatch, duo, names, only, rules

LAID = ("c10,d10,e10,e11,f11", "j5,k5,k6,l6,l7")
"""The first moves of both colours."""

INSIDE = "a11,b11"
"""The part of a piece that would be a legal piece of two by itself."""


def hanging(odds: float | None = None) -> NoisyMatch:
    match = duo(*LAID)
    match.table.lay("purple", INSIDE)
    match.table.hang("a11", odds)
    return match


def test_a_piece_over_the_border_is_refused_with_its_squares_inside() -> None:
    match = hanging()
    event = only(match.after_hand(2))
    assert isinstance(event, MoveRefused)
    assert rules(event) == [Rule.OFF_BOARD]
    assert set(event.squares) == set(match.table.squares(INSIDE))
    assert event.violations[0].squares == event.squares
    assert match.referee.phase is Phase.REFUSED
    assert names(match.settle(10)) == []


@pytest.mark.parametrize("turned", [0, 90])
def test_it_is_refused_once_while_the_turn_of_the_board_and_who_began_are_open(turned: int) -> None:
    table = NoisyBoard(turned=turned)
    match = NoisyMatch(table, Referee(duo(*LAID).referee.state.position, table.palette))
    table.lay("purple", LAID[0])
    table.lay("orange", LAID[1])
    match.settle()
    table.lay("purple", INSIDE)
    table.hang("a11")
    assert rules(only(match.after_hand(2))) == [Rule.OFF_BOARD]
    assert names(match.settle(10)) == []
    table.hang("a11", -5.0)
    assert "move" in names(match.after_hand(3))


def test_the_same_squares_of_a_piece_that_ends_at_the_border_are_a_move() -> None:
    assert isinstance(only(hanging(-5.0).after_hand(2)), MoveAccepted)


@pytest.mark.parametrize("odds", [-2.0, 0.0, 2.0])
def test_where_it_is_not_clear_people_are_asked(odds: float) -> None:
    match = hanging(odds)
    event = only(match.after_hand(4))
    assert isinstance(event, Unsure)
    assert not match.referee.state.history[len(LAID) :]


def test_a_piece_of_five_squares_does_not_go_on() -> None:
    match = duo(*LAID)
    match.table.lay("purple", "a11,b11,a12,a13,a14")
    match.table.hang("a13")
    assert isinstance(only(match.after_hand(2)), MoveAccepted)


def test_people_are_asked_if_more_squares_go_on_than_a_piece_has_left() -> None:
    match = duo(*LAID)
    match.table.lay("purple", "b11,a11,a12,a13")
    match.table.hang("a11")
    match.table.hang("a12")
    assert isinstance(only(match.after_hand(4)), Unsure)


def test_beyond_the_end_of_the_picture_nothing_is_claimed() -> None:
    assert isinstance(only(hanging(-np.inf).after_hand(2)), MoveAccepted)


@pytest.mark.parametrize("odds", [-2.0, 0.0, 2.0])
def test_a_refused_piece_is_no_question_until_it_surely_ends_at_the_border(odds: float) -> None:
    match = hanging()
    match.after_hand(2)
    match.table.hang("a11", odds)
    assert names(match.after_hand(10)) == []
    assert match.referee.phase is Phase.REFUSED
    match.table.hang("a11", -5.0)
    assert "move" in names(match.after_hand(3))


def test_each_foot_of_a_refused_piece_keeps_its_place() -> None:
    match = duo(*LAID)
    match.table.lay("purple", "a13")
    match.table.lay("purple", "a11")
    match.table.hang("a11")
    match.table.hang("a13")
    event = only(match.after_hand(2))
    assert isinstance(event, MoveRefused)
    assert set(event.squares) == set(match.table.squares("a11,a13"))
    match.table.hang("a13", 2.0)
    assert names(match.after_hand(10)) == []


def test_pushed_inside_it_counts() -> None:
    match = hanging()
    match.after_hand(2)
    match.table.beyond.clear()
    match.table.lay("purple", "a12")
    assert names(match.after_hand(3))[-1:] == ["move"]
    moved = match.referee.state.history[-1].move.squares
    assert set(moved) == set(match.table.squares("a11,a12,b11"))
    assert not match.referee.state.refused


def test_taken_back_it_is_withdrawn() -> None:
    match = hanging()
    match.after_hand(2)
    match.table.lift(INSIDE)
    match.table.beyond.clear()
    assert names(match.after_hand(2)) == ["withdrawn"]


def test_the_other_player_has_not_moved_out_of_turn_beside_it() -> None:
    match = hanging()
    match.after_hand(2)
    match.table.lay("orange", "m8,n8")
    events = match.after_hand(3)
    assert "move" not in names(events)


def test_a_board_on_which_a_piece_hangs_over_is_not_taken_over() -> None:
    table = NoisyBoard()
    for colour, squares in zip(("purple", "orange") * 2, (*LAID, INSIDE, "m8,n8"), strict=True):
        table.lay(colour, squares)
    table.hang("a11")
    match = NoisyMatch(table, Referee(Position.start("duo"), table.palette))
    match.settle(4)
    assert match.referee.phase is Phase.UNSURE
    assert not match.referee.state.position.occupied


@pytest.mark.parametrize("odds", [5.0, 0.0, -5.0])
def test_a_picture_names_the_piece_or_its_squares_unsure(odds: float) -> None:
    table = NoisyBoard(sure=11.0)
    for colour, squares in zip(("purple", "orange", "purple"), (*LAID, INSIDE), strict=True):
        table.lay(colour, squares)
    table.hang("a11", odds)
    found = examine_picture(table.reading(), GAMES["duo"])
    named = [one for one in found.problems if one.violation.rule is Rule.OFF_BOARD]
    assert [set(one.violation.squares) for one in named] == (
        [set(table.squares(INSIDE))] if odds > 0 else []
    )
    assert set(found.unsure) == (set() if odds else set(table.squares(INSIDE)))


def test_a_piece_of_a_puzzle_over_the_border_is_refused() -> None:
    match = NoisyMatch(
        NoisyBoard(20, FOUR),
        Referee(Position.start("puzzle-all"), FOUR),
    )
    match.settle(2)
    match.table.lay("blue", "a20,b20")
    match.table.hang("a20")
    event = only(match.after_hand(4))
    assert isinstance(event, MoveRefused)
    assert rules(event) == [Rule.OFF_BOARD]
