"""The game as it is written: decisions and words become events, and are folded at once.

One state of one game, and how its board lies. Who decides, by the board or by word, is above.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from firmware.game.events import (
    Candidate,
    Dismissed,
    Event,
    MoveAccepted,
    MoveRefused,
    PositionSet,
    Resolved,
)
from firmware.game.state import GameState, apply_event
from firmware.referee import arbiter_rulings
from firmware.referee.adjudication import Accepted, Refused
from firmware.referee.ambiguity import as_seen, is_legal
from firmware.referee.frame_mapping import FrameMapping
from firmware.referee.orientation import OrientationTracker
from firmware.rules.board import squares_of
from firmware.rules.position import Position


class EventLog:
    """Writes one game.

    Args:
        state: what the events so far add up to.
        bearings: how the board may lie.

    Attributes:
        state: what the events so far add up to.
        bearings: how the board may lie.
        accepted: whether the newest decision was to let a piece stand.
    """

    def __init__(self, state: GameState, bearings: OrientationTracker) -> None:
        self.state = state
        self.bearings: Final = bearings
        self.accepted = False

    def apply(self, events: Sequence[Event]) -> list[Event]:
        """Folds events and returns them."""
        for event in events:
            self.state = apply_event(self.state, event)
        return list(events)

    def go_by(self, framing: FrameMapping) -> None:
        """Goes on in a framing, see `OrientationTracker.go_by`."""
        self.state = self.bearings.go_by(self.state, framing)

    def take_up(self, state: GameState) -> None:
        """Goes on with a game from its events."""
        self.state = state
        self.accepted = False
        self.bearings.take_up(state)

    # What the board decides

    def move(self, move: Accepted, framing: FrameMapping, now: float, frame: int) -> list[Event]:
        """Accepts a legal move, and tells what follows from it by itself.

        Args:
            move: of the colour to move.
            framing: the one that it is legal in; from now on the board is known to lie so.
            now: when.
            frame: number of the newest frame.
        """
        edition = framing.edition(self.bearings.palette)
        event = MoveAccepted(
            frame,
            now,
            self.state.plies + 1,
            move.colour,
            move.move,
            round(float(1 / (1 + np.exp(-move.margin))), 4),
            framing.turned if self.state.turned is None else None,
            edition if self.state.edition != edition else None,
        )
        self.bearings.settle(framing)
        self.accepted = True
        events = self.apply([event])
        return events + self.apply(arbiter_rulings.following(self.state, now, frame))

    def refuse(
        self, refused: Sequence[Refused], now: float, frame: int, *, turn_sure: bool
    ) -> list[Event]:
        """Refuses what breaks rules, if that was not told already.

        Args:
            refused: all that lies there and breaks rules.
            now: when.
            frame: number of the newest frame.
            turn_sure: whether it breaks fewer in this turn of the board than in any other.
        """
        turned = None
        if turn_sure and refused and self.state.turned is None:
            self.bearings.settle(self.bearings.framing)
            turned = self.bearings.turned
        told_in = self.bearings.told_in(self.state)
        events: list[Event] = []
        known = {one.colour: one for one in self.state.refused}
        for one in refused:
            squares = tuple(squares_of(one.mask))
            before = known.get(one.colour)
            if before is None or (before.squares, before.breaches) != (squares, one.breaches):
                events.append(
                    MoveRefused(frame, now, one.colour, squares, one.breaches, turned, told_in)
                )
                turned = None
        return self.apply(events)

    # What a person says

    def rule(self, events: Sequence[Event], now: float, frame: int) -> list[Event]:
        """Folds what a person ruled, and what follows from it by itself.

        Args:
            events: what was ruled.
            now: when.
            frame: number of the newest frame.
        """
        said = self.apply(events)
        self.accepted = False
        return said + self.apply(arbiter_rulings.following(self.state, now, frame))

    def stand(self, position: Position, now: float, frame: int) -> list[Event]:
        """Takes the position as a person sets it.

        Args:
            position: in the frame told so far.
            now: when.
            frame: number of the newest frame.
        """
        said = self.rule([PositionSet(frame, now, position)], now, frame)
        self.bearings.take_up(self.state)
        return said

    def resolve(self, choice: Candidate | None, now: float, frame: int) -> list[Event]:
        """Takes what a person says of a doubt.

        Args:
            choice: one of the candidates that were told; None where nothing counts.
            now: when.
            frame: number of the newest frame.
        """
        if choice is None:
            return self.rule(arbiter_rulings.refusing(self.state, now, frame), now, frame)
        told = self.bearings.framing_of(self.state, self.state.candidates_in)
        column, seen = as_seen(choice, told)
        self.go_by(told)
        said = self.rule([Resolved(frame, now)], now, frame)
        position = self.state.position
        for framing in self.bearings.possible(self.state):
            if is_legal(position, framing, column, seen):
                move = Accepted(framing.colour(column), framing.move(seen), np.inf)
                return said + self.move(move, framing, now, frame)
        breaches = position.examine(choice.move.squares, choice.colour)
        squares = tuple(squares_of(choice.move.mask))
        told_in = self.bearings.told_in(self.state)
        refused = MoveRefused(frame, now, choice.colour, squares, breaches, told_in=told_in)
        return said + self.apply([refused])

    def overrule(self, one: MoveRefused | Dismissed, now: float, frame: int) -> list[Event]:
        """Lets a piece stand.

        Args:
            one: the piece, refused or dismissed.
            now: when.
            frame: number of the newest frame.

        Raises:
            ValueError: its squares are no piece, or it lies on another.
        """
        framing = self.bearings.framing_of(self.state, one.told_in)
        framed = framing.turned, framing.edition(self.bearings.palette)
        event = arbiter_rulings.overruling(self.state, one, framed, now, frame)
        if not event.breaches:
            return self.move(Accepted(event.colour, event.move, np.inf), framing, now, frame)
        said = self.rule([event], now, frame)
        self.bearings.settle(framing)
        self.accepted = True
        return said
