"""Open questions about doubtful pieces and about squares that no piece explains.

A question is asked once. The game continues meanwhile: moves that are legal whatever its answer is
are pending, and count as soon as better evidence, a later move or a person has settled it.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

import numpy as np

from firmware.game.events import Candidate, Event, Moment, Pending, Resolved, Unsure
from firmware.game.state import GameState
from firmware.referee.adjudication import (
    Accepted,
    Adjudication,
    Appeared,
    ReaderPiece,
    Refused,
    was_refused,
)
from firmware.referee.ambiguity import (
    as_seen,
    is_judged_again,
    is_news,
    mapping_for,
    squares_in_doubt,
)
from firmware.referee.ambiguity_evidence import AmbiguityEvidence, Lightness
from firmware.referee.event_log import EventLog
from firmware.referee.frame_mapping import FrameMapping
from firmware.referee.hypotheses import AmbiguousBoard, weigh
from firmware.referee.placement_matching import CHANGED, Explanation, MatchedPiece
from firmware.referee.steadiness import LogProbabilities
from firmware.referee.unexplained import UnexplainedSquares
from firmware.rules.board import mask_of

_DOUBT: Final = 0.7
"""Log odds from which a doubtful change is reported."""

_PATIENCE_S: Final = 0.5
"""Seconds that a doubt lasts before it is reported."""


class Questions:
    """Asks and settles the questions of one game.

    Args:
        log: the log of the game.

    Attributes:
        appeared: the order in which undecided pieces appeared.
    """

    def __init__(self, log: EventLog) -> None:
        self._log: Final = log
        self._orientation: Final = log.orientation
        self._evidence: Final = AmbiguityEvidence()
        self._unexplained: Final = UnexplainedSquares()
        self.appeared: Appeared = ()
        self._doubtful_since: float | None = None
        self._unreported: tuple[Candidate, ...] = ()
        self._in_doubt: set[int] = set()
        self._newest: LogProbabilities | None = None
        self._turn: int | None = None
        self.restart()

    @property
    def state(self) -> GameState:
        """The state of the game."""
        return self._log.state

    @property
    def waiting(self) -> bool:
        """True if a square is unexplained, but not yet for long enough to be reported."""
        return self._unexplained.waiting

    def touch(self) -> None:
        """Interrupts doubts and evidence, because the board is touched."""
        self._doubtful_since = None
        self._evidence.touched()

    def rename(self) -> None:
        """Discards unreported candidates, because the colours have other names."""
        self._doubtful_since, self._unreported = None, ()

    def restart(self) -> None:
        """Continues from another state: takes over its questions and its pending moves."""
        self._forget()
        self._evidence.forget()
        asked, pending = self.state.candidates, self.state.pending
        if not asked or self._orientation.provisional_frame(self.state) is not None:
            return
        mapping = self._orientation.mapping
        first = frozenset(mapping.to_reader(one.move).mask for one in asked)
        later = (frozenset({mapping.to_reader(move).mask}) for _, move in pending)
        self.appeared = (first, *later)

    # Evidence

    def weighed(
        self, evidence: LogProbabilities, lightness: Lightness | None
    ) -> LogProbabilities | None:
        """Combines the evidence of a steady board with the evidence before on doubtful squares.

        Args:
            evidence: evidence of the steady board.
            lightness: (squares,) L* of each square; None if it was not measured.

        Returns:
            The combined evidence; None while a doubtful square seems to change.
        """
        light = np.zeros(len(evidence), np.float32) if lightness is None else lightness
        weighed = self._evidence.weighed(evidence, light)
        if weighed is not None:
            self._newest = weighed
        return weighed

    def reportable(
        self, explanation: Explanation, mapping: FrameMapping
    ) -> tuple[MatchedPiece, ...]:
        """Returns the doubtful pieces that are neither too faint nor refused already."""
        refused = self.state.refused
        return tuple(
            one
            for one in explanation.doubtful
            if one.change >= _DOUBT and not was_refused(one, mapping, refused)
        )

    def weigh(
        self,
        doubts: tuple[MatchedPiece, ...],
        explanation: Explanation,
        mapping: FrameMapping,
        state: GameState | None = None,
    ) -> Adjudication:
        """Weighs the readings of doubtful pieces, by default in the present state.

        A refused piece stays refused, whatever the other pieces of its colour turn out to be.
        """
        state = state or self.state
        self.remember(explanation)
        reported = {(one.colour, one.move) for one in state.candidates}
        case = AmbiguousBoard(state.position, explanation, doubts, mapping, self.appeared)
        found = weigh(case, reported)
        if found.settled:
            return found
        earlier = tuple(
            Refused(one.colour, mask_of(one.squares), one.violations)
            for one in state.refused
            if not is_judged_again(one, found, state)
        )
        return replace(found, refused=(*found.refused, *earlier))

    def remember(self, explanation: Explanation) -> None:
        """Adds the pieces of an explanation to `appeared`, as the latest ones."""
        seen = frozenset(one.move.mask for one in explanation.pieces)
        new = seen.difference(*self.appeared)
        if new or not self.appeared:
            self.appeared = (*self.appeared, new)

    def decided(self, mask: int) -> None:
        """Removes an accepted piece, by its mask in the reader's frame, from the undecided ones."""
        remaining = (frozenset(one for one in batch if not one & mask) for batch in self.appeared)
        self.appeared = tuple(batch for batch in remaining if batch)

    # Events

    def ask(
        self,
        doubts: tuple[Candidate, ...],
        possible: Sequence[FrameMapping],
        moment: Moment,
    ) -> list[Event]:
        """Reports a doubt that lasts, in a mapping in which the likeliest candidate is legal."""
        if doubts and self._orientation.provisional_frame(self.state) is not None:
            before, position = self._orientation.mapping, self.state.position
            mapping, self._turn = mapping_for(doubts, position, before, possible)
            self._log.switch_to(mapping)
            seen = [as_seen(one, before) for one in doubts]
            doubts = tuple(
                Candidate(mapping.colour(column), mapping.to_game(move), one.confidence)
                for one, (column, move) in zip(doubts, seen, strict=True)
            )
        self._unreported = doubts
        if not doubts:
            self._doubtful_since = None
        elif self._doubtful_since is None:
            self._doubtful_since = moment.time
        elif moment.time - self._doubtful_since >= _PATIENCE_S:
            return self.ask_before_hand(moment)
        return []

    def ask_before_hand(self, moment: Moment) -> list[Event]:
        """Reports a doubt before a hand covers it, so that the player knows of it.

        Args:
            moment: time and number of the newest frame.
        """
        doubts, self._unreported = self._unreported, ()
        if not is_news(doubts, self.state.candidates):
            return []
        turned = None
        if self._turn is not None and self.state.turned is None:
            self._orientation.settle(self._orientation.mapping)
            turned = self._turn
        frame = self._orientation.provisional_frame(self.state)
        unclear = self.state.unclear
        events = self._log.apply([Unsure(*moment, doubts, turned, frame, unclear=unclear)])
        self._watch()
        return events

    def close(self, moment: Moment) -> list[Event]:
        """Ends the doubts."""
        return self._log.apply([Resolved(*moment)]) if self.state.candidates else []

    def pend(
        self, weighed: Adjudication, doubts: Sequence[MatchedPiece], moment: Moment
    ) -> list[Event]:
        """Reports the pending moves, and settles the questions if they are answered.

        Args:
            weighed: the decisions that are possible.
            doubts: the pieces that are still doubtful.
            moment: time and number of the newest frame.
        """
        if weighed.settled:
            self._settle()
        self._in_doubt = squares_in_doubt(doubts, self.state.position.board)
        self._watch()
        # The computer may choose only once the question is settled.
        of_people = takewhile(lambda one: not self.state.level_of(one.colour), weighed.pending)
        moves = tuple((one.colour, one.move) for one in of_people)
        if self._orientation.provisional_frame(self.state) is not None:
            moves = ()
        to_move = weighed.to_move if len(moves) == len(weighed.pending) > 0 else None
        if (moves, to_move) == (self.state.pending, self.state.turn_after):
            return []
        return self._log.apply([Pending(*moment, moves, to_move)])

    def mention(
        self,
        evidence: LogProbabilities,
        marks: frozenset[ReaderPiece],
        hidden: frozenset[int],
        moment: Moment,
        *,
        occluded: bool,
    ) -> list[Event]:
        """Reports squares that no piece explains; see `UnexplainedSquares.mention`."""
        state = self.state
        unclear = self._unexplained.mention(
            evidence,
            state,
            self._orientation.mapping,
            marks,
            moment.time,
            hidden=hidden,
            occluded=occluded,
        )
        if unclear is None:
            return []
        if not (unclear or state.candidates):
            return self._log.apply([Resolved(*moment)])
        frame = self._orientation.provisional_frame(state)
        return self._log.apply([Unsure(*moment, state.candidates, None, frame, unclear=unclear)])

    def answered(self, choice: Candidate | None, moment: Moment) -> list[Event]:
        """Makes the pending moves after a person has answered; none while pieces are to be lifted.

        Args:
            choice: the candidate that the person chose; None for nothing.
            moment: time and number of the newest frame.
        """
        events: list[Event] = []
        mapping = self._orientation.mapping
        later = [*self.state.pending]
        while later:
            (colour, move), position = later[0], self.state.position
            if self.state.to_lift or not position.is_legal(move, colour):
                break
            events += self._log.move(Accepted(colour, move, np.inf), mapping, moment)
            del later[0]
        if choice is not None:
            self._settle(beside=choice.move == self._log.confirmed)
        elif self.state.history:
            self._log.confirmed = self.state.history[-1].move
        self._forget()
        # The others wait for a piece before them; the order in which they came is known.
        waiting = (mapping.to_reader(move).mask for _, move in later)
        self.appeared = tuple(frozenset({mask}) for mask in waiting)
        nothing = Adjudication((), (), self.state.position)
        return events + self.pend(nothing, (), moment)

    def _watch(self) -> None:
        """Collects evidence on the doubtful squares while the questions are open."""
        self._evidence.watch(self._in_doubt if self.state.candidates else ())

    def _settle(self, *, beside: bool = False) -> None:
        """Settles the evidence by the accepted position.

        In a puzzle, or if `beside`, another piece may lie beside that of the answer; no question
        was about it.
        """
        if self._newest is None:
            return
        position, newest = self.state.position, self._newest
        contents = self._orientation.mapping.contents(position)
        if beside or position.game.puzzle is not None:
            lead = newest.max(axis=1) - newest[np.arange(len(newest)), contents]
            certain = (contents == 0) & (lead > CHANGED)
            contents = np.where(certain, newest.argmax(axis=1), contents)
        self._evidence.settle(contents, newest)

    def _forget(self) -> None:
        self._doubtful_since, self._unreported, self.appeared = None, (), ()
        self._evidence.watch(())
        self._unexplained.forget()
