"""Times, and positions in the middle of a game, that benchmarks take."""

import random
import statistics
import time
from collections.abc import Callable
from typing import Final

from firmware.rules.position import Position

PLIES: Final = {"duo": 12, "classic": 28}
"""How far the games are that have one."""


def middle_game(game: str) -> Position:
    """After `PLIES` moves by chance."""
    chance = random.Random(1)  # noqa: S311
    position = Position.start(game)
    for _ in range(PLIES[game]):
        position = position.play(chance.choice(list(position.legal_moves)))
    return position


Rows = dict[str, dict[str, float]]
"""What was measured, by name; each with its figures by unit."""

Tasks = dict[str, Callable[[], object]]
"""What is to be timed, by name."""


def median_s(
    task: Callable[[], object], runs: int = 400, clock: Callable[[], float] = time.perf_counter
) -> float:
    """The median time of a task in seconds; a mean would tell of what else the machine does.

    Args:
        task: what is timed.
        runs: how often.
        clock: tells seconds; `time.process_time` those that all cores together worked on it.
    """
    times = []
    for _ in range(runs):
        begun = clock()
        task()
        times.append(clock() - begun)
    return statistics.median(times)
