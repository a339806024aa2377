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
    Moment,
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
        orientation: how the board may lie.

    Attributes:
        state: what the events so far add up to.
        orientation: how the board may lie.
        accepted: whether the newest decision was to let a piece stand.
    """

    def __init__(self, state: GameState, orientation: OrientationTracker) -> None:
        self.state = state
        self.orientation: Final = orientation
        self.accepted = False

    def apply(self, events: Sequence[Event]) -> list[Event]:
        """Folds events and returns them."""
        for event in events:
            self.state = apply_event(self.state, event)
        return list(events)

    def switch_to(self, mapping: FrameMapping) -> None:
        """Goes on in a mapping, see `OrientationTracker.switch_to`."""
        self.state = self.orientation.switch_to(self.state, mapping)

    # What the board decides

    def move(self, move: Accepted, mapping: FrameMapping, moment: Moment) -> list[Event]:
        """Accepts a legal move, and tells what follows from it by itself.

        Args:
            move: of the colour to move.
            mapping: the one that it is legal in; from now on the board is known to lie so.
            moment: time and number of the newest frame.
        """
        edition = mapping.edition(self.orientation.palette)
        event = MoveAccepted(
            *moment,
            self.state.plies + 1,
            move.colour,
            move.move,
            round(float(1 / (1 + np.exp(-move.margin))), 4),
            mapping.turned if self.state.turned is None else None,
            edition if self.state.edition != edition else None,
        )
        self.orientation.settle(mapping)
        self.accepted = True
        events = self.apply([event])
        return events + self.apply(arbiter_rulings.following(self.state, moment))

    def refuse(self, refused: Sequence[Refused], moment: Moment, *, turn_sure: bool) -> list[Event]:
        """Refuses what breaks rules, if that was not told already.

        Args:
            refused: all that lies there and breaks rules.
            moment: time and number of the newest frame.
            turn_sure: whether it breaks fewer in this turn of the board than in any other.
        """
        turned = None
        if turn_sure and refused and self.state.turned is None:
            self.orientation.settle(self.orientation.mapping)
            turned = self.orientation.turned
        told_in = self.orientation.told_in(self.state)
        events: list[Event] = []
        known = {one.colour: one for one in self.state.refused}
        for one in refused:
            squares = tuple(squares_of(one.mask))
            before = known.get(one.colour)
            if before is None or (before.squares, before.breaches) != (squares, one.breaches):
                events.append(
                    MoveRefused(*moment, one.colour, squares, one.breaches, turned, told_in)
                )
                turned = None
        return self.apply(events)

    # What a person says

    def apply_ruling(self, events: Sequence[Event], moment: Moment) -> list[Event]:
        """Folds what a person ruled, and what follows from it by itself.

        Args:
            events: what was ruled.
            moment: time and number of the newest frame.
        """
        events = self.apply(events)
        self.accepted = False
        return events + self.apply(arbiter_rulings.following(self.state, moment))

    def set_position(self, position: Position, moment: Moment) -> list[Event]:
        """Takes the position as a person sets it.

        Args:
            position: in the frame told so far.
            moment: time and number of the newest frame.
        """
        events = self.apply_ruling([PositionSet(*moment, position)], moment)
        self.orientation.restart(self.state)
        return events

    def resolve(self, choice: Candidate | None, moment: Moment) -> list[Event]:
        """Takes what a person says of a doubt.

        Args:
            choice: one of the candidates that were told; None where nothing counts.
            moment: time and number of the newest frame.
        """
        if choice is None:
            return self.apply_ruling(arbiter_rulings.refusing(self.state, moment), moment)
        told = self.orientation.mapping_of(self.state, self.state.candidates_in)
        column, seen = as_seen(choice, told)
        self.switch_to(told)
        events = self.apply_ruling([Resolved(*moment)], moment)
        position = self.state.position
        for mapping in self.orientation.possible(self.state):
            if is_legal(position, mapping, column, seen):
                move = Accepted(mapping.colour(column), mapping.move(seen), np.inf)
                return events + self.move(move, mapping, moment)
        breaches = position.examine(choice.move.squares, choice.colour)
        squares = tuple(squares_of(choice.move.mask))
        told_in = self.orientation.told_in(self.state)
        refused = MoveRefused(*moment, choice.colour, squares, breaches, told_in=told_in)
        return events + self.apply([refused])

    def overrule(self, one: MoveRefused | Dismissed, moment: Moment) -> list[Event]:
        """Lets a piece stand.

        Args:
            one: the piece, refused or dismissed.
            moment: time and number of the newest frame.

        Raises:
            ValueError: its squares are no piece, or it lies on another.
        """
        mapping = self.orientation.mapping_of(self.state, one.told_in)
        framed = mapping.turned, mapping.edition(self.orientation.palette)
        event = arbiter_rulings.overruling(self.state, one, framed, moment)
        if not event.breaches:
            return self.move(Accepted(event.colour, event.move, np.inf), mapping, moment)
        events = self.apply_ruling([event], moment)
        self.orientation.settle(mapping)
        self.accepted = True
        return events
