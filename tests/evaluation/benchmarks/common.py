"""Timing, and positions in the middle of a game, for all benchmarks."""

import random
import statistics
import time
from collections.abc import Callable
from typing import Final

from firmware.rules.position import Position

PLIES: Final = {"duo": 12, "classic": 28}
"""Moves to a middle game, by game."""


def middle_game(game: str) -> Position:
    """The position after `PLIES` random moves."""
    chance = random.Random(1)  # noqa: S311
    position = Position.start(game)
    for _ in range(PLIES[game]):
        position = position.play(chance.choice(list(position.legal_moves)))
    return position


Rows = dict[str, dict[str, float]]
"""Measurements by name, each with its numbers by unit."""

Tasks = dict[str, Callable[[], object]]
"""Functions to be timed, by name."""


def median_s(
    task: Callable[[], object], runs: int = 400, clock: Callable[[], float] = time.perf_counter
) -> float:
    """The median time of a task in seconds; other load on the machine would affect a mean.

    Args:
        task: function to be timed.
        runs: number of runs.
        clock: returns seconds; with `time.process_time` the CPU seconds of all cores.
    """
    times = []
    for _ in range(runs):
        begun = clock()
        task()
        times.append(clock() - begun)
    return statistics.median(times)
