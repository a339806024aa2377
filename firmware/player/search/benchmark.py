"""Speed of the player on this machine, for `cornerlight bench`."""

import random
import time
from itertools import pairwise
from typing import Final

import numpy as np

from firmware.player.search.jit import compiled
from firmware.player.search.kernels import BoardState, copy_state, next_mover, put
from firmware.player.search.player import SearchLimits, SearchPlayer
from firmware.player.search.scoring import state_of
from firmware.player.search.tables import Ints, Tables, tables
from firmware.rules.position import Position
from firmware.rules.variants import Starts

Rows = dict[str, dict[str, float]]
"""Measurements by name, each with its numbers by unit."""

_PLIES: Final = {"duo": (0, 6, 12, 18, 24), "classic": (0, 12, 28, 44)}
"""Plies at which the search is measured, by game."""

_ROUNDS: Final = 300
"""Replays of a game that are timed."""


def measure() -> Rows:
    """Time of a move with the next list of legal ones, and simulations a CPU second."""
    rows: Rows = {}
    for game, plies in _PLIES.items():
        line = _line(game)
        rows[f"{game}: a move and the next legal ones"] = {"us": _ply_s(line) * 1e6}
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


def _ply_s(line: list[Position]) -> float:
    """Mean CPU seconds over a game to lay a piece and list the next legal moves."""
    board = tables(line[0].game.size)
    moves = np.array(
        [
            after.laid[before.to_move][-1].index
            for before, after in pairwise(line)
            if before.to_move is not None
        ],
        np.int32,
    )
    root, state = (state_of(line[0]) for _ in range(2))
    _replay(board, root, state, moves, 1)
    begun = time.process_time()
    _replay(board, root, state, moves, _ROUNDS)
    return (time.process_time() - begun) / _ROUNDS / len(moves)


def _play_through(
    board: Tables, root: BoardState, state: BoardState, moves: Ints, rounds: int
) -> None:
    for _ in range(rounds):
        copy_state(root, state)
        for i in range(len(moves)):
            put(board, state, next_mover(board, state), moves[i])


_replay: Final = compiled(_play_through)


def _rate(position: Position) -> float:
    """Simulations a CPU second, starting with an empty tree."""
    player = SearchPlayer()
    player.think(position, SearchLimits(simulations=20))
    begun = time.process_time()
    result = player.think(position, SearchLimits(simulations=1000))
    return result.simulations / (time.process_time() - begun)
