"""`cornerlight run` as a process, usually without its page, and what it tells line by line."""

import json
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

PATIENCE_S = 60.0
"""Seconds for which people wait for the table; this machine may be busy."""


class RunningTable:
    """A running `cornerlight run` and its events.

    Args:
        url: address of its camera.
        folder: folder of its journal.
        words: further words of the command.
        environment: variables of the process; None for those of this one.
        before: words before the command, of a program that starts it.
        with_page: True to have it serve its page.

    Attributes:
        folder: folder of its journal.
        events: the events that it has printed so far.
    """

    def __init__(
        self,
        url: str,
        folder: Path,
        words: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        before: Sequence[str] = (),
        *,
        with_page: bool = False,
    ) -> None:
        page = [] if with_page else ["--no-page"]
        given = ["--camera", url, *page, "--folder", str(folder), "--json", *words]
        command = [*before, sys.executable, "-m", "firmware", "run", *given]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        self.folder = folder
        self.events: list[dict[str, Any]] = []
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def end(self, number: int) -> int:
        """Ends the program by a signal; returns its exit status."""
        self.process.send_signal(number)
        status = self.process.wait(10)
        self._reader.join(10)
        assert self.process.stdout is not None
        self.process.stdout.close()
        while not self._lines.empty():
            self.events.append(json.loads(self._lines.get()))
        return status

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.returncode is None:
            self.end(signal.SIGKILL)

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.endswith("\n"):  # a killed table may leave a part of one
                self._lines.put(line)

    def wait_for(self, name: str, **values: object) -> dict[str, Any]:
        """Waits for an event with these values."""
        until = time.monotonic() + PATIENCE_S
        while True:
            seen = [one["event"] for one in self.events]
            assert time.monotonic() < until, f"{name} did not come after {seen[-6:]}"
            try:
                event = json.loads(self._lines.get(timeout=0.2))
            except queue.Empty:
                continue
            self.events.append(event)
            if event["event"] == name and values.items() <= event.items():
                return dict(event)

    def names(self) -> list[str]:
        return [one["event"] for one in self.events if one["event"] not in ("hand", "clear")]


def pairing_number(folder: Path, *options: str) -> str:
    """Returns a number that pairs a phone with the table in a folder, or makes it the camera."""
    words = [sys.executable, "-m", "firmware", "pair", "--folder", str(folder), "--json", *options]
    found = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    return str(json.loads(found)["number"])
