"""What follows from a steady board: evidence in, events out, one game at a time.

The board is explained, the explanation is judged by the rules, and what follows is folded into
the state of the game at once. When a board is steady is no concern of this part.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from firmware.events import (
    Candidate,
    Dismissed,
    Disturbed,
    Event,
    Illegal,
    Moved,
    Resolved,
    Restored,
    Standing,
    Undone,
    Unsure,
    Withdrawn,
)
from firmware.game import GameState, fold
from firmware.referee import changes, ruling
from firmware.referee.bearings import Bearings
from firmware.referee.doubting import Doubts, candidates, in_order, orders
from firmware.referee.framing import Framing
from firmware.referee.judging import Accepted, Judgement, Refused, Seen, frame_of
from firmware.referee.matching import Explanation, Placed, match
from firmware.referee.settings import RefereeSettings
from firmware.referee.settling import Evidence
from firmware.referee.standing import standing
from firmware.referee.surroundings import is_buried, printed_marks, without_marks
from firmware.rules.breaches import Rule
from firmware.rules.games import Edition
from firmware.rules.placements import Board, squares_of
from firmware.rules.position import Position


class Deciding:
    """Follows one game from steady board to steady board.

    Args:
        state: what the events so far add up to.
        bearings: how the board may lie.
        settings: how to work.
        returning: whether the game goes on from its events, see `take_up`.

    Attributes:
        state: what the events so far add up to.
        accepted: whether the newest decision was to let a piece stand.
    """

    def __init__(
        self,
        state: GameState,
        bearings: Bearings,
        settings: RefereeSettings,
        *,
        returning: bool = False,
    ) -> None:
        self.state = state
        self.accepted = False
        self._bearings: Final = bearings
        self._settings: Final = settings
        self._doubts: Final = Doubts(settings)
        self._marks: frozenset[Seen] | None = None
        self._fresh = state.plies == 0
        self._returning = returning and not self._fresh

    def touch(self) -> None:
        """The board is being touched: what was decided last is no longer the newest."""
        self.accepted = False
        self._doubts.interrupt()

    def rename(self, palette: Edition) -> None:
        """Takes other names for the colours, see `Referee.rename`."""
        self._bearings.rename(self.state, palette)
        self._marks = None

    def take_up(self, state: GameState) -> None:
        """Goes on with a game from its events; the first steady board is held against it."""
        self.state = state
        self._bearings.take_up(state)
        self._fresh, self._returning = state.plies == 0, state.plies > 0
        self._forget()

    def rule(self, events: Sequence[Event], now: float, frame: int) -> list[Event]:
        """Folds what a person ruled, and what follows from it by itself.

        Args:
            events: what was ruled.
            now: when.
            frame: number of the newest frame.
        """
        said = self._apply(events)
        self._forget()
        return said + self._apply(ruling.following(self.state, now, frame))

    def stand(self, position: Position, now: float, frame: int) -> list[Event]:
        """Takes the position as a person sets it.

        Args:
            position: in the frame told so far.
            now: when.
            frame: number of the newest frame.
        """
        said = self.rule([Standing(frame, now, position)], now, frame)
        self._fresh = self._returning = False
        self._bearings.take_up(self.state)
        return said

    def resolve(self, choice: Candidate | None, now: float, frame: int) -> list[Event]:
        """Takes what a person says of a doubt.

        Args:
            choice: one of the candidates that were told; None where nothing counts.
            now: when.
            frame: number of the newest frame.
        """
        told_in = self._bearings.told_in(self.state)
        if choice is None:
            return self.rule(ruling.refusing(self.state, told_in, now, frame), now, frame)
        said = self.rule([Resolved(frame, now)], now, frame)
        position = self.state.position
        if choice.colour == position.to_move and choice.move in position.legal_moves:
            accepted = Accepted(choice.colour, choice.move, np.inf)
            return said + self._move(accepted, self._bearings.framing, now, frame)
        breaches = position.examine(choice.move.squares, choice.colour)
        squares = tuple(squares_of(choice.move.mask))
        refused = Illegal(frame, now, choice.colour, squares, breaches, told_in=told_in)
        return said + self._apply([refused])

    def overrule(self, one: Illegal | Dismissed, now: float, frame: int) -> list[Event]:
        """Lets a piece stand.

        Args:
            one: the piece, refused or dismissed.
            now: when.
            frame: number of the newest frame.

        Raises:
            ValueError: its squares are no piece, or it lies on another.
        """
        framing = self._bearings.framing_of(self.state, one.told_in)
        framed = framing.turned, framing.edition(self._bearings.palette)
        event = ruling.overruling(self.state, one, framed, now, frame)
        if not event.breaches:
            return self._move(Accepted(event.colour, event.move, np.inf), framing, now, frame)
        said = self.rule([event], now, frame)
        self._bearings.settle(framing)
        self.accepted = True
        return said

    def _forget(self) -> None:
        self._doubts.forget()
        self.accepted = False

    def _apply(self, events: Sequence[Event]) -> list[Event]:
        for event in events:
            self.state = fold(self.state, event)
        return list(events)

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
        waits = beside and (self._fresh or self._returning or self._is_open)
        if not possible or waits:
            return []
        events, shown = self._less_dismissed(evidence, possible[0], now, frame)
        explanation = self._explain(shown, possible[0], self.state.position)
        if self._fresh and self._stands(explanation):
            return events + self._found_standing(evidence, possible, now, frame)
        self._fresh = False
        if is_buried(self.state.position.board, explanation):
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
                return self._disturbed(framing, explanation, now, frame)
            events = self._apply([undone])
        else:
            events = []
        if self.state.disturbed and changes.is_back(self.state, explanation, framing):
            events += self._apply([Restored(frame, now)])
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
        self.state = self._bearings.go_by(self.state, framing)
        events = self._withdrawn(evidence, framing, judgement, now, frame)
        for move in judgement.moves:
            events += self._move(move, framing, now, frame)
        early = {o for o in judgement.refused for b in o.breaches if b.rule is Rule.WRONG_TURN}
        certain = [one for one in judgement.refused if one not in early]
        return events + self._refuse(certain, now, frame, turn_sure=turn_sure)

    def _judged(
        self,
        evidence: Evidence,
        explanation: Explanation,
        possible: Sequence[Framing],
        now: float,
        frame: int,
    ) -> list[Event]:
        """What follows from a board on which everything accepted is in its place."""
        framed = frame_of(self.state.position, explanation, possible, self._doubts.appeared)
        if framed is None:
            self._doubts.remember(explanation)
            return self._doubt(orders(self.state.position, explanation, possible), now, frame)
        framing, judgement, turn_sure = framed
        self.state = self._bearings.go_by(self.state, framing)
        if self._returning and len(judgement.moves) > 1:
            return self._doubt(in_order(judgement), now, frame)
        self._returning = False
        doubts = self._doubts.among(explanation, self.state, framing)
        if doubts:
            doubts, judgement = self._doubts.weigh(doubts, explanation, self.state, framing)
        events = self._withdrawn(evidence, framing, judgement, now, frame)
        events += self._settled(doubts, now, frame)
        for move in judgement.moves:
            events += self._move(move, framing, now, frame)
        wavering = framing.mask(explanation.wavering)
        refused = [
            one for one in judgement.refused if not changes.may_be_pushed(self.state, wavering, one)
        ]
        events += self._refuse(refused, now, frame, turn_sure=turn_sure)
        return events + self._doubt(candidates(doubts, framing), now, frame)

    def _less_dismissed(
        self, evidence: Evidence, framing: Framing, now: float, frame: int
    ) -> tuple[list[Event], Evidence]:
        """What was dismissed and has gone, and the evidence without what lies there still."""
        if not self.state.dismissed:
            return [], evidence
        self.state = self._bearings.go_by(self.state, framing)
        sure = self._settings.matching.changed
        gone = self._apply(changes.lifted(self.state, evidence, framing, sure, now, frame))
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
        if found is None:
            return []
        framing, position = found
        self._bearings.settle(framing)
        self._fresh = False
        said = self._apply([Standing(frame, now, position, framing.turned, self._bearings.edition)])
        return said + self._apply(ruling.following(self.state, now, frame))

    def _doubt(self, doubts: tuple[Candidate, ...], now: float, frame: int) -> list[Event]:
        """Tells of a doubt that lasts."""
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
        return self._apply([Unsure(frame, now, doubts)])

    def _settled(self, doubts: Sequence[Placed], now: float, frame: int) -> list[Event]:
        if doubts or not self.state.candidates:
            return []
        return self._apply([Resolved(frame, now)])

    # What follows

    def _move(self, move: Accepted, framing: Framing, now: float, frame: int) -> list[Event]:
        edition = framing.edition(self._bearings.palette)
        event = Moved(
            frame,
            now,
            self.state.plies + 1,
            move.colour,
            move.move,
            round(float(1 / (1 + np.exp(-move.margin))), 4),
            framing.turned if self.state.turned is None else None,
            edition if self.state.edition != edition else None,
        )
        self._bearings.settle(framing)
        self.accepted = True
        self._doubts.appeared = ()
        events = self._apply([event])
        return events + self._apply(ruling.following(self.state, now, frame))

    def _refuse(
        self, refused: Sequence[Refused], now: float, frame: int, *, turn_sure: bool
    ) -> list[Event]:
        turned = None
        if turn_sure and refused and self.state.turned is None:
            self._bearings.settle(self._bearings.framing)
            turned = self._bearings.turned
        told_in = self._bearings.told_in(self.state)
        events: list[Event] = []
        known = {one.colour: one for one in self.state.refused}
        for one in refused:
            squares = tuple(squares_of(one.mask))
            before = known.get(one.colour)
            if before is None or (before.squares, before.breaches) != (squares, one.breaches):
                events.append(
                    Illegal(frame, now, one.colour, squares, one.breaches, turned, told_in)
                )
                turned = None
        return self._apply(events)

    def _withdrawn(
        self, evidence: Evidence, framing: Framing, judgement: Judgement, now: float, frame: int
    ) -> list[Event]:
        """Refused pieces that no longer lie where they did."""
        sure = self._settings.matching.changed
        gone = changes.withdrawn(self.state, evidence, framing, judgement, sure)
        return self._apply(
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
        if self._doubts.among(instead, self.state, framing):
            return None
        if not changes.explains_undoing(self.state, instead, framing):
            return None
        return Undone(frame, now, self.state.plies, last.colour, last.move)

    def _disturbed(
        self, framing: Framing, explanation: Explanation, now: float, frame: int
    ) -> list[Event]:
        expected = changes.astray(self.state, framing.mask(explanation.missing))
        if expected == self.state.disturbed:
            return []
        seen = changes.seen_instead(explanation, framing)
        return self._apply([Disturbed(frame, now, expected, seen)])
