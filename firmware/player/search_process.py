"""A process of `firmware.player.search` with its last answer; imports nothing of it.

A request and an answer are one line of JSON each. The process limits its own memory, runs at low
priority, and ends when its input closes. It can be killed at any time. No call has to wait:
`request` returns at once, `answer` returns the last answer received. A process that cannot be
started, ends or sends invalid answers raises a `PlayerError` and nothing else.
"""

import json
import logging
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TextIO, TypeVar

from firmware.codes import PlayerFailure
from firmware.errors import PlayerError, install_command
from web.contract import PlayerStart

NEEDED_MB: Final = 250
"""Largest memory of the process in MB."""

_INSTALLS_S: Final = 1800.0
"""Seconds that the installation of the player takes at most."""

_RESERVE_MB: Final = 100
"""MB that have to remain free for the table and the page during a search."""

_LONGEST: Final = 1_000_000
"""Bytes of the longest line that is read; an answer has about 1,000."""

START_S: Final = 600.0
"""Seconds that an answer may take besides its search: the first time the process compiles."""

_LOOK_S: Final = 0.25
"""Seconds between two looks at the answers so far."""

_KILLED_S: Final = 1.0
"""Seconds to wait for the end of a killed process; a stalled disk can delay it further."""

SOCKET_VARIABLE: Final = "CORNERLIGHT_PLAYER_SOCKET"
"""Environment variable with the path of the socket at which systemd starts a player."""

_CONNECT_S: Final = 5.0
"""Seconds to wait for the connection; systemd accepts it before the player has started."""

NO_ANSWER: Final = (ArithmeticError, LookupError, RecursionError, TypeError, ValueError)
"""Exceptions for a line that is not JSON, or not an answer."""

_log = logging.getLogger(__name__)


class ProcessAnswer(Protocol):
    """An answer to a request."""

    @property
    def done(self) -> bool:
        """True if no further answer to the request follows."""
        ...


A = TypeVar("A", bound=ProcessAnswer)


def command(role: str, *words: str) -> list[str]:
    """The command line of the process."""
    return [sys.executable, "-m", "firmware.player.search", role, *words]


def check_player(name: str = "player") -> None:
    """Checks that the process can run on this machine.

    Args:
        name: its name in the error.

    Raises:
        PlayerError: numba is not installed, or there is too little memory.
    """
    if find_spec("numba") is None:
        if _is_installing(Path(sys.prefix) / "installs-player"):
            message = f"the {name} is being installed; try again in a minute"
            raise PlayerError(PlayerFailure.INSTALLING, message)
        message = f"the {name} needs numba; install it with: {install_command('numba')}"
        raise PlayerError(PlayerFailure.NOT_INSTALLED, message)
    free = available_mb()
    if free is not None and free < NEEDED_MB + _RESERVE_MB:
        message = (
            f"the {name} needs {NEEDED_MB + _RESERVE_MB} MB of free memory"
            f" and this machine has {free:.0f} MB"
        )
        raise PlayerError(PlayerFailure.NO_MEMORY, message)


def _is_installing(mark: Path) -> bool:
    """True while `make` installs the player; a mark that is old was left by one that was killed."""
    try:
        return time.time() - mark.stat().st_mtime < _INSTALLS_S
    except OSError:
        return False


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


