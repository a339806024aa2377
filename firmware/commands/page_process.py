"""The score page as a process beside a table.

The process writes a line of JSON to its standard output for each thing that the table has to
know: the port on which it listens, the first request from another machine, or the reason that it
cannot serve. `report` writes these lines, `PageProcess` reads them.
"""

import json
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import IO, Final, Self

from firmware.errors import CornerlightError
from firmware.settings import PageSettings

_PAGE_ENDS_S: Final = 10.0
"""Seconds in which the process of the page has to end."""


class PageProcess:
    """The score page in a process of its own, until the table ends.

    Args:
        games: folder of past games.
        socket: socket of the table.
        settings: settings of the page.

    Attributes:
        settings: settings of the page.
        port: port on which it listens; None until it does.
        was_visited: True once another machine has sent a request.
    """

    def __init__(self, games: Path, socket: Path, settings: PageSettings) -> None:
        self.settings: Final = settings
        self.port: int | None = None
        self.was_visited = False
        self._reason = ""
        words = ["page", "--attached", "--socket", str(socket), "--games", str(games)]
        words += ["--settings", json.dumps({"page": asdict(settings)})]
        # It ends with its standard input, however this process ends.
        self._process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "firmware", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdout is not None
        self._reader = threading.Thread(
            target=self._listen, args=(self._process.stdout,), name="page", daemon=True
        )
        self._reader.start()

    def check(self) -> None:
        """Checks that the process runs.

        Raises:
            CornerlightError: it has ended.
        """
        if self._process.poll() is not None:
            self._reader.join(_PAGE_ENDS_S)
            raise CornerlightError(self._reason or "the score page has ended; start again")

    def _listen(self, lines: IO[bytes]) -> None:
        for line in lines:
            with suppress(ValueError, AttributeError):
                message = json.loads(line)
                self.port = message.get("port", self.port)
                self.was_visited = message.get("visited", self.was_visited)
                self._reason = message.get("error", self._reason)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(_PAGE_ENDS_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(_PAGE_ENDS_S)
        self._process.stdout.close()


def report(**facts: object) -> None:
    """Sends facts to the table; see the module. A table that has ended gets nothing."""
    with suppress(OSError):
        print(json.dumps(facts), flush=True)
