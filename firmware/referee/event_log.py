"""Turns decisions and rulings into events and applies them to the state of one game at once."""

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
    Resolved,
    ToLift,
    Undone,
)
from firmware.game.state import GameState, apply_event
from firmware.referee import arbiter_rulings
from firmware.referee.adjudication import Accepted, Refused
from firmware.referee.ambiguity import as_seen, is_legal
from firmware.referee.frame_mapping import FrameMapping
from firmware.referee.orientation import OrientationTracker
from firmware.rules.board import Move, squares_of


class EventLog:
    """Log of one game.

    Args:
        state: the state after the events so far.
        orientation: the possible mappings of the board.

    Attributes:
        state: the state after the events so far.
        orientation: the possible mappings of the board.
        accepted: True if the newest decision accepted a piece.
        confirmed: the last placement, if a person answered that no other lies in its place.
    """

    def __init__(self, state: GameState, orientation: OrientationTracker) -> None:
        self.state = state
        self.orientation: Final = orientation
        self.accepted = False
        self.confirmed: Move | None = None

    def apply(self, events: Sequence[Event]) -> list[Event]:
        """Applies events to the state and returns them."""
        for event in events:
            self.state = apply_event(self.state, event)
        return list(events)

    def switch_to(self, mapping: FrameMapping) -> None:
        """Switches to `mapping` and re-expresses provisional pieces in it; emits no event."""
        self.state = self.orientation.switch_to(self.state, mapping)

    # Decisions from the board

    def move(self, move: Accepted, mapping: FrameMapping, moment: Moment) -> list[Event]:
        """Accepts a legal move, with the passes and the end of the game that follow from it.

        Args:
            move: a move of the colour to move.
            mapping: the mapping in which it is legal; it is settled by the move.
            moment: time and number of the newest frame.
        """
        edition = mapping.edition(self.orientation.palette)
        event = MoveAccepted(
            *moment,
            self.state.piece_count + 1,
            move.colour,
            move.move,
            round(float(1 / (1 + np.exp(-move.margin))), 4),
            mapping.turned if self.state.turned is None else None,
            edition if self.state.edition != edition else None,
            None if move.order_seen else False,
        )
        self.orientation.settle(mapping)
        self.accepted = True
        events = self.apply([event])
        return events + self.apply(arbiter_rulings.following(self.state, moment))

    def refuse(self, refused: Sequence[Refused], moment: Moment, *, turn_sure: bool) -> list[Event]:
        """Refuses pieces that break rules, unless the same refusal was reported already.

        Args:
            refused: all pieces that break rules.
            moment: time and number of the newest frame.
            turn_sure: True if they break fewer rules in this turn of the board than in others.
        """
        turned = None
        if turn_sure and refused and self.state.turned is None:
            self.orientation.settle(self.orientation.mapping)
            turned = self.orientation.turned
        frame = self.orientation.provisional_frame(self.state)
        events: list[Event] = []
        known = {(one.colour, one.squares, one.violations) for one in self.state.refused}
        for one in refused:
            squares = tuple(squares_of(one.mask))
            if (one.colour, squares, one.violations) not in known:
                events.append(
                    MoveRefused(*moment, one.colour, squares, one.violations, turned, frame)
                )
                turned = None
        return self.apply(events)

    # Rulings of a person

    def apply_ruling(self, events: Sequence[Event], moment: Moment) -> list[Event]:
        """Applies a ruling, with the passes and the end of the game that follow from it.

        Args:
            events: the events of the ruling.
            moment: time and number of the newest frame.
        """
        events = self.apply(events)
        self.accepted = False
        return events + self.apply(arbiter_rulings.following(self.state, moment))

    def resolve(self, choice: Candidate, moment: Moment) -> list[Event]:
        """Resolves a doubt by the choice of a person.

        Args:
            choice: one of the reported candidates, which may be the piece to lift.
            moment: time and number of the newest frame.
        """
        reported = self.orientation.mapping_of(self.state, self.state.candidates_frame)
        column, seen = as_seen(choice, reported)
        self.switch_to(reported)
        events = self.apply_ruling([Resolved(*moment)], moment)
        if self.state.to_lift:
            return events + self.overrule(self.state.to_lift[-1], moment)
        last = self.state.history[-1] if self.state.history else None
        if last is not None and choice.move.mask & last.move.mask:
            # The question was about another piece in the place of the last one.
            if choice.move == last.move:
                self.confirmed = last.move
                return events
            undone = Undone(*moment, self.state.piece_count, last.colour, last.move)
            events += self.apply([undone])
        position = self.state.position
        for mapping in self.orientation.possible(self.state):
            if is_legal(position, mapping, column, seen):
                move = Accepted(mapping.colour(column), mapping.to_game(seen), np.inf)
                return events + self.move(move, mapping, moment)
        violations = position.examine(choice.move.squares, choice.colour)
        squares = tuple(squares_of(choice.move.mask))
        frame = self.orientation.provisional_frame(self.state)
        refused = MoveRefused(*moment, choice.colour, squares, violations, provisional_frame=frame)
        return events + self.apply([refused])

    def overrule(self, one: MoveRefused | Dismissed | ToLift, moment: Moment) -> list[Event]:
        """Lets a piece stand.

        Args:
            one: the piece, refused or not counted.
            moment: time and number of the newest frame.

        Raises:
            ValueError: its squares are no piece, or it lies on another.
        """
        mapping = self.orientation.mapping_of(self.state, one.provisional_frame)
        framed = mapping.turned, mapping.edition(self.orientation.palette)
        event = arbiter_rulings.overruling(self.state, one, framed, moment)
        if not event.violations:
            return self.move(Accepted(event.colour, event.move, np.inf), mapping, moment)
        events = self.apply_ruling([event], moment)
        self.orientation.settle(mapping)
        self.accepted = True
        return events
