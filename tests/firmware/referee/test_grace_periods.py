"""Pieces may be straightened before they are refused, and uncovered before they are missing."""

from firmware.codes import Rule
from tests.support.noisy_board import FIRST, OFF, SECOND, THIRD, duo, names, only, rules


def test_a_legal_piece_that_lies_askew_beside_its_own_has_seconds_to_be_straightened() -> None:
    """The square too many is plainly seen, and makes it another piece that breaks a rule."""
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h8,h7,h6")
    assert names(match.after_hand(4)) == []
    match.table.lift("h8,h7,h6")
    match.table.lay("purple", "h7,h6")
    assert names(match.after_hand()) == ["move"]


def test_a_legal_piece_that_lies_askew_like_one_that_was_used_has_seconds_to_be_straightened() -> (
    None
):
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h7,h6,g6,g5,f5")
    assert names(match.after_hand(4)) == []
    match.table.lift("g5,f5")
    assert names(match.after_hand()) == ["move"]


def test_a_piece_that_was_used_and_is_laid_again_is_refused() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h7,h6,g6,g5,f5")
    assert rules(only(match.after_hand(8))) == [Rule.PIECE_USED]


def test_nobody_is_early_while_the_piece_before_may_lie_askew() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h8,h7,h6")
    match.table.lay("orange", OFF)
    assert names(match.after_hand(4)) == []
    match.table.lift("h8,h7,h6")
    match.table.lay("purple", "h7,h6")
    assert names(match.after_hand()) == ["move", "move"]


def test_hands_that_come_and_go_do_not_put_off_a_refusal() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h8,h7,h6")
    events = [event for _ in range(4) for event in match.after_hand(3)]
    assert names(events) == ["illegal"]


def test_a_piece_that_is_not_straightened_is_refused() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h8,h7,h6")
    assert rules(only(match.after_hand(8))) == [Rule.TOUCHES_OWN_SIDE]


def test_a_square_of_the_last_piece_that_reads_empty_makes_no_smaller_move_of_it() -> None:
    match = duo(FIRST)
    match.table.blur("g8", purple=-4.0)
    assert names(match.settle(7)) == []
    assert names(match.settle(4)) == ["disturbed"]


def test_a_piece_of_which_a_square_looks_empty_for_a_moment_is_not_disturbed() -> None:
    match = duo(FIRST, SECOND)
    match.table.blur("g8", purple=-4.0)
    assert names(match.settle(6)) == []
    match.table.faint.clear()
    assert names(match.settle(12)) == []
    match.table.lay("purple", THIRD)
    assert names(match.after_hand()) == ["move"]
