"""The score page as a process beside a table, and how to become its arbiter."""

import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Final, Self

from firmware.session.pairing import NUMBER_LIVES_S, Pairing, grouped

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


def pairing_advice(pairing: Pairing, folder: Path, program: str) -> str:
    """Draws a number; returns a sentence on its use and on how to get another.

    Args:
        pairing: the paired phones of the table.
        folder: folder of the table's files.
        program: name of what to start again where the disk refuses a number.
    """
    number = pairing.issue_code(time.monotonic())
    again = shlex.join(["cornerlight", "pair", "--folder", str(folder)])
    if pairing.trouble:
        again = f"end the {program} and start it again"
    return (
        f"to speak as arbiter, type {grouped(number)} at /arbiter of the score page "
        f"within {NUMBER_LIVES_S / 60:.0f} minutes; for another number: {again}"
    )
