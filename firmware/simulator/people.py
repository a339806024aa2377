"""Scripted people: they think, reach in, lay a piece a little askew, wait for the table's word.

A turn is a script of beats; `step(now_s)` plays whatever beats have come due. Time is passed
in, so a game can be played at any speed, and the same seed plays the same game.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from firmware.game.seating import person_of, seat_of
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import Colour
from firmware.simulator.mistakes import Mistake, wrong_placement
from firmware.simulator.move_choice import Choose
from firmware.simulator.table import CELL_MM, Hand, TablePiece, VirtualTable

_LOOK_S: Final = 0.1
"""How often somebody who waits looks at what the table shows."""

_AWAY_MM: Final = 190.0
"""How far from the edge of the board a hand is that has gone."""


@dataclass(frozen=True, slots=True)
class TableFeedback:
    """What lights and page tell the people at the table.

    Attributes:
        ply: how many moves the table has accepted.
        refused: whether it refuses something that lies there.
        to_move: whose turn it shows; None when the game is over.
    """

    ply: int
    refused: bool
    to_move: Colour | None


@dataclass(frozen=True, slots=True)
class Habits:
    """How people play.

    Attributes:
        think_s: shortest and longest time before reaching in.
        reach_s: how long a hand takes from the edge to its square.
        hesitate_s: longest time over a square before the piece is laid.
        spread_mm, spread_deg: standard deviations of how a piece lies; never beyond 1 mm and
            2 degrees once its owner is content.
        crooked: how often, 0 to 1, a piece is first laid quite askew and then put straight.
        slip_rate: how often, 0 to 1, a turn begins with a mistake.
        slips: mistakes that are certain: by the ply they come before, counted from 1. One that
            the position does not offer is made at the next ply that does.
        patience_s: how long they wait for the table's word before they put a piece straighter,
            or own up to a mistake that it does not mention.
    """

    think_s: tuple[float, float] = (0.6, 1.6)
    reach_s: float = 0.6
    hesitate_s: float = 0.5
    spread_mm: float = 0.35
    spread_deg: float = 0.6
    crooked: float = 0.12
    slip_rate: float = 0.0
    slips: Mapping[int, Mistake] = field(default_factory=dict)
    patience_s: float = 10.0


@dataclass(frozen=True, slots=True)
class _Beat:
    """A stretch of time; `act` is called with how much of it has gone, 0 to 1."""

    seconds: float
    act: Callable[[float], None] | None = None


class People:
    """Everybody at one virtual table.

    Args:
        table: what they lay pieces on.
        choose: picks their moves.
        shown: what the table shows them.
        seed: of all that is left to chance.
        habits: how they play.
        position: the game so far, whose pieces already lie on the table.
        press: called with the place of a person who ends a turn by the button, where there are
            buttons.

    Attributes:
        position: the game as they mean it: every move that was laid for good.
        mistakes: wrong placements so far, as colour and move.
        corrections: how often they lost patience with the table.
    """

    def __init__(
        self,
        table: VirtualTable,
        choose: Choose,
        shown: Callable[[], TableFeedback],
        seed: int,
        habits: Habits | None = None,
        *,
        position: Position | None = None,
        press: Callable[[int], None] | None = None,
    ) -> None:
        self._table = table
        self._choose = choose
        self._shown = shown
        self._habits = habits or Habits()
        self._press = press
        self._dice = np.random.default_rng(seed)
        self._due = dict(self._habits.slips)
        self._script: Iterator[_Beat] | None = None
        self._beat = _Beat(0.0)
        self._began_s = 0.0
        self._finished = False
        self.position = position or Position.start(table.scene.game)
        self.mistakes: list[tuple[Colour, Move]] = []
        self.corrections = 0

    @property
    def finished(self) -> bool:
        """Whether the game is over and every hand is back."""
        return self._finished

    def step(self, now_s: float) -> None:
        """Does what has come due.

        Args:
            now_s: seconds that only go forward, on any clock.
        """
        if self._script is None:
            self._script, self._began_s = self._game(), now_s
        while not self._finished:
            beat, gone_s = self._beat, now_s - self._began_s
            part = 1.0 if beat.seconds <= 0 else min(1.0, gone_s / beat.seconds)
            if beat.act is not None:
                beat.act(part)
            if part < 1.0:
                return
            self._began_s += beat.seconds
            following = next(self._script, None)
            self._finished = following is None
            self._beat = following or _Beat(0.0)

    # Scripts

    def _game(self) -> Iterator[_Beat]:
        while not self.position.is_over:
            yield from self._turn()

    def _turn(self) -> Iterator[_Beat]:
        ply = sum(map(len, self.position.laid)) + 1
        yield self._thought()
        slip = self._slip(ply)
        if slip is not None:
            yield from self._err(ply, *slip)
            yield self._thought()
        colour = self.position.to_move
        assert colour is not None, "a turn begins only while somebody can move"
        move = self._choose(self.position)
        yield from self._place(self._lying(colour, move))
        yield self._pressing(colour)
        self.position = self.position.play(move)
        yield from self._await(ply, colour, move)

    def _err(self, ply: int, colour: Colour, move: Move) -> Iterator[_Beat]:
        """A wrong placement, the table's word on it, and the piece taken back."""
        lying = self._lying(colour, move)
        self.mistakes.append((colour, move))
        yield from self._place(lying)
        yield self._pressing(colour)
        waited_s = 0.0
        while not (self._shown().refused or self._shown().ply >= ply):
            yield _Beat(_LOOK_S)
            waited_s += _LOOK_S
            if waited_s > self._habits.patience_s:
                self.corrections += 1
                break
        yield _Beat(float(self._dice.uniform(1.0, 1.8)))
        yield from self._take_back(lying)

    def _await(self, ply: int, colour: Colour, move: Move) -> Iterator[_Beat]:
        """Waits until the table has taken a move; puts the piece straighter if it does not."""
        waited_s = 0.0
        while self._shown().ply < ply:
            yield _Beat(_LOOK_S)
            waited_s += _LOOK_S
            if waited_s > self._habits.patience_s:
                waited_s = 0.0
                self.corrections += 1
                yield from self._straighten(TablePiece(colour, move))
                yield self._pressing(colour)

    def _place(self, lying: TablePiece) -> Iterator[_Beat]:
        """A hand brings a piece, lays it, perhaps straightens it, and goes."""
        seat = seat_of(self._table.scene.game, lying.colour, self.position)
        spot, home = lying.middle_mm, self._home(seat, lying)
        yield self._glide(seat, home, spot, lying)
        yield self._hover(seat, spot, lying)
        askew = self._dice.random() < self._habits.crooked
        first = self._askew(lying) if askew else lying
        yield _Beat(0.0, lambda _: self._table.lay(first))
        yield _Beat(0.15)
        if askew:
            yield _Beat(float(self._dice.uniform(0.3, 0.7)))
            yield _Beat(0.0, lambda _: self._shift(lying))
            yield _Beat(0.2)
        yield self._glide(seat, spot, home)
        yield _Beat(0.0, lambda _: self._table.move_hand(None))

    def _take_back(self, lying: TablePiece) -> Iterator[_Beat]:
        seat = seat_of(self._table.scene.game, lying.colour, self.position)
        spot, home = lying.middle_mm, self._home(seat, lying)
        yield self._glide(seat, home, spot)
        yield _Beat(0.25)
        yield _Beat(0.0, lambda _: self._lift(seat, spot, lying))
        yield self._glide(seat, spot, home, lying)
        yield _Beat(0.0, lambda _: self._table.move_hand(None))

    def _straighten(self, lying: TablePiece) -> Iterator[_Beat]:
        seat = seat_of(self._table.scene.game, lying.colour, self.position)
        spot, home = lying.middle_mm, self._home(seat, lying)
        yield self._glide(seat, home, spot)
        yield _Beat(0.2, None)
        yield _Beat(0.0, lambda _: self._shift(lying))
        yield self._glide(seat, spot, home)
        yield _Beat(0.0, lambda _: self._table.move_hand(None))

    # Beats

    def _pressing(self, colour: Colour) -> _Beat:
        """Whoever has the turn presses the button, a moment after the hand has gone."""
        press = self._press
        if press is None:
            return _Beat(0.0)
        to_move = colour if self.position.to_move is None else self.position.to_move
        person = person_of(self.position, to_move)

        def act(part: float) -> None:
            if part >= 1:
                press(person)

        return _Beat(0.3, act)

    def _thought(self) -> _Beat:
        return _Beat(float(self._dice.uniform(*self._habits.think_s)))

    def _glide(
        self,
        seat: int,
        start: tuple[float, float],
        end: tuple[float, float],
        holding: TablePiece | None = None,
    ) -> _Beat:
        def act(part: float) -> None:
            eased = part * part * (3 - 2 * part)
            x_mm = start[0] + (end[0] - start[0]) * eased
            y_mm = start[1] + (end[1] - start[1]) * eased
            self._table.move_hand(Hand(x_mm, y_mm, seat, holding))

        return _Beat(self._habits.reach_s * float(self._dice.uniform(0.85, 1.25)), act)

    def _hover(self, seat: int, spot: tuple[float, float], holding: TablePiece) -> _Beat:
        """Somebody not quite sure yet: the hand circles a little over the square."""
        reach = float(self._dice.uniform(1.5, 5.0))

        def act(part: float) -> None:
            sway = reach * np.sin(np.pi * part)
            turn = 4.0 * np.pi * part
            x_mm = spot[0] + float(sway * np.cos(turn))
            y_mm = spot[1] + float(sway * np.sin(turn))
            self._table.move_hand(Hand(x_mm, y_mm, seat, holding))

        return _Beat(float(self._dice.uniform(0.15, 0.15 + self._habits.hesitate_s)), act)

    def _shift(self, lying: TablePiece) -> None:
        self._table.shift(lying.colour, lying.move.piece, lying)

    def _lift(self, seat: int, spot: tuple[float, float], lying: TablePiece) -> None:
        self._table.lift(lying.colour, lying.move.piece)
        self._table.move_hand(Hand(*spot, seat, lying))

    # Chance

    def _slip(self, ply: int) -> tuple[Colour, Move] | None:
        """The mistake that this turn begins with, if it does."""
        planned = min((at for at in self._due if at <= ply), default=None)
        if planned is not None:
            found = wrong_placement(self.position, self._due[planned], self._dice)
            if found is not None:
                del self._due[planned]
            return found
        if self._dice.random() >= self._habits.slip_rate:
            return None
        kinds = list(Mistake)
        return wrong_placement(self.position, kinds[self._dice.integers(len(kinds))], self._dice)

    def _lying(self, colour: Colour, move: Move) -> TablePiece:
        """A piece as it lies when its owner is content."""
        habits = self._habits
        dx_mm, dy_mm = np.clip(self._dice.normal(0, habits.spread_mm, 2), -0.7, 0.7).tolist()
        angle_deg = float(np.clip(self._dice.normal(0, habits.spread_deg), -2.0, 2.0))
        return TablePiece(colour, move, dx_mm, dy_mm, angle_deg)

    def _askew(self, lying: TablePiece) -> TablePiece:
        """The same piece, laid so that its owner sees it is not straight."""
        dx_mm, dy_mm = self._dice.uniform(-0.3, 0.3, 2).tolist()
        angle_deg = float(self._dice.choice([-1, 1]) * self._dice.uniform(5.0, 11.0))
        return replace(
            lying,
            dx_mm=lying.dx_mm + dx_mm * CELL_MM,
            dy_mm=lying.dy_mm + dy_mm * CELL_MM,
            angle_deg=angle_deg,
        )

    def _home(self, seat: int, lying: TablePiece) -> tuple[float, float]:
        """Where the hand comes from and goes to: beyond the edge, on its owner's side."""
        x_mm, y_mm = lying.middle_mm
        out = lying.move.board.size * CELL_MM / 2 + _AWAY_MM
        return ((x_mm, -out), (out, y_mm), (x_mm, out), (-out, y_mm))[seat]
