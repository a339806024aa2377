"""Trial: exact endgames compared with a slow search without any pruning.

    python -m tests.evaluation endgames --positions 1200

Half of the positions are the last ones of random games; in the others both colours may come to
lay all their pieces. Each is solved under both scorings, and the margin after every legal move
has to be the same.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from typing import Final

from firmware.codes import MoveReasonCode, Scoring
from firmware.player.search.endgame import EndgameSolver
from firmware.player.search.reasons import proof_of
from firmware.rules.position import Position
from tests.support.endgames import TooLongError, crowded, minimax, random_endings

_PATIENCE_S: Final = 60.0
"""Seconds that suffice for each of these positions."""

_VISITS: Final = 600
"""Positions that the slow search may visit; a position with more is left out."""

_LAST: Final = 6
"""Number of last positions of a random game."""


def compared(
    solver: EndgameSolver, position: Position, scoring: Scoring, visits: int = _VISITS
) -> int | None:
    """Compares a position; returns the points that the best line gains, None if it is left out.

    Raises:
        AssertionError: a margin differs.
    """
    if position.is_over:
        return None
    budget = [visits]
    sign = 1 if position.to_move == 0 else -1
    try:
        expected = {
            move: sign * minimax(position.play(move), scoring, budget)
            for move in position.legal_moves
        }
    except TooLongError:
        return None
    result = solver.solve(position, scoring, seconds=_PATIENCE_S)
    assert result is not None, f"not solved: {position}"
    assert {one.move: one.proved for one in result.choices} == expected, f"{scoring}: {position}"
    first = result.choices[0]
    assert result.proved == first.proved == max(expected.values())
    wins_alone = result.proved > 0 and all(expected[one.move] <= 0 for one in result.choices[1:])
    proof = proof_of(first.move, result)
    assert (proof is not None and proof.code is MoveReasonCode.ONLY_WINNING) == (
        wins_alone and len(expected) > 1
    )
    return result.proved


def positions(seed: int) -> Iterator[Position]:
    """Late positions of both sorts in turn, without an end."""
    chance = random.Random(seed)  # noqa: S311
    for position in random_endings(seed, _LAST):
        yield position
        yield crowded(chance)


def main(words: Sequence[str]) -> None:
    """Compares as many positions as are asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation endgames")
    parser.add_argument("--positions", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(words)
    solver, equal, left_out = EndgameSolver(), 0, 0
    cases = ((one, scoring) for one in positions(arguments.seed) for scoring in Scoring)
    for position, scoring in cases:
        if compared(solver, position, scoring) is None:
            left_out += 1
        else:
            equal += 1
        if equal == arguments.positions:
            break
    print(f"{equal} positions equal, {left_out} left out")  # noqa: T201
