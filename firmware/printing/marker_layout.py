"""Places of the four markers beside a board. Pure.

They lie left and right of the board, level with its corners: there the picture of a camera shows
more of the table than above and below it. Lengths are in millimetres from the middle of the board,
x right and y down as the camera sees it.
"""

from dataclasses import dataclass
from typing import Final

from firmware.cameras.mounting import BoardSize

SMALL_MM: Final = 30.0
"""Side of the black square of a marker on boards up to `LARGE_FROM_MM`. From the height that a
camera needs it is at least 50 pixels wide in pictures of 1280x720 or more; at 26 the reader no
longer found all of them in noise."""

LARGE_MM: Final = 60.0
"""Side of that square on larger boards, seen from higher: at least as many pixels wide."""

LARGE_FROM_MM: Final = 450.0
"""Side of a board with its rim above which markers are large."""

_BORDER: Final = 0.2
"""White paper around a marker, in its sides: more than one of its six modules."""

GAP_MM: Final = 4.0
"""Distance of that paper from the board."""

SIDES: Final = ((-1, -1), (1, -1), (1, 1), (-1, 1))
"""Directions (x, y) of the markers from the middle of the board, by id."""


@dataclass(frozen=True, slots=True)
class MarkerLayout:
    """The markers of a board."""

    board: BoardSize

    @property
    def marker_mm(self) -> float:
        """Side of the black square of a marker."""
        return SMALL_MM if self.board.outer_mm <= LARGE_FROM_MM else LARGE_MM

    @property
    def card_mm(self) -> float:
        """Side of the white card of a marker."""
        return self.marker_mm * (1 + 2 * _BORDER)

    @property
    def centres(self) -> tuple[tuple[float, float], ...]:
        """Middles of the markers, by id."""
        half = self.board.outer_mm / 2
        x, y = half + GAP_MM + self.card_mm / 2, half - self.card_mm / 2
        return tuple((across * x, down * y) for across, down in SIDES)

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of board and cards together."""
        outer = self.board.outer_mm
        return outer + 2 * (GAP_MM + self.card_mm), outer
