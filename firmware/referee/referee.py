"""The referee: readings in, events out.

`see` takes every frame. While hands or motion are over the board it only waits; once the board
is steady it explains what has changed, has the explanation judged by the rules, and says what
follows. It holds no clock and decides nothing by haste: where two explanations are close it is
unsure and says so. What a person at the table rules comes in beside the frames.
"""

from typing import Final

import numpy as np

from firmware.game.config import TurnEnd
from firmware.game.events import BoardMoved, Candidate, Event, Moment
from firmware.game.state import GameState
from firmware.referee import arbiter_rulings
from firmware.referee.board_visibility import BoardVisibility
from firmware.referee.dark_frames import DarkFrames
from firmware.referee.decision import DecisionMaker
from firmware.referee.event_log import EventLog
from firmware.referee.orientation import OrientationTracker
from firmware.referee.phase import Phase, PhaseInputs, phase
from firmware.referee.settings import RefereeSettings
from firmware.referee.square_timer import SquareTimer
from firmware.referee.static_occlusion import SquareMask, StaticOcclusionTracker
from firmware.referee.steadiness import LogProbabilities, SteadinessTracker, evidence_of
from firmware.rules.position import Position
from firmware.rules.variants import Colour, Edition
from vision.reading import BoardNotFound, Reading

_COVER_S: Final = 2.0
"""Seconds after which other covered squares are told: a cover that stirs changes all the time."""


