"""The last piece exchanged under one hand for one that contains it, or lies within it."""

import pytest

from firmware.codes import Rule, Takeback
from firmware.game.events import Unsure
from firmware.referee.referee import Phase, Referee, RefereeSettings
from firmware.rules.board import Move
from firmware.rules.position import Position
from tests.support.noisy_board import (
    FIRST,
    FOUR,
    OFF,
    SECOND,
    NoisyBoard,
    NoisyMatch,
    names,
    only,
)

SMALL = "h7,h6"
LARGE = "h7,h6,h5"

TAKEBACKS = pytest.mark.parametrize("takeback", [Takeback.UNTIL_NEXT_MOVE, Takeback.ARBITER])


def match_with(takeback: Takeback, *moves: str) -> NoisyMatch:
    table, settings = NoisyBoard(), RefereeSettings(takeback=takeback)
    match = NoisyMatch(table, Referee(Position.start("duo"), table.palette, settings=settings))
    match.settle()
    for ply, move in enumerate(moves):
        table.lay(("purple", "orange")[ply % 2], move)
        assert names(match.after_hand()) == ["move"]
    return match


def exchanged(takeback: Takeback, before: str, after: str, frames: int = 14) -> NoisyMatch:
    """Returns a match in which the last piece was exchanged, and people were asked."""
    match = match_with(takeback, FIRST, SECOND, before)
    match.table.lift(before)
    match.table.lay("purple", after)
    event = only(match.after_hand(frames))
    assert isinstance(event, Unsure)
    assert match.referee.phase is Phase.UNSURE
    return match


def asked(match: NoisyMatch) -> list[str]:
    return [str(one.move) for one in match.referee.state.candidates]


def answered(match: NoisyMatch, piece: str) -> list[str]:
    """Answers a question; returns the names of the events that follow."""
    choice = next(
        one for one in match.referee.state.candidates if one.move == Move.parse(piece, 14)
    )
    return names([*match.referee.resolve(choice, match.moment), *match.after_hand(12)])


def last(match: NoisyMatch) -> Move:
    return match.referee.state.position.laid[0][-1]


@TAKEBACKS
def test_a_larger_piece_that_contains_the_last_one_is_asked_about(takeback: Takeback) -> None:
    match = exchanged(takeback, SMALL, LARGE)
    assert {*asked(match)} == {str(Move.parse(piece, 14)) for piece in (LARGE, SMALL)}
    assert answered(match, LARGE) == ["resolved", "undone", "move"]
    assert last(match) == Move.parse(LARGE, 14)


@TAKEBACKS
def test_a_second_piece_is_refused_once_a_person_said_that_the_last_one_stands(
    takeback: Takeback,
) -> None:
    match = exchanged(takeback, SMALL, LARGE)
    assert answered(match, SMALL) == ["resolved", "illegal"]
    assert last(match) == Move.parse(SMALL, 14)
    (refused,) = match.referee.state.refused
    assert refused.squares == tuple(match.table.squares("h5"))
    assert Rule.TOUCHES_OWN_SIDE in {one.rule for one in refused.violations}


@TAKEBACKS
def test_a_smaller_piece_within_the_last_one_is_asked_about(takeback: Takeback) -> None:
    match = exchanged(takeback, LARGE, SMALL)
    assert answered(match, SMALL) == ["resolved", "undone", "move"]
    assert last(match) == Move.parse(SMALL, 14)
    assert match.referee.state.position.to_move == 1


@TAKEBACKS
def test_a_piece_that_a_person_says_still_lies_there_is_not_asked_about_again(
    takeback: Takeback,
) -> None:
    match = exchanged(takeback, LARGE, SMALL)
    answered(match, LARGE)
    assert last(match) == Move.parse(LARGE, 14)
    assert asked(match) == []
    match.table.lay("purple", "h5")
    match.after_hand(12)
    match.table.lay("orange", OFF)
    assert names(match.after_hand()) == ["move"]


@pytest.mark.parametrize(("before", "after"), [(SMALL, LARGE), (LARGE, SMALL)])
def test_moves_after_an_exchange_count_whatever_the_answer_is(before: str, after: str) -> None:
    for answer in (before, after):
        match = exchanged(Takeback.UNTIL_NEXT_MOVE, before, after)
        for colour, piece in (("orange", "l8,l9"), ("purple", "d11,d12,d13,d14")):
            match.table.lay(colour, piece)
            assert names(match.after_hand(4)) == ["pending"]
        assert last(match) == Move.parse(before, 14)
        events = answered(match, answer)
        assert events.count("move") == (3 if answer == after else 2)
        assert match.referee.state.position.laid[0][1] == Move.parse(answer, 14)


def test_moves_of_a_gap_with_an_exchange_before_them_count() -> None:
    match = match_with(Takeback.UNTIL_NEXT_MOVE, FIRST, SECOND, SMALL)
    for colour, piece in (("purple", "h5"), ("orange", OFF), ("purple", "d11,d12,d13,d14")):
        match.table.lay(colour, piece)
    assert names(match.after_hand(12)) == ["unsure", "pending"]
    events = answered(match, LARGE)
    assert events == ["resolved", "undone", "move", "move", "move"]


