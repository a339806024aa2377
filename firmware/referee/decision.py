"""Turns the evidence of a steady board into events of one game.

The evidence is explained, the explanation is judged by the rules, and the resulting events are
applied to the state of the game at once.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.codes import Rule, Takeback
from firmware.game.events import (
    BoardMoved,
    Candidate,
    Dismissed,
    Disturbed,
    Event,
    Lifted,
    Moment,
    PositionSet,
    Restored,
    ToLift,
    Undone,
    Withdrawn,
)
from firmware.game.state import GameState
from firmware.referee import arbiter_rulings, known_pieces, puzzle_pieces
from firmware.referee.adjudication import (
    Adjudication,
    Appeared,
    Framed,
    ReaderPiece,
    Refused,
    certainly_refused,
    doubting_faint,
    frame_of,
    judge,
)
from firmware.referee.ambiguity import (
    candidates,
    either,
    may_have_begun,
    may_have_moved,
    orders,
)
from firmware.referee.ambiguity_evidence import Lightness
from firmware.referee.chosen_move import withheld
from firmware.referee.event_log import EventLog
from firmware.referee.false_pieces import is_buried, printed_marks, without_marks
from firmware.referee.frame_mapping import FrameMapping
from firmware.referee.grace_periods import GracePeriods
from firmware.referee.placement_matching import (
    CHANGED,
    MARGIN,
    NOTHING_BEYOND,
    Explanation,
    Hypothesis,
    MatchedPiece,
    match,
)
from firmware.referee.position_import import import_position, whose_turn
from firmware.referee.questions import Questions
from firmware.referee.steadiness import LogProbabilities
from firmware.rules.board import Board, mask_of
from firmware.rules.position import Position
from firmware.rules.variants import Colour, Contact, Variant

_EVEN: Final = 0.5
"""Probability that a move counts after all that a person took back."""

_AGAIN_S: Final = 3.0
"""Seconds after which the places of disturbed pieces are compared again without a touch."""


class DecisionMaker:
    """Follows one game from steady board to steady board.

    Args:
        log: the log of the game.
        takeback: until when an accepted piece may be lifted.
        returning: True if the game is resumed from its events. Then a missing piece, even the
            last one, is disturbed.

    Attributes:
        puzzled: True if the board makes no sense, so that a person has to look.
    """

    def __init__(
        self,
        log: EventLog,
        takeback: Takeback = Takeback.UNTIL_NEXT_MOVE,
        *,
        returning: bool = False,
    ) -> None:
        self.puzzled = False
        self._log: Final = log
        self._orientation: Final = log.orientation
        self._takeback: Final = takeback
        self._questions: Final = Questions(log)
        self._beyond = NOTHING_BEYOND
        self._marks: frozenset[ReaderPiece] | None = None
        self._newest: LogProbabilities | None = None
        self._faint: dict[Dismissed, NDArray[np.bool_]] = {}
        self._disturbed_again = float("-inf")
        self._grace: Final = GracePeriods()
        self._touched = False
        self._nothing_new: tuple[GameState, Sequence[FrameMapping]] | None = None
        self._fresh = self.state.piece_count == 0
        self._returning = returning and not self._fresh

    @property
    def state(self) -> GameState:
        """The state of the game."""
        return self._log.state

    @property
    def questions(self) -> Questions:
        """The open questions."""
        return self._questions

    def touch(self) -> None:
        """Resets the state that holds only for an untouched board."""
        self._log.accepted, self._touched = False, True
        self._disturbed_again = float("-inf")
        self._grace.touch()
        self.puzzled = False
        self._nothing_new = None
        self._questions.touch()

    def restart(self) -> None:
        """Continues from a position that a person has set."""
        self._fresh = self._returning = False
        self.puzzled = False
        self._questions.restart()

    def rename(self) -> None:
        """Discards printed marks and waiting doubts, because the colours have other names."""
        self._questions.rename()
        self._marks = None

    def _explain(
        self,
        evidence: LogProbabilities,
        mapping: FrameMapping,
        position: Position,
        pending: Sequence[Hypothesis] = (),
    ) -> Explanation:
        """Explains changes against a position; pending pieces count as placed and certain."""
        contents = mapping.contents(position)
        for one in pending:
            contents[list(one.move.squares)] = 1 + one.colour
        board = Board.of(mapping.size)
        explanation = match(board, evidence, contents, self._beyond, self._hung(mapping))
        present = [one for one in pending if not one.move.mask & explanation.missing]
        if len(present) < len(pending):
            return self._explain(evidence, mapping, position, present)
        certain = (
            MatchedPiece(one.colour, one.move, np.inf, np.inf, MARGIN, ()) for one in pending
        )
        explanation = replace(explanation, placed=(*certain, *explanation.placed))
        explanation = without_marks(explanation, self._marks or frozenset())
        return puzzle_pieces.JoinedPieces(
            position, mapping, evidence, self.state.refused
        ).separated(explanation)

    def _explained(self, evidence: LogProbabilities, mapping: FrameMapping) -> Explanation:
        """Explains changes against the accepted position, with the pending moves as certain."""
        return self._explain(evidence, mapping, self.state.position, self._pending(mapping))

    def _hung(self, mapping: FrameMapping) -> frozenset[int]:
        """Masks, in the reader's frame, of pieces that were refused as off the board."""
        refused = (
            mask_of(map(mapping.seen_at, one.squares))
            for one in self.state.refused
            if any(violation.rule is Rule.OFF_BOARD for violation in one.violations)
        )
        return frozenset(group for mask in refused for group in Board.of(mapping.size).groups(mask))

    def _pending(self, mapping: FrameMapping) -> list[Hypothesis]:
        return [
            Hypothesis(mapping.plastic[colour], mapping.to_reader(move), np.inf)
            for colour, move in self.state.pending
        ]

    def _exchanged(
        self, evidence: LogProbabilities, explanation: Explanation, mapping: FrameMapping
    ) -> Explanation | None:
        """Explains changes against the position before the last move, if that was exchanged.

        A part of a piece that no hand has touched is no other piece. Nor is the computer's piece
        exchanged, or one that a person let stand.
        """
        if not self.state.history or self.state.position.game.puzzle is not None:
            return None
        last = self.state.history[-1]
        is_computer = replace(self.state, position=last.before).level_of(last.colour)
        untouched = explanation.missing and not self._touched
        stays = untouched or self._log.confirmed == last.move
        if is_computer or stays or not known_pieces.may_be_exchanged(last, explanation, mapping):
            return None
        instead = self._explain(evidence, mapping, last.before, self._pending(mapping))
        return None if instead.missing else known_pieces.doubting_last(last, instead, mapping)

    def decide(
        self,
        evidence: LogProbabilities,
        moment: Moment,
        *,
        beyond: NDArray[np.float32] = NOTHING_BEYOND,
        lightness: Lightness | None = None,
        hidden: frozenset[int] = frozenset(),
        occluded: bool = False,
    ) -> list[Event]:
        """Takes the evidence of a steady board.

        Args:
            evidence: in the reader's frame, columns as in the palette.
            moment: time and number of the newest frame.
            beyond: evidence beyond the border, see `vision.reading.Reading`.
            lightness: (squares,) L* of each square; None if it was not measured.
            hidden: squares that cannot be seen for a reason reported elsewhere.
            occluded: True if something lies over a part of the board. Then only decisions
                are made that nothing hidden could change.

        Returns:
            The events in order, already applied to `state`.
        """
        self._beyond = beyond
        if not occluded:
            weighed = self._questions.weighed(evidence, lightness)
            if weighed is None:
                return []
            evidence = weighed
        self._newest = evidence
        events = self._decided(evidence, moment, occluded=occluded)
        if self.state.to_lift:
            return events
        marks = self._marks or frozenset()
        return events + self._questions.mention(evidence, marks, hidden, moment, occluded=occluded)

    def _decided(
        self, evidence: LogProbabilities, moment: Moment, *, occluded: bool
    ) -> list[Event]:
        possible = self._orientation.seen(self.state, evidence)
        waits = occluded and (
            self._fresh or self._returning or self._is_open or self.state.possible_turns
        )
        if not possible or (waits and not self.state.to_lift):
            return []
        events, evidence = self._split_not_counted(evidence, possible[0], moment)
        if self.state.to_lift or waits:
            return events if occluded else events + self._ask_to_lift(evidence, possible, moment)
        explanation = self._explained(evidence, possible[0])
        if self._fresh and self._stands(explanation):
            events += self._found_standing(evidence, possible, moment)
            if not (self.puzzled and _is_filling(self.state.position.game)):
                return events
            # Its pieces count in any order, so those that are certain count.
        self._fresh = False
        self.puzzled = is_buried(self.state.position.board, explanation)
        if self.puzzled:
            return events
        if self._marks is None:
            self._marks = printed_marks(explanation, self.state.position.game, possible)
            explanation = without_marks(explanation, self._marks)
        state = self.state
        is_open = state.refused or state.candidates or state.disturbed or occluded
        if is_open or not explanation.is_empty:
            self._nothing_new = None
        elif self._nothing_new == (state, possible):
            return events  # the same as the steady board before: nothing follows
        else:
            self._nothing_new = state, possible
        return events + self._changes(evidence, explanation, possible, moment, occluded=occluded)

    def _changes(
        self,
        evidence: LogProbabilities,
        explanation: Explanation,
        possible: Sequence[FrameMapping],
        moment: Moment,
        *,
        occluded: bool,
    ) -> list[Event]:
        """Decides on the accepted pieces that changed, and then on the new ones."""
        self._touched = bool(self._touched and explanation.missing)
        exchanged = None if occluded else self._exchanged(evidence, explanation, possible[0])
        if exchanged and (
            self.state.candidates
            or not self._grace.is_for_missing(self.state, explanation, possible[0], moment.time)
        ):
            return self._judged_exchange(exchanged, possible[0], moment)
        events = self._checked_pieces(evidence, explanation, possible[0], moment)
        if self.state.disturbed or self._grace.is_incomplete:
            return events
        if explanation.missing:
            # The last placement was taken back; if it was the first, more mappings are possible.
            possible = self._orientation.seen(self.state, evidence)
            explanation = self._explained(evidence, possible[0])
        judged = self._judged_occluded if occluded else self._judged
        return events + judged(evidence, explanation, possible, moment)

    def _checked_pieces(
        self,
        evidence: LogProbabilities,
        explanation: Explanation,
        mapping: FrameMapping,
        moment: Moment,
    ) -> list[Event]:
        """Reports accepted pieces as undone, disturbed or restored."""
        if self._grace.is_for_missing(self.state, explanation, mapping, moment.time):
            return []
        if explanation.missing:
            undone = self._undone(evidence, explanation, mapping, moment)
            if not undone:
                turned = self._turned_round(evidence, moment)
                return turned or self._disturbed(evidence, explanation, mapping, moment)
            events = self._log.apply(undone)
            if self.state.position.game.puzzle is not None and self.state.disturbed:
                # Of a puzzle everything that is missing was taken back.
                events += self._log.apply([Restored(*moment)])
        else:
            events = []
        if self.state.disturbed and known_pieces.is_back(self.state, explanation, mapping):
            events += self._log.apply([Restored(*moment)])
        return events

    @property
    def _is_open(self) -> bool:
        """True if candidates or disturbed pieces are open; they may be hidden."""
        return bool(self.state.candidates or self.state.disturbed)

    def _judged_occluded(
        self,
        evidence: LogProbabilities,
        explanation: Explanation,
        possible: Sequence[FrameMapping],
        moment: Moment,
    ) -> list[Event]:
        """Decides from the visible part of a board, whatever the rest hides.

        A piece counts only if it is wholly visible. A hidden move of the colour to move could
        make a piece legal that seems out of turn, so that rule is not applied.
        """
        explanation, framed = self._framed(explanation, possible)
        if framed is None:
            return []
        mapping, judgement, turn_sure = framed
        if self._questions.reportable(explanation, mapping):
            return []
        self._log.switch_to(mapping)
        events = self._withdrawn(evidence, mapping, judgement, moment)
        events += self._moved(judgement, mapping, moment)
        game = judgement.after.game
        early = {o for o in judgement.refused for v in o.violations if v.rule is Rule.WRONG_TURN}
        certain: Sequence[Refused] = [one for one in judgement.refused if one not in early]
        if game.puzzle is not None:
            certain = certainly_refused(certain, game.colours, game)
        overdue = self._grace.overdue(self.state, certain, moment.time)
        return events + self._log.refuse(overdue, moment, turn_sure=turn_sure)

    def _judged(
        self,
        evidence: LogProbabilities,
        explanation: Explanation,
        possible: Sequence[FrameMapping],
        moment: Moment,
    ) -> list[Event]:
        """Decides from a board on which all accepted pieces are in their places."""
        if self.state.possible_turns:
            return self._answered(explanation, possible[0], moment)
        explanation, framed = self._framed(explanation, possible, self._questions.appeared)
        if framed is None:
            appeared = self._questions.appeared
            first, found = orders(self.state.position, explanation, possible, appeared)
            self._questions.remember(explanation)
            self._log.switch_to(first)
            return self._questions.ask(found, possible, moment)
        mapping, judgement, turn_sure = framed
        self._log.switch_to(mapping)
        self._returning = False
        doubts = self._questions.reportable(explanation, mapping)
        weighed = judgement
        if judgement.open:
            self._questions.remember(explanation)
        if doubts:
            weighed = self._questions.weigh(doubts, explanation, mapping)
            position = self.state.position
            case = doubts, explanation, weighed, mapping, possible
            if may_have_begun(*case, position):
                weighed = Adjudication((), (), position)
            doubts = () if weighed.settled else doubts
        judgement = withheld(weighed, self.state)
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
        overdue = self._grace.overdue(self.state, refused, moment.time)
        events += self._log.refuse(overdue, moment, turn_sure=turn_sure)
        found = candidates(doubts, mapping) or either(judgement.open)
        return events + self._questions.ask(found, possible, moment)

    def _judged_exchange(
        self, explanation: Explanation, mapping: FrameMapping, moment: Moment
    ) -> list[Event]:
        """Asks for the piece in the place of the last one, and decides what its answer leaves open.

        Args:
            explanation: changes against the position before the last move.
            mapping: from the reader's frame to the game's.
            moment: time and number of the newest frame.
        """
        events: list[Event] = []
        if self.state.disturbed:
            events += self._log.apply([Restored(*moment)])
        last = self.state.history[-1]
        before = replace(self.state, position=last.before)
        doubts = self._questions.reportable(explanation, mapping)
        # All others that are new were laid after it.
        self._questions.remember(replace(explanation, placed=()))
        weighed = self._questions.weigh(doubts, explanation, mapping, before)
        if weighed.settled:
            doubts = ()
            events += self._questions.close(moment)
            judgement = withheld(weighed, before)
            first, *later = judgement.moves
            if first.move == last.move:
                self._log.confirmed = last.move
                judgement = replace(judgement, moves=tuple(later))
            else:
                undone = Undone(*moment, self.state.piece_count, last.colour, last.move)
                events += self._log.apply([undone])
            events += self._moved(judgement, mapping, moment)
        events += self._questions.pend(weighed, doubts, moment)
        events += self._log.refuse(weighed.refused, moment, turn_sure=False)
        events += self._questions.ask(candidates(doubts, mapping), [mapping], moment)
        # A piece that lacks squares was in doubt all through its grace period.
        patient = not self._grace.is_incomplete
        return events if patient else events + self._questions.ask_before_hand(moment)

    def _framed(
        self,
        explanation: Explanation,
        possible: Sequence[FrameMapping],
        appeared: Appeared = (),
    ) -> tuple[Explanation, Framed | None]:
        """Judges an explanation; faint pieces that would be refused become doubtful ones."""
        framed = self._frame_of(explanation, possible, appeared)
        if framed is None:
            return explanation, None
        doubting = doubting_faint(explanation, *framed[:2], self.state.refused)
        if doubting is explanation:
            return explanation, framed
        return doubting, self._frame_of(doubting, possible, appeared)

    def _frame_of(
        self, explanation: Explanation, possible: Sequence[FrameMapping], appeared: Appeared
    ) -> Framed | None:
        """Judges an explanation by the rules, and by the choice of the computer."""
        framed = frame_of(self.state.position, explanation, possible, appeared)
        if framed is None:
            return None
        mapping, judgement, turn_sure = framed
        return mapping, withheld(judgement, self.state), turn_sure

    def _refusals(
        self, evidence: LogProbabilities, mapping: FrameMapping, judgement: Adjudication
    ) -> Sequence[Refused]:
        """Returns the pieces to refuse; fewer if the move before may lie on unseen squares."""
        after = judgement.after
        if not judgement.refused or after.to_move != self.state.position.to_move:
            # The turn passes over colours that resigned: the rest is judged from there.
            return ()
        movers = [
            colour
            for colour in _could_pardon(judgement.refused, after.game)
            if after.may_lay(colour) and may_have_moved(colour, evidence, mapping, after)
        ]
        if not movers:
            return judgement.refused
        return certainly_refused(judgement.refused, movers, after.game)

    def _answered(
        self, explanation: Explanation, mapping: FrameMapping, moment: Moment
    ) -> list[Event]:
        """Determines from the next piece whose turn it was in an imported position."""
        position = self.state.position
        turn = whose_turn(position, self.state.possible_turns, explanation, mapping)
        if turn is None or self._questions.reportable(explanation, mapping):
            return []
        events = self._log.apply([PositionSet(*moment, position.with_turn(turn))])
        judgement = withheld(judge(self.state.position, explanation, mapping), self.state)
        return events + self._moved(judgement, mapping, moment)

    def _moved(self, judgement: Adjudication, mapping: FrameMapping, moment: Moment) -> list[Event]:
        events: list[Event] = []
        for move in judgement.moves:
            events += self._log.move(move, mapping, moment)
            self._questions.decided(mapping.to_reader(move.move).mask)
        return events

    # Pieces that do not count

    def is_gone(self, one: ToLift) -> bool:
        """True if a piece certainly did not lie on the newest steady board."""
        return bool(self._leads(one).min() < -CHANGED)

    def lies(self, one: ToLift) -> bool:
        """True if a piece certainly lay on the newest steady board."""
        return bool(self._leads(one).min() > CHANGED)

    def _leads(self, one: ToLift) -> NDArray[np.float64]:
        """Returns (squares,) log odds for a piece on the newest steady board; 0 before it."""
        if self._newest is None:
            return np.zeros(len(one.squares))
        mapping = self._orientation.mapping_of(self.state, one.provisional_frame)
        return known_pieces.leads(one.colour, one.squares, self._newest, mapping)

    def _split_not_counted(
        self, evidence: LogProbabilities, mapping: FrameMapping, moment: Moment
    ) -> tuple[list[Event], LogProbabilities]:
        """Returns events for what was lifted, and the evidence without what still lies there."""
        if not self.state.not_counted:
            return [], evidence
        self._log.switch_to(mapping)
        asked = self.state.to_lift
        events = self._log.apply(known_pieces.lifted(self.state, evidence, mapping, moment))
        events += self._log.apply(self._covered(evidence, mapping, moment))
        if self.state.to_lift != asked:
            events += self._questions.close(moment)
        return events, known_pieces.without_not_counted(self.state, evidence, mapping)

    def _covered(
        self, evidence: LogProbabilities, mapping: FrameMapping, moment: Moment
    ) -> list[Lifted]:
        """Returns events for dismissed objects on which a piece lies now.

        Where a person saw nothing, a square that certainly shows the colour now holds a piece.
        """
        before = self._faint
        found = {
            one: known_pieces.leads(one.colour, one.squares, evidence, mapping)
            for one in self.state.not_counted
            if isinstance(one, Dismissed)
        }
        self._faint = {
            one: before.get(one, (lead <= CHANGED) & (lead != 0)) for one, lead in found.items()
        }
        return [
            Lifted.of(one, moment)
            for one, lead in found.items()
            if (self._faint[one] & (lead > CHANGED)).any()
        ]

    def _ask_to_lift(
        self, evidence: LogProbabilities, possible: Sequence[FrameMapping], moment: Moment
    ) -> list[Event]:
        """Asks once if the first move to lift counts, if people lay further pieces beside it."""
        one, mapping = self.state.to_lift[-1], possible[0]
        board, refused = self.state.position.board, self.state.refused
        known = {(piece.colour, mask_of(piece.squares)) for piece in refused}
        lying = mask_of(square for piece in self.state.to_lift for square in piece.squares)
        further = {
            (mapping.colour(piece.colour), mask)
            for piece in self._explained(evidence, mapping).placed
            if not (mask := mapping.mask(piece.move.mask)) & lying
        }
        move = board.find_move(one.squares)
        found: tuple[Candidate, ...] = ()
        if further - known and move is not None:
            found = (Candidate(one.colour, move, _EVEN),)
        return self._questions.ask(found, possible, moment)

    def _stands(self, explanation: Explanation) -> bool:
        """True if a board that was never seen empty holds more than first moves."""
        first_moves = len(self.state.position.game.colours)
        return len(explanation.placed) > first_moves or sum(map(bool, explanation.strange)) > 1

    def _found_standing(
        self, evidence: LogProbabilities, possible: Sequence[FrameMapping], moment: Moment
    ) -> list[Event]:
        """Imports a position that stands on the board already, if it is unambiguous."""
        game = self.state.position.game
        found = import_position(evidence, game, possible, self._beyond)
        self.puzzled = found is None
        if found is None:
            return []
        mapping, position, turns = found
        self._orientation.settle(mapping)
        self._fresh = False
        unsure = turns if len(turns) > 1 else None
        edition = self._orientation.edition
        events = self._log.apply([PositionSet(*moment, position, mapping.turned, edition, unsure)])
        return events + self._log.apply(arbiter_rulings.following(self.state, moment))

    # Changes of accepted and refused pieces

    def _withdrawn(
        self,
        evidence: LogProbabilities,
        mapping: FrameMapping,
        judgement: Adjudication,
        moment: Moment,
    ) -> list[Event]:
        """Withdraws refused pieces that no longer lie where they did."""
        withdrawn = known_pieces.withdrawn(self.state, evidence, mapping, judgement)
        return self._log.apply([Withdrawn.of(one, moment) for one in withdrawn])

    def _undone(
        self,
        evidence: LogProbabilities,
        explanation: Explanation,
        mapping: FrameMapping,
        moment: Moment,
    ) -> Sequence[Undone]:
        """Returns the events that take moves back, if that explains the missing squares.

        In a game that is the last move.
        """
        if self._returning:
            return []
        if puzzle_pieces.may_lift_any(self.state.position.game, self._takeback):
            return self._lifted(evidence, explanation, mapping, moment)
        if self._takeback is Takeback.ARBITER or not self.state.history:
            return []
        last = self.state.history[-1]
        instead = self._explain(evidence, mapping, last.before)
        near = known_pieces.near(last.move, self._questions.reportable(instead, mapping), mapping)
        if near or not known_pieces.explains_undoing(self.state, instead, mapping):
            return []
        return [Undone(*moment, self.state.piece_count, last.colour, last.move)]

    def _lifted(
        self,
        evidence: LogProbabilities,
        explanation: Explanation,
        mapping: FrameMapping,
        moment: Moment,
    ) -> Sequence[Undone]:
        """Returns the events that take back all pieces of a puzzle that are missing."""
        position = self.state.position
        missing = known_pieces.displaced(self.state, mapping.mask(explanation.missing))
        lifted = puzzle_pieces.pieces_on(position, missing)
        rest = puzzle_pieces.without(position, lifted)
        instead = self._explain(evidence, mapping, rest)
        doubts = self._questions.reportable(instead, mapping)
        if any(known_pieces.near(move, doubts, mapping) for _, move in lifted):
            return []
        if not puzzle_pieces.explains(lifted, instead, mapping) or puzzle_pieces.leaves_faults(
            position, rest
        ):
            return []
        return puzzle_pieces.undoing(self.state, lifted, moment)

    def _turned_round(self, evidence: LogProbabilities, moment: Moment) -> list[Event]:
        """Follows a board that was turned with its pieces."""
        mapping = self._orientation.turned_round(self.state, evidence)
        if mapping is None:
            return []
        self._orientation.settle(mapping)
        self._marks = None
        closed = self._questions.close(moment)
        return closed + self._log.apply([BoardMoved(*moment, 0.0, mapping.turned)])

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
        # Matching without the moved pieces finds their present places.
        contents = mapping.contents(self.state.position)
        moved = [mapping.seen_at(square) for patch in expected for square in patch.squares]
        contents[moved] = 0
        board = self.state.position.board
        present = match(board, evidence, contents, self._beyond)
        seen = known_pieces.seen_instead(explanation.missing, present, mapping)
        if (expected, seen) == (self.state.disturbed, self.state.displaced):
            return []
        # Doubts wait until the pieces are back, since they may be a part of them.
        closed = self._questions.close(moment)
        return closed + self._log.apply([Disturbed(*moment, expected, seen)])


def _is_filling(game: Variant) -> bool:
    """True for a puzzle in which a piece may lie anywhere in the field."""
    return game.puzzle is not None and game.puzzle.contact is not Contact.AT_CORNERS


def _could_pardon(refused: Sequence[Refused], game: Variant) -> Collection[Colour]:
    """Returns the colours of which an unseen move could make a refused piece legal."""
    if game.puzzle is None:
        return game.colours
    every = set(game.colours)
    return {c for c in every if any(one.if_moved([c], game) != one for one in refused)}
