"""Speed of the player, and cost of a hint: time to the first answer, and memory.

The kernels are measured in the player's own process, since no other package imports them. They
are compiled before the measurements.
"""

import json
import resource
import subprocess
import time
from typing import Final

from firmware.benchmarks.common import Rows
from firmware.player.client import EngineClient
from firmware.player.search_process import check_player, command
from firmware.rules.position import Position

_THINKING_S: Final = 0.5
"""Seconds of search for a hint."""

_PATIENCE_S: Final = 120.0
"""Seconds to wait for the answer."""


def measure() -> Rows:
    """Measures the kernels, the search, and the first hint of a fresh process."""
    check_player()
    _run("warm")
    rows: Rows = json.loads(_run("measure"))
    rows["first hint of a fresh process"] = _first_hint()
    return rows


def _run(role: str) -> str:
    done = subprocess.run(  # noqa: S603
        command(role), capture_output=True, text=True, check=True
    )
    return done.stdout


def _first_hint() -> dict[str, float]:
    begun = time.perf_counter()
    link = EngineClient()
    try:
        request = link.ask(str(Position.start("duo")), seconds=_THINKING_S)
        link.wait(request, _PATIENCE_S)
        seconds = time.perf_counter() - begun
    finally:
        link.close()
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return {"seconds_beyond_thinking": seconds - _THINKING_S, "megabytes_at_most": largest / 1024}