@pytest.mark.parametrize(
    ("before", "after", "then"), [(SMALL, LARGE, "to-lift"), (LARGE, SMALL, "disturbed")]
)
def test_people_who_want_no_answer_are_not_asked_again(before: str, after: str, then: str) -> None:
    match = exchanged(Takeback.UNTIL_NEXT_MOVE, before, after)
    events = [*match.referee.resolve(None, match.moment), *match.after_hand(14)]
    assert names(events) == ["resolved", then]
    assert last(match) == Move.parse(before, 14)
    match.table.lift(after)
    match.table.lay("purple", before)
    match.after_hand(4)
    match.table.lay("orange", OFF)
    assert names(match.after_hand()) == ["move"]


def test_an_exchange_is_settled_by_a_later_piece_that_one_answer_forbids() -> None:
    match = exchanged(Takeback.UNTIL_NEXT_MOVE, SMALL, LARGE)
    match.table.lay("orange", "l8,l9")
    match.after_hand(4)
    # The piece that the other reading would have used up.
    match.table.lay("purple", "d11,d12,d13")
    assert names(match.after_hand(4))[:3] == ["resolved", "move", "move"]
    assert match.referee.state.position.laid[0][1] == Move.parse(SMALL, 14)


@pytest.mark.parametrize(("before", "after"), [(SMALL, LARGE), (LARGE, SMALL)])
def test_a_piece_put_back_as_it_was_settles_the_question(before: str, after: str) -> None:
    match = exchanged(Takeback.UNTIL_NEXT_MOVE, before, after)
    match.table.lift(after)
    match.table.lay("purple", before)
    assert names(match.after_hand(4)) == ["resolved"]
    match.table.lay("orange", OFF)
    assert names(match.after_hand()) == ["move"]


def test_a_piece_exchanged_for_one_that_overlaps_it_is_undone_and_moved() -> None:
    match = match_with(Takeback.UNTIL_NEXT_MOVE, FIRST, SECOND, "h7,h6,i6")
    match.table.lift("h7,h6,i6")
    match.table.lay("purple", "h7,h6,h5")
    assert names(match.after_hand()) == ["undone", "move"]


def test_a_larger_piece_that_is_illegal_itself_is_refused() -> None:
    match = match_with(Takeback.UNTIL_NEXT_MOVE, FIRST, SECOND, "h7")
    # With h8 it would touch the first piece at its side.
    match.table.lay("purple", "h8,i8,j8")
    assert names(match.after_hand(12)) == ["illegal"]


def test_the_first_piece_of_all_may_be_exchanged() -> None:
    match = match_with(Takeback.UNTIL_NEXT_MOVE, "e10,f10")
    match.table.lay("purple", "g10")
    assert names(match.after_hand(4)) == ["unsure"]
    assert answered(match, "e10,f10,g10") == ["resolved", "undone", "move"]
    match.table.lay("orange", SECOND)
    assert names(match.after_hand()) == ["move"]


@pytest.mark.parametrize(("before", "after"), [("b2,b3", "b2,b3,c3"), ("b2,b3,c3", "b2,b3")])
def test_a_piece_of_four_colours_may_be_exchanged(before: str, after: str) -> None:
    table = NoisyBoard(20, FOUR)
    match = NoisyMatch(table, Referee(Position.start("classic"), FOUR))
    match.settle()
    for colour, piece in zip(FOUR, ("a1", "a20", "t20", "t1"), strict=True):
        table.lay(colour, piece)
        assert names(match.after_hand()) == ["move"]
    table.lay("blue", before)
    assert names(match.after_hand()) == ["move"]
    table.lift(before)
    table.lay("blue", after)
    assert names(match.after_hand(14)) == ["unsure"]
    choice = next(
        one for one in match.referee.state.candidates if one.move == Move.parse(after, 20)
    )
    assert names(match.referee.resolve(choice, match.moment)) == ["resolved", "undone", "move"]


def test_a_refused_piece_exchanged_for_a_larger_or_smaller_one_is_judged_anew() -> None:
    match = match_with(Takeback.UNTIL_NEXT_MOVE, FIRST, SECOND)
    match.table.lay("purple", "h8,h7,h6,h5,h4")
    assert names(match.after_hand(12)) == ["illegal"]
    match.table.lift("h8")
    assert names(match.after_hand()) == ["withdrawn", "move"]
    match = match_with(Takeback.UNTIL_NEXT_MOVE, FIRST, SECOND)
    match.table.lay("purple", "h6,h5")
    assert names(match.after_hand()) == ["illegal"]
    match.table.lay("purple", "h7")
    assert names(match.after_hand()) == ["move"]
    assert not match.referee.state.refused


def test_a_part_of_the_last_piece_that_no_hand_touched_is_no_other_piece() -> None:
    match = match_with(Takeback.UNTIL_NEXT_MOVE, FIRST, SECOND, LARGE)
    match.settle(2)
    match.table.blur("h5", purple=-4.0)
    assert names(match.settle(14)) == ["disturbed"]