class PlayerConnection:
    """A player that systemd starts, with rights of its own, when somebody connects.

    A service of the table may not run a compiler, and its children inherit that; the player needs
    one. It ends with its connection, which is used like a process with pipes.

    Args:
        path: path of the socket.

    Raises:
        OSError: nobody listens there.

    Attributes:
        stdin: text stream of requests.
        stdout: text stream of answers.
    """

    def __init__(self, path: str) -> None:
        self._socket: Final = socket.socket(socket.AF_UNIX)
        try:
            self._socket.settimeout(_CONNECT_S)
            self._socket.connect(path)
        except OSError:
            self._socket.close()
            raise
        self._socket.settimeout(None)
        self.stdin: Final[TextIO] = self._socket.makefile("w", encoding="utf-8", newline="\n")
        self.stdout: Final[TextIO] = self._socket.makefile("r", encoding="utf-8", newline="\n")

    def kill(self) -> None:
        """Ends the connection, and with it the player."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:  # it has ended
            return

    def wait(self, timeout: float | None = None) -> int:  # noqa: ARG002 - as of a process
        """Closes the connection; there is nothing to wait for."""
        self._socket.close()
        return 0


class SearchProcess(Generic[A]):
    """A process of `firmware.player.search` that serves a table.

    Args:
        name: its name in errors.
        parse: the answer in a line of JSON; anything else raises one of `NO_ANSWER`.
        options: words after its role.

    Attributes:
        starting: how far it has come with getting ready; None once it has answered.

    Raises:
        PlayerError: it cannot run on this machine, or cannot be started.
    """

    starting: PlayerStart | None = None

    def __init__(self, name: str, parse: Callable[[dict[str, Any]], A], *options: str) -> None:
        check_player(name)
        self._name: Final = name
        self._parse: Final = parse
        self._process: Final = _started(name, command("serve", *options))
        self._changed: Final = threading.Condition()
        self._answer: tuple[int, A] | None = None
        self._requests = 0
        self._ended = False
        self.starting = 100, None
        self._listener: Final = threading.Thread(target=self._listen, name=name, daemon=True)
        try:
            self._listener.start()
        except RuntimeError as error:
            self.close()
            raise PlayerError(PlayerFailure.NOT_STARTED, str(error)) from error

    def request(self, message: Mapping[str, Any]) -> int:
        """Sends a request, which ends a running one; returns its number at once.

        Raises:
            PlayerError: the process has died.
        """
        self._requests += 1
        line = json.dumps({"request": self._requests, **message}) + "\n"
        assert self._process.stdin is not None, "it was opened as a pipe"
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise self._has_ended() from error
        return self._requests

    def answer(self, request: int) -> A | None:
        """The last answer to a request, or None, without waiting.

        Raises:
            PlayerError: the process has died.
        """
        with self._changed:
            answer = self._answer
            newest = answer[1] if answer is not None and answer[0] == request else None
            if self._ended and (newest is None or not newest.done):
                raise self._has_ended()
            return newest

    def wait(self, request: int, timeout_s: float) -> A | None:
        """The final answer to a request, None after a timeout.

        Raises:
            PlayerError: the process has died.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._is_done(request), timeout_s)
        answer = self.answer(request)
        return answer if answer is not None and answer.done else None

    def finish(
        self,
        request: int,
        timeout_s: float,
        look: Callable[[A], None],
        begin: Callable[[PlayerStart], None],
    ) -> A:
        """Waits for the final answer to a request.

        Args:
            request: its number.
            timeout_s: seconds to wait.
            look: called with the last answer so far, a few times a second.
            begin: called as often before the first answer.

        Raises:
            PlayerError: the process has died, or has not answered in time.
        """
        until = time.monotonic() + timeout_s
        while time.monotonic() < until:
            final = self.wait(request, _LOOK_S)
            if final is not None:
                return final
            so_far, start = self.answer(request), self.starting
            if so_far is not None:
                look(so_far)
            elif start is not None:
                begin(start)
        message = f"the {self._name} has not answered in {timeout_s:.0f} s; try again"
        raise PlayerError(PlayerFailure.LATE, message)

    def close(self) -> None:
        """Kills the process, which has no data to save."""
        self._process.kill()
        try:
            self._process.wait(_KILLED_S)
        except subprocess.TimeoutExpired:
            _log.warning("the %s's process was killed but has not ended", self._name)
            return
        if self._listener.ident is not None:
            self._listener.join()
        for stream in (self._process.stdin, self._process.stdout):
            # A request that it did not read before its end is not needed any more.
            with suppress(OSError):
                if stream is not None:
                    stream.close()

    def _has_ended(self) -> PlayerError:
        message = f"the {self._name}'s process has ended; ask for a new one"
        return PlayerError(PlayerFailure.ENDED, message)

    def _is_done(self, request: int) -> bool:
        return self._answer is not None and self._answer[0] == request and self._answer[1].done

    def _listen(self) -> None:
        assert self._process.stdout is not None, "it was opened as a pipe"
        try:
            while line := self._process.stdout.readline(_LONGEST):
                row = json.loads(line)
                if "start" in row:
                    compiled, left_s = row["start"]
                    self.starting = int(compiled), left_s and int(left_s)
                    continue
                self.starting = None
                answer = int(row["request"]), self._parse(row)
                with self._changed:
                    self._answer = answer
                    self._changed.notify_all()
        except (OSError, *NO_ANSWER) as error:
            _log.warning("the %s's process sent an invalid answer: %s", self._name, error)
            self._process.kill()
        with self._changed:
            self._ended = True
            self._changed.notify_all()


def _started(name: str, words: list[str]) -> subprocess.Popen[str] | PlayerConnection:
    """Starts the process, or lets systemd start one."""
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
            start_new_session=True,  # it ends with its input, not by Control-C while it starts
        )
    except OSError as error:
        message = f"the {name}'s process cannot be started: {error.strerror}"
        raise PlayerError(PlayerFailure.NOT_STARTED, message) from error
