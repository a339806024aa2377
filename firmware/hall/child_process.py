"""Child processes of the hall, which end with it however it ends."""

import shutil
import subprocess
from contextlib import suppress
from typing import Final

_ENDS_S: Final = 5.0
"""Seconds in which a process has to end after it was asked to."""


def dying_with_us() -> list[str]:
    """Returns words before a command that end it with the thread that starts it, on Linux."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "TERM", "--"] if setpriv else []


def end(process: subprocess.Popen[bytes]) -> None:
    """Asks a process to end, and ends it if it does not."""
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(_ENDS_S)
        return
    process.kill()
    process.wait()
