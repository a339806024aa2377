"""The score page as a process beside a table."""

import subprocess
import sys
from pathlib import Path
from typing import Final, Self

_PAGE_ENDS_S: Final = 10.0
"""Seconds in which the process of the page has to end."""


class PageProcess:
    """The score page in a process of its own, until the table ends.

    Args:
        games: folder of past games.
        socket: socket of the table.
        port: port of the page.
    """

    def __init__(self, games: Path, socket: Path, port: int) -> None:
        words = ["page", "--socket", str(socket), "--port", str(port), "--attached"]
        words += ["--games", str(games)]
        # It ends with this pipe, however this process ends.
        self._process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "firmware", *words], stdin=subprocess.PIPE
        )

    @property
    def runs(self) -> bool:
        """True until the process has ended."""
        return self._process.poll() is None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        try:
            self._process.communicate(timeout=_PAGE_ENDS_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
