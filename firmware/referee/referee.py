"""The referee: readings in, events out.

`see` takes every frame. While hands or motion are over the board it only waits; once the board
is steady it explains what has changed, has the explanation judged by the rules, and says what
follows. It holds no clock and decides nothing by haste: where two explanations are close it is
unsure and says so.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Final, Literal

import numpy as np

from firmware.events import (
    BoardMoved,
    Candidate,
    Disturbed,
    Event,
    GameOver,
    Illegal,
    Moved,
    Passed,
    Patch,
    Resolved,
    Restored,
    Standing,
    Undone,
    Unsure,
    Withdrawn,
)
from firmware.game import GameState, fold, retold
from firmware.referee.doubting import candidates, orders, resolved_by_next
from firmware.referee.framing import Framing, framings
from firmware.referee.judging import Accepted, Judgement, Refused, Seen, frame_of
from firmware.referee.matching import Explanation, MatchingSettings, Placed, match
from firmware.referee.phases import Facts, Phase, phase
from firmware.referee.presence import Presence, PresenceSettings
from firmware.referee.settling import Evidence, Settling, SettlingSettings, evidence_of
from firmware.referee.standing import standing
from firmware.rules.games import Edition
from firmware.rules.placements import Board, mask_of, squares_of
from firmware.rules.position import Position
from firmware.rules.score import score
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
    doubt: Annotated[float, "log odds from which a doubtful change is worth telling"] = 0.7
    patience_s: Annotated[float, "seconds a doubt lasts before it is told"] = 0.5
    look_s: Annotated[float, "seconds until a lit frame may again ask for the dark"] = 10.0
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
        self._palette = palette
        self._settings: Final = settings or RefereeSettings()
        self._first_named: Final = first
        self._first = None if first is None else _beginning(palette, first)
        self._turned = state.turned if turned is None else turned
        self._presence: Final = Presence(self._settings.presence)
        self._settling: Final = Settling(self._settings.settling)
        self._framing = self._framings()[0]
        self._steady = False
        self._accepted = False
        self._doubt_since: float | None = None
        self._doubts: tuple[Candidate, ...] = ()
        self._dismissed: frozenset[tuple[int, int]] = frozenset()
        self._earlier: frozenset[Seen] = frozenset()
        self._fresh = state.plies == 0
        self._looked_at = float("-inf")

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
        return self._framing.edition(self._palette)

    @property
    def turned(self) -> int | None:
        """The clockwise turn from the reader's frame to the game's; None until it is known."""
        return self._turned

    def rename(self, palette: Edition) -> None:
        """Takes other names for the colours, as long as no piece was accepted.

        Raises:
            ValueError: `first` is none of them.
        """
        if palette == self._palette:
            return
        first = self._first_named
        self._first = None if first is None else _beginning(palette, first)
        self._palette = palette
        self._framing = self._framings()[0]
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
            return self._presence.miss(reading, now, frame)
        events = self._presence.see(reading, now, frame)
        if reading.hand or reading.blurred:
            self._looked_at = float("-inf")
            events += self._tell_doubts(now, frame)
            self._touch(now)
            return events
        if any(isinstance(event, BoardMoved) for event in events):
            self._settling.moved()
        evidence = evidence_of(reading, self._palette)
        if not dark:
            self._look(evidence, now)
            return events
        steady = self._settling.add(evidence, now)
        self._steady = steady is not None
        if steady is not None:
            events += self._decide(steady, now, frame)
        return events

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
        told = self.state.candidates
        events = self._apply([Resolved(frame, now)])
        self._doubt_since, self._doubts = None, ()
        if choice is None:
            self._dismissed |= {(one.colour, one.move.mask) for one in told}
            return events
        position = self.state.position
        if choice.colour == position.to_move and choice.move in position.legal_moves:
            accepted = Accepted(choice.colour, choice.move, np.inf)
            return events + self._move(accepted, self._framing, now, frame)
        breaches = position.examine(choice.move.squares, choice.colour)
        squares = tuple(squares_of(choice.move.mask))
        return events + self._apply([Illegal(frame, now, choice.colour, squares, breaches)])

    # What the board shows

    def _look(self, evidence: Evidence, now: float) -> None:
        """Wants dark frames where a lit one shows something else: a piece, or only light."""
        since = now - self._looked_at
        if self._steady and since >= self._settings.look_s and self._settling.differs(evidence):
            self._touch(now)
            self._looked_at = now

    def _touch(self, now: float) -> None:
        self._settling.touch(now)
        self._steady = self._accepted = False
        self._doubt_since = None

    def _apply(self, events: Sequence[Event]) -> list[Event]:
        for event in events:
            self.state = fold(self.state, event)
        return list(events)

    def _framings(self) -> list[Framing]:
        edition = self.state.edition or self._first
        if not self.state.history and self.state.position.occupied == 0:
            edition = self._first
        return list(framings(self.state.position.game, self._palette, self._turned, edition))

    def _possible(self, evidence: Evidence) -> list[Framing]:
        """The framings in which the accepted pieces are where the evidence has them."""
        possible = self._framings()
        if len(possible) == 1 or not self.state.position.occupied:
            return possible
        places = np.arange(len(evidence))
        scored = sorted(
            ((evidence[places, one.contents(self.state.position)].sum(), i)
             for i, one in enumerate(possible)),
            reverse=True,
        )  # fmt: skip
        lead = scored[0][0] - scored[1][0]
        return [possible[scored[0][1]]] if lead > self._settings.lead else []

    def _explain(self, evidence: Evidence, framing: Framing, position: Position) -> Explanation:
        board = Board.of(framing.size)
        return match(board, evidence, framing.contents(position), self._settings.matching)

    def _decide(self, evidence: Evidence, now: float, frame: int) -> list[Event]:
        possible = self._possible(evidence)
        if not possible:
            return []
        state = self.state
        explanation = self._explain(evidence, possible[0], state.position)
        events: list[Event] = []
        if self._fresh and self._stands(explanation):
            return self._take_up(evidence, possible, now, frame)
        self._fresh = False
        if explanation.missing:
            undone = self._undone(evidence, possible[0], now, frame)
            if undone is None:
                return self._disturbed(possible[0], explanation, now, frame)
            event, explanation = undone
            events += self._apply([event])
        if state.disturbed:
            events += self._apply([Restored(frame, now)])
        framed = frame_of(self.state.position, explanation, possible, self._earlier)
        if framed is None:
            self._earlier = frozenset((one.colour, one.move.mask) for one in explanation.placed)
            return events + self._doubt(
                orders(self.state.position, explanation, possible), now, frame
            )
        framing, judgement, turn_sure = framed
        self._frame(framing)
        doubts = self._doubtful(explanation, framing)
        if doubts:
            resolved = resolved_by_next(
                self.state, explanation, doubts, framing, self._settings.matching.margin
            )
            doubts = () if resolved else doubts
            judgement = resolved or self._despite(judgement, doubts)
        events += self._withdrawn(evidence, framing, judgement, now, frame)
        events += self._settled(doubts, now, frame)
        for move in judgement.moves:
            events += self._move(move, framing, now, frame)
        events += self._refuse(judgement.refused, now, frame, turn_sure=turn_sure)
        return events + self._doubt(candidates(doubts, framing), now, frame)

    def _stands(self, explanation: Explanation) -> bool:
        """Whether the board, never seen empty, holds more than first moves."""
        first_moves = len(self.state.position.game.colours)
        return len(explanation.placed) > first_moves or sum(map(bool, explanation.strange)) > 1

    def _take_up(
        self, evidence: Evidence, possible: Sequence[Framing], now: float, frame: int
    ) -> list[Event]:
        """Takes up a game whose pieces stand there already, if they leave no choice."""
        game, sure = self.state.position.game, self._settings.matching.changed
        found = standing(evidence, game, possible, sure)
        if found is None:
            return []
        self._framing, position = found
        self._turned = self._framing.turned
        self._fresh = False
        edition = self._framing.edition(self._palette)
        return self._apply([Standing(frame, now, position, self._framing.turned, edition)])

    # Doubts

    def _doubtful(self, explanation: Explanation, framing: Framing) -> tuple[Placed, ...]:
        """What may be new and is neither too faint, nor refused already, nor dismissed."""
        known = [(one.colour, mask_of(one.squares)) for one in self.state.refused]

        def is_known(one: Placed) -> bool:
            colour, mask = framing.colour(one.colour), framing.move(one.move).mask
            return (colour, mask) in self._dismissed or any(
                colour == other and not mask & ~squares for other, squares in known
            )

        return tuple(
            one
            for one in explanation.doubtful
            if one.change >= self._settings.doubt and not is_known(one)
        )

    def _despite(self, judgement: Judgement, doubts: Sequence[Placed]) -> Judgement:
        """What can be said whatever the doubtful pieces turn out to be."""
        unsure = {self._framing.colour(one.colour) for one in doubts}
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
        edition = framing.edition(self._palette)
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
        self._turned = framing.turned
        self._framing = framing
        self._accepted = True
        events = self._apply([event])
        self._dismissed = self._earlier = frozenset()
        for colour in self.state.position.passing:
            if colour not in self.state.passed:
                events += self._apply([Passed(frame, now, colour, self.state.plies)])
        if self.state.position.is_over:
            points = tuple(one.advanced for one in score(self.state.position).colours)
            events += self._apply([GameOver(frame, now, points)])
        return events

    def _frame(self, framing: Framing) -> None:
        """Goes on in a framing; what was refused in a provisional one is told anew in silence."""
        self._framing = framing
        edition, position = framing.edition(self._palette), self.state.position
        again = tuple(
            retold(one, position, framing.turned, edition, settled=False)
            for one in self.state.refused
        )
        self.state = replace(self.state, refused=again)

    def _refuse(
        self, refused: Sequence[Refused], now: float, frame: int, *, turn_sure: bool
    ) -> list[Event]:
        turned = None
        if turn_sure and refused and self.state.turned is None:
            turned = self._turned = self._framing.turned
        told_in = None
        if self._turned is None or self._provisional_order:
            told_in = self._framing.turned, self.edition
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

    @property
    def _provisional_order(self) -> bool:
        """Whether it is not known yet which colour begins."""
        two = len(self.state.position.game.colours) == 2
        return two and self.state.edition is None and self._first is None

    def _withdrawn(
        self, evidence: Evidence, framing: Framing, judgement: Judgement, now: float, frame: int
    ) -> list[Event]:
        """Refused pieces that no longer lie where they did."""
        lying: dict[int, int] = {one.colour: one.mask for one in judgement.refused}
        for move in judgement.moves:
            lying[move.colour] = lying.get(move.colour, 0) | move.move.mask
        events: list[Event] = []
        contents = framing.contents(self.state.position)
        for one in self.state.refused:
            mask = mask_of(one.squares)
            if mask & ~lying.get(one.colour, 0):
                places = [framing.seen_at(square) for square in one.squares]
                column = 1 + framing.plastic[one.colour]
                gains = evidence[places, column] - evidence[places, contents[places]]
                if gains.min() < -self._settings.matching.changed:
                    events.append(Withdrawn(frame, now, one.colour, one.squares))
        return self._apply(events)

    def _undone(
        self, evidence: Evidence, framing: Framing, now: float, frame: int
    ) -> tuple[Undone, Explanation] | None:
        """The last move taken back, and what the board then shows, if that explains it."""
        if self._settings.takeback != "until-next-move" or not self.state.history:
            return None
        last = self.state.history[-1]
        event = Undone(frame, now, self.state.plies, last.colour, last.move)
        before = fold(self.state, event).position
        instead = self._explain(evidence, framing, before)
        if instead.missing or self._doubtful(instead, framing) or any(instead.strange):
            return None
        refused = {(one.colour, mask_of(one.squares)) for one in self.state.refused}
        for one in instead.placed:
            colour, mask = framing.colour(one.colour), framing.move(one.move).mask
            # A part of the piece that is left is no new piece.
            if colour == last.colour and not mask & ~last.move.mask:
                return None
            if colour != last.colour and (colour, mask) not in refused:
                return None
        return event, instead

    def _disturbed(
        self, framing: Framing, explanation: Explanation, now: float, frame: int
    ) -> list[Event]:
        missing = framing.mask(explanation.missing)
        expected = tuple(
            Patch(colour, move.squares)
            for colour, laid in enumerate(self.state.position.laid)
            for move in laid
            if move.mask & missing
        )
        if expected == self.state.disturbed:
            return []
        seen = [Patch(None, tuple(squares_of(missing)))]
        seen += [
            Patch(framing.colour(one.colour), framing.move(one.move).squares)
            for one in explanation.placed
        ]
        seen += [
            Patch(framing.colour(column), tuple(squares_of(framing.mask(squares))))
            for column, squares in enumerate(explanation.strange)
            if squares
        ]
        return self._apply([Disturbed(frame, now, expected, tuple(seen))])


def _beginning(palette: Edition, first: str) -> Edition:
    """The palette in the order of play when `first` begins."""
    if first not in palette:
        raise ValueError(f"{first!r} is none of the colours {', '.join(palette)}")
    at = palette.index(first)
    return (*palette[at:], *palette[:at])
