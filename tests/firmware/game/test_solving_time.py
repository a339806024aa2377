"""The time of a puzzle: from the first piece, without pauses."""

from collections.abc import Sequence

from firmware.codes import EndReason
from firmware.game.events import (
    EndedByArbiter,
    Event,
    HandEntered,
    Moment,
    MoveAccepted,
    Paused,
    PositionSet,
    Resumed,
    Solved,
    Undone,
)
from firmware.game.solving_time import SolvingTime
from firmware.rules.position import Position
from tests.support.solved_puzzles import TETROMINOES, moves_of

COLOUR, MOVE = moves_of(TETROMINOES)[0]


def at(time_s: float) -> Moment:
    return Moment(int(time_s), time_s)


def laid(time_s: float) -> MoveAccepted:
    return MoveAccepted(*at(time_s), 1, COLOUR, MOVE, 1.0)


def after(events: Sequence[Event]) -> SolvingTime:
    time = SolvingTime()
    for event in events:
        time = time.after(event)
    return time


def test_time_counts_from_the_first_piece() -> None:
    before = after([HandEntered(*at(5))])
    assert (before.is_running, before.seconds(90)) == (False, 0)
    begun = after([HandEntered(*at(5)), laid(10), laid(20)])
    assert (begun.is_running, begun.seconds(25)) == (True, 15)


def test_pieces_that_were_set_begin_it_and_an_empty_board_does_not() -> None:
    empty, set_up = Position.start("puzzle-tetrominoes"), TETROMINOES.lift(MOVE, COLOUR)
    assert not after([PositionSet(*at(1), empty)]).is_running
    assert after([PositionSet(*at(1), set_up)]).seconds(4) == 3


def test_pauses_do_not_count() -> None:
    paused = [laid(10), Paused(*at(20)), EndedByArbiter(*at(25), EndReason.ABANDONED)]
    assert (after(paused).is_running, after(paused).seconds(99)) == (False, 10)
    assert after([*paused, Resumed(*at(100))]).seconds(105) == 15
    assert after([laid(10), Resumed(*at(20))]).seconds(30) == 20


def test_the_end_stops_it_and_a_lifted_piece_continues_it() -> None:
    solved = [laid(10), laid(40), Solved(*at(40))]
    assert (after(solved).is_running, after(solved).seconds(99)) == (False, 30)
    lifted = after([*solved, Undone(*at(50), 2, COLOUR, MOVE)])
    assert (lifted.is_running, lifted.seconds(55)) == (True, 35)
