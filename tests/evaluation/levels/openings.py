"""Share of games of a level against itself that differ by ply 6."""

from itertools import combinations
from typing import Final

from firmware.rules.position import Position
from firmware.rules.variants import Starts
from tests.evaluation.levels.games import at_level

PLIES: Final = 6
"""Plies after which two games are compared."""


def begun(level: int, game: str, seed: int) -> str:
    """The position after six plies of a level against itself with a seed."""
    position, choose = Position.start(game, Starts.FIXED), at_level(level)
    for _ in range(PLIES):
        position = position.play(choose(position, seed))
    return str(position)


def different(positions: list[str]) -> float:
    """Share of the pairs of games that differ."""
    pairs = list(combinations(positions, 2))
    return sum(one != other for one, other in pairs) / len(pairs)
