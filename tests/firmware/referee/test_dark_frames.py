"""Lit frames make no decision; they may request dark frames, with limits."""

from firmware.game.events import Event, MoveAccepted
from firmware.referee.dark_frames import HAND_S, SOON_S, STEADY_S
from firmware.referee.referee import Phase, Referee
from firmware.rules.position import Position
from tests.support.noisy_board import NoisyBoard, NoisyMatch, names

FIRST = "e10,f10,f9,g9,g8"


def begun() -> NoisyMatch:
    match = NoisyMatch(NoisyBoard(), Referee(Position.start("duo"), ("purple", "orange")))
    match.settle()
    return match


def lit(match: NoisyMatch, frames: int = 1, *, hand: bool = False) -> list[Event]:
    """Frames exposed while lights were lit."""
    found = []
    for _ in range(frames):
        match.frame += 1
        reading = match.table.reading(hand=hand)
        found += match.referee.see(reading, match.moment, dark=False)
        match.now += match.step
    return found


def test_a_piece_is_accepted_from_dark_frames_only() -> None:
    match = begun()
    match.table.lay("purple", FIRST)
    lit(match, hand=True)
    assert names(lit(match, 20)) == []
    assert match.referee.phase is Phase.SETTLING
    assert [type(one) for one in match.settle(2)] == [MoveAccepted]


def test_a_hand_is_seen_in_lit_frames_too() -> None:
    match = begun()
    assert [one.name for one in lit(match, hand=True)] == ["hand"]
    assert [one.name for one in lit(match)] == ["clear"]


def test_a_piece_laid_unseen_beside_the_lights_asks_for_the_dark() -> None:
    match = begun()
    match.table.lay("purple", FIRST)
    assert lit(match) == []
    assert match.referee.wants_dark
    assert [type(one) for one in match.settle(3)] == [MoveAccepted]
    assert not match.referee.wants_dark


def test_light_that_is_taken_for_a_piece_darkens_a_quarter_of_the_time_at_most() -> None:
    match = begun()
    dark = 0
    for _ in range(60):
        match.table.lay("purple", FIRST)
        lit(match)
        match.table.lift(FIRST)
        dark += match.referee.wants_dark
        assert names(match.settle(2)) == []
    assert 5 <= dark <= 15


def test_lights_that_stay_on_go_out_for_a_look_now_and_then() -> None:
    match = begun()
    for longest_s in (SOON_S, STEADY_S, STEADY_S):
        lit(match, int(longest_s / match.step) - 1)
        assert not match.referee.wants_dark
        lit(match, 2)
        assert match.referee.wants_dark
        assert names(match.settle(2)) == []
        assert not match.referee.wants_dark


def test_a_hand_that_stays_is_looked_at_in_the_dark() -> None:
    match = begun()
    lit(match, 6, hand=True)
    assert not match.referee.wants_dark
    lit(match, 2, hand=True)
    assert match.referee.wants_dark
    lit(match)
    assert match.referee.phase is Phase.SETTLING
    match.settle(2)
    assert not match.referee.wants_dark


def test_light_that_is_taken_for_a_hand_now_and_then_is_looked_at_in_the_dark() -> None:
    """Each such frame would light the board again, and dark frames of a slow camera never come."""
    match = begun()
    wanted = []
    for number in range(30):
        lit(match, hand=number % 3 < 2)
        wanted.append(match.referee.wants_dark)
    assert all(wanted[round(HAND_S / match.step) + 2 :])
    assert names(match.settle(2)) == []
    lit(match, hand=True)
    assert not match.referee.wants_dark
