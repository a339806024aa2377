"""How a benchmark takes its times."""

import statistics
import time
from collections.abc import Callable

Rows = dict[str, dict[str, float]]
"""What was measured, by name; each with its figures by unit."""

Tasks = dict[str, Callable[[], object]]
"""What is to be timed, by name."""


def median_s(task: Callable[[], object], runs: int = 400) -> float:
    """The median time of a task in seconds; a mean would tell of what else the machine does."""
    times = []
    for _ in range(runs):
        begun = time.perf_counter()
        task()
        times.append(time.perf_counter() - begun)
    return statistics.median(times)
