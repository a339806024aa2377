"""Unexplained squares are reported after a while; until then the lights stay out."""

import pytest

from firmware.game.events import ColouredSquares, Dismissed, Unsure
from firmware.referee.referee import Phase, Referee
from firmware.referee.unexplained import LASTS_S
from firmware.rules.position import Position
from tests.support.noisy_board import FIRST, SECOND, THIRD, NoisyBoard, NoisyMatch, duo, names, only

LASTS = round(LASTS_S / 0.5)


def reported(match: NoisyMatch, frames: int = 2 * LASTS) -> Unsure:
    event = only(match.settle(frames))
    assert isinstance(event, Unsure)
    return event


def test_a_square_that_turns_vague_is_mentioned_after_some_seconds() -> None:
    match = duo(FIRST, SECOND)
    match.settle(2)
    match.table.blur("m3", purple=0.0)
    assert names(match.settle(LASTS - 1)) == []
    assert match.referee.wants_dark
    event = reported(match)
    assert event.candidates == ()
    assert [patch.squares for patch in event.unclear] == [tuple(match.table.squares("m3"))]
    assert match.referee.phase is Phase.UNSURE
    assert not match.referee.wants_dark


@pytest.mark.parametrize("squares", ["m3", "m3,n3,m4", "a1,b1,c1,d1,e1"])
def test_a_few_squares_that_are_seen_no_longer_are_mentioned(squares: str) -> None:
    match = duo(FIRST, SECOND)
    match.settle(2)
    match.table.covered = set(match.table.squares(squares))
    event = reported(match)
    assert {s for patch in event.unclear for s in patch.squares} == match.table.covered
    match.table.covered = set()
    assert names(match.settle(8)) == ["resolved"]


def test_a_thing_that_is_no_hand_is_reported_as_a_cover() -> None:
    match = duo(FIRST, SECOND)
    match.settle(2)
    match.table.covered = set(match.table.squares("l1,m1,n1,l2,m2,n2,l3,m3,n3"))
    assert names(match.settle(4)) == []
    assert match.referee.covered == ()
    assert names(match.settle(10)) == []
    assert set(match.referee.covered) == match.table.covered
    match.table.covered = set()
    match.settle(2)
    assert match.referee.covered == ()


def test_a_square_that_was_never_seen_for_sure_is_not_mentioned() -> None:
    table = NoisyBoard()
    table.blur("m3", purple=0.0)
    match = NoisyMatch(table, Referee(Position.start("duo"), table.palette))
    match.settle()
    table.lay("purple", FIRST)
    assert names(match.after_hand(4 * LASTS)) == ["move"]


def test_a_dark_piece_on_a_dark_board_is_mentioned() -> None:
    """Two squares of black that still look rather bare, 0.71 and 0.91, where both were sure."""
    match = duo(FIRST, SECOND)
    match.settle(2)
    match.table.blur("k5", purple=-0.92)
    match.table.blur("k4", purple=-2.36)
    assert reported(match).unclear == (ColouredSquares(None, tuple(match.table.squares("k5"))),)


def test_an_accepted_piece_that_fades_is_mentioned() -> None:
    match = duo(FIRST, SECOND)
    match.settle(2)
    match.table.blur("j5", orange=-1.0)
    assert reported(match).unclear == (ColouredSquares(None, tuple(match.table.squares("j5"))),)


def test_what_is_mentioned_does_not_keep_the_next_move_from_being_accepted() -> None:
    match = duo(FIRST, SECOND)
    match.settle(2)
    match.table.blur("m3", purple=0.0)
    reported(match)
    match.table.lay("purple", THIRD)
    assert "move" in names(match.after_hand(4))


def test_a_person_who_says_that_it_is_nothing_is_not_asked_again() -> None:
    match = duo(FIRST, SECOND)
    match.settle(2)
    match.table.covered = set(match.table.squares("m3,n3"))
    reported(match)
    events = match.referee.resolve(None, match.moment)
    assert names(events) == ["resolved", "dismissed"]
    assert isinstance(events[-1], Dismissed)
    assert names(match.settle(4 * LASTS)) == []
    match.table.covered = set()
    assert names(match.settle(LASTS)) == ["lifted"]


def test_it_is_mentioned_beside_a_cup_too() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h7,h6")
    match.table.blur("h5", purple=0.2)
    match.table.covered = set(match.table.squares("l1,m1,n1,l2,m2,n2,l3,m3,n3"))
    events = [event for _ in range(40) for event in match.show(hand=True)]
    assert "unsure" in names(events)


def test_a_refused_piece_that_fades_is_no_news() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "a1,a2")
    assert names(match.after_hand()) == ["illegal"]
    match.table.blur("a2", purple=0.5)
    assert names(match.settle(3 * LASTS)) == []


def test_a_square_that_flickers_is_mentioned_and_holds_nothing_up() -> None:
    match = duo(FIRST, SECOND)
    match.settle(2)
    events = []
    for turn in range(30):
        match.table.faint.clear()
        if turn % 2:
            match.table.blur("m3", purple=5.0)
        events += names(match.show())
    assert "unsure" in events
    assert "move" not in events
    match.table.lay("purple", THIRD)
    match.show(hand=True)
    for turn in range(12):
        match.table.faint.clear()
        if turn % 2:
            match.table.blur("m3", purple=5.0)
        events += names(match.show())
    assert "move" in events


def test_a_picture_that_stays_blurred_is_reported() -> None:
    match = duo(FIRST)
    events = [event for _ in range(20) for event in match.show(blurred=True)]
    assert names(events) == ["board-lost"]
    assert "blurred" in events[-1].reason  # type: ignore[attr-defined]
    assert match.referee.phase is Phase.BOARD_LOST
    assert names(match.settle(3)) == ["board-found"]


def test_the_squares_of_a_hand_that_never_rests_are_reported() -> None:
    match = duo(FIRST)
    squares = "ab", "bc", "cd", "de"
    for number in range(24):
        column = squares[number % 4]
        match.table.covered = set(
            match.table.squares(",".join(f"{c}{row}" for c in column for row in (1, 2, 3)))
        )
        match.show(hand=True)
    assert match.referee.phase is Phase.HAND
    assert match.referee.covered
