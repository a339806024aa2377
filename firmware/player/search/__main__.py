"""Starts the player's process: `python -m firmware.player.search ROLE`.

A process that serves a table limits itself here, before it imports the compiler, so the limits
include the compiler. They are set in the process itself, because code between fork and exec
(`preexec_fn` of `subprocess`) can deadlock if the parent has threads.
"""

import os
import resource
import signal
import sys
from importlib import import_module
from typing import Final

_ADDRESS_SPACE_MB: Final = 2048
"""Limit in MB of the address space of a process that serves a table; the compiler maps much more
than it uses."""

_NICENESS: Final = 10
"""Niceness of that process, so that the table has priority; the default is 0, the highest 19."""


def main(words: list[str]) -> int:
    """Limits the process if it serves a table, then runs its role; returns the exit status."""
    _end_in_silence()
    if words[:1] == ["serve"]:
        _limit_process()
    status: int = import_module("firmware.player.search.roles").main(words)
    return status


def _end_in_silence() -> None:
    """Lets Control-C and a closed output end the process, which has nothing to clean up."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    # A shell has it ignored for a program in the background, as `make run` starts the compiler.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _limit_process() -> None:
    size, most = _ADDRESS_SPACE_MB * 2**20, resource.getrlimit(resource.RLIMIT_AS)[1]
    if most == resource.RLIM_INFINITY or size < most:
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
    os.nice(_NICENESS)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
