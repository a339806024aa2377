"""Speed of the player on this machine, for `cornerlight bench`."""

import json
import subprocess
import time
from typing import Final

from firmware.player.search_process import check_player, command


def _player() -> dict[str, dict[str, float]]:
    """Measures the search, in the player's own process, and its start once it is compiled."""
    check_player()
    _output("warm")
    begun = time.perf_counter()
    _output("warm")
    seconds = time.perf_counter() - begun
    rows: dict[str, dict[str, float]] = json.loads(_output("measure"))
    return {"start of the player": {"seconds": seconds}} | rows


def _output(role: str) -> str:
    done = subprocess.run(command(role), capture_output=True, text=True, check=True)  # noqa: S603
    return done.stdout


PARTS: Final = {"player": _player}
"""Functions that measure a part, by its name; see `firmware.commands.bench`."""
