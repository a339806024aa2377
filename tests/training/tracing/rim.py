"""Recordings of a piece that is laid at the rim of a board. Pure.

The scenes are those of the trial `rim`: the piece hangs over the border, or it is a right move
while other pieces lie or come beside the board.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from firmware.codes import Rule
from firmware.rules.board import Board
from firmware.simulator.table import CELL_MM, TablePiece
from tests.evaluation.rim_scenes import Arrival, RimScene, scene
from tests.training.tracing.layout import TracedPiece
from tests.training.tracing.positions import TracedPosition
from tests.training.tracing.story import Shot, StoryPiece, own
from tests.training.tracing.taste import Taste

_VISIBLE: Final = 5.0
"""Squares of the table around the board that are in view at least: more than a piece reaches."""

FRAMES: Final = (2, 2, 10)
"""Pictures before the hand comes, with the hand, and after it has left."""


@dataclass(frozen=True, slots=True, eq=False)
class TracedRim:
    """A recording at the rim.

    Attributes:
        position: the table under its camera.
        laid: the piece that is laid, and what lies around it.
    """

    position: TracedPosition
    laid: RimScene

    @staticmethod
    def drawn(seed: tuple[int, int], taste: Taste, *, hangs: bool) -> "TracedRim":
        """Returns a random recording."""
        chosen = 0
        position = TracedPosition.drawn((*seed, chosen), taste, _VISIBLE)
        while position.beside == "board":  # it would lie where the pieces do
            chosen += 1
            position = TracedPosition.drawn((*seed, chosen), taste, _VISIBLE)
        return TracedRim(position, scene(*seed, hangs=hangs, game="duo"))

    @property
    def shots(self) -> tuple[Shot, Shot, Shot]:
        """The table before, with the hand, and after."""
        laid = self.laid
        stays = [*laid.pieces, *laid.beside(Arrival.BEFORE)]
        before = _shot([*stays, *laid.beside(Arrival.TAKEN)])
        piece = traced(laid.piece)
        hand = Shot(before.placed, piece.squares, piece)
        came = laid.beside(Arrival.CAME, Arrival.WITH)
        return before, hand, _shot([*stays, laid.piece, *came])

    def described(self) -> dict[str, Any]:
        """Returns the truth of the whole recording."""
        laid = self.laid
        board = Board.of(laid.position.game.size)
        return self.position.table.described() | {
            "position": str(laid.position),
            "event": "illegal" if laid.beyond else "move",
            "colour": laid.colour,
            "squares": board.format_squares(sorted(laid.squares)),
            "rules": [Rule.OFF_BOARD.value] if laid.beyond else [],
            "beyond": laid.beyond,
            "unclear": laid.is_unclear,
            "beside": [f"{thing.kind} {thing.arrival}" for thing in laid.things],
        }


def _shot(pieces: list[TablePiece]) -> Shot:
    return Shot(tuple(StoryPiece(traced(piece), 0) for piece in pieces))


def traced(piece: TablePiece) -> TracedPiece:
    """Returns a piece in the board's own frame, its whole squares of deviation as squares."""
    placed = own(piece.move, piece.colour)
    down, right = -piece.dx_mm / CELL_MM, -piece.dy_mm / CELL_MM
    rows, columns = round(down), round(right)
    squares = tuple((row + rows, column + columns) for row, column in placed.squares)
    return TracedPiece(
        placed.colour, squares, down - rows, right - columns, float(np.round(piece.angle_deg, 2))
    )
