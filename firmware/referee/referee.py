"""The referee: takes readings of frames and rulings of people, returns events.

`see` takes every frame. While a hand or motion is over the board it waits; once the board is steady
it explains the changes, judges the explanation by the rules and returns events. It reads no clock.
If two explanations are close, it reports the doubt instead of a decision.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from firmware.codes import Takeback, TurnEnd
from firmware.game.events import (
    BoardMoved,
    Candidate,
    CoveredBy,
    Event,
    HandEntered,
    HandLeft,
    Moment,
    ToLift,
)
from firmware.game.state import GameState
from firmware.referee import arbiter_rulings
from firmware.referee.board_visibility import BoardVisibility
from firmware.referee.dark_frames import DarkFrames
from firmware.referee.decision import DecisionMaker
from firmware.referee.event_log import EventLog
from firmware.referee.orientation import OrientationTracker
from firmware.referee.static_occlusion import LONG_S, STILL_S, SquareMask, StaticOcclusionTracker
from firmware.referee.steadiness import (
    LogProbabilities,
    SquareTimer,
    SteadinessTracker,
    evidence_of,
)
from firmware.rules.position import Position
from firmware.rules.variants import Colour, Edition
from vision.errors import BoardFailure
from vision.reading import Reading

_FEWEST_COVERED: Final = 4
"""Number of covered squares from which a thing lies there, and not a shadow."""

_COVER_S: Final = 2.0
"""Least seconds between two changes of the covered squares: a moving hand changes them all the
time."""


class Phase(StrEnum):
    """Phases of the table."""

    BOARD_LOST = "board-lost"
    HAND = "hand"
    SETTLING = "settling"
    TO_LIFT = "to-lift"
    DISTURBED = "disturbed"
    REFUSED = "refused"
    UNSURE = "unsure"
    GAME_OVER = "game-over"
    ACCEPTED = "accepted"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class RefereeSettings:
    """The terms of a game that bind the referee.

    Attributes:
        takeback: until when an accepted piece may be lifted.
        turn_end: end of a turn: the steady board, or the player's button.
    """

    takeback: Takeback = Takeback.UNTIL_NEXT_MOVE
    turn_end: TurnEnd = TurnEnd.ITSELF


class Referee:
    """Referees one game."""

    def __init__(
        self,
        game: Position | GameState,
        palette: Edition,
        *,
        first: str | None = None,
        turned: int | None = None,
        settings: RefereeSettings | None = None,
    ) -> None:
        """Starts from a position, or resumes a game.

        Args:
            game: the position it begins from, or the state after its events so far.
            palette: names of the colours that are played; in games of four colours in the order
                of play.
            first: name of the colour that begins, if it is known. Otherwise, in a game of
                two colours, the first that is laid.
            turned: the clockwise turn in degrees from the reader's frame to the game's, if it
                is known.
            settings: the terms that bind it; the defaults if None.

        Raises:
            ValueError: there are not as many names as colours, or `first` is none of them.
        """
        state = GameState(game) if isinstance(game, Position) else game
        if len(palette) != len(state.position.game.colours):
            raise ValueError(f"{state.position.game.title} is not played with {palette}")
        settings = settings or RefereeSettings()
        self._turn_end: Final = settings.turn_end
        self._orientation: Final = OrientationTracker(state, palette, first, turned)
        self._log: Final = EventLog(state, self._orientation)
        taken_up = isinstance(game, GameState)
        self._decisions: Final = DecisionMaker(self._log, settings.takeback, returning=taken_up)
        self._visibility: Final = BoardVisibility()
        self._steadiness: Final = SteadinessTracker()
        self._occlusion: Final = StaticOcclusionTracker()
        self._unseen: Final = SquareTimer()
        self._covered = np.empty(0, np.int64)
        self._lies_there = False
        self._steady = False
        self._dark: Final = DarkFrames()
        # A board that no hand has touched yet is judged without a press of the button.
        self._hand_at = self._ended_at = self._covered_at = float("-inf")
        self._hand_since = float("inf")

    @property
    def state(self) -> GameState:
        """The state after the events so far."""
        return self._log.state

    @property
    def phase(self) -> Phase:
        """The phase of the table: the first whose condition holds."""
        state, doubts = self.state, self._decisions.puzzled or self.state.in_doubt
        conditions = (
            (Phase.BOARD_LOST, not self._visibility.found),
            (Phase.HAND, self._visibility.hand),
            (Phase.SETTLING, not self._steady),
            (Phase.TO_LIFT, state.to_lift),
            (Phase.DISTURBED, state.disturbed),
            (Phase.REFUSED, state.refused),
            (Phase.UNSURE, doubts or state.possible_turns),
            (Phase.GAME_OVER, state.over),
            (Phase.ACCEPTED, self._log.accepted),
        )
        return next((phase for phase, holds in conditions if holds), Phase.WAITING)

    @property
    def wants_dark(self) -> bool:
        """True if the lights have to be out, so that frames can decide."""
        looks = self.phase in (Phase.SETTLING, Phase.BOARD_LOST)
        waits = self._steady and self._decisions.questions.waiting
        return looks or waits or self._dark.wanted

    @property
    def edition(self) -> Edition:
        """Names of the colours in the order of play; provisional until a piece was accepted."""
        return self._orientation.edition

    @property
    def turned(self) -> int | None:
        """The clockwise turn in degrees from the reader's frame to the game's; None until known."""
        return self._orientation.turned

    @property
    def covered(self) -> tuple[int, ...]:
        """Squares of the game's frame hidden by something that lies still."""
        seen = set(self._covered.tolist())
        if not seen:
            return ()
        mapping, squares = self._orientation.mapping, range(self.state.position.board.squares)
        return tuple(square for square in squares if mapping.seen_at(square) in seen)

    def rename(self, palette: Edition) -> None:
        """Changes the names of the colours, as long as no piece was accepted.

        Raises:
            ValueError: `first` is none of them.
        """
        if palette == self._orientation.palette:
            return
        self._orientation.rename(self.state, palette)
        self._decisions.rename()
        # The frames gathered so far have columns for the old names.
        self._steadiness.forget()

    def see(
        self,
        reading: Reading | BoardFailure,
        moment: Moment,
        *,
        dark: bool = True,
        stuck: frozenset[int] = frozenset(),
    ) -> list[Event]:
        """Takes the next frame.

        Args:
            reading: reading of the frame.
            moment: its time and number; never less than before.
            dark: True if the whole exposure was without light. A lit frame only shows hands
                and that something may have changed; decisions need dark frames.
            stuck: squares of the reader's frame whose LEDs cannot be put out.

        Returns:
            The events in order.
        """
        if isinstance(reading, BoardFailure):
            self._touch(moment.time)
            self._hand_left(dark=True)
            self._unseen.reset()
            self._covered = np.empty(0, np.int64)
            return self._visibility.miss(reading, moment)
        had_hand = self._visibility.hand
        events = self._visibility.see(reading, moment)
        if reading.hand:
            self._lies_there = False
            self._hand_at, self._hand_since = moment.time, min(moment.time, self._hand_since)
            self._dark.hand(moment.time, dark=dark)
        elif not reading.blurred:
            self._hand_left(dark=dark)
        if reading.hand or reading.blurred:
            events += self._decisions.questions.ask_before_hand(moment)
            self._touch(moment.time)
            return events + (self._decide_occluded(reading, moment) if dark else [])
        if any(isinstance(event, BoardMoved) for event in events):
            self._steadiness.moved()
        evidence = evidence_of(reading, self._orientation.palette)
        if not dark:
            self._look(reading, evidence, moment.time)
            return events
        looking = self._dark.requested
        self._dark.dark(moment.time)
        covered = reading.covered.copy()
        covered[list(stuck)] = False
        self._follow_covered(covered, moment.time, had_hand=had_hand)
        events = self._left_there(events, moment)
        steady = self._steadiness.add(evidence, moment.time)
        if steady is not None or not looking:
            self._steady = steady is not None and self._turn_has_ended
        if steady is not None and self._turn_has_ended:
            light = reading.lightness if len(reading.lightness) else None
            events += self._decisions.decide(
                steady, moment, beyond=reading.beyond, lightness=light, hidden=stuck
            )
        return events

    # Rulings of a person

    def resolve(self, choice: Candidate | None, moment: Moment) -> list[Event]:
        """Resolves a doubt by the choice of a person.

        Args:
            choice: one of the candidates; None if nothing counts.
            moment: time and number of the newest frame.

        Raises:
            ValueError: it is not one of the candidates.
        """
        if choice is not None and choice not in self.state.candidates:
            raise ValueError(f"{choice} is not one of the candidates")
        if not self.state.in_doubt:
            raise ValueError("nothing is in doubt")
        if choice is None:
            return self.refuse(moment)
        events = self._log.resolve(choice, moment)
        return events + self._decisions.questions.answered(choice, moment)

    def undo(self, moment: Moment) -> list[Event]:
        """Takes back the last placement, even if its piece still lies there.

        Nothing is judged then until the piece is lifted, or until a person lets it stand, or
        dismisses it.

        Args:
            moment: time and number of the newest frame.

        Raises:
            ValueError: nothing was laid since the game was resumed.
        """
        return self._rule(arbiter_rulings.undoing(self.state, moment), moment)

    def refuse(self, moment: Moment) -> list[Event]:
        """Dismisses pieces to lift, else the doubts, else the last refused piece.

        The squares are then ignored until something else is seen on them. Doubtful pieces that
        certainly lie there are to be lifted first. If there are none, the last accepted piece is
        taken back.

        Args:
            moment: time and number of the newest frame.

        Raises:
            ValueError: there is nothing to dismiss.
        """
        return self._rule(
            arbiter_rulings.refusing(self.state, moment, self._decisions.lies), moment
        )

    def _rule(self, events: list[Event], moment: Moment) -> list[Event]:
        """Applies a ruling; a piece that does not lie there is not to be lifted."""
        gone = self._decisions.is_gone
        events = [one for one in events if not (isinstance(one, ToLift) and gone(one))]
        events = self._log.apply_ruling(events, moment)
        return events + self._decisions.questions.answered(None, moment)

    def overrule(self, moment: Moment, colour: Colour | None = None) -> list[Event]:
        """Lets a refused piece stand, or one that a person took back or dismissed.

        Args:
            moment: time and number of the newest frame.
            colour: colour of the piece; None for the newest of any colour.

        Raises:
            ValueError: there is none, its squares are no piece, or it lies on another.
        """
        one = arbiter_rulings.to_overrule(self.state, colour)
        events = self._log.overrule(one, moment)
        return events + self._decisions.questions.answered(None, moment)

    def set_position(self, position: Position, moment: Moment) -> list[Event]:
        """Sets the position on behalf of a person, in the frame of the events so far.

        Args:
            position: pieces and colour to move.
            moment: time and number of the newest frame.

        Raises:
            ValueError: it is a position of another game.
        """
        if position.game != self.state.position.game:
            raise ValueError(f"this is a game of {self.state.position.game.title}")
        events = self._rule(arbiter_rulings.setting(self.state, position, moment), moment)
        self._orientation.restart(self.state)
        self._decisions.restart()
        return events

    def catch_up(self, moment: Moment) -> list[Event]:
        """Adds events implied by the state of a resumed game, such as passes or its end.

        They are missing if the program ended between a move and the events that follow from it.

        Args:
            moment: time and number of the newest frame.
        """
        return self._log.apply_ruling([], moment)

    def end_turn(self, now: float) -> list[Event]:
        """Ends the turn, because the player has pressed the button.

        With the setting `turn_end = button` a steady board is judged only after such a press
        since the last hand; otherwise it has no effect.

        Args:
            now: time in seconds, as in `see`.
        """
        self._ended_at = now
        return []

    def record(self, event: Event) -> None:
        """Applies an event that has nothing to do with the board: a pause, a clock, the end."""
        self._log.apply([event])

    @property
    def _turn_has_ended(self) -> bool:
        untouched = self._hand_at == float("-inf")
        return self._turn_end is TurnEnd.ITSELF or untouched or self._ended_at > self._hand_at

    def _decide_occluded(self, reading: Reading, moment: Moment) -> list[Event]:
        """Decides from the visible squares, once the thing over the board lies still."""
        rest = None
        self._unseen.reset()
        if reading.blurred:
            self._occlusion.reset()
        else:
            evidence = evidence_of(reading, self._orientation.palette)
            rest = self._occlusion.add(evidence, reading.covered, moment.time)
        if rest is not None:
            self._store_covered(rest.covered, moment.time)
        elif moment.time - self._hand_since > LONG_S:
            self._store_covered(reading.covered, moment.time)
        if rest is None or not self._turn_has_ended:
            return []
        return self._decisions.decide(rest.evidence, moment, beyond=reading.beyond, occluded=True)

    def _hand_left(self, *, dark: bool) -> None:
        """Notes that no hand is over the board, or that the board is out of view."""
        self._occlusion.reset()
        self._dark.hand_left(dark=dark)
        self._hand_since = float("inf")

    def _follow_covered(self, covered: SquareMask, now: float, *, had_hand: bool) -> None:
        """Stores the squares of a dark frame that have been covered for long, or were before."""
        lasting = self._unseen.update(covered, now) >= STILL_S
        lasting[self._covered] |= covered[self._covered]
        # What is no hand any more has lain still for long enough.
        self._store_covered(covered if had_hand else lasting, now)

    def _left_there(self, events: list[Event], moment: Moment) -> list[Event]:
        """Adds to the events of a frame that a thing lies over the board, or does no longer."""
        lies_there = len(self._covered) >= _FEWEST_COVERED
        if lies_there == self._lies_there or (len(self._covered) and self._lies_there):
            return events
        self._lies_there = lies_there
        if not lies_there:
            return [*events, HandLeft(*moment)]
        events = [one for one in events if not isinstance(one, HandLeft)]
        return [*events, HandEntered(*moment, CoveredBy.OBJECT, self.covered)]

    def _store_covered(self, covered: SquareMask, now: float) -> None:
        """Stores the covered squares, at most every `_COVER_S` seconds while some are covered."""
        squares = np.flatnonzero(covered)
        if len(squares) and len(self._covered) and now - self._covered_at < _COVER_S:
            return
        self._covered, self._covered_at = squares, now

    def _look(self, reading: Reading, evidence: LogProbabilities, now: float) -> None:
        """Requests dark frames if a lit one shows a change, or if none came for long."""
        if not self._steady:
            return
        changed = reading.changed or self._steadiness.differs(evidence)
        state = self.state
        blinking = bool(state.refused or state.in_doubt or state.disturbed or state.to_lift)
        if self._dark.lit(now, changed=changed, blinking=blinking):
            # The frames before are no evidence on the change.
            self._steadiness.forget()

    def _touch(self, now: float) -> None:
        self._steadiness.touch(now)
        self._dark.touched()
        self._decisions.touch()
        self._steady = False
