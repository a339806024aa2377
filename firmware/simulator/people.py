"""Scripted people: they think, reach in, lay a piece slightly askew, and wait for the table.

Before each turn they look at the table again, so that they follow undos, new games, corrections
and the moves of others. A turn is a script of beats; `step(now_s)` plays the beats that are due.
Time is an argument, so a game can be played at any speed, and the same seed plays the same game.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import hypot
from typing import Final

import numpy as np

from firmware.game.seating import colours_of, person_of, seat_of
from firmware.rules.board import Move
from firmware.rules.position import LaidPiece, Position
from firmware.rules.puzzle_faults import faults
from firmware.rules.variants import Colour
from firmware.simulator.hand_motion import Beat, BeatPlayer, HandMotion, home_of
from firmware.simulator.mistakes import Mistake, mistakes_of, wrong_placement
from firmware.simulator.move_choice import Lay
from firmware.simulator.table import CELL_MM, Hand, TablePiece, VirtualTable

_LOOK_S: Final = 0.1
"""Seconds between two checks of the table's feedback by a waiting person."""

_MOST_STRAIGHTENED: Final = 2
"""Times that a piece is straightened, until it is taken back."""

_ASIDE_MM: Final = 4.0
"""Millimetres from its place at which a piece is put back."""


@dataclass(frozen=True, slots=True)
class TableFeedback:
    """State of the game on lights and page.

    Attributes:
        position: the position after all accepted moves.
        refused: True if a piece on the board is refused.
        is_open: True while moves are accepted: the game is not paused and has not ended.
    """

    position: Position
    refused: bool = False
    is_open: bool = True

    @property
    def ply(self) -> int:
        """Number of pieces in the position."""
        return sum(map(len, self.position.laid))


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
        mistake_rate: probability that a turn begins with a mistake.
        lift_rate: probability that a turn at a puzzle begins with lifting a piece.
        mistakes: fixed mistakes by the ply they precede, from 1. One that is impossible in a
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
    mistake_rate: float = 0.0
    lift_rate: float = 0.0
    mistakes: Mapping[int, Mistake] = field(default_factory=dict)
    patience_s: float = 10.0


