"""Checks by piece counts that a picture was not misread.

People lay a piece twice, let two touch, or mix in a few pieces of a second set. If the colours or
the place of the board are misjudged, the reading contains one small shape many times, mostly single
squares. No table has so many pieces of one shape.
"""

from collections import Counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.rules.board import Board, mask_of, squares_of
from firmware.rules.pieces import LARGEST

_SETS: Final = 2
"""Number of sets of pieces that may be mixed on one table."""

_MOST_SURPLUS: Final = 2
"""Greatest number of pieces on a board beyond these sets. Of 500 boards laid against the rules and
800 path-traced pictures that were read rightly none had one; of 30 that were misread by 50 squares
or more, 12 had two to eleven."""


def is_plausible(contents: NDArray[np.int64], sure: NDArray[np.bool_], hidden: int) -> bool:
    """True if pieces of real sets can lie so, by the rules or against them.

    Only certain squares count, and only groups of which no part is hidden.

    Args:
        contents: (n * n,) 0 empty, otherwise 1 + the column of the colour in the palette.
        sure: (n * n,) True for squares that are certain.
        hidden: mask of the hidden squares.
    """
    board = Board.of(int(np.sqrt(len(contents))))
    doubtful = mask_of(np.flatnonzero(~sure).tolist())
    surplus = 0
    for colour in range(1, int(contents.max()) + 1):
        own = mask_of(np.flatnonzero(contents == colour).tolist())
        shapes = Counter(
            board.move(index).piece
            for group in board.groups(own)
            if group.bit_count() <= LARGEST
            and not group & doubtful
            and not board.edge_neighbours(group) & hidden
            and (index := board.find(squares_of(group))) is not None
        )
        surplus += sum(max(0, count - _SETS) for count in shapes.values())
    return surplus <= _MOST_SURPLUS
