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
        progress: called with the share done, 0 to 1, after each of the first moves.
    """
    if depth == 0:
        return 1
    moves = position.moves_of(position.turn)
    if depth == 1:
        return len(moves)
    count = 0
    for done, move in enumerate(moves, 1):
        count += perft(position.put(move, position.turn), depth - 1)
        if progress:
            progress(done / len(moves))
    return count
