"""Random positions of every game: does the player know the rules, and keep its limits?

    python -m tests.evaluation player_fuzz --positions 1000

Compiled lists of placements are held against `firmware.rules` for every colour, and the colour
to move too. Then the player thinks, with one to four threads in turn: each choice has to be
legal, the trees have to keep their memory, and it is counted how much longer than allowed it
took, on the wall and of CPU. Every tenth is stopped by another thread instead.
"""

import argparse
import random
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from firmware.rules.position import Position
from firmware.rules.variants import GAMES
from firmware.search.kernels import MOVES, next_mover, refresh
from firmware.search.nodes import NODE_BYTES
from firmware.search.player import MEMORY_MB, MOST_THREADS, SearchLimits, SearchPlayer
from firmware.search.scoring import state_of
from firmware.search.tables import tables

_SECONDS: Final = 0.03
_STOP_EVERY: Final = 10
_LONG_S: Final = 30.0


@dataclass
class PositionTally:
    """What was seen in the positions of a game.

    Attributes:
        positions: how many there were.
        unlike: where compiled lists were unlike those of the rules.
        illegal: where a choice was illegal or none was made.
        over_memory: where trees were larger than allowed.
        late_ms: on the wall, beyond what was allowed, where there was a limit of time.
        late_cpu_ms: of CPU beyond what that many threads may take in the time.
        stop_ms: between being told to stop and having answered.
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
    """Positions of games by chance, ended ones not among them, at any ply alike."""
    found: list[Position] = []
    while len(found) < count:
        line = [Position.start(game, chance.choice(("free", "fixed")))]
        large = chance.random() < 0.5
        while not line[-1].is_over:
            moves = list(line[-1].legal_moves)
            most = max(move.piece.size for move in moves)
            # Half of the games lay large pieces first, as people do.
            moves = [move for move in moves if not large or move.piece.size == most]
            line.append(line[-1].play(chance.choice(moves)))
        found += chance.sample(line[:-1], min(4, len(line) - 1, count - len(found)))
    return found


def is_alike(position: Position) -> bool:
    """Whether compiled lists and turn are those of the rules."""
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
    """Counts what is wrong with one position."""
    tally.positions += 1
    tally.unlike += not is_alike(position)
    player = SearchPlayer(threads=threads)
    told = [0.0]
    stopped = threading.Event()

    def tell() -> None:
        told[0] = time.perf_counter()
        stopped.set()

    timer = threading.Timer(_SECONDS, tell)
    if stop:
        timer.start()
    begun, spent = time.perf_counter(), time.process_time()
    thought = player.think(position, SearchLimits(seconds=_LONG_S if stop else _SECONDS), stopped)
    ended = time.perf_counter()
    if stop:
        timer.join()
        tally.stop_ms.append((ended - told[0]) * 1e3)
    else:
        tally.late_ms.append((ended - begun - _SECONDS) * 1e3)
        cpu = time.process_time() - spent
        tally.late_cpu_ms.append((cpu - threads * _SECONDS) * 1e3)
    legal = position.legal_moves
    tally.illegal += not thought.choices or any(one.move not in legal for one in thought.choices)
    tally.over_memory += thought.nodes * NODE_BYTES > MEMORY_MB * 2**20


def report(tally: PositionTally) -> str:
    """One line of a game."""
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
    """Thinks about random positions of every game and says what went wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation player_fuzz")
    parser.add_argument("--positions", type=int, default=100, help="of each game (default: 100)")
    parser.add_argument("--game", choices=GAMES, help="only this one")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(words)
    for game in [arguments.game] if arguments.game else GAMES:
        chance = random.Random(f"{game} {arguments.seed}")  # noqa: S311
        tally = PositionTally()
        for number, position in enumerate(positions(game, arguments.positions, chance)):
            stop = number % _STOP_EVERY == 0
            examine(position, number % MOST_THREADS + 1, stop=stop, tally=tally)
        print(f"-- {game}: {report(tally)}", flush=True)  # noqa: T201