class Referee:
    """Follows one game."""

    def __init__(
        self,
        game: Position | GameState,
        palette: Edition,
        *,
        first: str | None = None,
        turned: int | None = None,
        settings: RefereeSettings | None = None,
    ) -> None:
        """A referee for a game that begins, stands, or is taken up again.

        Args:
            game: the position it begins from, or what its events so far add up to.
            palette: names of the colours that are played; in games of four colours in the order
                of play.
            first: name of the colour that begins, where it is known. Otherwise, in a game of
                two colours, the first that is laid.
            turned: the clockwise turn from the reader's frame to the game's, where it is known.
            settings: how to work.

        Raises:
            ValueError: there are not as many names as colours, or `first` is none of them.
        """
        state = GameState(game) if isinstance(game, Position) else game
        if len(palette) != len(state.position.game.colours):
            raise ValueError(f"{state.position.game.title} is not played with {palette}")
        self._settings: Final = settings or RefereeSettings()
        self._orientation: Final = OrientationTracker(state, palette, first, turned)
        self._log: Final = EventLog(state, self._orientation)
        taken_up = isinstance(game, GameState)
        self._decisions: Final = DecisionMaker(self._log, self._settings, returning=taken_up)
        self._visibility: Final = BoardVisibility(self._settings.presence)
        self._steadiness: Final = SteadinessTracker(self._settings.settling)
        self._occlusion: Final = StaticOcclusionTracker(self._settings.resting)
        self._unseen: Final = SquareTimer()
        self._covered = np.empty(0, np.int64)
        self._steady = False
        self._dark: Final = DarkFrames(self._settings.dark)
        # A board that no hand has touched yet is judged without a button.
        self._hand_at = self._ended_at = self._covered_at = float("-inf")
        self._hand_since = float("inf")

    @property
    def state(self) -> GameState:
        """What the events so far add up to."""
        return self._log.state

    @property
    def phase(self) -> Phase:
        """What the table is doing."""
        return phase(
            PhaseInputs(
                found=self._visibility.found,
                hand=self._visibility.hand,
                steady=self._steady,
                disturbed=bool(self.state.disturbed),
                refused=bool(self.state.refused),
                unsure=self._decisions.puzzled or self.state.in_doubt or bool(self.state.asked),
                over=self.state.over,
                accepted=self._log.accepted,
            )
        )

    @property
    def wants_dark(self) -> bool:
        """Whether the lights have to be out now, so that frames can decide."""
        looks = self.phase in (Phase.SETTLING, Phase.BOARD_LOST)
        waits = self._steady and self._decisions.questions.waiting
        return looks or waits or self._dark.wanted

    @property
    def edition(self) -> Edition:
        """Names of the colours in the order of play; provisional until a piece was accepted."""
        return self._orientation.edition

    @property
    def turned(self) -> int | None:
        """The clockwise turn from the reader's frame to the game's; None until it is known."""
        return self._orientation.turned

    @property
    def covered(self) -> tuple[int, ...]:
        """Squares of the game's frame under something that lies still; what hides there waits."""
        seen = set(self._covered.tolist())
        mapping, squares = self._orientation.mapping, range(self.state.position.board.squares)
        return tuple(square for square in squares if mapping.seen_at(square) in seen)

    def rename(self, palette: Edition) -> None:
        """Takes other names for the colours, as long as no piece was accepted.

        Raises:
            ValueError: `first` is none of them.
        """
        if palette == self._orientation.palette:
            return
        self._orientation.rename(self.state, palette)
        self._decisions.rename()
        # Frames that wait to be combined were in terms of the other names.
        self._steadiness.forget()

    def see(
        self,
        reading: Reading | BoardNotFound,
        moment: Moment,
        *,
        dark: bool = True,
        stuck: frozenset[int] = frozenset(),
    ) -> list[Event]:
        """Takes the next frame.

        Args:
            reading: what it shows.
            moment: its number, and the time at which it was taken; never less than before.
            dark: whether it was exposed wholly while no light was lit. Others tell of hands and
                that something may have changed; what that is, only dark ones decide.
            stuck: squares of the reader's frame whose LEDs nobody can put out.

        Returns:
            What happened, in order.
        """
        if isinstance(reading, BoardNotFound):
            self._touch(moment.time)
            self._hand_left()
            self._unseen.reset()
            self._covered = np.empty(0, np.int64)
            return self._visibility.miss(reading, moment)
        events = self._visibility.see(reading, moment)
        if reading.hand:
            self._hand_at, self._hand_since = moment.time, min(moment.time, self._hand_since)
            self._dark.hand(moment.time, dark=dark)
        elif not reading.blurred:
            self._hand_left()
        if reading.hand or reading.blurred:
            events += self._decisions.questions.ask_before_hand(moment)
            self._touch(moment.time)
            return events + (self._beside(reading, moment) if dark else [])
        if any(isinstance(event, BoardMoved) for event in events):
            self._steadiness.moved()
        evidence = evidence_of(reading, self._orientation.palette)
        if not dark:
            self._look(reading, evidence, moment.time)
            return events
        looking = self._dark.asked
        self._dark.dark(moment.time)
        unseen_s = self._unseen.update(reading.covered, moment.time)
        self._cover_is(unseen_s >= self._settings.resting.still_s, moment.time)
        steady = self._steadiness.add(evidence, moment.time)
        if steady is not None or not looking:
            self._steady = steady is not None and self._turn_has_ended
        if steady is not None and self._turn_has_ended:
            light = reading.lightness if len(reading.lightness) else None
            events += self._decisions.decide(steady, moment, lightness=light, hidden=stuck)
        return events

    # What a person says

    def resolve(self, choice: Candidate | None, moment: Moment) -> list[Event]:
        """Somebody says what happened while the referee was unsure.

        Args:
            choice: one of the candidates, or None: nothing that counts.
            moment: time and number of the newest frame.

        Raises:
            ValueError: it is not one of the candidates.
        """
        if choice is not None and choice not in self.state.candidates:
            raise ValueError(f"{choice} is not one of the candidates")
        if not self.state.in_doubt:
            raise ValueError("nothing is in doubt")
        events = self._log.resolve(choice, moment)
        return events + self._decisions.questions.answered(choice, moment)

    def undo(self, moment: Moment) -> list[Event]:
        """Takes back the last placement, though its piece may lie there still.

        The piece then counts nothing until it was lifted, or is let stand by `overrule`.

        Args:
            moment: time and number of the newest frame.

        Raises:
            ValueError: nothing was laid since the game was taken up.
        """
        events = self._log.apply_ruling(arbiter_rulings.undoing(self.state, moment), moment)
        return events + self._decisions.questions.answered(None, moment)

    def refuse(self, moment: Moment) -> list[Event]:
        """Says that what is in doubt, or was refused, or was accepted last, is nothing.

        It then counts nothing until it was lifted.

        Args:
            moment: time and number of the newest frame.

        Raises:
            ValueError: there is nothing of the kind.
        """
        events = self._log.apply_ruling(arbiter_rulings.refusing(self.state, moment), moment)
        return events + self._decisions.questions.answered(None, moment)

    def overrule(self, moment: Moment, colour: Colour | None = None) -> list[Event]:
        """Lets the refused piece stand, or one that a person took back or refused.

        Args:
            moment: time and number of the newest frame.
            colour: whose piece, if there are several; otherwise the newest.

        Raises:
            ValueError: there is none, its squares are no piece, or it lies on another.
        """
        one = arbiter_rulings.to_overrule(self.state, colour)
        events = self._log.overrule(one, moment)
        return events + self._decisions.questions.answered(None, moment)

    def set_position(self, position: Position, moment: Moment) -> list[Event]:
        """Takes the position as a person sets it, in the frame told so far.

        Args:
            position: what stands there and whose turn it is.
            moment: time and number of the newest frame.

        Raises:
            ValueError: it is a position of another game.
        """
        if position.game != self.state.position.game:
            raise ValueError(f"this is a game of {self.state.position.game.title}")
        events = self._log.set_position(position, moment)
        self._decisions.restart()
        return events

    def catch_up(self, moment: Moment) -> list[Event]:
        """Tells what follows by itself from the game as it was taken up, and was not told yet.

        A table that died between a move and what followed from it has only the move.

        Args:
            moment: time and number of the newest frame.
        """
        return self._log.apply_ruling([], moment)

    def end_turn(self, now: float) -> list[Event]:
        """The player says by the button that the turn is over.

        With the setting `turn_end = button` a steady board is judged only if this came after
        the last hand; otherwise it changes nothing.

        Args:
            now: when, in the seconds of `see`.
        """
        self._ended_at = now
        return []

    def record(self, event: Event) -> None:
        """Takes note of an event that is no matter of the board: a pause, a clock, the end."""
        self._log.apply([event])

    @property
    def _turn_has_ended(self) -> bool:
        untouched = self._hand_at == float("-inf")
        return (
            self._settings.turn_end is TurnEnd.ITSELF or untouched or self._ended_at > self._hand_at
        )

    def _beside(self, reading: Reading, moment: Moment) -> list[Event]:
        """What can be said though something is over the board, once it lies still."""
        rest = None
        self._unseen.reset()
        if reading.blurred:
            self._occlusion.stir()
        else:
            evidence = evidence_of(reading, self._orientation.palette)
            rest = self._occlusion.add(evidence, reading.covered, moment.time)
        if rest is not None:
            self._cover_is(rest.covered, moment.time)
        elif moment.time - self._hand_since > self._settings.resting.long_s:
            self._cover_is(reading.covered, moment.time)
        if rest is None or not self._turn_has_ended:
            return []
        return self._decisions.decide(rest.evidence, moment, beside=True)

    def _hand_left(self) -> None:
        """Nothing lies over the board, or it is out of view."""
        self._occlusion.stir()
        self._dark.hand_left()
        self._hand_since = float("inf")

    def _cover_is(self, covered: SquareMask, now: float) -> None:
        """Takes note of the squares that something hides; not in every frame anew."""
        squares = np.flatnonzero(covered)
        if len(squares) and len(self._covered) and now - self._covered_at < _COVER_S:
            return
        self._covered, self._covered_at = squares, now

    def _look(self, reading: Reading, evidence: LogProbabilities, now: float) -> None:
        """Asks for dark frames where a lit one shows a change, or none came for long."""
        if not self._steady:
            return
        changed = reading.changed or self._steadiness.differs(evidence)
        state = self.state
        blinking = bool(state.refused or state.in_doubt or state.disturbed)
        if self._dark.lit(now, changed=changed, blinking=blinking):
            # What the board showed before says nothing of a change.
            self._steadiness.forget()

    def _touch(self, now: float) -> None:
        self._steadiness.touch(now)
        self._dark.touched()
        self._decisions.touch()
        self._steady = False
