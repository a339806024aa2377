"""What follows from a steady board: evidence in, events out, one game at a time.

The board is explained, the explanation is judged by the rules, and what follows is folded into
the state of the game at once. When a board is steady is no concern of this part.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from firmware.game.config import Takeback
from firmware.game.events import Disturbed, Event, Moment, PositionSet, Restored, Undone, Withdrawn
from firmware.game.state import GameState
from firmware.referee import arbiter_rulings, known_pieces
from firmware.referee.adjudication import Adjudication, Refused, Seen, frame_of, judge
from firmware.referee.ambiguity import (
    candidates,
    either,
    in_order,
    may_have_begun,
    may_have_moved,
    orders,
)
from firmware.referee.ambiguity_evidence import Lightness
from firmware.referee.event_log import EventLog
from firmware.referee.false_pieces import is_buried, printed_marks, without_marks
from firmware.referee.frame_mapping import FrameMapping
from firmware.referee.hypotheses import WeighedHypotheses
from firmware.referee.placement_matching import (
    MOST_ASKEW,
    Explanation,
    Hypothesis,
    MatchedPiece,
    match,
)
from firmware.referee.position_import import import_position, whose_turn
from firmware.referee.questions import Questions
from firmware.referee.settings import RefereeSettings
from firmware.referee.steadiness import LogProbabilities
from firmware.rules.board import Board, mask_of
from firmware.rules.position import Position
from firmware.rules.violations import Rule

_AGAIN_S: Final = 3.0
"""Seconds after which it is told anew where disturbed pieces lie, though nobody touched them."""

_STRAIGHTEN_S: Final = 2.5
"""Seconds for which squares that are no piece lie there until they are refused: people straighten
a piece that lies askew, and so covers a square more than it has, within 2 s at the simulated
table."""


class DecisionMaker:
    """Follows one game from steady board to steady board.

    Args:
        log: writes the game.
        settings: how to work.
        returning: True if the game goes on from its events. What is missing is disturbed then,
            the last piece too, and two or more new pieces are for a person to confirm.

    Attributes:
        puzzled: whether what lies there makes no sense, so that a person has to look.
    """

    def __init__(
        self, log: EventLog, settings: RefereeSettings, *, returning: bool = False
    ) -> None:
        self.puzzled = False
        self._log: Final = log
        self._orientation: Final = log.orientation
        self._settings: Final = settings
        self._questions: Final = Questions(log, settings)
        self._marks: frozenset[Seen] | None = None
        self._disturbed_again = float("-inf")
        self._no_piece_since: float | None = None
        self._fresh = self.state.plies == 0
        self._returning = returning and not self._fresh

    @property
    def state(self) -> GameState:
        """The game as it stands."""
        return self._log.state

    @property
    def questions(self) -> Questions:
        """What people are asked."""
        return self._questions

    def touch(self) -> None:
        """The board is being touched: what was decided last is no longer the newest."""
        self._log.accepted = False
        self._disturbed_again = float("-inf")
        self._no_piece_since = None
        self.puzzled = False
        self._questions.touch()

    def restart(self) -> None:
        """Goes on from the position that a person has set."""
        self._fresh = self._returning = False
        self.puzzled = False
        self._questions.restart()

    def rename(self) -> None:
        """The colours have other names now: what is printed has to be told anew."""
        self._questions.rename()
        self._marks = None

    def _explain(
        self,
        evidence: LogProbabilities,
        mapping: FrameMapping,
        position: Position,
        pending: Sequence[Hypothesis] = (),
    ) -> Explanation:
        """What is new since a position; what waits for an answer is new, and certain."""
        contents = mapping.contents(position)
        for one in pending:
            contents[list(one.move.squares)] = 1 + one.colour
        settings = self._settings.matching
        explanation = match(Board.of(mapping.size), evidence, contents, settings)
        left = [one for one in pending if not one.move.mask & explanation.missing]
        if len(left) < len(pending):
            return self._explain(evidence, mapping, position, left)
        certain = (
            MatchedPiece(one.colour, one.move, np.inf, np.inf, settings.margin, ())
            for one in pending
        )
        explanation = replace(explanation, placed=(*certain, *explanation.placed))
        return without_marks(explanation, self._marks or frozenset())

    def _explained(self, evidence: LogProbabilities, mapping: FrameMapping) -> Explanation:
        """What is new in the game; a move that waits for an answer is, and lies there for sure."""
        pending = [
            Hypothesis(mapping.plastic[colour], mapping.seen(move), np.inf)
            for colour, move in self.state.pending
        ]
        return self._explain(evidence, mapping, self.state.position, pending)

    def decide(
        self,
        evidence: LogProbabilities,
        moment: Moment,
        *,
        lightness: Lightness | None = None,
        hidden: frozenset[int] = frozenset(),
        beside: bool = False,
    ) -> list[Event]:
        """Takes what a steady board shows.

        Args:
            evidence: in the reader's frame, columns as in the palette.
            moment: time and number of the newest frame.
            lightness: of each square; None where it was not measured.
            hidden: squares that cannot be seen for a reason that people are told.
            beside: whether something lies over a part of the board. Then only that is said
                which nothing hidden could change.

        Returns:
            What happened, in order; it is folded into `state`.
        """
        if not beside:
            weighed = self._questions.weighed(evidence, lightness)
            if weighed is None:
                return []
            evidence = weighed
        events = self._decided(evidence, moment, beside=beside)
        marks = self._marks or frozenset()
        return events + self._questions.mention(evidence, marks, hidden, moment, beside=beside)

    def _decided(self, evidence: LogProbabilities, moment: Moment, *, beside: bool) -> list[Event]:
        possible = self._orientation.seen(self.state, evidence, self._settings.lead)
        waits = beside and (self._fresh or self._returning or self._is_open or self.state.asked)
        if not possible or waits:
            return []
        events, shown = self._less_dismissed(evidence, possible[0], moment)
        explanation = self._explained(shown, possible[0])
        if self._fresh and self._stands(explanation):
            return events + self._found_standing(evidence, possible, moment)
        self._fresh = False
        self.puzzled = is_buried(self.state.position.board, explanation)
        if self.puzzled:
            return events
        if self._marks is None:
            self._marks = printed_marks(explanation, self.state.position, possible)
            explanation = without_marks(explanation, self._marks)
        events += self._undone_or_kept(shown, explanation, possible[0], moment)
        if self.state.disturbed:
            return events
        if explanation.missing:
            # The last placement was taken back; if it was the first, more is open again.
            possible = self._orientation.seen(self.state, evidence, self._settings.lead)
            explanation = self._explained(shown, possible[0])
        judged = self._judged_beside if beside else self._judged
        return events + judged(shown, explanation, possible, moment)

    def _undone_or_kept(
        self,
        evidence: LogProbabilities,
        explanation: Explanation,
        mapping: FrameMapping,
        moment: Moment,
    ) -> list[Event]:
        """Whether what was accepted is in its place, or the last of it was taken back."""
        if explanation.missing:
            undone = self._undone(evidence, mapping, moment)
            if undone is None:
                return self._disturbed(evidence, explanation, mapping, moment)
            events = self._log.apply([undone])
        else:
            events = []
        if self.state.disturbed and known_pieces.is_back(self.state, explanation, mapping):
            events += self._log.apply([Restored(*moment)])
        return events

    @property
    def _is_open(self) -> bool:
        """Whether something waits to be resolved or restored, which may be hidden."""
        return bool(self.state.candidates or self.state.disturbed)

    def _judged_beside(
        self,
        evidence: LogProbabilities,
        explanation: Explanation,
        possible: Sequence[FrameMapping],
        moment: Moment,
    ) -> list[Event]:
        """What follows from the part of a board that can be seen, whatever the rest hides.

        A piece counts only if it lies there wholly in view; a hidden one of the colour to move
        could make legal what comes too early here.
        """
        framed = frame_of(self.state.position, explanation, possible)
        if framed is None:
            return []
        mapping, judgement, turn_sure = framed
        if self._questions.among(explanation, mapping):
            return []
        self._log.switch_to(mapping)
        events = self._withdrawn(evidence, mapping, judgement, moment)
        events += self._moved(judgement, mapping, moment)
        early = {o for o in judgement.refused for b in o.breaches if b.rule is Rule.WRONG_TURN}
        certain = [one for one in judgement.refused if one not in early]
        lasting = self._lasting(certain, moment.time)
        return events + self._log.refuse(lasting, moment, turn_sure=turn_sure)

    def _judged(
        self,
        evidence: LogProbabilities,
        explanation: Explanation,
        possible: Sequence[FrameMapping],
        moment: Moment,
    ) -> list[Event]:
        """What follows from a board on which everything accepted is in its place."""
        if self.state.asked:
            return self._answered(explanation, possible[0], moment)
        framed = frame_of(self.state.position, explanation, possible, self._questions.appeared)
        if framed is None:
            self._questions.remember(explanation)
            told, found = orders(self.state.position, explanation, possible)
            self._log.switch_to(told)
            return self._questions.ask(found, possible, moment)
        mapping, judgement, turn_sure = framed
        self._log.switch_to(mapping)
        if self._returning and len(self._questions.unreported(judgement)) > 1:
            return self._questions.ask(in_order(judgement), possible, moment)
        self._returning = False
        doubts = self._questions.among(explanation, mapping)
        weighed = WeighedHypotheses(judgement)
        if doubts:
            weighed = self._questions.weigh(doubts, explanation, mapping)
            if may_have_begun(doubts, weighed.judgement, mapping, possible, self.state.position):
                weighed = WeighedHypotheses(Adjudication((), (), self.state.position))
            doubts = () if weighed.settled else doubts
        judgement = weighed.judgement
        events = self._withdrawn(evidence, mapping, judgement, moment)
        if not (doubts or judgement.open):
            events += self._questions.close(moment)
        events += self._moved(judgement, mapping, moment)
        events += self._questions.pend(weighed, doubts, moment)
        wavering = mapping.mask(explanation.wavering)
        refused = [
            one
            for one in self._refusals(evidence, mapping, judgement)
            if not known_pieces.may_be_pushed(self.state, wavering, one)
        ]
        lasting = self._lasting(refused, moment.time)
        events += self._log.refuse(lasting, moment, turn_sure=turn_sure)
        found = candidates(doubts, mapping) or either(judgement.open)
        return events + self._questions.ask(found, possible, moment)

    def _lasting(self, refused: Sequence[Refused], now: float) -> Sequence[Refused]:
        """Those to refuse by now: a piece may lie askew and be about to be straightened."""
        known = {(one.colour, mask_of(one.squares)) for one in self.state.refused}
        askew = [
            one
            for one in refused
            if any(breach.rule is Rule.NOT_A_PIECE for breach in one.breaches)
            and (one.colour, one.mask) not in known
            and self._has_move(one)
        ]
        if not askew:
            self._no_piece_since = None
            return refused
        if self._no_piece_since is None:
            self._no_piece_since = now
        if now - self._no_piece_since >= _STRAIGHTEN_S:
            return refused
        return [one for one in refused if one not in askew]

    def _has_move(self, refused: Refused) -> bool:
        """Whether squares are those of a legal move and a few more."""
        return any(
            not move.mask & ~refused.mask and (refused.mask & ~move.mask).bit_count() <= MOST_ASKEW
            for move in self.state.position.moves_of(refused.colour)
        )

    def _refusals(
        self, evidence: LogProbabilities, mapping: FrameMapping, judgement: Adjudication
    ) -> Sequence[Refused]:
        """What is refused; little is while the piece before may lie where nothing is seen."""
        after, mover = judgement.after, judgement.after.to_move
        if not judgement.refused or mover is None:
            return judgement.refused
        if not may_have_moved(mover, evidence, mapping, after):
            return judgement.refused
        anyway = [one.if_moved(mover) for one in judgement.refused]
        return [one for one in anyway if one.breaches]

    def _answered(
        self, explanation: Explanation, mapping: FrameMapping, moment: Moment
    ) -> list[Event]:
        """Whose turn it was where a game stood already, told by the next piece."""
        position = self.state.position
        turn = whose_turn(position, self.state.asked, explanation, mapping)
        if turn is None or self._questions.among(explanation, mapping):
            return []
        told = self._log.apply([PositionSet(*moment, position.with_turn(turn))])
        judgement = judge(self.state.position, explanation, mapping)
        return told + self._moved(judgement, mapping, moment)

    def _moved(self, judgement: Adjudication, mapping: FrameMapping, moment: Moment) -> list[Event]:
        events: list[Event] = []
        for move in judgement.moves:
            events += self._log.move(move, mapping, moment)
            self._questions.decided(mapping.seen(move.move).mask)
        return events

    def _less_dismissed(
        self, evidence: LogProbabilities, mapping: FrameMapping, moment: Moment
    ) -> tuple[list[Event], LogProbabilities]:
        """What was dismissed and has gone, and the evidence without what lies there still."""
        if not self.state.dismissed:
            return [], evidence
        self._log.switch_to(mapping)
        sure = self._settings.matching.changed
        gone = self._log.apply(known_pieces.lifted(self.state, evidence, mapping, sure, moment))
        return gone, known_pieces.without_dismissed(self.state, evidence, mapping)

    def _stands(self, explanation: Explanation) -> bool:
        """Whether the board, never seen empty, holds more than first moves."""
        first_moves = len(self.state.position.game.colours)
        return len(explanation.placed) > first_moves or sum(map(bool, explanation.strange)) > 1

    def _found_standing(
        self, evidence: LogProbabilities, possible: Sequence[FrameMapping], moment: Moment
    ) -> list[Event]:
        """Takes up a game whose pieces stand there already, if they leave no choice."""
        game, sure = self.state.position.game, self._settings.matching.changed
        found = import_position(evidence, game, possible, sure)
        self.puzzled = found is None
        if found is None:
            return []
        mapping, position, turns = found
        self._orientation.settle(mapping)
        self._fresh = False
        asked = turns if len(turns) > 1 else None
        edition = self._orientation.edition
        said = self._log.apply([PositionSet(*moment, position, mapping.turned, edition, asked)])
        return said + self._log.apply(arbiter_rulings.following(self.state, moment))

    # What follows

    def _withdrawn(
        self,
        evidence: LogProbabilities,
        mapping: FrameMapping,
        judgement: Adjudication,
        moment: Moment,
    ) -> list[Event]:
        """Refused pieces that no longer lie where they did."""
        sure = self._settings.matching.changed
        gone = known_pieces.withdrawn(self.state, evidence, mapping, judgement, sure)
        return self._log.apply(
            [Withdrawn(*moment, one.colour, one.squares, one.told_in) for one in gone]
        )

    def _undone(
        self, evidence: LogProbabilities, mapping: FrameMapping, moment: Moment
    ) -> Undone | None:
        """The last move taken back, if that explains what is missing."""
        may_lift = self._settings.takeback is Takeback.UNTIL_NEXT_MOVE and not self._returning
        if not may_lift or not self.state.history:
            return None
        last = self.state.history[-1]
        instead = self._explain(evidence, mapping, last.before)
        near = known_pieces.near(last.move, self._questions.among(instead, mapping), mapping)
        if near:
            return None
        if not known_pieces.explains_undoing(self.state, instead, mapping):
            return None
        return Undone(*moment, self.state.plies, last.colour, last.move)

    def _disturbed(
        self,
        evidence: LogProbabilities,
        explanation: Explanation,
        mapping: FrameMapping,
        moment: Moment,
    ) -> list[Event]:
        expected = known_pieces.displaced(self.state, mapping.mask(explanation.missing))
        if expected == self.state.disturbed and moment.time < self._disturbed_again:
            return []
        self._disturbed_again = moment.time + _AGAIN_S
        # Without the pieces that were moved it shows where they lie now.
        contents = mapping.contents(self.state.position)
        gone = [mapping.seen_at(square) for patch in expected for square in patch.squares]
        contents[gone] = 0
        board = self.state.position.board
        lying = match(board, evidence, contents, self._settings.matching)
        seen = known_pieces.seen_instead(explanation.missing, lying, mapping)
        if (expected, seen) == (self.state.disturbed, self.state.displaced):
            return []
        # What was doubtful waits until the pieces are back, and may be a part of them.
        closed = self._questions.close(moment)
        return closed + self._log.apply([Disturbed(*moment, expected, seen)])
