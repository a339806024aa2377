"""Pieces of a picture that are doubtful as a whole, although none of their squares is.

The squares of a piece are misread together: black plastic on a board of its shade is taken for
empty squares, and a piece under a coloured lamp for one of another colour. So pieces are weighed by
the mean of their squares.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.rules.board import Board
from firmware.rules.position import Position

_LONE: Final = -6.0
"""Log odds from which a square is doubtful that would be a piece by itself, or the rest of one. Of
685 traced boards, this makes the one wrong square unsure that was left, and 39 right ones."""

_LESS: Final = -3.0
"""Log odds of a square, beside the least mean, below which it is no part of such a piece."""


def doubtful_pieces(
    position: Position, odds: NDArray[np.float64], hidden: int, least: float
) -> set[int]:
    """Returns the squares of pieces that may be missing, longer, or of another colour.

    A missing piece, and the missing part of one, keeps the rules beside the pieces of `position`.

    Args:
        position: the pieces that are seen.
        odds: (colours, squares) log odds of each colour against the content that is read.
        hidden: mask of squares that tell nothing.
        least: mean log odds of the squares of a piece from which it is doubtful; a single square
            is from `_LONE` at the latest.
    """
    board, found = position.board, set[int]()
    for colour, own in enumerate(odds):
        missing = position.moves_of(colour).placements
        found |= _likely(board, missing, own, hidden, least)
        for move in position.laid[colour]:
            longer = position.lift(move, colour).moves_of(colour).placements
            for square in move.squares:
                longer &= board.covering[square]
            found |= _likely(board, longer, own, hidden, least, move.mask)
        standing = (move for other, move in position.pieces if other != colour)
        same = sum(1 << move.index for move in standing)
        found |= _likely(board, same, own, hidden, least)
    return found


def _likely(
    board: Board,
    placements: int,
    odds: NDArray[np.float64],
    hidden: int,
    least: float,
    laid: int = 0,
) -> set[int]:
    """Returns the squares of all placements with enough log odds, less those hidden or laid."""
    cells = board.cells[board.indices(placements)]
    counted = ~board.flags(hidden | laid)
    counted[board.squares] = False
    weights = counted[cells]
    own = np.where(weights, np.append(odds, 0.0)[cells], 0.0)
    counts = weights.sum(axis=1)
    lone = (counts == 1) & ~board.flags(hidden)[cells].any(axis=1)
    bounds = np.where(lone, min(least, _LONE), least)
    enough = (own.sum(axis=1) >= bounds * counts) & (own.min(axis=1) >= bounds + _LESS)
    likely = enough & (counts > 0)
    return set(cells[likely][weights[likely]].tolist())
