"""What follows from a steady board: evidence in, events out, one game at a time.

The board is explained, the explanation is judged by the rules, and what follows is folded into
the state of the game at once. When a board is steady is no concern of this part.
"""

from collections.abc import Sequence
from typing import Final

from firmware.events import (
    Candidate,
    Disturbed,
    Event,
    Resolved,
    Restored,
    Standing,
    Undone,
    Unsure,
    Withdrawn,
)
from firmware.game import GameState
from firmware.referee import changes, ruling
from firmware.referee.doubting import (
    Doubts,
    as_seen,
    candidates,
    either,
    framed_by,
    in_order,
    may_have_begun,
    may_have_moved,
    orders,
)
from firmware.referee.framing import Framing
from firmware.referee.judging import Judgement, Refused, Seen, frame_of, judge
from firmware.referee.ledger import Ledger
from firmware.referee.matching import Explanation, match
from firmware.referee.settings import RefereeSettings
from firmware.referee.settling import Evidence
from firmware.referee.standing import standing, whose_turn
from firmware.referee.surroundings import is_buried, printed_marks, without_marks
from firmware.rules.breaches import Rule
from firmware.rules.placements import Board
from firmware.rules.position import Position


class Deciding:
    """Follows one game from steady board to steady board.

    Args:
        ledger: writes the game.
        settings: how to work.
        returning: whether the game goes on from its events, see `Referee.take_up`.

    Attributes:
        puzzled: whether what lies there makes no sense, so that a person has to look.
    """

    def __init__(
        self, ledger: Ledger, settings: RefereeSettings, *, returning: bool = False
    ) -> None:
        self.puzzled = False
        self._ledger: Final = ledger
        self._bearings: Final = ledger.bearings
        self._settings: Final = settings
        self._doubts: Final = Doubts(settings)
        self._marks: frozenset[Seen] | None = None
        self._turn: int | None = None
        self._touched = True
        self._fresh = self.state.plies == 0
        self._returning = returning and not self._fresh

    @property
    def state(self) -> GameState:
        """The game as it stands."""
        return self._ledger.state

    def touch(self) -> None:
        """The board is being touched: what was decided last is no longer the newest."""
        self._ledger.accepted = False
        self._touched = True
        self.puzzled = False
        self._doubts.interrupt()

    def go_on(self, *, fresh: bool, returning: bool) -> None:
        """The game was taken up, or set.

        Args:
            fresh: whether a game that stands on the board already may be taken up instead.
            returning: whether nobody watched for a while, see `Referee.take_up`.
        """
        self._fresh, self._returning = fresh, returning
        self.puzzled = False
        self.forget()

    def forget(self) -> None:
        """A person has spoken: what was in doubt is no longer."""
        self._doubts.forget()

    def rename(self) -> None:
        """The colours have other names now: what is printed has to be told anew."""
        self._doubts.rename()
        self._marks = None

    def _explain(self, evidence: Evidence, framing: Framing, position: Position) -> Explanation:
        board = Board.of(framing.size)
        contents = framing.contents(position)
        explanation = match(board, evidence, contents, self._settings.matching)
        return without_marks(explanation, self._marks or frozenset())

    def decide(
        self, evidence: Evidence, now: float, frame: int, *, beside: bool = False
    ) -> list[Event]:
        """Takes what a steady board shows.

        Args:
            evidence: in the reader's frame, columns as in the palette.
            now: when.
            frame: number of the newest frame.
            beside: whether something lies over a part of the board. Then only that is said
                which nothing hidden could change.

        Returns:
            What happened, in order; it is folded into `state`.
        """
        possible = self._bearings.seen(self.state, evidence, self._settings.lead)
        waits = beside and (self._fresh or self._returning or self._is_open or self.state.asked)
        if not possible or waits:
            return []
        events, shown = self._less_dismissed(evidence, possible[0], now, frame)
        explanation = self._explain(shown, possible[0], self.state.position)
        if self._fresh and self._stands(explanation):
            return events + self._found_standing(evidence, possible, now, frame)
        self._fresh = False
        self.puzzled = is_buried(self.state.position.board, explanation)
        if self.puzzled:
            return events
        if self._marks is None:
            self._marks = printed_marks(explanation, self.state.position, possible)
            explanation = without_marks(explanation, self._marks)
        events += self._kept(shown, explanation, possible[0], now, frame)
        if self.state.disturbed:
            return events
        if explanation.missing:
            # The last placement was taken back; if it was the first, more is open again.
            possible = self._bearings.seen(self.state, evidence, self._settings.lead)
            explanation = self._explain(shown, possible[0], self.state.position)
        judged = self._judged_beside if beside else self._judged
        return events + judged(shown, explanation, possible, now, frame)

    def _kept(
        self, evidence: Evidence, explanation: Explanation, framing: Framing, now: float, frame: int
    ) -> list[Event]:
        """Whether what was accepted is in its place, or the last of it was taken back."""
        if explanation.missing:
            undone = self._undone(evidence, framing, now, frame)
            if undone is None:
                return self._disturbed(evidence, explanation, framing, now, frame)
            events = self._ledger.apply([undone])
        else:
            events = []
        if self.state.disturbed and changes.is_back(self.state, explanation, framing):
            events += self._ledger.apply([Restored(frame, now)])
        return events

    @property
    def _is_open(self) -> bool:
        """Whether something waits to be resolved or restored, which may be hidden."""
        return bool(self.state.candidates or self.state.disturbed)

    def _judged_beside(
        self,
        evidence: Evidence,
        explanation: Explanation,
        possible: Sequence[Framing],
        now: float,
        frame: int,
    ) -> list[Event]:
        """What follows from the part of a board that can be seen, whatever the rest hides.

        A piece counts only if it lies there wholly in view; a hidden one of the colour to move
        could make legal what comes too early here.
        """
        framed = frame_of(self.state.position, explanation, possible)
        if framed is None:
            return []
        framing, judgement, turn_sure = framed
        if self._doubts.among(explanation, self.state, framing):
            return []
        self._ledger.go_by(framing)
        events = self._withdrawn(evidence, framing, judgement, now, frame)
        events += self._moved(judgement, framing, now, frame)
        early = {o for o in judgement.refused for b in o.breaches if b.rule is Rule.WRONG_TURN}
        certain = [one for one in judgement.refused if one not in early]
        return events + self._ledger.refuse(certain, now, frame, turn_sure=turn_sure)

    def _judged(
        self,
        evidence: Evidence,
        explanation: Explanation,
        possible: Sequence[Framing],
        now: float,
        frame: int,
    ) -> list[Event]:
        """What follows from a board on which everything accepted is in its place."""
        if self.state.asked:
            return self._answered(explanation, possible[0], now, frame)
        framed = frame_of(self.state.position, explanation, possible, self._doubts.appeared)
        if framed is None:
            self._doubts.remember(explanation)
            told, found = orders(self.state.position, explanation, possible)
            self._ledger.go_by(told)
            return self._doubt(found, possible, now, frame)
        framing, judgement, turn_sure = framed
        self._ledger.go_by(framing)
        if self._returning and len(judgement.moves) > 1:
            return self._doubt(in_order(judgement), possible, now, frame)
        self._returning = False
        doubts = self._doubts.among(explanation, self.state, framing)
        if doubts:
            doubts, judgement = self._doubts.weigh(doubts, explanation, self.state, framing)
            if may_have_begun(doubts, judgement, framing, possible, self.state.position):
                judgement = Judgement((), (), self.state.position)
        events = self._withdrawn(evidence, framing, judgement, now, frame)
        events += self._settled([*doubts, *judgement.open], now, frame)
        events += self._moved(judgement, framing, now, frame)
        wavering = framing.mask(explanation.wavering)
        refused = [
            one
            for one in self._refusals(evidence, framing, judgement)
            if not changes.may_be_pushed(self.state, wavering, one)
        ]
        events += self._ledger.refuse(refused, now, frame, turn_sure=turn_sure)
        found = candidates(doubts, framing) or either(judgement.open)
        return events + self._doubt(found, possible, now, frame)

    def _refusals(
        self, evidence: Evidence, framing: Framing, judgement: Judgement
    ) -> Sequence[Refused]:
        """What is refused; little is while the piece before may lie where nothing is seen."""
        after, mover = judgement.after, judgement.after.to_move
        if not judgement.refused or mover is None:
            return judgement.refused
        if not may_have_moved(mover, evidence, framing, after):
            return judgement.refused
        anyway = [one.if_moved(mover) for one in judgement.refused]
        return [one for one in anyway if one.breaches]

    def _answered(
        self, explanation: Explanation, framing: Framing, now: float, frame: int
    ) -> list[Event]:
        """Whose turn it was where a game stood already, told by the next piece."""
        position = self.state.position
        turn = whose_turn(position, self.state.asked, explanation, framing)
        if turn is None or self._doubts.among(explanation, self.state, framing):
            return []
        told = self._ledger.apply([Standing(frame, now, position.with_turn(turn))])
        judgement = judge(self.state.position, explanation, framing)
        return told + self._moved(judgement, framing, now, frame)

    def _moved(self, judgement: Judgement, framing: Framing, now: float, frame: int) -> list[Event]:
        events: list[Event] = []
        for move in judgement.moves:
            events += self._ledger.move(move, framing, now, frame)
            # What came before this move is no longer of interest.
            self._doubts.appeared = ()
        return events

    def _less_dismissed(
        self, evidence: Evidence, framing: Framing, now: float, frame: int
    ) -> tuple[list[Event], Evidence]:
        """What was dismissed and has gone, and the evidence without what lies there still."""
        if not self.state.dismissed:
            return [], evidence
        self._ledger.go_by(framing)
        sure = self._settings.matching.changed
        gone = self._ledger.apply(changes.lifted(self.state, evidence, framing, sure, now, frame))
        return gone, changes.without_dismissed(self.state, evidence, framing)

    def _stands(self, explanation: Explanation) -> bool:
        """Whether the board, never seen empty, holds more than first moves."""
        first_moves = len(self.state.position.game.colours)
        return len(explanation.placed) > first_moves or sum(map(bool, explanation.strange)) > 1

    def _found_standing(
        self, evidence: Evidence, possible: Sequence[Framing], now: float, frame: int
    ) -> list[Event]:
        """Takes up a game whose pieces stand there already, if they leave no choice."""
        game, sure = self.state.position.game, self._settings.matching.changed
        found = standing(evidence, game, possible, sure)
        self.puzzled = found is None
        if found is None:
            return []
        framing, position, turns = found
        self._bearings.settle(framing)
        self._fresh = False
        asked = turns if len(turns) > 1 else None
        edition = self._bearings.edition
        said = self._ledger.apply([Standing(frame, now, position, framing.turned, edition, asked)])
        return said + self._ledger.apply(ruling.following(self.state, now, frame))

    def _doubt(
        self, doubts: tuple[Candidate, ...], possible: Sequence[Framing], now: float, frame: int
    ) -> list[Event]:
        """Tells of a doubt that lasts, in a framing that makes a move of the likeliest."""
        if doubts and self._bearings.told_in(self.state) is not None:
            before, position = self._bearings.framing, self.state.position
            framing, self._turn = framed_by(doubts, position, before, possible)
            self._ledger.go_by(framing)
            seen = [as_seen(one, before) for one in doubts]
            doubts = tuple(
                Candidate(framing.colour(column), framing.move(move), one.confidence)
                for one, (column, move) in zip(doubts, seen, strict=True)
            )
        return self._tell(self._doubts.wait(doubts, now), now, frame)

    def doubts_before_hand(self, now: float, frame: int) -> list[Event]:
        """Tells of a doubt before a hand covers it: whoever plays on has seen it.

        Args:
            now: when.
            frame: number of the newest frame.
        """
        return self._tell(self._doubts.give_up(), now, frame)

    def _tell(self, doubts: tuple[Candidate, ...], now: float, frame: int) -> list[Event]:
        told = {(one.colour, one.move) for one in self.state.candidates}
        # Candidates come and go with the noise; it is the same doubt while its likeliest was told.
        if not doubts or (doubts[0].colour, doubts[0].move) in told:
            return []
        turned = None
        if self._turn is not None and self.state.turned is None:
            self._bearings.settle(self._bearings.framing)
            turned = self._turn
        told_in = self._bearings.told_in(self.state)
        return self._ledger.apply([Unsure(frame, now, doubts, turned, told_in)])

    def _settled(self, doubts: Sequence[object], now: float, frame: int) -> list[Event]:
        if doubts or not self.state.candidates:
            return []
        return self._ledger.apply([Resolved(frame, now)])

    # What follows

    def _withdrawn(
        self, evidence: Evidence, framing: Framing, judgement: Judgement, now: float, frame: int
    ) -> list[Event]:
        """Refused pieces that no longer lie where they did."""
        sure = self._settings.matching.changed
        gone = changes.withdrawn(self.state, evidence, framing, judgement, sure)
        return self._ledger.apply(
            [Withdrawn(frame, now, one.colour, one.squares, one.told_in) for one in gone]
        )

    def _undone(
        self, evidence: Evidence, framing: Framing, now: float, frame: int
    ) -> Undone | None:
        """The last move taken back, if that explains what is missing."""
        may_lift = self._settings.takeback == "until-next-move" and not self._returning
        if not may_lift or not self.state.history:
            return None
        last = self.state.history[-1]
        instead = self._explain(evidence, framing, last.before)
        near = changes.near(last.move, self._doubts.among(instead, self.state, framing), framing)
        if near:
            return None
        if not changes.explains_undoing(self.state, instead, framing):
            return None
        return Undone(frame, now, self.state.plies, last.colour, last.move)

    def _disturbed(
        self, evidence: Evidence, explanation: Explanation, framing: Framing, now: float, frame: int
    ) -> list[Event]:
        expected = changes.astray(self.state, framing.mask(explanation.missing))
        if expected == self.state.disturbed and not self._touched:
            return []
        self._touched = False
        # Without the pieces that were moved it shows where they lie now.
        contents = framing.contents(self.state.position)
        gone = [framing.seen_at(square) for patch in expected for square in patch.squares]
        contents[gone] = 0
        board = self.state.position.board
        lying = match(board, evidence, contents, self._settings.matching)
        seen = changes.seen_instead(explanation.missing, lying, framing)
        if (expected, seen) == (self.state.disturbed, self.state.astray):
            return []
        return self._ledger.apply([Disturbed(frame, now, expected, seen)])
