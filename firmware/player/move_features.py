"""Reasons for a move that need no search.

Reasons are codes and squares; the page turns them into sentences.
"""

from dataclasses import dataclass
from enum import StrEnum

from firmware.rules.board import Move, squares_of
from firmware.rules.pieces import LARGEST
from firmware.rules.position import Position
from firmware.rules.variants import Colour


class MoveReason(StrEnum):
    """Kinds of reasons for a move."""

    OPENS_CORNERS = "opens-corners"
    TAKES_CORNERS = "takes-corners"
    LARGE_PIECE = "large-piece"


@dataclass(frozen=True, slots=True)
class MoveFeature:
    """A reason for a move.

    Attributes:
        reason: kind of the reason.
        squares: corners that it opens to its colour, usable corners of an enemy that it covers,
            or the squares of the piece.
    """

    reason: MoveReason
    squares: tuple[int, ...]


def features_of_move(position: Position, move: Move) -> tuple[MoveFeature, ...]:
    """The reasons for a move of the colour to move.

    Args:
        position: position before the move.
        move: a legal move.
    """
    colour = position.to_move
    assert colour is not None, "a legal move has a colour"
    opened = _usable_corners(position.play(move), colour) & ~_usable_corners(position, colour)
    side = position.side_of(colour)
    taken = 0
    for other in position.game.colours:
        if position.side_of(other) != side:
            taken |= _usable_corners(position, other) & move.mask
    squares = {MoveReason.OPENS_CORNERS: opened, MoveReason.TAKES_CORNERS: taken}
    if move.piece.size == LARGEST:
        squares[MoveReason.LARGE_PIECE] = move.mask
    return tuple(
        MoveFeature(reason, tuple(squares_of(mask))) for reason, mask in squares.items() if mask
    )


def _usable_corners(position: Position, colour: Colour) -> int:
    """Mask of the corners of a colour that a legal placement covers."""
    board, own = position.board, position.squares(colour)
    corners = board.corner_neighbours(own) & ~board.edge_neighbours(own) & ~own
    reached = 0
    for move in position.moves_of(colour):
        reached |= move.mask
    return corners & reached
