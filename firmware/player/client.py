"""Starts the player's process and exchanges messages with it; imports nothing of it.

A request and an answer are one line of JSON each. The process limits its own memory, runs at low
priority, and ends when its input closes. It can be killed at any time. No call has to wait: `ask`
returns at once, `answer` returns the last answer received. A process that cannot be started, ends
or sends invalid answers raises a `PlayerError` and nothing else.
"""

import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from firmware.errors import PlayerError, PlayerFailure
from firmware.player.player_connection import SOCKET_VARIABLE, PlayerConnection

MOST_LEVEL: Final = 9
"""The highest level of the player."""

NEEDED_MB: Final = 250
"""Largest memory of the player's process in MB."""

_RESERVE_MB: Final = 100
"""MB that have to remain free for the table and the page during a search."""

_LONGEST: Final = 1_000_000
"""Bytes of the longest line that is read; an answer has about 1,000."""

_KILLED_S: Final = 1.0
"""Seconds to wait for the end of a killed process; a stalled disk can delay it further."""

_NO_ANSWER: Final = (ArithmeticError, LookupError, RecursionError, TypeError, ValueError)
"""Exceptions for a line that is not JSON, or not an answer."""

_ENDED: Final = "the player's process has ended; ask for a new one"

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SuggestedMove:
    """A move with its results in the search.

    Attributes:
        cells: names of the squares, as in records.
        piece: name of the piece.
        value: expected result for the side to move, 0 lost to 1 won.
        margin: expected difference in points.
        visits: simulations that began with it.
    """

    cells: tuple[str, ...]
    piece: str
    value: float
    margin: float
    visits: int


@dataclass(frozen=True, slots=True)
class Analysis:
    """An answer of the player about one position.

    Attributes:
        request: the number that `ask` returned.
        choices: the examined moves, the best first.
        simulations: number of simulations.
        seconds: duration of the search so far.
        done: True if the search has ended.
    """

    request: int
    choices: tuple[SuggestedMove, ...]
    simulations: int
    seconds: float
    done: bool


def command(role: str, *words: str) -> list[str]:
    """The command line of the player's process."""
    return [sys.executable, "-m", "firmware.search", role, *words]


def check_player() -> None:
    """Checks that the player can run on this machine.

    Raises:
        PlayerError: numba is not installed, or there is too little memory.
    """
    if find_spec("numba") is None:
        message = "the player needs numba; install it with: pip install 'cornerlight[player]'"
        raise PlayerError(PlayerFailure.NOT_INSTALLED, message)
    free = available_mb()
    if free is not None and free < NEEDED_MB + _RESERVE_MB:
        message = (
            f"the player needs {NEEDED_MB + _RESERVE_MB} MB of free memory"
            f" and this machine has {free:.0f} MB"
        )
        raise PlayerError(PlayerFailure.NO_MEMORY, message)


def available_mb(meminfo: Path = Path("/proc/meminfo")) -> float | None:
    """Memory available to programs in MB, None if the system does not report it."""
    try:
        text = meminfo.read_text(encoding="ascii")
    except OSError:
        return None
    for line in text.splitlines():
        name, _, value = line.partition(":")
        if name == "MemAvailable":
            return int(value.split()[0]) / 1024
    return None


class EngineClient:
    """A process of the player with its last answer.

    Args:
        threads: number of threads of the search.
        memory_mb: limit for its trees in MB.

    Raises:
        PlayerError: it cannot run on this machine, or cannot be started.
    """

    def __init__(self, *, threads: int = 1, memory_mb: int = 64) -> None:
        check_player()
        words = command("serve", "--threads", str(threads), "--memory", str(memory_mb))
        self._process: Final = _started(words)
        self._changed: Final = threading.Condition()
        self._answer: Analysis | None = None
        self._request = 0
        self._ended = False
        self._listener: Final = threading.Thread(target=self._listen, name="player", daemon=True)
        try:
            self._listener.start()
        except RuntimeError as error:
            self.close()
            raise PlayerError(PlayerFailure.NOT_STARTED, str(error)) from error

    def ask(
        self,
        position: str,
        *,
        seconds: float | None = None,
        level: int | None = None,
        most: int = 10,
    ) -> int:
        """Starts a search and ends a running one; returns at once.

        Args:
            position: `str` of a position.
            seconds: limit of time, or None.
            level: level of the player as limit of simulations, or None.
            most: number of choices in the answer.

        Returns:
            The number of the request, which its answer contains.

        Raises:
            PlayerError: the process has died.
        """
        self._request += 1
        self._send(
            {
                "request": self._request,
                "position": position,
                "seconds": seconds,
                "level": level,
                "most": most,
            }
        )
        return self._request

    def stop(self) -> None:
        """Ends the running search; it sends its answer so far."""
        self._send({"stop": True})

    def answer(self, request: int) -> Analysis | None:
        """The last answer to a request, or None, without waiting.

        Raises:
            PlayerError: the process has died.
        """
        with self._changed:
            answer = self._answer
            if answer is not None and answer.request == request:
                return answer
            if self._ended:
                raise PlayerError(PlayerFailure.ENDED, _ENDED)
            return None

    def wait(self, request: int, timeout_s: float) -> Analysis | None:
        """The final answer to a request, None after a timeout.

        Raises:
            PlayerError: the process has died.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._is_done(request), timeout_s)
        answer = self.answer(request)
        return answer if answer is not None and answer.done else None

    def close(self) -> None:
        """Kills the process, which has no data to save."""
        self._process.kill()
        try:
            self._process.wait(_KILLED_S)
        except subprocess.TimeoutExpired:
            _log.warning("the player's process was killed but has not ended")
            return
        if self._listener.ident is not None:
            self._listener.join()
        for stream in (self._process.stdin, self._process.stdout):
            # A request that it did not read before its end is not needed any more.
            with suppress(OSError):
                if stream is not None:
                    stream.close()

    def _is_done(self, request: int) -> bool:
        answer = self._answer
        return answer is not None and answer.request == request and answer.done

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None, "it was opened as a pipe"
        try:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise PlayerError(PlayerFailure.ENDED, _ENDED) from error

    def _listen(self) -> None:
        assert self._process.stdout is not None, "it was opened as a pipe"
        try:
            while line := self._process.stdout.readline(_LONGEST):
                answer = _answer(json.loads(line))
                with self._changed:
                    self._answer = answer
                    self._changed.notify_all()
        except (OSError, *_NO_ANSWER) as error:
            _log.warning("the player's process sent an invalid answer: %s", error)
            self._process.kill()
        with self._changed:
            self._ended = True
            self._changed.notify_all()


def _started(words: list[str]) -> "subprocess.Popen[str] | PlayerConnection":
    """Starts the process, or lets systemd start one; see `firmware.player.player_connection`."""
    try:
        if path := os.environ.get(SOCKET_VARIABLE):
            return PlayerConnection(path)
        return subprocess.Popen(  # noqa: S603
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            bufsize=1,
        )
    except OSError as error:
        message = f"the player's process cannot be started: {error.strerror}"
        raise PlayerError(PlayerFailure.NOT_STARTED, message) from error


def _answer(row: dict[str, Any]) -> Analysis:
    """An answer from its JSON; anything else raises one of `_NO_ANSWER`."""
    choices = tuple(
        SuggestedMove(
            tuple(map(str, one["cells"])),
            str(one["piece"]),
            float(one["value"]),
            float(one["margin"]),
            int(one["visits"]),
        )
        for one in row["choices"]
    )
    simulations, seconds = int(row["simulations"]), float(row["seconds"])
    return Analysis(int(row["request"]), choices, simulations, seconds, bool(row["done"]))
