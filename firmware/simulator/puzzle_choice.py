"""Choice of the next piece of a puzzle by a person who knows a solution."""

from functools import cache
from importlib.resources import files
from itertools import permutations
from typing import Final

import numpy as np

from firmware.rules.position import LaidPiece, Position
from firmware.rules.variants import Variant

_SOLVED: Final = "solved_puzzles.txt"
"""File beside this module with a solved position of each puzzle, one a line."""


@cache
def solved(game: Variant) -> Position:
    """The stored solution of a puzzle."""
    lines = (files("firmware.simulator") / _SOLVED).read_text("ascii").splitlines()
    return Position.parse(next(line for line in lines if line.split()[0] == game.key))


class KnownSolution:
    """Lays the pieces of a solution, in a random order that is legal.

    The colours of a puzzle are alike, so each order of them makes another solution. If none of
    these has all pieces that lie on the board, nothing is laid.

    Args:
        solution: a solved position.
        seed: seed of the order of the colours and of the pieces.
    """

    def __init__(self, solution: Position, seed: int) -> None:
        self._dice: Final = np.random.default_rng(seed)
        colours = list(permutations(solution.game.colours))
        self._solutions: Final = [
            frozenset(
                (order[colour], move) for colour, laid in enumerate(solution.laid) for move in laid
            )
            for order in (colours[at] for at in self._dice.permutation(len(colours)).tolist())
        ]

    def __call__(self, position: Position) -> LaidPiece | None:
        """Picks a piece of the solution that is legal now; None if there is none."""
        on_board = {(colour, move) for colour, laid in enumerate(position.laid) for move in laid}
        solution = next((one for one in self._solutions if one >= on_board), frozenset())
        legal = [(c, move) for c, move in solution - on_board if move in position.moves_of(c)]
        legal.sort(key=lambda one: (one[0], one[1].index))
        return legal[int(self._dice.integers(len(legal)))] if legal else None
