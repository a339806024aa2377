"""Scripted people: they think, reach in, lay a piece slightly askew, and wait for the table.

A turn is a script of beats; `step(now_s)` plays the beats that are due. Time is an argument, so a
game can be played at any speed, and the same seed plays the same game.
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
"""Seconds between two checks of the table's feedback by a waiting person."""

_AWAY_MM: Final = 190.0
"""Millimetres from the edge of the board to a hand at rest."""


@dataclass(frozen=True, slots=True)
class TableFeedback:
    """State of the game on lights and page.

    Attributes:
        ply: number of accepted moves.
        refused: True if a piece on the board is refused.
        to_move: the colour to move; None after the end.
    """

    ply: int
    refused: bool
    to_move: Colour | None


@dataclass(frozen=True, slots=True)
class Habits:
    """Parameters of scripted people.

    Attributes:
        think_s: shortest and longest seconds before reaching in.
        reach_s: seconds of a hand from the edge to its square.
        hesitate_s: longest seconds above a square before the piece is laid.
        spread_mm, spread_deg: standard deviations of a piece from its place, at most 1 mm and
            2 degrees in the end.
        crooked: probability that a piece is first laid clearly askew and then straightened.
        slip_rate: probability that a turn begins with a mistake.
        slips: fixed mistakes by the ply they precede, from 1. One that is impossible in a
            position is made at the next ply at which it is possible.
        patience_s: seconds without feedback after which they straighten a piece, or take back
            a mistake that was not refused.
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
    """A period of time; `act` is called with the elapsed share of it, 0 to 1."""

    seconds: float
    act: Callable[[float], None] | None = None


class People:
    """All people at one virtual table.

    Args:
        table: the table.
        choose: picks their moves.
        feedback: returns the present feedback of the table.
        seed: seed of all random choices.
        habits: parameters of their play.
        position: the position so far, whose pieces are on the table already.
        press: called with the index of a person who ends a turn by the button; None without
            buttons.

    Attributes:
        position: the position with every intended move.
        mistakes: wrong placements so far, as colour and move.
        corrections: number of pieces straightened or taken back for lack of feedback.
    """

    def __init__(
        self,
        table: VirtualTable,
        choose: Choose,
        feedback: Callable[[], TableFeedback],
        seed: int,
        habits: Habits | None = None,
        *,
        position: Position | None = None,
        press: Callable[[int], None] | None = None,
    ) -> None:
        self._table = table
        self._choose = choose
        self._feedback = feedback
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
        """True if the game is over and every hand is at rest."""
        return self._finished

    def step(self, now_s: float) -> None:
        """Plays all beats that are due.

        Args:
            now_s: monotonic seconds, on any clock.
        """
        if self._script is None:
            self._script, self._began_s = self._game(), now_s
        while not self._finished:
            beat, elapsed_s = self._beat, now_s - self._began_s
            part = 1.0 if beat.seconds <= 0 else min(1.0, elapsed_s / beat.seconds)
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
            yield from self._mistake(ply, *slip)
            yield self._thought()
        colour = self.position.to_move
        assert colour is not None, "a turn begins only while somebody can move"
        move = self._choose(self.position)
        yield from self._place(self._placed(colour, move))
        yield self._pressing(colour)
        self.position = self.position.play(move)
        yield from self._await(ply, colour, move)

    def _mistake(self, ply: int, colour: Colour, move: Move) -> Iterator[_Beat]:
        """Lays a wrong piece, waits for the refusal, and takes the piece back."""
        placed = self._placed(colour, move)
        self.mistakes.append((colour, move))
        yield from self._place(placed)
        yield self._pressing(colour)
        waited_s = 0.0
        while not (self._feedback().refused or self._feedback().ply >= ply):
            yield _Beat(_LOOK_S)
            waited_s += _LOOK_S
            if waited_s > self._habits.patience_s:
                self.corrections += 1
                break
        yield _Beat(float(self._dice.uniform(1.0, 1.8)))
        yield from self._take_back(placed)

    def _await(self, ply: int, colour: Colour, move: Move) -> Iterator[_Beat]:
        """Waits until the table accepts a move; straightens the piece after some time."""
        waited_s = 0.0
        while self._feedback().ply < ply:
            yield _Beat(_LOOK_S)
            waited_s += _LOOK_S
            if waited_s > self._habits.patience_s:
                waited_s = 0.0
                self.corrections += 1
                yield from self._straighten(TablePiece(colour, move))
                yield self._pressing(colour)

    def _place(self, placed: TablePiece) -> Iterator[_Beat]:
        """Brings a piece, lays it, sometimes straightens it, and moves the hand away."""
        seat = seat_of(self._table.scene.game, placed.colour, self.position)
        spot, home = placed.middle_mm, self._home(seat, placed)
        yield self._glide(seat, home, spot, placed)
        yield self._hover(seat, spot, placed)
        askew = self._dice.random() < self._habits.crooked
        first = self._askew(placed) if askew else placed
        yield _Beat(0.0, lambda _: self._table.lay(first))
        yield _Beat(0.15)
        if askew:
            yield _Beat(float(self._dice.uniform(0.3, 0.7)))
            yield _Beat(0.0, lambda _: self._shift(placed))
            yield _Beat(0.2)
        yield self._glide(seat, spot, home)
        yield _Beat(0.0, lambda _: self._table.move_hand(None))

    def _take_back(self, placed: TablePiece) -> Iterator[_Beat]:
        seat = seat_of(self._table.scene.game, placed.colour, self.position)
        spot, home = placed.middle_mm, self._home(seat, placed)
        yield self._glide(seat, home, spot)
        yield _Beat(0.25)
        yield _Beat(0.0, lambda _: self._lift(seat, spot, placed))
        yield self._glide(seat, spot, home, placed)
        yield _Beat(0.0, lambda _: self._table.move_hand(None))

    def _straighten(self, placed: TablePiece) -> Iterator[_Beat]:
        seat = seat_of(self._table.scene.game, placed.colour, self.position)
        spot, home = placed.middle_mm, self._home(seat, placed)
        yield self._glide(seat, home, spot)
        yield _Beat(0.2, None)
        yield _Beat(0.0, lambda _: self._shift(placed))
        yield self._glide(seat, spot, home)
        yield _Beat(0.0, lambda _: self._table.move_hand(None))

    # Beats

    def _pressing(self, colour: Colour) -> _Beat:
        """The person to move presses the button 0.3 s after the hand has gone."""
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
        """Hesitation: the hand circles slightly above the square."""
        reach = float(self._dice.uniform(1.5, 5.0))

        def act(part: float) -> None:
            sway = reach * np.sin(np.pi * part)
            turn = 4.0 * np.pi * part
            x_mm = spot[0] + float(sway * np.cos(turn))
            y_mm = spot[1] + float(sway * np.sin(turn))
            self._table.move_hand(Hand(x_mm, y_mm, seat, holding))

        return _Beat(float(self._dice.uniform(0.15, 0.15 + self._habits.hesitate_s)), act)

    def _shift(self, placed: TablePiece) -> None:
        self._table.shift(placed.colour, placed.move.piece, placed)

    def _lift(self, seat: int, spot: tuple[float, float], placed: TablePiece) -> None:
        self._table.lift(placed.colour, placed.move.piece)
        self._table.move_hand(Hand(*spot, seat, placed))

    # Chance

    def _slip(self, ply: int) -> tuple[Colour, Move] | None:
        """The mistake at the beginning of this turn, or None."""
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

    def _placed(self, colour: Colour, move: Move) -> TablePiece:
        """A piece near its exact place, as laid in the end."""
        habits = self._habits
        dx_mm, dy_mm = np.clip(self._dice.normal(0, habits.spread_mm, 2), -0.7, 0.7).tolist()
        angle_deg = float(np.clip(self._dice.normal(0, habits.spread_deg), -2.0, 2.0))
        return TablePiece(colour, move, dx_mm, dy_mm, angle_deg)

    def _askew(self, placed: TablePiece) -> TablePiece:
        """The same piece, clearly askew."""
        dx_mm, dy_mm = self._dice.uniform(-0.3, 0.3, 2).tolist()
        angle_deg = float(self._dice.choice([-1, 1]) * self._dice.uniform(5.0, 11.0))
        return replace(
            placed,
            dx_mm=placed.dx_mm + dx_mm * CELL_MM,
            dy_mm=placed.dy_mm + dy_mm * CELL_MM,
            angle_deg=angle_deg,
        )

    def _home(self, seat: int, placed: TablePiece) -> tuple[float, float]:
        """Place of the hand at rest, x and y: beyond the edge, on its owner's side."""
        x_mm, y_mm = placed.middle_mm
        out = placed.move.board.size * CELL_MM / 2 + _AWAY_MM
        return ((x_mm, -out), (out, y_mm), (x_mm, out), (-out, y_mm))[seat]
