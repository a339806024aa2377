"""The score page as a process beside a table, which is started again when it ends.

The process writes a line of JSON to its standard output for each thing that the table has to
know: the port on which it listens, the first request from another machine, or the reason that it
cannot serve. `report` writes these lines, `PageProcess` reads them.
"""

import json
import logging
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import IO, Final, Self

from firmware.errors import CornerlightError
from firmware.settings import PageSettings

_PAGE_ENDS_S: Final = 2.0
"""Seconds in which the process of the page has to end."""

_AGAIN_S: Final = (0.5, 60.0)
"""Seconds from the end of the page to its next start at first, and at most; they double."""

_STEADY_S: Final = 60.0
"""Seconds after which a page that ends has not failed at its start."""

_log = logging.getLogger(__name__)


class PageProcess:
    """The score page in a process of its own, until the table ends.

    Args:
        games: folder of past games.
        socket: socket of the table.
        settings: settings of the page.
        keys: folder for the page's certificate; None if no phone can be the camera.

    Attributes:
        settings: settings of the page.
        port: port on which it listens, also after it was started again; None until it does.
        tls_port: port on which it takes pictures of a phone; None if it does not.
        was_visited: True once another machine has sent a request.
    """

    def __init__(
        self, games: Path, socket: Path, settings: PageSettings, keys: Path | None = None
    ) -> None:
        self.settings: Final = settings
        self.port: int | None = None
        self.tls_port: int | None = None
        self.was_visited = False
        words = ["page", "--attached", "--socket", str(socket), "--games", str(games)]
        words += [] if keys is None else ["--keys", str(keys)]
        self._command: Final = [sys.executable, "-m", "firmware", *words]
        self._reason = ""
        self._told: Final[set[str]] = set()
        self._delay_s = 0.0
        self._due_s: float | None = None
        self._start()

    def check(self) -> None:
        """Starts the process again some time after it has ended; returns at once.

        Raises:
            CornerlightError: it has ended before it served anybody.
        """
        if self._process.poll() is None:
            return
        now = time.monotonic()
        if self._due_s is None:
            self._end()
            if self.port is None:
                raise CornerlightError(self._reason or "the score page has ended; start again")
            if now - self._begun_s > _STEADY_S:
                self._delay_s = 0.0
                self._told.clear()
            self._delay_s = min(max(2 * self._delay_s, _AGAIN_S[0]), _AGAIN_S[1])
            self._due_s = now + self._delay_s
            self._tell(self._reason or f"exit status {self._process.returncode}")
        elif now >= self._due_s:
            try:
                self._start()
            except OSError as error:  # as without memory
                self._due_s = now + _AGAIN_S[1]
                self._tell(error.strerror or str(error))

    def _tell(self, reason: str) -> None:
        """Logs the end of the page, once for each reason."""
        if reason not in self._told:
            self._told.add(reason)
            _log.warning("the score page has ended: %s; it is started again", reason)

    def _start(self) -> None:
        settings = self.settings if self.port is None else replace(self.settings, port=self.port)
        # It ends with its standard input, however this process ends, and not by Control-C, which
        # an interpreter that starts would answer with a traceback.
        self._process = subprocess.Popen(  # noqa: S603
            [*self._command, "--settings", json.dumps({"page": asdict(settings)})],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        self._begun_s, self._due_s, self._reason = time.monotonic(), None, ""
        self._reader = threading.Thread(
            target=self._listen, args=(self._process.stdout,), name="page", daemon=True
        )
        self._reader.start()

    def _listen(self, lines: IO[bytes]) -> None:
        for line in lines:
            with suppress(ValueError, AttributeError):
                message = json.loads(line)
                self.port = message.get("port", self.port)
                self.tls_port = message.get("tls_port", self.tls_port)
                self.was_visited = message.get("visited", self.was_visited)
                self._reason = message.get("error", self._reason)

    def _end(self) -> None:
        """Hears what a process that has ended said, and closes its streams."""
        self._reader.join(_PAGE_ENDS_S)
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(_PAGE_ENDS_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._end()


def report(**facts: object) -> None:
    """Sends facts to the table; see the module. A table that has ended gets nothing."""
    with suppress(OSError):
        print(json.dumps(facts), flush=True)
