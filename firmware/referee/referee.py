"""The referee: readings in, events out.

`see` takes every frame. While hands or motion are over the board it only waits; once the board
is steady it explains what has changed, has the explanation judged by the rules, and says what
follows. It holds no clock and decides nothing by haste: where two explanations are close it is
unsure and says so. What a person at the table rules comes in beside the frames.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Final, Literal

import numpy as np

from firmware.events import (
    BoardMoved,
    Candidate,
    Disturbed,
    Event,
    Illegal,
    Moved,
    Resolved,
    Restored,
    Standing,
    ToldIn,
    Undone,
    Unsure,
    Withdrawn,
)
from firmware.game import GameState, fold
from firmware.referee import changes, ruling
from firmware.referee.bearings import Bearings
from firmware.referee.doubting import candidates, in_order, orders, resolved_by_next
from firmware.referee.framing import Framing
from firmware.referee.judging import Accepted, Judgement, Refused, Seen, frame_of
from firmware.referee.matching import Explanation, MatchingSettings, Placed, match
from firmware.referee.phases import Facts, Phase, phase
from firmware.referee.presence import Presence, PresenceSettings
from firmware.referee.settling import Evidence, Settling, SettlingSettings, evidence_of
from firmware.referee.standing import standing
from firmware.rules.games import Colour, Edition
from firmware.rules.placements import Board, mask_of, squares_of
from firmware.rules.position import Position
from vision.reading import Lost, Reading


@dataclass(frozen=True, slots=True)
class RefereeSettings:
    """How the referee works."""

    settling: SettlingSettings = field(default_factory=SettlingSettings)
    matching: MatchingSettings = field(default_factory=MatchingSettings)
    presence: PresenceSettings = field(default_factory=PresenceSettings)
    takeback: Annotated[
        Literal["until-next-move", "arbiter"], "until when an accepted piece may be lifted"
    ] = "until-next-move"
    turn_end: Annotated[
        Literal["itself", "button"], "what ends a turn: the steady board, or the player's button"
    ] = "itself"
    doubt: Annotated[float, "log odds from which a doubtful change is worth telling"] = 0.7
    patience_s: Annotated[float, "seconds a doubt lasts before it is told"] = 0.5
    lead: Annotated[float, "log odds by which a standing board shows its frame"] = 10.0


class Referee:
    """Follows one game.

    Attributes:
        state: what the events so far add up to.
    """

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
        self.state = state
        self._settings: Final = settings or RefereeSettings()
        self._bearings: Final = Bearings(state, palette, first, turned)
        self._presence: Final = Presence(self._settings.presence)
        self._settling: Final = Settling(self._settings.settling)
        self._steady = False
        self._accepted = False
        self._doubt_since: float | None = None
        self._doubts: tuple[Candidate, ...] = ()
        self._earlier: frozenset[Seen] = frozenset()
        self._fresh = state.plies == 0
        self._returning = state.plies > 0 and isinstance(game, GameState)
        # A board that no hand has touched yet is judged without a button.
        self._hand_at = self._ended_at = float("-inf")

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
                unsure=bool(self.state.candidates),
                over=self.state.over,
                accepted=self._accepted,
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

    def rename(self, palette: Edition) -> None:
        """Takes other names for the colours, as long as no piece was accepted.

        Raises:
            ValueError: `first` is none of them.
        """
        if palette == self._bearings.palette:
            return
        self._bearings.rename(self.state, palette)
        # Frames that wait to be combined were in terms of the other names.
        self._settling.forget()

    def see(self, reading: Reading | Lost, now: float, frame: int) -> list[Event]:
        """Takes the next frame.

        Args:
            reading: what it shows.
            now: when it was taken, in seconds; never less than before.
            frame: its number, from 1.

        Returns:
            What happened, in order.
        """
        if isinstance(reading, Lost):
            self._touch(now)
            return self._presence.miss(reading, now, frame)
        events = self._presence.see(reading, now, frame)
        if reading.hand:
            self._hand_at = now
        if reading.hand or reading.blurred:
            events += self._tell_doubts(now, frame)
            self._touch(now)
            return events
        if any(isinstance(event, BoardMoved) for event in events):
            self._settling.moved()
        steady = self._settling.add(evidence_of(reading, self._bearings.palette), now)
        self._steady = steady is not None and self._turn_has_ended
        if steady is not None and self._turn_has_ended:
            events += self._decide(steady, now, frame)
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
        if choice is None:
            events = ruling.refusing(self.state, self._told_in, now, frame)
            return self._ruled(events, now, frame)
        said = self._ruled([Resolved(frame, now)], now, frame)
        position = self.state.position
        if choice.colour == position.to_move and choice.move in position.legal_moves:
            accepted = Accepted(choice.colour, choice.move, np.inf)
            return said + self._move(accepted, self._bearings.framing, now, frame)
        breaches = position.examine(choice.move.squares, choice.colour)
        squares = tuple(squares_of(choice.move.mask))
        told_in = self._told_in
        refused = Illegal(frame, now, choice.colour, squares, breaches, told_in=told_in)
        return said + self._apply([refused])

    def undo(self, now: float, frame: int) -> list[Event]:
        """Takes back the last placement, though its piece may lie there still.

        The piece then counts nothing until it was lifted, or is let stand by `overrule`.

        Args:
            now: when.
            frame: number of the newest frame.

        Raises:
            ValueError: nothing was laid since the game was taken up.
        """
        return self._ruled(ruling.undoing(self.state, now, frame), now, frame)

    def refuse(self, now: float, frame: int) -> list[Event]:
        """Says that what is in doubt, or was refused, or was accepted last, is nothing.

        It then counts nothing until it was lifted.

        Args:
            now: when.
            frame: number of the newest frame.

        Raises:
            ValueError: there is nothing of the kind.
        """
        return self._ruled(ruling.refusing(self.state, self._told_in, now, frame), now, frame)

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
        framing = self._bearings.framing
        if one.told_in is not None:
            size, palette = self.state.position.game.size, self._bearings.palette
            turned, edition = one.told_in
            framing = Framing(size, turned, tuple(map(palette.index, edition)))
        framed = framing.turned, framing.edition(self._bearings.palette)
        event = ruling.overruling(self.state, one, framed, now, frame)
        if not event.breaches:
            return self._move(Accepted(event.colour, event.move, np.inf), framing, now, frame)
        said = self._ruled([event], now, frame)
        self._bearings.settle(framing)
        self._accepted = True
        return said

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
        self._fresh = self._returning = False
        said = self._ruled([Standing(frame, now, position)], now, frame)
        self._bearings.take_up(self.state)
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
        self.state = state
        self._fresh, self._returning = state.plies == 0, state.plies > 0
        self._earlier, self._doubts, self._doubt_since = frozenset(), (), None
        self._accepted = self._steady = False
        self._bearings.take_up(state)
        self._settling.forget()

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
        self._apply([event])

    def _ruled(self, events: Sequence[Event], now: float, frame: int) -> list[Event]:
        """Folds what a person ruled, and what follows from it by itself."""
        said = self._apply(events)
        self._doubt_since, self._doubts, self._earlier = None, (), frozenset()
        self._accepted = False
        return said + self._apply(ruling.following(self.state, now, frame))

    @property
    def _turn_has_ended(self) -> bool:
        untouched = self._hand_at == float("-inf")
        return self._settings.turn_end == "itself" or untouched or self._ended_at > self._hand_at

    @property
    def _told_in(self) -> ToldIn | None:
        return self._bearings.told_in(self.state)

    # What the board shows

    def _touch(self, now: float) -> None:
        self._settling.touch(now)
        self._steady = self._accepted = False
        self._doubt_since = None

    def _apply(self, events: Sequence[Event]) -> list[Event]:
        for event in events:
            self.state = fold(self.state, event)
        return list(events)

    def _explain(self, evidence: Evidence, framing: Framing, position: Position) -> Explanation:
        board = Board.of(framing.size)
        return match(board, evidence, framing.contents(position), self._settings.matching)

    def _decide(self, evidence: Evidence, now: float, frame: int) -> list[Event]:
        possible = self._bearings.seen(self.state, evidence, self._settings.lead)
        if not possible:
            return []
        events, shown = self._less_dismissed(evidence, possible[0], now, frame)
        explanation = self._explain(shown, possible[0], self.state.position)
        if self._fresh and self._stands(explanation):
            return events + self._found_standing(evidence, possible, now, frame)
        self._fresh = False
        if explanation.missing:
            undone = self._undone(shown, possible[0], now, frame)
            if undone is None:
                return events + self._disturbed(possible[0], explanation, now, frame)
            event, explanation = undone
            events += self._apply([event])
        if self.state.disturbed:
            events += self._apply([Restored(frame, now)])
        return events + self._judged(shown, explanation, possible, now, frame)

    def _judged(
        self,
        evidence: Evidence,
        explanation: Explanation,
        possible: Sequence[Framing],
        now: float,
        frame: int,
    ) -> list[Event]:
        """What follows from a board on which everything accepted is in its place."""
        framed = frame_of(self.state.position, explanation, possible, self._earlier)
        if framed is None:
            self._earlier = frozenset((one.colour, one.move.mask) for one in explanation.placed)
            return self._doubt(orders(self.state.position, explanation, possible), now, frame)
        framing, judgement, turn_sure = framed
        self.state = self._bearings.go_by(self.state, framing)
        if self._returning and len(judgement.moves) > 1:
            return self._doubt(in_order(judgement), now, frame)
        self._returning = False
        doubts = self._doubtful(explanation, framing)
        if doubts:
            resolved = resolved_by_next(
                self.state, explanation, doubts, framing, self._settings.matching.margin
            )
            doubts = () if resolved else doubts
            judgement = resolved or self._despite(judgement, doubts)
        events = self._withdrawn(evidence, framing, judgement, now, frame)
        events += self._settled(doubts, now, frame)
        for move in judgement.moves:
            events += self._move(move, framing, now, frame)
        events += self._refuse(judgement.refused, now, frame, turn_sure=turn_sure)
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
        said = self._apply([Standing(frame, now, position, framing.turned, self.edition)])
        return said + self._apply(ruling.following(self.state, now, frame))

    # Doubts

    def _doubtful(self, explanation: Explanation, framing: Framing) -> tuple[Placed, ...]:
        """What may be new and is neither too faint nor refused already."""
        known = [(one.colour, mask_of(one.squares)) for one in self.state.refused]

        def is_known(one: Placed) -> bool:
            colour, mask = framing.colour(one.colour), framing.move(one.move).mask
            return any(colour == other and not mask & ~squares for other, squares in known)

        return tuple(
            one
            for one in explanation.doubtful
            if one.change >= self._settings.doubt and not is_known(one)
        )

    def _despite(self, judgement: Judgement, doubts: Sequence[Placed]) -> Judgement:
        """What can be said whatever the doubtful pieces turn out to be."""
        unsure = {self._bearings.framing.colour(one.colour) for one in doubts}
        moves = []
        after = self.state.position
        for move in judgement.moves:
            if move.colour in unsure:
                break
            moves.append(move)
            after = after.play(move.move)
        kept = tuple(
            Refused(one.colour, mask_of(one.squares), one.breaches) for one in self.state.refused
        )
        return Judgement(tuple(moves), kept, after)

    def _doubt(self, doubts: tuple[Candidate, ...], now: float, frame: int) -> list[Event]:
        """Tells of a doubt that lasts; a hand that comes ends the waiting, see `see`."""
        self._doubts = doubts
        if not doubts:
            self._doubt_since = None
            return []
        if self._doubt_since is None:
            self._doubt_since = now
        if now - self._doubt_since < self._settings.patience_s:
            return []
        return self._tell_doubts(now, frame)

    def _tell_doubts(self, now: float, frame: int) -> list[Event]:
        told = {(one.colour, one.move) for one in self.state.candidates}
        doubts, self._doubts = self._doubts, ()
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
        self._accepted = True
        self._earlier = frozenset()
        events = self._apply([event])
        return events + self._apply(ruling.following(self.state, now, frame))

    def _refuse(
        self, refused: Sequence[Refused], now: float, frame: int, *, turn_sure: bool
    ) -> list[Event]:
        turned = None
        if turn_sure and refused and self.state.turned is None:
            self._bearings.settle(self._bearings.framing)
            turned = self._bearings.turned
        told_in = self._told_in
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
    ) -> tuple[Undone, Explanation] | None:
        """The last move taken back, and what the board then shows, if that explains it."""
        may_lift = self._settings.takeback == "until-next-move" and not self._returning
        if not may_lift or not self.state.history:
            return None
        last = self.state.history[-1]
        instead = self._explain(evidence, framing, last.before)
        if self._doubtful(instead, framing):
            return None
        if not changes.explains_undoing(self.state, instead, framing):
            return None
        return Undone(frame, now, self.state.plies, last.colour, last.move), instead

    def _disturbed(
        self, framing: Framing, explanation: Explanation, now: float, frame: int
    ) -> list[Event]:
        expected = changes.astray(self.state, framing.mask(explanation.missing))
        if expected == self.state.disturbed:
            return []
        seen = changes.seen_instead(explanation, framing)
        return self._apply([Disturbed(frame, now, expected, seen)])
