"""Why a move may be a good one: what can be said of it without searching.

Reasons are codes and squares, as everything that is told; sentences are made elsewhere.
"""

from dataclasses import dataclass
from enum import StrEnum

from firmware.rules.board import Move, squares_of
from firmware.rules.pieces import LARGEST
from firmware.rules.position import Position
from firmware.rules.variants import Colour


class Reason(StrEnum):
    """What speaks for a move."""

    OPENS_CORNERS = "opens-corners"
    TAKES_CORNERS = "takes-corners"
    LARGE_PIECE = "large-piece"


@dataclass(frozen=True, slots=True)
class Merit:
    """A reason for a move.

    Attributes:
        reason: what speaks for it.
        squares: where: corners that it opens to its colour, squares that an enemy could have
            gone on from, or the piece itself.
    """

    reason: Reason
    squares: tuple[int, ...]


def merits_of(position: Position, move: Move) -> tuple[Merit, ...]:
    """What speaks for a move of the colour whose turn it is.

    Args:
        position: before the move.
        move: a legal one.
    """
    colour = position.to_move
    assert colour is not None, "somebody moves"
    opened = _ways_on(position.play(move), colour) & ~_ways_on(position, colour)
    side = position.side_of(colour)
    taken = 0
    for other in position.game.colours:
        if position.side_of(other) != side:
            taken |= _ways_on(position, other) & move.mask
    squares = {Reason.OPENS_CORNERS: opened, Reason.TAKES_CORNERS: taken}
    if move.piece.size == LARGEST:
        squares[Reason.LARGE_PIECE] = move.mask
    return tuple(Merit(reason, tuple(squares_of(mask))) for reason, mask in squares.items() if mask)


def _ways_on(position: Position, colour: Colour) -> int:
    """Mask of the corners of a colour from which a piece of it still fits."""
    board, own = position.board, position.squares(colour)
    corners = board.around(own) & ~board.beside(own) & ~own
    reached = 0
    for move in position.moves_of(colour):
        reached |= move.mask
    return corners & reached
