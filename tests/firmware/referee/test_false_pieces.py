"""Things that look like pieces."""

from firmware.referee.referee import Phase, Referee
from firmware.rules.position import Position
from tests.support.noisy_board import FIRST, SECOND, THIRD, NoisyBoard, NoisyMatch, duo, names


def test_printed_starting_points_that_look_like_pieces_are_none() -> None:
    table = NoisyBoard()
    table.lay("orange", "e10,j5")
    match = NoisyMatch(table, Referee(Position.start("duo"), table.palette))
    assert names(match.settle(6)) == ["board-found"]
    table.lay("purple", FIRST)
    assert names(match.after_hand(6)) == ["move"]
    table.lay("orange", SECOND)
    assert names(match.after_hand()) == ["move"]


def test_a_single_square_laid_on_a_starting_point_is_a_move() -> None:
    match = duo()
    match.table.lay("purple", "e10")
    assert names(match.after_hand()) == ["move"]


def test_a_thing_as_large_as_three_pieces_is_no_piece_and_nothing_is_reported_of_it() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("orange", "k9,l9,m9,n9,k10,l10,m10,n10,k11,l11,m11,n11")
    assert names(match.after_hand(6)) == []
    assert not match.referee.state.refused
    assert match.referee.phase.value == "unsure"
    match.table.lift("k9,l9,m9,n9,k10,l10,m10,n10,k11,l11,m11,n11")
    match.table.lay("purple", THIRD)
    assert names(match.after_hand()) == ["move"]
    assert match.referee.phase is Phase.ACCEPTED


def test_a_printed_starting_point_is_no_move_when_a_game_is_taken_up() -> None:
    match = duo(FIRST)
    match.table.lay("orange", "j5")  # a ring that looks like it
    again = NoisyMatch(match.table, Referee(match.referee.state, match.table.palette))
    assert names(again.settle(6)) == ["board-found"]
    match.table.lift("j5")
    match.table.lay("orange", SECOND)
    assert names(again.after_hand()) == ["move"]
