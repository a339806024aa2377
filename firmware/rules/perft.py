"""Number of sequences of legal moves: the test of move generators known in chess as perft."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.rules.position import Position


def perft(
    position: "Position", depth: int, progress: "Callable[[float], None] | None" = None
) -> int:
    """Number of sequences of `depth` legal moves, the colours strictly in turn.

    A sequence in which the colour to move has no placement is not counted: nobody passes.

    Args:
        position: first position.
        depth: moves in a sequence, at least 0.
        progress: called with the share done, 0 to 1, after each of the moves but the last.
    """
    if depth == 0:
        return 1
    moves = position.moves_of(position.turn)
    if depth == 1:
        return len(moves)
    count = 0
    for done, move in enumerate(moves, 1):
        inner = None if progress is None else _part(progress, done - 1, len(moves))
        count += perft(position.put(move, position.turn), depth - 1, inner)
        if progress:
            progress(done / len(moves))
    return count


def _part(progress: "Callable[[float], None]", done: int, parts: int) -> "Callable[[float], None]":
    """The progress of one of several equal parts, of which some are done."""
    return lambda share: progress((done + share) / parts)
