"""A count of the pieces in a picture, to tell boards that people laid wrong from misread ones.

People lay a piece twice, let two touch, mix a few pieces of a second set in. If the colours of the
plastic or the place of the board were misjudged, the reading has one small shape many times,
single squares above all. No table has so many pieces of one shape.
"""

from collections import Counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.rules.board import Board, mask_of, squares_of
from firmware.rules.pieces import LARGEST

_SETS: Final = 2
"""Sets of pieces that may be mixed on one table."""

_MOST_SURPLUS: Final = 2
"""Pieces of a colour beyond what so many sets hold that a board may have. Of 500 boards laid
against the rules and 800 path-traced pictures that were read rightly none had one; of 30 that were
misread by 50 squares or more, 12 had two to eleven."""


def is_plausible(contents: NDArray[np.int64], sure: NDArray[np.bool_], hidden: int) -> bool:
    """Tell if the pieces of real sets can lie so, by the rules or against them.

    Only squares that are read beyond doubt count, and only groups of which no part is hidden.

    Args:
        contents: (n * n,) 0 empty, otherwise 1 + the place of the colour in the palette.
        sure: (n * n,) squares that are read beyond doubt.
        hidden: mask of the squares that cannot be seen.
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
