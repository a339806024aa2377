"""Speed of the player on this machine, for `cornerlight bench`."""

import random
import time
from typing import Final

from firmware.player.search.player import SearchLimits, SearchPlayer
from firmware.rules.position import Position
from firmware.rules.variants import Starts

Rows = dict[str, dict[str, float]]
"""Measurements by name, each with its numbers by unit."""

_PLIES: Final = {"duo": (0, 6, 12, 18, 24), "classic": (0, 12, 28, 44)}
"""Plies at which the search is measured, by game."""


def measure() -> Rows:
    """Simulations a CPU second."""
    rows: Rows = {}
    for game, plies in _PLIES.items():
        line = _line(game)
        for ply in plies:
            if ply < len(line) - 1:
                rows[f"{game}: simulations at ply {ply + 1}"] = {"per_cpu_second": _rate(line[ply])}
    return rows


def _line(game: str) -> list[Position]:
    """A fixed game of large pieces."""
    chance = random.Random(2)  # noqa: S311
    line = [Position.start(game, Starts.FIXED)]
    while not line[-1].is_over:
        moves = list(line[-1].legal_moves)
        large = max(move.piece.size for move in moves)
        line.append(line[-1].play(chance.choice([m for m in moves if m.piece.size == large])))
    return line


def _rate(position: Position) -> float:
    """Simulations a CPU second, starting with an empty tree."""
    player = SearchPlayer()
    player.think(position, SearchLimits(simulations=20))
    begun = time.process_time()
    result = player.think(position, SearchLimits(simulations=1000))
    return result.simulations / (time.process_time() - begun)
