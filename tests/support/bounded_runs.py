"""Runs commands of the program and measures their memory and time.

A small process imports everything and forks a child for each run, so that a run needs no start of
Python. The memory of a run is the peak memory of the whole child.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path

from tests.conftest import ROOT

MOST_BYTES = 300_000_000
MOST_SECONDS = 10.0
"""Memory in bytes and processor time in seconds that any file may take."""

_KILLED_AFTER_S = 60
_KILLED_FROM = 6_000_000_000
"""Limits of a child's time and address space: one that waits for ever is ended by SIGALRM."""

_FAILED = 70
"""Exit status of a child that raised an exception."""


@dataclass(frozen=True)
class CompletedRun:
    """One run of a command.

    Attributes:
        status: exit status; negative if a signal ended it.
        peak: peak memory in bytes.
        seconds: processor time in seconds.
        out: standard output.
        err: standard error.
    """

    status: int
    peak: int
    seconds: float
    out: str
    err: str

    @property
    def fault(self) -> str:
        """Sentence on the limit or rule that the run broke; empty if there is none."""
        if self.status not in {0, 1, 2}:
            return f"ended with {self.status}: {self.err[-300:]}"
        if self.status == 2 and len(self.err.splitlines()) != 1:
            return f"not told in one line: {self.err[-300:]}"
        if "Traceback" in self.err:
            return f"a traceback: {self.err[-300:]}"
        if self.peak > MOST_BYTES:
            return f"took {self.peak / 1e6:.0f} MB"
        return f"took {self.seconds:.1f} s" if self.seconds > MOST_SECONDS else ""


class Runner:
    """Runs commands, one after another, in children of a long-lived process."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.bounded_runs"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )

    def run(self, words: Sequence[str | Path]) -> CompletedRun:
        """Runs `cornerlight` with a command line."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps([*map(str, words)]) + "\n")
        self._process.stdin.flush()
        return CompletedRun(**json.loads(self._process.stdout.readline()))

    def close(self) -> None:
        """Ends the process."""
        self._process.communicate()


@contextmanager
def runner() -> Iterator[Runner]:
    """Yields a `Runner` that is closed at the end."""
    running = Runner()
    try:
        yield running
    finally:
        running.close()


def _serve() -> None:
    """Runs the command lines from standard input, one a line."""
    for verb in ("read", "watch", "calibrate", "replay", "doctor"):
        import_module(f"firmware.commands.{verb}")
    for line in sys.stdin:
        print(json.dumps(asdict(_measured(json.loads(line)))), flush=True)  # noqa: T201


def _measured(words: list[str]) -> CompletedRun:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if not child:
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            _become(words)
        _, status, used = os.wait4(child, 0)
        outputs = []
        for file in (out, err):
            file.seek(0)
            outputs.append(file.read().decode(errors="replace"))
    seconds = used.ru_utime + used.ru_stime
    return CompletedRun(os.waitstatus_to_exitcode(status), used.ru_maxrss * 1024, seconds, *outputs)


def _become(words: list[str]) -> None:
    """Runs a command, or the module after `-m`, and ends this process with its status."""
    signal.alarm(_KILLED_AFTER_S)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # it holds the further commands
    resource.setrlimit(resource.RLIMIT_CPU, (_KILLED_AFTER_S, _KILLED_AFTER_S))
    resource.setrlimit(resource.RLIMIT_AS, (_KILLED_FROM, _KILLED_FROM))
    status = _FAILED
    try:
        if words[0] == "-m":
            status = import_module(words[1]).main(words[2:]) or 0
        else:
            status = import_module("firmware.commands.main").main(words)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:  # noqa: BLE001
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    _serve()
