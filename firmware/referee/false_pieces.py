"""What the eyes may take for pieces and is none: printed marks, and things that lie there."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from firmware.referee.adjudication import Seen
from firmware.referee.frame_mapping import FrameMapping
from firmware.referee.placement_matching import Explanation
from firmware.rules.board import Board
from firmware.rules.position import Position

_MOST_JOINED: Final = 10
"""Squares of two pieces side by side; what is larger was not laid as pieces in one turn."""


def printed_marks(
    explanation: Explanation, position: Position, possible: Sequence[FrameMapping]
) -> frozenset[Seen]:
    """Single squares on starting points, seen on a board where nothing was laid yet.

    The points are printed as rings or dots, and on some boards look like a bright piece. Nobody
    has a reason to begin with the single square before the board is watched.

    Args:
        explanation: what the first steady board shows.
        position: what was accepted.
        possible: the mappings the board may lie in.
    """
    if position.occupied:
        return frozenset()
    starts = position.board.parse_squares(",".join(position.game.starts))
    points = {mapping.seen_at(square) for mapping in possible for square in starts}
    seen = (*explanation.placed, *explanation.doubtful)
    return frozenset(
        (one.colour, one.move.mask)
        for one in seen
        if one.move.piece.size == 1 and one.move.squares[0] in points
    )


def without_marks(explanation: Explanation, marks: frozenset[Seen]) -> Explanation:
    """The explanation without what is printed on the board."""
    if not marks:
        return explanation
    return replace(
        explanation,
        placed=tuple(o for o in explanation.placed if (o.colour, o.move.mask) not in marks),
        doubtful=tuple(o for o in explanation.doubtful if (o.colour, o.move.mask) not in marks),
    )


def is_buried(board: Board, explanation: Explanation) -> bool:
    """Whether something lies there that looks like plastic and is far larger than any piece."""
    return any(
        group.bit_count() > _MOST_JOINED
        for squares in explanation.strange
        for group in board.groups(squares)
    )
