"""The steps back to the accepted position."""

from firmware.game.restoration import next_restore_step
from firmware.game.state import GameState
from tests.support.noisy_board import FIRST, SECOND, THIRD, NoisyMatch, duo, names


def squares(match: NoisyMatch, text: str) -> tuple[int, ...]:
    return tuple(match.table.squares(text))


def step(match: NoisyMatch) -> tuple[int, set[int], set[int]]:
    """The next step, its squares as sets."""
    found = next_restore_step(match.referee.state)
    assert found is not None
    return found.colour, set(found.current_squares), set(found.target_squares)


def test_a_board_as_it_was_accepted_needs_no_step() -> None:
    assert next_restore_step(GameState(duo(FIRST).referee.state.position)) is None


def test_a_piece_that_was_pushed_goes_back_from_where_it_lies_now() -> None:
    match = duo(FIRST, SECOND, THIRD)
    pushed = "d10,e10,e9,f9,f8"
    match.table.lift(FIRST)
    match.table.lay("purple", pushed)
    assert names(match.after_hand()) == ["disturbed"]
    assert step(match) == (0, set(squares(match, pushed)), set(squares(match, FIRST)))


def test_a_piece_that_is_gone_is_asked_for_by_its_place() -> None:
    match = duo(FIRST, SECOND, THIRD)
    match.table.lift(SECOND)
    match.after_hand()
    assert step(match) == (1, set(), set(squares(match, SECOND)))


def test_two_pieces_are_led_back_one_after_the_other() -> None:
    match = duo(FIRST, SECOND, THIRD)
    match.table.lift(FIRST)
    match.table.lift(SECOND)
    match.table.lay("orange", "k10,l10,m10,m11")
    assert names(match.after_hand()) == ["disturbed"]
    # The piece that is on the board goes first.
    assert step(match)[0] == 1
    match.table.lift("k10,l10,m10,m11")
    match.table.lay("orange", SECOND)
    assert names(match.after_hand()) == ["disturbed"]
    assert step(match) == (0, set(), set(squares(match, FIRST)))
    match.table.lay("purple", FIRST)
    assert names(match.after_hand()) == ["restored"]
    assert next_restore_step(match.referee.state) is None


def test_a_piece_that_wanders_on_is_followed() -> None:
    match = duo(FIRST, SECOND, THIRD)
    match.table.lift(SECOND)
    match.table.lay("orange", "k10,l10,m10,m11")
    match.after_hand()
    match.table.lift("k10,l10,m10,m11")
    match.table.lay("orange", "a1,a2,a3,b3")
    assert names(match.after_hand(4)) == ["disturbed"]
    assert step(match)[1] == set(squares(match, "a1,a2,a3,b3"))
    assert names(match.after_hand(4)) == []


def test_a_piece_in_the_place_of_another_goes_first_and_two_in_a_ring_begin_with_a_lift() -> None:
    match = duo(FIRST, SECOND, THIRD)
    match.table.lift(FIRST)
    match.table.lift(SECOND)
    match.table.lay("purple", "j7,k7,k6,l6,l5")
    match.after_hand()
    # The place of the purple piece is free, that of the orange one is not.
    assert step(match)[0] == 0
    match.table.lay("orange", "e10,e11,e12,f12")
    match.after_hand()
    assert step(match) == (1, set(squares(match, "e10,e11,e12,f12")), set())
