"""Writes the events of a game to a record, for `watch` and for finished games."""

from typing import Final

from firmware.game.events import Event, MoveAccepted, MoveRefused, Overruled, PositionSet, Undone
from firmware.game.seating import person_of
from firmware.game.solving_time import SolvingTime
from firmware.game.state import GameState, apply_event
from firmware.records.record import Record
from firmware.rules.position import Position


class RecordWriter:
    """Writes a record event by event.

    Args:
        record: an empty record of the game.

    Attributes:
        record: the record so far.
        state: state of the game after the events so far.
        taken_s: seconds that a puzzle took until the newest event; 0 in a game.
    """

    def __init__(self, record: Record) -> None:
        self.record: Final = record
        self.state = GameState(Position.start(record.game))
        self.taken_s = 0.0
        self._time = SolvingTime()
        self._lifted_in: int | None = None

    def add(self, event: Event) -> None:
        """Adds an event to the record, if it has a form in it.

        Raises:
            IllegalMoveError: the event cannot follow those before it.
        """
        before = self.state.position
        self.state = apply_event(self.state, event)
        match event:
            case MoveAccepted():
                left_s, seen = _left_s(event, before), event.order_seen is not False
                self.record.play(event.move, event.colour, seconds_left=left_s, order_seen=seen)
            case Overruled():
                rules = [violation.rule for violation in event.violations]
                left_s = _left_s(event, before)
                self.record.play(event.move, event.colour, overruled=rules, seconds_left=left_s)
            case PositionSet():
                self.record.set_position(before, event.position)
            case Undone() if before.game.puzzle is not None:
                self.record.lift(event.move, together=event.frame == self._lifted_in)
            case Undone():
                self.record.take_back()
            case MoveRefused():
                self.record.attempt(event.squares, event.colour)
            case _:
                pass
        if before.game.puzzle is not None:
            self._note_time(event)

    def _note_time(self, event: Event) -> None:
        """Writes the time of a puzzle after each change of its board."""
        self._time = self._time.after(event)
        self.taken_s = self._time.seconds(event.time)
        self._lifted_in = event.frame if isinstance(event, Undone) else None
        if isinstance(event, MoveAccepted | Overruled | PositionSet | Undone):
            self.record.time(self.taken_s)


def _left_s(event: MoveAccepted | Overruled, before: Position) -> float | None:
    """Seconds left to the person who moved; None without a clock."""
    if event.left_s is None:
        return None
    return max(0.0, event.left_s[person_of(before, event.colour)])
