"""The course of a recorded game, for its review."""

from collections.abc import Sequence

from firmware.coach.course import Course, CoursePly
from firmware.records.record import Record
from firmware.records.replay import Entry, ReplayedMove, ReplayedSetup
from firmware.rules.position import Position


def course_of(record: Record, entries: Sequence[Entry]) -> Course:
    """The placements of a replayed record; squares that are no piece are left out.

    Args:
        record: the record of a game.
        entries: its replay.
    """
    plies = tuple(
        CoursePly(entry.number, entry.played.colour, entry.move, entry.before, entry.after)
        for entry in entries
        if isinstance(entry, ReplayedMove) and entry.move is not None
    )
    changes = (one for one in entries if isinstance(one, ReplayedMove | ReplayedSetup))
    final = Position.start(record.game)
    for change in changes:
        final = change.after
    return Course(plies, final, record.scoring)
