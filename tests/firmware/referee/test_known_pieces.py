"""The decision table of the design: accepted pieces that are lifted, moved or covered."""

from firmware.codes import Rule, Takeback
from firmware.game.events import Disturbed, Undone
from firmware.referee.referee import Phase, Referee, RefereeSettings
from firmware.rules.position import Position
from tests.support.noisy_board import (
    FIRST,
    SECOND,
    THIRD,
    NoisyBoard,
    NoisyMatch,
    duo,
    names,
    only,
    rules,
)


def test_the_last_accepted_piece_lifted_is_undone() -> None:
    match = duo(FIRST, SECOND)
    match.table.lift(SECOND)
    event = only(match.after_hand())
    assert isinstance(event, Undone)
    assert (event.ply, event.colour) == (2, 1)
    assert match.referee.state.position.to_move == 1
    match.table.lay("orange", SECOND)
    assert names(match.after_hand()) == ["move"]


def test_the_last_accepted_piece_slid_to_another_legal_place_is_undone_and_moved() -> None:
    match = duo(FIRST, SECOND)
    match.table.lift(SECOND)
    match.table.lay("orange", "j5,j4,j3,k3")
    assert names(match.after_hand()) == ["undone", "move"]


def test_the_last_accepted_piece_slid_by_one_square_is_undone_and_judged_again() -> None:
    match = duo(FIRST, SECOND, THIRD)
    match.table.lift(THIRD)
    match.table.lay("purple", "h5,i6,h6")
    assert names(match.after_hand()) == ["undone", "illegal"]


def test_a_doubt_elsewhere_keeps_no_lifted_piece_from_being_undone() -> None:
    match = duo(FIRST, SECOND)
    match.table.blur("a1", purple=1.4)
    match.after_hand(4)
    match.table.lift(SECOND)
    assert names(match.after_hand()) == ["undone"]


def test_with_an_arbiter_a_lifted_piece_is_disturbed_and_not_undone() -> None:
    table = NoisyBoard()
    settings = RefereeSettings(takeback=Takeback.ARBITER)
    match = NoisyMatch(table, Referee(Position.start("duo"), table.palette, settings=settings))
    match.settle()
    table.lay("purple", FIRST)
    match.after_hand()
    table.lift(FIRST)
    assert names(match.after_hand()) == ["disturbed"]
    table.lay("purple", FIRST)
    assert names(match.after_hand()) == ["restored"]


def test_an_earlier_piece_lifted_is_disturbed_until_it_is_back() -> None:
    match = duo(FIRST, SECOND)
    match.table.lift(FIRST)
    event = only(match.after_hand())
    assert isinstance(event, Disturbed)
    assert [set(one.squares) for one in event.expected] == [set(match.table.squares(FIRST))]
    assert match.referee.phase is Phase.DISTURBED
    assert names(match.settle(4)) == []
    match.table.lay("purple", FIRST)
    assert names(match.after_hand()) == ["restored"]
    assert not match.referee.state.disturbed


def test_an_earlier_piece_pushed_by_a_square_is_disturbed_and_nothing_else() -> None:
    match = duo(FIRST, SECOND)
    match.table.lift(FIRST)
    match.table.lay("purple", "d10,e10,e9,f9,f8")
    event = only(match.after_hand())
    assert isinstance(event, Disturbed)
    assert any(one.colour is None for one in event.seen)


def test_two_disturbed_pieces_are_guided_back_one_step_at_a_time() -> None:
    match = duo(FIRST, SECOND, THIRD)
    match.table.lift(FIRST)
    match.table.lift(SECOND)
    event = only(match.after_hand())
    assert isinstance(event, Disturbed)
    assert len(event.expected) == 2
    match.table.lay("purple", FIRST)
    event = only(match.after_hand())
    assert isinstance(event, Disturbed)
    assert len(event.expected) == 1
    match.table.lay("orange", SECOND)
    assert names(match.after_hand()) == ["restored"]


def test_no_move_is_accepted_while_an_accepted_piece_is_missing() -> None:
    match = duo(FIRST, SECOND)
    match.table.lift(FIRST)
    match.table.lay("purple", THIRD)
    assert names(match.after_hand()) == ["disturbed"]
    match.table.lay("purple", FIRST)
    assert names(match.after_hand()) == ["restored", "move"]


def test_a_piece_laid_on_the_last_one_overlaps_it() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "i6,j6,k6")
    assert rules(only(match.after_hand())) == [Rule.OVERLAP, Rule.NO_OWN_CORNER]


def test_a_pushed_piece_whose_old_square_is_in_doubt_is_no_new_piece() -> None:
    match = duo(FIRST, SECOND, THIRD)
    match.table.blur("j5", orange=-1.0)
    match.table.lay("orange", "k6")
    assert names(match.after_hand()) == []
    match.table.lift("j5")
    match.table.faint.clear()
    assert names(match.after_hand()) == ["disturbed"]


def test_a_disturbed_piece_is_not_back_while_one_of_its_squares_looks_empty() -> None:
    match = duo(FIRST, SECOND, THIRD)
    match.table.lift(SECOND)
    match.table.lift(THIRD)
    assert names(match.after_hand()) == ["disturbed"]
    match.table.lay("orange", SECOND)
    match.table.lay("purple", THIRD)
    match.table.blur("j5", orange=-1.0)
    assert names(match.after_hand()) == []
    match.table.faint.clear()
    assert names(match.after_hand()) == ["restored"]
