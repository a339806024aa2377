"""Why a move may be a good one: what can be said of it without searching.

Reasons are codes and squares, as everything that is told; sentences are made elsewhere.
"""

from dataclasses import dataclass
from enum import StrEnum

from firmware.rules.board import Move, squares_of
from firmware.rules.pieces import LARGEST
from firmware.rules.position import Position
from firmware.rules.variants import Colour


class MoveReason(StrEnum):
    """What speaks for a move."""

    OPENS_CORNERS = "opens-corners"
    TAKES_CORNERS = "takes-corners"
    LARGE_PIECE = "large-piece"


@dataclass(frozen=True, slots=True)
class MoveFeature:
    """A reason for a move.

    Attributes:
        reason: what speaks for it.
        squares: where: corners that it opens to its colour, squares that an enemy could have
            gone on from, or the piece itself.
    """

    reason: MoveReason
    squares: tuple[int, ...]


def features_of_move(position: Position, move: Move) -> tuple[MoveFeature, ...]:
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
    squares = {MoveReason.OPENS_CORNERS: opened, MoveReason.TAKES_CORNERS: taken}
    if move.piece.size == LARGEST:
        squares[MoveReason.LARGE_PIECE] = move.mask
    return tuple(
        MoveFeature(reason, tuple(squares_of(mask))) for reason, mask in squares.items() if mask
    )


def _ways_on(position: Position, colour: Colour) -> int:
    """Mask of the corners of a colour from which a piece of it still fits."""
    board, own = position.board, position.squares(colour)
    corners = board.corner_neighbours(own) & ~board.edge_neighbours(own) & ~own
    reached = 0
    for move in position.moves_of(colour):
        reached |= move.mask
    return corners & reached
