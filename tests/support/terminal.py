"""A terminal for tests: runs a program in it, and returns what a person would see."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType

from tests.conftest import ROOT

PATIENCE_S = 30.0


def in_terminal(
    *words: str,
    until: str = "",
    within_s: float = PATIENCE_S,
    columns: int = 100,
    lines: int = 50,
    environ: Mapping[str, str] = MappingProxyType({}),
) -> tuple[str, int]:
    """Runs `cornerlight` in a terminal until it has printed some text or has ended.

    Returns:
        The output and the exit status; 0 after SIGTERM is the program's own.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "firmware", *words],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=ROOT,
        env=_without_desktop(os.environ) | dict(environ),
        start_new_session=True,
    )
    os.close(theirs)
    output, end = b"", time.monotonic() + within_s
    with suppress(OSError):  # the terminal is closed with the program
        while time.monotonic() < end and not (until and until in output.decode(errors="ignore")):
            if select.select([ours], [], [], 0.1)[0]:
                output += os.read(ours, 1 << 16)
    process.send_signal(signal.SIGTERM)
    with suppress(OSError):
        while data := os.read(ours, 1 << 16):
            output += data
    os.close(ours)
    return output.decode().replace("\r\n", "\n"), process.wait(PATIENCE_S)


def _without_desktop(environ: Mapping[str, str]) -> dict[str, str]:
    names = ("DISPLAY", "WAYLAND_DISPLAY")
    return {name: value for name, value in environ.items() if name not in names}
