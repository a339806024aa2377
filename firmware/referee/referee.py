"""The referee: readings in, events out.

`see` takes every frame. While hands or motion are over the board it only waits; once the board
is steady it explains what has changed, has the explanation judged by the rules, and says what
follows. It holds no clock and decides nothing by haste: where two explanations are close it is
unsure and says so. What a person at the table rules comes in beside the frames.
"""

from typing import Final

import numpy as np

from firmware.events import BoardMoved, Candidate, Event
from firmware.game import GameState
from firmware.referee import ruling
from firmware.referee.bearings import Bearings
from firmware.referee.deciding import Deciding
from firmware.referee.ledger import Ledger
from firmware.referee.phases import Facts, Phase, phase
from firmware.referee.presence import Presence
from firmware.referee.resting import Resting
from firmware.referee.settings import RefereeSettings
from firmware.referee.settling import Evidence, Settling, evidence_of
from firmware.rules.games import Colour, Edition
from firmware.rules.position import Position
from vision.reading import Lost, Reading


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
        self._bearings: Final = Bearings(state, palette, first, turned)
        self._ledger: Final = Ledger(state, self._bearings)
        taken_up = isinstance(game, GameState)
        self._deciding: Final = Deciding(self._ledger, self._settings, returning=taken_up)
        self._presence: Final = Presence(self._settings.presence)
        self._settling: Final = Settling(self._settings.settling)
        self._resting: Final = Resting(self._settings.resting)
        self._covered = np.empty(0, np.int64)
        self._steady = False
        self._looked_at = float("-inf")
        # A board that no hand has touched yet is judged without a button.
        self._hand_at = self._ended_at = float("-inf")

    @property
    def state(self) -> GameState:
        """What the events so far add up to."""
        return self._ledger.state

    @property
    def phase(self) -> Phase:
        """What the table is doing."""
        return phase(
            Facts(
                found=self._presence.found,
                hand=self._presence.hand,
                steady=self._steady,
                disturbed=bool(self.state.disturbed),
                refused=bool(self.state.refused),
                unsure=self._deciding.puzzled or bool(self.state.candidates or self.state.asked),
                over=self.state.over,
                accepted=self._ledger.accepted,
            )
        )

    @property
    def edition(self) -> Edition:
        """Names of the colours in the order of play; provisional until a piece was accepted."""
        return self._bearings.edition

    @property
    def turned(self) -> int | None:
        """The clockwise turn from the reader's frame to the game's; None until it is known."""
        return self._bearings.turned

    @property
    def covered(self) -> tuple[int, ...]:
        """Squares of the game's frame under something that lies still; what hides there waits."""
        seen = set(self._covered.tolist())
        framing, squares = self._bearings.framing, range(self.state.position.board.squares)
        return tuple(square for square in squares if framing.seen_at(square) in seen)

    def rename(self, palette: Edition) -> None:
        """Takes other names for the colours, as long as no piece was accepted.

        Raises:
            ValueError: `first` is none of them.
        """
        if palette == self._bearings.palette:
            return
        self._bearings.rename(self.state, palette)
        self._deciding.rename()
        # Frames that wait to be combined were in terms of the other names.
        self._settling.forget()

    def see(
        self, reading: Reading | Lost, now: float, frame: int, *, dark: bool = True
    ) -> list[Event]:
        """Takes the next frame.

        Args:
            reading: what it shows.
            now: when it was taken, in seconds; never less than before.
            frame: its number, from 1.
            dark: whether it was exposed wholly while no light was lit. Others tell of hands and
                that something may have changed; what that is, only dark ones decide.

        Returns:
            What happened, in order.
        """
        if isinstance(reading, Lost):
            self._touch(now)
            self._clear()
            return self._presence.miss(reading, now, frame)
        events = self._presence.see(reading, now, frame)
        if reading.hand:
            self._hand_at = now
        if reading.hand or reading.blurred:
            events += self._deciding.doubts_before_hand(now, frame)
            self._looked_at = float("-inf")
            self._touch(now)
            return events + (self._beside(reading, now, frame) if dark else [])
        self._clear()
        if any(isinstance(event, BoardMoved) for event in events):
            self._settling.moved()
        evidence = evidence_of(reading, self._bearings.palette)
        if not dark:
            self._look(evidence, now)
            return events
        steady = self._settling.add(evidence, now)
        self._steady = steady is not None and self._turn_has_ended
        if steady is not None and self._turn_has_ended:
            events += self._deciding.decide(steady, now, frame)
        return events

    # What a person says

    def resolve(self, choice: Candidate | None, now: float, frame: int) -> list[Event]:
        """Somebody says what happened while the referee was unsure.

        Args:
            choice: one of the candidates, or None: nothing that counts.
            now: when.
            frame: number of the newest frame.

        Raises:
            ValueError: it is not one of the candidates.
        """
        if choice is not None and choice not in self.state.candidates:
            raise ValueError(f"{choice} is not one of the candidates")
        if not self.state.candidates:
            raise ValueError("nothing is in doubt")
        return self._said(self._ledger.resolve(choice, now, frame))

    def undo(self, now: float, frame: int) -> list[Event]:
        """Takes back the last placement, though its piece may lie there still.

        The piece then counts nothing until it was lifted, or is let stand by `overrule`.

        Args:
            now: when.
            frame: number of the newest frame.

        Raises:
            ValueError: nothing was laid since the game was taken up.
        """
        return self._said(self._ledger.rule(ruling.undoing(self.state, now, frame), now, frame))

    def refuse(self, now: float, frame: int) -> list[Event]:
        """Says that what is in doubt, or was refused, or was accepted last, is nothing.

        It then counts nothing until it was lifted.

        Args:
            now: when.
            frame: number of the newest frame.

        Raises:
            ValueError: there is nothing of the kind.
        """
        return self._said(self._ledger.rule(ruling.refusing(self.state, now, frame), now, frame))

    def overrule(self, now: float, frame: int, colour: Colour | None = None) -> list[Event]:
        """Lets the refused piece stand, or one that a person took back or refused.

        Args:
            now: when.
            frame: number of the newest frame.
            colour: whose piece, if there are several; otherwise the newest.

        Raises:
            ValueError: there is none, its squares are no piece, or it lies on another.
        """
        one = ruling.to_overrule(self.state, colour)
        return self._said(self._ledger.overrule(one, now, frame))

    def stand(self, position: Position, now: float, frame: int) -> list[Event]:
        """Takes the position as a person sets it, in the frame told so far.

        Args:
            position: what stands there and whose turn it is.
            now: when.
            frame: number of the newest frame.

        Raises:
            ValueError: it is a position of another game.
        """
        if position.game != self.state.position.game:
            raise ValueError(f"this is a game of {self.state.position.game.title}")
        said = self._ledger.stand(position, now, frame)
        self._deciding.go_on(fresh=False, returning=False)
        return said

    def take_up(self, state: GameState) -> None:
        """Goes on with a game from its events; the first steady board is held against it.

        What is missing then is disturbed, the last piece too. One new piece that is a legal
        move with everything else in place is a move; two are for a person to confirm.

        Args:
            state: what its events add up to.

        Raises:
            ValueError: it is another game.
        """
        if len(state.position.game.colours) != len(self._bearings.palette):
            raise ValueError(f"{state.position.game.title} has other colours than this table")
        self._ledger.take_up(state)
        self._deciding.go_on(fresh=state.plies == 0, returning=state.plies > 0)
        self._steady = False
        self._settling.forget()

    def catch_up(self, now: float, frame: int) -> list[Event]:
        """Tells what follows by itself from the game as it was taken up, and was not told yet.

        A table that died between a move and what followed from it has only the move.

        Args:
            now: when.
            frame: number of the newest frame.
        """
        return self._ledger.rule([], now, frame)

    def end_turn(self, now: float) -> list[Event]:
        """The player says by the button that the turn is over.

        With the setting `turn_end = button` a steady board is judged only if this came after
        the last hand; otherwise it changes nothing.

        Args:
            now: when, in the seconds of `see`.
        """
        self._ended_at = now
        return []

    def note(self, event: Event) -> None:
        """Takes note of an event that is no matter of the board: a pause, a clock, the end."""
        self._ledger.apply([event])

    def _said(self, events: list[Event]) -> list[Event]:
        self._deciding.forget()
        return events

    @property
    def _turn_has_ended(self) -> bool:
        untouched = self._hand_at == float("-inf")
        return self._settings.turn_end == "itself" or untouched or self._ended_at > self._hand_at

    def _beside(self, reading: Reading, now: float, frame: int) -> list[Event]:
        """What can be said though something is over the board, once it lies still."""
        rest = None
        if reading.blurred:
            self._resting.stir()
        else:
            evidence = evidence_of(reading, self._bearings.palette)
            rest = self._resting.add(evidence, reading.covered, now)
        self._covered = np.flatnonzero([] if rest is None else rest.covered)
        if rest is None or not self._turn_has_ended:
            return []
        return self._deciding.decide(rest.evidence, now, frame, beside=True)

    def _clear(self) -> None:
        """Nothing lies over the board, or it is out of view."""
        self._resting.stir()
        self._covered = np.empty(0, np.int64)

    def _look(self, evidence: Evidence, now: float) -> None:
        """Wants dark frames where a lit one shows something else: a piece, or only light."""
        since = now - self._looked_at
        if self._steady and since >= self._settings.look_s and self._settling.differs(evidence):
            self._touch(now)
            self._looked_at = now

    def _touch(self, now: float) -> None:
        self._settling.touch(now)
        self._deciding.touch()
        self._steady = False
