"""Filters things that look like pieces: printed marks, foreign objects."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from firmware.referee.adjudication import ReaderPiece
from firmware.referee.frame_mapping import FrameMapping
from firmware.referee.placement_matching import Explanation
from firmware.rules.board import Board, squares_of
from firmware.rules.extent import start_mask
from firmware.rules.variants import Variant

_MOST_JOINED: Final = 10
"""Number of squares of two adjacent pieces; a larger group was not laid in one turn."""


def printed_marks(
    explanation: Explanation, game: Variant, possible: Sequence[FrameMapping]
) -> frozenset[ReaderPiece]:
    """Returns new single squares on starting points of a board that is seen for the first time.

    The points are printed as rings or dots, and on some boards look like a bright piece. It is
    unlikely that somebody lays the single square before the board is watched.

    Args:
        explanation: explanation of the first steady board.
        game: the game that is played.
        possible: the possible mappings of the board.
    """
    starts = list(squares_of(start_mask(game)))
    points = {mapping.seen_at(square) for mapping in possible for square in starts}
    return frozenset(
        (one.colour, one.move.mask)
        for one in explanation.pieces
        if one.move.piece.size == 1 and one.move.squares[0] in points
    )


def without_marks(explanation: Explanation, marks: frozenset[ReaderPiece]) -> Explanation:
    """Returns the explanation without printed marks."""
    if not marks:
        return explanation
    return replace(
        explanation,
        placed=tuple(o for o in explanation.placed if (o.colour, o.move.mask) not in marks),
        doubtful=tuple(o for o in explanation.doubtful if (o.colour, o.move.mask) not in marks),
    )


def is_buried(board: Board, explanation: Explanation) -> bool:
    """True if a group of certain squares is far larger than any piece."""
    return any(
        group.bit_count() > _MOST_JOINED
        for squares in explanation.strange
        for group in board.groups(squares)
    )
