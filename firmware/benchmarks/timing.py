"""How a benchmark takes its times."""

import statistics
import time
from collections.abc import Callable

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
