"""Who wins a game that ended early: by time, by resignation, or not at all."""

from collections.abc import Sequence

import pytest

from firmware.codes import EndReason, Scoring
from firmware.game.events import EndedByArbiter, Event, Resigned, TimedOut
from firmware.game.result import game_result, sgf_result
from firmware.game.state import GameState, apply_event
from firmware.rules.position import Position
from firmware.rules.variants import GAMES

AHEAD = "duo free 2 | e10,f10,f9,g9,g8 |"
"""Purple has laid five squares, orange none."""


def ended(position: Position, how: EndReason, *before: Event) -> str:
    """Returns the result of a game that the arbiter ended, as in records."""
    state = GameState(position)
    for event in (*before, EndedByArbiter(9, 90.0, how)):
        state = apply_event(state, event)
    return sgf_result(state, Scoring.ADVANCED)


@pytest.mark.parametrize(
    ("how", "before", "result"),
    [
        (EndReason.SCORE, [], "B+5"),
        # A clock that ran out decides only a game that ended by time.
        (EndReason.SCORE, [TimedOut(1, 1.0, (0,))], "B+5"),
        (EndReason.TIME, [TimedOut(1, 1.0, (0,))], "W+Time"),
        (EndReason.RESIGNED, [Resigned(1, 1.0, (0,))], "W+Resign"),
        (EndReason.ABANDONED, [], "Void"),
    ],
)
def test_a_side_that_gave_up_or_lost_on_time_does_not_win(
    how: EndReason, before: Sequence[Event], result: str
) -> None:
    assert ended(Position.parse(AHEAD), how, *before) == result


def test_of_four_people_the_best_of_those_who_had_time_win_together() -> None:
    position = Position.start(GAMES["classic"])
    out = TimedOut(1, 1.0, (2,))
    state = GameState(position)
    for event in (out, EndedByArbiter(9, 90.0, EndReason.TIME)):
        state = apply_event(state, event)
    found = game_result(state, Scoring.ADVANCED)
    assert found is not None
    assert (found.winner, found.tied) == ((), (0, 1, 3))
