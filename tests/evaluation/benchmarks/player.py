"""Speed of the player, and cost of a hint: time to the first answer, and memory.

The search is measured in the player's own process, since no other package imports it. It
is compiled before the measurements.
"""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Final

from firmware.commands.bench import Rows
from firmware.player.client import EngineClient, SearchRequest
from firmware.player.search_process import check_player, command
from firmware.rules.position import Position

_THINKING_S: Final = 0.5
"""Seconds of search for a hint."""

_FIRST_HINT: Final = """
import json
from tests.evaluation.benchmarks.player import first_hint
print(json.dumps(first_hint()))
"""
"""Measures a first hint in a process that has no other child: compiling takes twice the memory."""

_PATIENCE_S: Final = 120.0
"""Seconds to wait for the answer."""


def measure() -> Rows:
    """Measures the search, and the first hint of a fresh process."""
    check_player()
    _output(command("warm"))
    rows: Rows = json.loads(_output(command("measure")))
    rows["first hint of a fresh process"] = json.loads(_output([sys.executable, "-c", _FIRST_HINT]))
    return rows


def _output(words: Sequence[str]) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return done.stdout


def first_hint() -> dict[str, float]:
    """Measures a first hint; the memory is that of the largest child of this process so far."""
    begun = time.perf_counter()
    link = EngineClient()
    try:
        request = link.ask(SearchRequest(str(Position.start("duo")), seconds=_THINKING_S))
        link.wait(request, _PATIENCE_S)
        seconds = time.perf_counter() - begun
    finally:
        link.close()
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return {"seconds_beyond_thinking": seconds - _THINKING_S, "megabytes_at_most": largest / 1024}
