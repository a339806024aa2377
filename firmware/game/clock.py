"""The time of the players: pure, in seconds that only go forward.

Sudden death: each person has so long for the whole game. Increment (Fischer): and gets some
seconds more with each move. Delay (the US kind): some seconds of each turn are free; as a total
the same as Bronstein's, which gives them back afterwards.

A turn is charged until the first clear frame that shows its piece, not until the referee was
sure of it, so nobody pays for the table's thinking. What the clock says when the time is up is
reported, never acted on: the arbiter decides.
"""

from dataclasses import dataclass, replace
from enum import StrEnum


class Timing(StrEnum):
    """How time is kept."""

    NONE = "none"
    SUDDEN_DEATH = "sudden-death"
    INCREMENT = "increment"
    DELAY = "delay"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How fast a game is to be played.

    Attributes:
        timing: how time is kept.
        clock_s: seconds that each person has.
        step_s: seconds that a move adds (increment), or that a turn has free (delay).
    """

    timing: Timing = Timing.NONE
    clock_s: float = 0.0
    step_s: float = 0.0

    @property
    def is_timed(self) -> bool:
        """Whether time is kept at all."""
        return self.timing is not Timing.NONE


@dataclass(frozen=True, slots=True)
class GameClock:
    """The time of everybody at one table, at one moment; a change makes another.

    A person is a place in the order of play, from 0. Moments before one that was told already
    count as that one: time never runs backwards.

    Attributes:
        pace: how fast the game is to be played.
        banks_s: seconds that each person had when their turn began; less than 0 once time ran
            out.
        turn: whose turn it is; None before the first.
        spent_s: seconds of this turn up to `since_s`.
        running: whether the time of `turn` runs.
        since_s: when it was last started or stopped.
    """

    pace: TimeControl
    banks_s: tuple[float, ...]
    turn: int | None = None
    spent_s: float = 0.0
    running: bool = False
    since_s: float = float("-inf")

    @staticmethod
    def of(pace: TimeControl, people: int) -> "GameClock":
        """The clock of a game that begins."""
        return GameClock(pace, (pace.clock_s,) * people)

    def left_s(self, now: float) -> tuple[float, ...]:
        """What each person has left."""
        if self.turn is None:
            return self.banks_s
        return _changed(self.banks_s, self.turn, -self._cost_s(now))

    def free_s(self, now: float) -> float:
        """Seconds of this turn that are still free; 0 unless the pace has a delay."""
        if self.pace.timing is not Timing.DELAY:
            return 0.0
        return max(0.0, self.pace.step_s - self.turn_s(now))

    def run(self, person: int, now: float) -> "GameClock":
        """Time runs for a person; a turn of another ends without being counted as a move."""
        if self.running and person == self.turn:
            return self
        settled = self if person == self.turn else self.turn_ended(now)
        return replace(
            settled, turn=person, running=True, spent_s=settled.turn_s(now), since_s=self._at(now)
        )

    def stop(self, now: float) -> "GameClock":
        """Time stands still."""
        if not self.running:
            return self
        return replace(self, running=False, spent_s=self.turn_s(now), since_s=self._at(now))

    def press(self, person: int, now: float) -> "GameClock":
        """A person's move is made; the clock stands until it runs for somebody.

        Args:
            person: who moved. Where the time ran for somebody else, it was theirs in truth.
            now: the first clear frame that shows the piece.
        """
        clock = replace(self, turn=person).turn_ended(now)
        return clock.credited(person, 1)

    def take_back(self, person: int, now: float) -> "GameClock":
        """A move is undone: the time it took stays taken, what it brought is given back."""
        return self.turn_ended(now).credited(person, -1)

    def restored(self, left_s: tuple[float, ...]) -> "GameClock":
        """The clock as it stood with an event of the journal; what was never told is free."""
        return replace(GameClock.of(self.pace, len(self.banks_s)), banks_s=left_s)

    def credited(self, person: int, times: int) -> "GameClock":
        """What so many moves of a person bring."""
        if self.pace.timing is not Timing.INCREMENT:
            return self
        return replace(self, banks_s=_changed(self.banks_s, person, times * self.pace.step_s))

    def turn_ended(self, now: float) -> "GameClock":
        """The turn so far is paid, and nobody's time runs."""
        return GameClock(
            self.pace, self.left_s(now), None, 0.0, running=False, since_s=self._at(now)
        )

    def _at(self, now: float) -> float:
        return max(now, self.since_s)

    def turn_s(self, now: float) -> float:
        """Seconds of this turn so far, without those in which time stood still."""
        return self.spent_s + (self._at(now) - self.since_s if self.running else 0.0)

    def _cost_s(self, now: float) -> float:
        spent = self.turn_s(now)
        return max(0.0, spent - self.pace.step_s) if self.pace.timing is Timing.DELAY else spent


def _changed(times_s: tuple[float, ...], person: int, by_s: float) -> tuple[float, ...]:
    return tuple(time + by_s if who == person else time for who, time in enumerate(times_s))
