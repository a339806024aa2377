"""The clock of the players: pure, in seconds that never decrease.

Sudden death: each person has a fixed time for the whole game. Increment (Fischer): each move adds
some seconds. Delay (US): some seconds of each turn are free; the total is the same as with
Bronstein's delay, which adds them after the turn.

A turn is charged until the first clear frame that shows its piece, not until the referee accepts
it, so no player pays for the processing time. An expired clock is only reported: the arbiter
decides.
"""

from dataclasses import dataclass, replace

from firmware.codes import Timing


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Time control of a game.

    Attributes:
        timing: kind of time control.
        clock_s: seconds of each person for the game.
        step_s: seconds that a move adds (increment), or free seconds of each turn (delay).
    """

    timing: Timing = Timing.NONE
    clock_s: float = 0.0
    step_s: float = 0.0

    @property
    def is_timed(self) -> bool:
        """True if the game has a clock."""
        return self.timing is not Timing.NONE


@dataclass(frozen=True, slots=True)
class GameClock:
    """The clocks of all people at one table; immutable.

    A person is an index in the order of play, from 0. A time before the latest one passed in
    counts as the latest: time never runs backwards.

    Attributes:
        pace: time control of the game.
        banks_s: for each person the seconds at the start of the turn; below 0 once time ran out.
        turn: the person whose turn it is; None before the first turn.
        spent_s: seconds of this turn up to `since_s`.
        running: True if the clock of `turn` runs.
        since_s: time of the last start or stop, in seconds.
    """

    pace: TimeControl
    banks_s: tuple[float, ...]
    turn: int | None = None
    spent_s: float = 0.0
    running: bool = False
    since_s: float = float("-inf")

    @staticmethod
    def of(pace: TimeControl, people: int) -> "GameClock":
        """The clock at the start of a game."""
        return GameClock(pace, (pace.clock_s,) * people)

    def left_s(self, now: float) -> tuple[float, ...]:
        """Seconds that each person has left."""
        if self.turn is None:
            return self.banks_s
        return _changed(self.banks_s, self.turn, -self._cost_s(now))

    def free_s(self, now: float) -> float:
        """Free seconds left in this turn; 0 without a delay."""
        if self.pace.timing is not Timing.DELAY:
            return 0.0
        return max(0.0, self.pace.step_s - self.turn_s(now))

    def run(self, person: int, now: float) -> "GameClock":
        """Starts a person's clock; ends a turn of another without counting a move."""
        if self.running and person == self.turn:
            return self
        settled = self if person == self.turn else self.turn_ended(now)
        return replace(
            settled, turn=person, running=True, spent_s=settled.turn_s(now), since_s=self._at(now)
        )

    def stop(self, now: float) -> "GameClock":
        """Stops the clock."""
        if not self.running:
            return self
        return replace(self, running=False, spent_s=self.turn_s(now), since_s=self._at(now))

    def press(self, person: int, now: float) -> "GameClock":
        """Ends a person's turn with a move and stops the clock.

        Args:
            person: the person who moved; pays for the turn even if another's clock ran.
            now: time of the first clear frame that shows the piece, in seconds.
        """
        clock = replace(self, turn=person).turn_ended(now)
        return clock.credited(person, 1)

    def take_back(self, person: int, now: float) -> "GameClock":
        """Undoes a move: takes its increment back, does not refund its time."""
        return self.turn_ended(now).credited(person, -1)

    def restored(self, left_s: tuple[float, ...]) -> "GameClock":
        """The clock after an event of the journal; time since that event is not charged."""
        return replace(GameClock.of(self.pace, len(self.banks_s)), banks_s=left_s)

    def credited(self, person: int, times: int) -> "GameClock":
        """Adds the increment of `times` moves of a person."""
        if self.pace.timing is not Timing.INCREMENT:
            return self
        return replace(self, banks_s=_changed(self.banks_s, person, times * self.pace.step_s))

    def turn_ended(self, now: float) -> "GameClock":
        """Charges the turn so far and stops the clock."""
        return GameClock(
            self.pace, self.left_s(now), None, 0.0, running=False, since_s=self._at(now)
        )

    def _at(self, now: float) -> float:
        return max(now, self.since_s)

    def turn_s(self, now: float) -> float:
        """Seconds of this turn so far, without those in which the clock was stopped."""
        return self.spent_s + (self._at(now) - self.since_s if self.running else 0.0)

    def _cost_s(self, now: float) -> float:
        spent = self.turn_s(now)
        return max(0.0, spent - self.pace.step_s) if self.pace.timing is Timing.DELAY else spent


def _changed(times_s: tuple[float, ...], person: int, by_s: float) -> tuple[float, ...]:
    return tuple(time + by_s if index == person else time for index, time in enumerate(times_s))
