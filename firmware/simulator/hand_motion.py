"""Motions of a hand over a virtual table, as scripts of beats that are played in time.

Time is an argument, so a script can be played at any speed.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from firmware.simulator.table import CELL_MM, Hand, TablePiece, VirtualTable

_AWAY_MM: Final = 190.0
"""Millimetres from the edge of the board to a hand at rest."""

Place = tuple[float, float]
"""x and y in millimetres."""


@dataclass(frozen=True, slots=True)
class Beat:
    """A period of time; `act` is called with the elapsed share of it, 0 to 1."""

    seconds: float
    act: Callable[[float], None] | None = None


class BeatPlayer:
    """Plays one script at a time.

    Attributes:
        is_idle: True if no script is being played.
    """

    def __init__(self) -> None:
        self._script: Iterator[Beat] = iter(())
        self._beat: Beat | None = None
        self._began_s = 0.0

    @property
    def is_idle(self) -> bool:
        """True if no script is being played."""
        return self._beat is None

    def begin(self, script: Iterator[Beat], now_s: float) -> None:
        """Begins a script, instead of the one that is being played."""
        self._script, self._beat, self._began_s = script, Beat(0.0), now_s

    def step(self, now_s: float) -> None:
        """Plays all beats that are due.

        Args:
            now_s: monotonic seconds, on any clock.
        """
        while self._beat is not None:
            beat, elapsed_s = self._beat, now_s - self._began_s
            part = 1.0 if beat.seconds <= 0 else min(1.0, elapsed_s / beat.seconds)
            if beat.act is not None:
                beat.act(part)
            if part < 1.0:
                return
            self._began_s += beat.seconds
            self._beat = next(self._script, None)


class HandMotion:
    """Beats of hands over one table.

    Args:
        table: the table.
        dice: source of chance.
        reach_s: seconds of a hand from the edge to its square.
    """

    def __init__(self, table: VirtualTable, dice: np.random.Generator, reach_s: float) -> None:
        self._table: Final = table
        self._dice: Final = dice
        self._reach_s: Final = reach_s

    def take_back(self, seat: int, placed: TablePiece) -> Iterator[Beat]:
        """Takes a piece off the board, back to its tray."""
        spot, home = placed.middle_mm, home_of(seat, placed)
        yield self.glide(seat, home, spot)
        yield Beat(0.25)
        yield Beat(0.0, lambda _: self.lift(seat, placed))
        yield self.glide(seat, spot, home, placed)
        yield self.leave()

    def slide(self, seat: int, placed: TablePiece) -> Iterator[Beat]:
        """Moves a piece on the board a little, to the place of `placed`."""
        spot, home = placed.middle_mm, home_of(seat, placed)
        yield self.glide(seat, home, spot)
        yield Beat(0.2)
        yield Beat(0.0, lambda _: self.shift(placed))
        yield self.glide(seat, spot, home)
        yield self.leave()

    def glide(self, seat: int, start: Place, end: Place, holding: TablePiece | None = None) -> Beat:
        """Moves the hand from a place to another."""

        def act(part: float) -> None:
            eased = part * part * (3 - 2 * part)
            x_mm = start[0] + (end[0] - start[0]) * eased
            y_mm = start[1] + (end[1] - start[1]) * eased
            self._table.move_hand(Hand(x_mm, y_mm, seat, holding))

        return Beat(self._reach_s * float(self._dice.uniform(0.85, 1.25)), act)

    def leave(self) -> Beat:
        """Removes the hand."""
        return Beat(0.0, lambda _: self._table.move_hand(None))

    def lay(self, placed: TablePiece) -> Beat:
        """Lays the piece in the hand."""
        return Beat(0.0, lambda _: self._table.lay(placed))

    def shift(self, placed: TablePiece) -> None:
        """Moves a piece on the board to the place of `placed`, at once."""
        self._table.shift(placed.colour, placed.move.piece, placed)

    def lift(self, seat: int, placed: TablePiece) -> None:
        """Takes a piece off the board into the hand above it, at once."""
        self._table.lift(placed.colour, placed.move.piece)
        self._table.move_hand(Hand(*placed.middle_mm, seat, placed))


def home_of(seat: int, placed: TablePiece) -> Place:
    """Place of the hand at rest: beyond the edge, on its owner's side."""
    x_mm, y_mm = placed.middle_mm
    out = placed.move.board.size * CELL_MM / 2 + _AWAY_MM
    return ((x_mm, -out), (out, y_mm), (x_mm, out), (-out, y_mm))[seat]
