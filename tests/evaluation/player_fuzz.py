"""Trial: rules and limits of the player in random positions of every game.

    python -m tests.evaluation player_fuzz --positions 1000

Compiled lists of placements are compared with `firmware.rules` for every colour, and the colour
to move too. Then the player searches, with one to four threads in turn: each choice has to be
legal, and the trees have to stay within their memory; the time beyond the limit is measured, of
the clock and of the CPU. Every tenth search is stopped by another thread instead.
"""

import argparse
import random
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from firmware.player.search.kernels import MOVES, next_mover, refresh
from firmware.player.search.nodes import NODE_BYTES
from firmware.player.search.player import MEMORY_MB, MOST_THREADS, SearchLimits, SearchPlayer
from firmware.player.search.scoring import state_of
from firmware.player.search.tables import tables
from firmware.rules.position import Position
from firmware.rules.variants import GAMES

_SECONDS: Final = 0.03
"""Time limit of a search."""

_STOP_EVERY: Final = 10
"""One search in so many is stopped by another thread."""

_LONG_S: Final = 30.0
"""Seconds of a search that is stopped."""


@dataclass
class PositionTally:
    """Results of the positions of a game.

    Attributes:
        positions: number of positions.
        unlike: number with compiled lists that differ from the rules.
        illegal: number with an illegal choice or none.
        over_memory: number with trees larger than allowed.
        late_ms: times of the clock beyond the limit, in milliseconds.
        late_cpu_ms: CPU times beyond that of all threads within the limit, in milliseconds.
        stop_ms: times from the stop signal to the result, in milliseconds.
    """

    positions: int = 0
    unlike: int = 0
    illegal: int = 0
    over_memory: int = 0
    late_ms: list[float] = field(default_factory=list)
    late_cpu_ms: list[float] = field(default_factory=list)
    stop_ms: list[float] = field(default_factory=list)

    def faults(self) -> int:
        return self.unlike + self.illegal + self.over_memory


def positions(game: str, count: int, chance: random.Random) -> list[Position]:
    """Returns positions of random unfinished games, all plies equally likely."""
    found: list[Position] = []
    while len(found) < count:
        line = [Position.start(game, chance.choice(("free", "fixed")))]
        large = chance.random() < 0.5
        while not line[-1].is_over:
            moves = list(line[-1].legal_moves)
            most = max(move.piece.size for move in moves)
            # In half of the games large pieces go first, as people play.
            moves = [move for move in moves if not large or move.piece.size == most]
            line.append(line[-1].play(chance.choice(moves)))
        found += chance.sample(line[:-1], min(4, len(line) - 1, count - len(found)))
    return found


def is_alike(position: Position) -> bool:
    """True if compiled lists and turn agree with the rules."""
    board, state = tables(position.game.size), state_of(position)
    mover = next_mover(board, state)
    if mover != (-1 if position.to_move is None else position.to_move):
        return False
    for colour in position.game.colours:
        refresh(board, state, colour)
        found = state.moves[colour, : state.tally[colour, MOVES]]
        if np.sort(found).tolist() != position.moves_of(colour).indices.tolist():
            return False
    return True


def examine(position: Position, threads: int, *, stop: bool, tally: PositionTally) -> None:
    """Counts the faults in one position."""
    tally.positions += 1
    tally.unlike += not is_alike(position)
    player = SearchPlayer(threads=threads)
    stop_at = [0.0]
    stopped = threading.Event()

    def stop_now() -> None:
        stop_at[0] = time.perf_counter()
        stopped.set()

    timer = threading.Timer(_SECONDS, stop_now)
    if stop:
        timer.start()
    start, spent = time.perf_counter(), time.process_time()
    thought = player.think(position, SearchLimits(seconds=_LONG_S if stop else _SECONDS), stopped)
    ended = time.perf_counter()
    if stop:
        timer.join()
        tally.stop_ms.append((ended - stop_at[0]) * 1e3)
    else:
        tally.late_ms.append((ended - start - _SECONDS) * 1e3)
        cpu = time.process_time() - spent
        tally.late_cpu_ms.append((cpu - threads * _SECONDS) * 1e3)
    legal = position.legal_moves
    tally.illegal += not thought.choices or any(one.move not in legal for one in thought.choices)
    tally.over_memory += thought.nodes * NODE_BYTES > MEMORY_MB * 2**20


def report(tally: PositionTally) -> str:
    """Returns a line on the results of a game."""
    late, cpu, stop = (
        f"{np.median(times):.1f}, {np.percentile(times, 99):.1f}, {max(times):.1f}"
        for times in (tally.late_ms, tally.late_cpu_ms, tally.stop_ms)
    )
    return (
        f"{tally.positions} positions: {tally.unlike} unlike the rules, {tally.illegal} illegal, "
        f"{tally.over_memory} over memory; ms late (median, 99 %, worst) {late}; of CPU {cpu}; "
        f"after stop {stop}"
    )


def main(words: Sequence[str]) -> None:
    """Runs the trial and prints the results."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation player_fuzz")
    parser.add_argument("--positions", type=int, default=100, help="number per game (default: 100)")
    parser.add_argument("--game", choices=GAMES, help="only this game")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(words)
    for game in [arguments.game] if arguments.game else GAMES:
        chance = random.Random(f"{game} {arguments.seed}")  # noqa: S311
        tally = PositionTally()
        for number, position in enumerate(positions(game, arguments.positions, chance)):
            stop = number % _STOP_EVERY == 0
            examine(position, number % MOST_THREADS + 1, stop=stop, tally=tally)
        print(f"-- {game}: {report(tally)}", flush=True)  # noqa: T201
