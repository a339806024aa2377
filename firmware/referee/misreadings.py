"""Squares of one picture that were misread together.

The squares of a piece are misread together: black plastic on a board of its shade is taken for
empty squares, and a piece under a coloured lamp for one of another colour. So pieces are weighed by
the mean of their squares.

People lay a piece twice, let two touch, or mix in a few pieces of a second set. If the colours or
the place of the board are misjudged, the reading contains one small shape many times, mostly single
squares. No table has so many pieces of one shape.
"""

from collections import Counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.rules.board import Board, mask_where, squares_of
from firmware.rules.pieces import LARGEST
from firmware.rules.position import Position

_LONE: Final = -6.0
"""Log odds from which a square is doubtful that would be a piece by itself, or the rest of one. Of
685 traced boards, this makes the one wrong square unsure that was left, and 39 right ones."""

_LESS: Final = -3.0
"""Log odds of a square, beside the least mean, below which it is no part of such a piece."""

_SETS: Final = 2
"""Number of sets of pieces that may be mixed on one table."""

_MOST_SURPLUS: Final = 2
"""Greatest number of pieces on a board beyond these sets. Of 500 boards laid against the rules and
800 path-traced pictures that were read rightly none had one; of 30 that were misread by 50 squares
or more, 12 had two to eleven."""


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


def is_plausible(contents: NDArray[np.int64], sure: NDArray[np.bool_], hidden: int) -> bool:
    """True if pieces of real sets can lie so, by the rules or against them.

    Only certain squares count, and only groups of which no part is hidden.

    Args:
        contents: (n * n,) 0 empty, otherwise 1 + the column of the colour in the palette.
        sure: (n * n,) True for squares that are certain.
        hidden: mask of the hidden squares.
    """
    board = Board.of(int(np.sqrt(len(contents))))
    doubtful = mask_where(~sure)
    surplus = 0
    for colour in range(1, int(contents.max()) + 1):
        own = mask_where(contents == colour)
        shapes = Counter(
            move.piece
            for group in board.groups(own)
            if group.bit_count() <= LARGEST
            and not group & doubtful
            and not board.edge_neighbours(group) & hidden
            and (move := board.find_move(squares_of(group))) is not None
        )
        surplus += sum(max(0, count - _SETS) for count in shapes.values())
    return surplus <= _MOST_SURPLUS