class People:
    """Scripted people at a virtual table.

    Args:
        table: the table.
        choose: picks the pieces that they lay.
        feedback: returns the present feedback of the table; the pieces of its position are there.
        seed: seed of all random choices.
        habits: parameters of their play.
        press: called with the index of a person who ends a turn by the button; None without
            buttons.
        persons: those who are scripted, by their places in the order of play; None for all.

    Attributes:
        position: the position with every intended move.
        laid: the moves that they have made and not taken back, and those before.
        lifted: pieces of a puzzle that they have lifted.
        mistakes: wrong placements so far, as colour and move.
        corrections: number of pieces straightened or taken back for lack of feedback.
    """

    def __init__(
        self,
        table: VirtualTable,
        choose: Lay,
        feedback: Callable[[], TableFeedback],
        seed: int,
        habits: Habits | None = None,
        *,
        press: Callable[[int], None] | None = None,
        persons: Collection[int] | None = None,
    ) -> None:
        game = table.scene.game
        self._table = table
        self._choose = choose
        self._feedback = feedback
        self._habits = habits or Habits()
        self._press = press
        self._dice = np.random.default_rng(seed)
        self._motion = HandMotion(table, self._dice, self._habits.reach_s)
        self._due = dict(self._habits.mistakes)
        self._player = BeatPlayer()
        self._finished = False
        self._persons = frozenset(range(game.people) if persons is None else persons)
        self._are_all = len(self._persons) == game.people
        owned = {colour for person in self._persons for colour in colours_of(game, person)}
        self._colours = frozenset(game.colours if self._are_all else owned)
        self.position = self._seen = feedback().position
        self._changes = 0
        self.laid = [
            (colour, move) for colour, laid in enumerate(self.position.laid) for move in laid
        ]
        self.lifted: list[LaidPiece] = []
        self.mistakes: list[LaidPiece] = []
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
        position = self._feedback().position
        if position != self._seen:
            # An acceptance that is undone at once shows the same position again.
            self._seen, self._changes = position, self._changes + 1
        if self._player.is_idle:
            self._player.begin(self._evening(), now_s)
        self._player.step(now_s)

    # Scripts

    def _evening(self) -> Iterator[Beat]:
        """Plays on for ever: a game that is over may be taken back."""
        while True:
            astray = self._astray()
            self._finished = self.position.is_over and astray is None
            if self._table.scene.hand is not None:
                yield Beat(_LOOK_S)
            elif astray is not None:
                yield self._thought()
                yield from self._free()
                # The game may have gone on meanwhile.
                yield from self._astray() or ()
            elif self._is_turn():
                yield from self._turn()
            else:
                yield Beat(_LOOK_S)

    def _is_turn(self) -> bool:
        """True if one of them is to move, and no piece of another person has to go first."""
        seen = self._feedback()
        colour = seen.position.to_move
        if colour is None or not seen.is_open:
            return False
        if not self._are_all and (seen.refused or self._is_any_foreign(seen.position)):
            return False
        return person_of(seen.position, colour) in self._persons

    def _is_any_foreign(self, position: Position) -> bool:
        """True if a piece is on the board that does not belong to the game."""
        return any(
            placed.move.piece not in {move.piece for move in position.laid[placed.colour]}
            for placed in self._table.scene.pieces
        )

    def _turn(self) -> Iterator[Beat]:
        ply = TableFeedback(self.position).ply + 1
        yield self._thought()
        mistake = self._planned_mistake(ply)
        if mistake is not None:
            yield from self._mistake(*mistake)
            yield self._thought()
        lifted = self._to_lift()
        if lifted is not None:
            yield from self._lift(*lifted)
            return
        before = self.position
        laying = self._choose(before)
        while laying is None:
            yield Beat(_LOOK_S)
            if self._feedback().position != before:
                return
            laying = self._choose(before)
        colour, move = laying
        yield from self._free()
        if self._feedback().position != before or not self._is_turn():
            return
        changes = self._changes
        yield from self._place(self._placed(colour, move))
        yield self._pressing(colour)
        self.position = before.play(move, colour)
        self.laid.append((colour, move))
        yield from self._await(changes, colour, move)

    def _mistake(self, colour: Colour, move: Move) -> Iterator[Beat]:
        """Lays a wrong piece, waits for the refusal, and takes the piece back."""
        yield from self._free()
        if self._feedback().position != self.position or not self._is_turn():
            return
        self.mistakes.append((colour, move))
        yield from self._place(self._placed(colour, move))
        yield self._pressing(colour)
        waited_s = 0.0
        while not (self._feedback().refused or self._feedback().position != self.position):
            yield Beat(_LOOK_S)
            waited_s += _LOOK_S
            if waited_s > self._habits.patience_s:
                self.corrections += 1
                break
        yield Beat(float(self._dice.uniform(1.0, 1.8)))
        yield from self._free()
        lying = self._table.scene.find(colour, move.piece)
        if lying is not None:
            yield from self._motion.take_back(self._seat(colour), lying)

    def _lift(self, colour: Colour, move: Move) -> Iterator[Beat]:
        """Lifts a piece and waits until the table notices; else it is brought back."""
        yield from self._free()
        lying = self._table.scene.find(colour, move.piece)
        if self._feedback().position != self.position or not self._is_turn() or lying is None:
            return
        changes, waited_s = self._changes, 0.0
        self.lifted.append((colour, move))
        self.laid.remove((colour, move))
        yield from self._motion.take_back(self._seat(colour), lying)
        yield self._pressing(colour)
        while self._changes == changes and waited_s < self._habits.patience_s:
            yield Beat(_LOOK_S)
            waited_s += _LOOK_S

    def _await(self, changes: int, colour: Colour, move: Move) -> Iterator[Beat]:
        """Waits until the table accepts a move or follows another way; straightens the piece.

        A piece that is refused, or of no use when it lies straight, is taken back later. `changes`
        is the number of changes of the position before the move.
        """
        waited_s, straightened = 0.0, 0
        while self._changes == changes and self._feedback().is_open:
            yield Beat(_LOOK_S)
            waited_s += _LOOK_S
            if waited_s > self._habits.patience_s:
                yield from self._free()
                is_useless = self._feedback().refused or straightened == _MOST_STRAIGHTENED
                if is_useless or self._table.scene.find(colour, move.piece) is None:
                    return
                waited_s, straightened = 0.0, straightened + 1
                self.corrections += 1
                yield from self._motion.slide(self._seat(colour), TablePiece(colour, move))
                yield self._pressing(colour)

    def _astray(self) -> Iterator[Beat] | None:
        """Looks at the table; returns a script for a piece that is not there as in the game."""
        self.position = self._feedback().position
        laid = self.position.laid
        for placed in reversed(self._table.scene.pieces):
            colour, piece = placed.colour, placed.move.piece
            move = next((one for one in laid[colour] if one.piece is piece), None)
            if self._is_theirs(placed) and (move is None or not _is_at(placed, move)):
                return self._removed(placed) if move is None else self._straightened(colour, move)
        for colour in sorted(self._colours):
            for move in laid[colour]:
                if self._table.scene.find(colour, move.piece) is None:
                    return self._brought_back(colour, move)
        return None

    def _is_theirs(self, placed: TablePiece) -> bool:
        """True if a piece is of their colours, or of a shared one and laid by them."""
        return placed.colour in self._colours or (placed.colour, placed.move) in self.laid

    def _straightened(self, colour: Colour, move: Move) -> Iterator[Beat]:
        """Moves a piece on the board back to its place."""
        yield from self._motion.slide(self._seat(colour), self._placed(colour, move))

    def _brought_back(self, colour: Colour, move: Move) -> Iterator[Beat]:
        """Lays a piece that belongs to the game and is not on the board."""
        yield from self._place(self._placed(colour, move))

    def _removed(self, placed: TablePiece) -> Iterator[Beat]:
        """Takes back a piece that does not belong to the game any more."""
        self.laid = [one for one in self.laid if one != (placed.colour, placed.move)]
        yield from self._motion.take_back(self._seat(placed.colour), placed)

    def _free(self) -> Iterator[Beat]:
        """Waits until no other hand is over the table."""
        while self._table.scene.hand is not None:
            yield Beat(_LOOK_S)

    def _place(self, placed: TablePiece) -> Iterator[Beat]:
        """Brings a piece, lays it, sometimes straightens it, and moves the hand away."""
        seat, motion = self._seat(placed.colour), self._motion
        spot, home = placed.middle_mm, home_of(seat, placed)
        yield motion.glide(seat, home, spot, placed)
        yield self._hover(seat, spot, placed)
        askew = self._dice.random() < self._habits.crooked
        yield motion.lay(self._askew(placed) if askew else placed)
        yield Beat(0.15)
        if askew:
            yield Beat(float(self._dice.uniform(0.3, 0.7)))
            yield Beat(0.0, lambda _: motion.shift(placed))
            yield Beat(0.2)
        yield motion.glide(seat, spot, home)
        yield motion.leave()

    # Beats

    def _pressing(self, colour: Colour) -> Beat:
        """The person to move presses the button 0.3 s after the hand has gone."""
        press = self._press
        if press is None:
            return Beat(0.0)
        to_move = colour if self.position.to_move is None else self.position.to_move
        person = person_of(self.position, to_move)

        def act(part: float) -> None:
            if part >= 1:
                press(person)

        return Beat(0.3, act)

    def _thought(self) -> Beat:
        return Beat(float(self._dice.uniform(*self._habits.think_s)))

    def _hover(self, seat: int, spot: tuple[float, float], holding: TablePiece) -> Beat:
        """Hesitation: the hand circles slightly above the square."""
        reach = float(self._dice.uniform(1.5, 5.0))

        def act(part: float) -> None:
            sway = reach * np.sin(np.pi * part)
            turn = 4.0 * np.pi * part
            x_mm = spot[0] + float(sway * np.cos(turn))
            y_mm = spot[1] + float(sway * np.sin(turn))
            self._table.move_hand(Hand(x_mm, y_mm, seat, holding))

        return Beat(float(self._dice.uniform(0.15, 0.15 + self._habits.hesitate_s)), act)

    def _seat(self, colour: Colour) -> int:
        return seat_of(self._table.scene.game, colour, self.position)

    # Chance

    def _planned_mistake(self, ply: int) -> LaidPiece | None:
        """The mistake at the beginning of this turn, or None."""
        planned = min((at for at in self._due if at <= ply), default=None)
        if planned is not None:
            found = wrong_placement(self.position, self._due[planned], self._dice)
            if found is not None:
                del self._due[planned]
            return found
        if self._dice.random() >= self._habits.mistake_rate:
            return None
        kinds = mistakes_of(self.position.game)
        return wrong_placement(self.position, kinds[self._dice.integers(len(kinds))], self._dice)

    def _to_lift(self) -> LaidPiece | None:
        """A piece to lift at the beginning of this turn, without which the rest is right."""
        if self.position.game.puzzle is None or self._dice.random() >= self._habits.lift_rate:
            return None
        order = self._dice.permutation(len(self.laid)).tolist()
        return next((self.laid[at] for at in order if self._may_lift(self.laid[at])), None)

    def _may_lift(self, one: LaidPiece) -> bool:
        game, laid = self.position.game, self.position.laid
        pieces = [(colour, move) for colour, own in enumerate(laid) for move in own]
        return not faults(game, ((c, move.squares) for c, move in pieces if (c, move) != one))

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


def _is_at(placed: TablePiece, move: Move) -> bool:
    """True if a piece is where a move has put it."""
    meant = TablePiece(placed.colour, move)
    (x_mm, y_mm), (meant_x_mm, meant_y_mm) = placed.middle_mm, meant.middle_mm
    near = hypot(x_mm - meant_x_mm, y_mm - meant_y_mm) < _ASIDE_MM
    return near and set(placed.squares()) == set(move.squares)
