"""A thing that is left over the board is told with its squares, and is no hand."""

from firmware.game.event_codec import from_json, to_json
from firmware.game.events import CoveredBy, HandEntered
from firmware.referee.referee import Phase
from firmware.rules.variants import EDITIONS
from tests.support.noisy_board import FIRST, SECOND, NoisyMatch, duo, names

CUP = "g2,g3,h2,h3,i2,i3"


def with_cup() -> NoisyMatch:
    match = duo(FIRST, SECOND)
    match.show(hand=True)
    match.table.covered = set(match.table.squares(CUP))
    match.show(hand=True)
    return match


def test_what_stays_when_the_hand_is_gone_is_an_object_with_its_squares() -> None:
    match = with_cup()
    match.events.clear()
    match.settle(6)
    (event,) = match.events
    assert isinstance(event, HandEntered)
    assert event.by is CoveredBy.OBJECT
    assert set(event.covered) == set(match.table.squares(CUP))
    assert match.referee.covered == event.covered
    assert match.referee.phase is not Phase.HAND


def test_when_it_is_taken_away_the_board_is_clear() -> None:
    match = with_cup()
    match.settle(6)
    match.table.covered.clear()
    match.events.clear()
    match.settle(6)
    assert [one.name for one in match.events] == ["clear"]


def test_a_hand_over_it_leaves_it_there() -> None:
    match = with_cup()
    match.settle(6)
    match.events.clear()
    match.show(hand=True)
    match.settle(6)
    assert [one.by for one in match.events if isinstance(one, HandEntered)] == [
        CoveredBy.HAND,
        CoveredBy.OBJECT,
    ]


def test_shadows_on_single_squares_are_no_objects() -> None:
    match = duo(FIRST, SECOND)
    match.table.covered = set(match.table.squares("g2,k9"))
    assert names(match.settle(6)) == []


def test_its_squares_and_kind_are_in_the_event_and_may_be_missing_in_old_ones() -> None:
    edition = EDITIONS["purple-orange"]
    event = HandEntered(1, 0.5, CoveredBy.OBJECT, (0, 1))
    line = to_json(event, 14, edition)
    assert line == {
        "frame": 1,
        "time": 0.5,
        "event": "hand",
        "by": "object",
        "squares": ["a14", "b14"],
    }
    assert from_json(line, 14, edition) == event
    old = {"frame": 1, "time": 0.5, "event": "hand"}
    assert from_json(old, 14, edition) == HandEntered(1, 0.5)
