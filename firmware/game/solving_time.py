"""The time that a puzzle takes: from its first piece to its last, without pauses. Pure."""

from dataclasses import dataclass, replace

from firmware.game.events import (
    EndedByArbiter,
    Event,
    MoveAccepted,
    Overruled,
    Paused,
    PositionSet,
    Resumed,
    Solved,
    Undone,
)

_STOPS = (Paused, EndedByArbiter, Solved)
"""Events that stop the time."""

_CONTINUES = (Resumed, Undone, MoveAccepted, Overruled, PositionSet)
"""Events after which it runs on."""


@dataclass(frozen=True, slots=True)
class SolvingTime:
    """The time of a puzzle after its events so far.

    Attributes:
        begun_s: time of the event that put the first piece on the board; None before.
        stopped_s: time of the event that stopped it; None while it runs.
        idle_s: seconds between earlier stops and what followed each.
    """

    begun_s: float | None = None
    stopped_s: float | None = None
    idle_s: float = 0.0

    @property
    def is_running(self) -> bool:
        """True while the time counts up."""
        return self.begun_s is not None and self.stopped_s is None

    def after(self, event: Event) -> "SolvingTime":
        """The time after an event."""
        if self.begun_s is None:
            return replace(self, begun_s=event.time) if _puts_piece(event) else self
        if isinstance(event, _STOPS) and self.stopped_s is None:
            return replace(self, stopped_s=event.time)
        if isinstance(event, _CONTINUES) and self.stopped_s is not None:
            idle_s = self.idle_s + event.time - self.stopped_s
            return replace(self, stopped_s=None, idle_s=idle_s)
        return self

    def seconds(self, time_s: float) -> float:
        """The seconds taken.

        Args:
            time_s: present time in seconds since the game began.
        """
        if self.begun_s is None:
            return 0.0
        end_s = time_s if self.stopped_s is None else self.stopped_s
        return max(0.0, end_s - self.begun_s - self.idle_s)


def _puts_piece(event: Event) -> bool:
    if isinstance(event, PositionSet):
        return bool(event.position.occupied)
    return isinstance(event, MoveAccepted | Overruled)
