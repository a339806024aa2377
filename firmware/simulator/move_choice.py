"""Simple choices of a move, without the player: `choose(position)` for scripted people.

Of a puzzle, people know a solution, and choose its next piece.
"""

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from itertools import permutations
from typing import Final

import numpy as np

from firmware.rules.board import Move
from firmware.rules.position import LaidPiece, Position
from firmware.rules.variants import Variant

Choose = Callable[[Position], Move | None]
"""Picks a legal move of a position that is not over; None while it thinks, to be asked again."""

Lay = Callable[[Position], LaidPiece | None]
"""Picks a piece and its place; None while nothing can be laid, to be asked again."""

_LOOKED_AT: Final = 160
"""Moves that are compared, chosen at random."""


_SOLVED: Final = "solved_puzzles.txt"
"""File beside this module with a solved position of each puzzle, one a line."""


def in_turn(choose: Choose) -> Lay:
    """Lays the chosen moves of the colour to move."""

    def lay(position: Position) -> LaidPiece | None:
        move, colour = choose(position), position.to_move
        return None if move is None or colour is None else (colour, move)

    return lay


def sensibly(seed: int) -> Callable[[Position], Move]:
    """Chooses a largest piece that opens many corners and closes many of the others."""
    dice = np.random.default_rng(seed)

    def choose(position: Position) -> Move:
        moves = list(position.legal_moves)
        most = max(move.piece.size for move in moves)
        large = [move for move in moves if move.piece.size == most]
        some = dice.permutation(len(large))[:_LOOKED_AT]
        offered = [large[int(i)] for i in some]
        return max(offered, key=lambda move: _worth(position, move))

    return choose


def _worth(position: Position, move: Move) -> int:
    """Twice the squares at corners that a move opens, plus those that it takes from others."""
    board, colour = position.board, position.to_move
    assert colour is not None, "a legal move has a colour"
    taken = position.occupied | move.mask
    own = position.squares(colour) | move.mask
    opened = board.corner_neighbours(move.mask) & ~taken & ~board.edge_neighbours(own)
    closed = 0
    for other in position.game.colours:
        if other != colour:
            theirs = position.squares(other)
            closed |= board.corner_neighbours(theirs) & ~board.edge_neighbours(theirs) & move.mask
    return 2 * opened.bit_count() + closed.bit_count()


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
