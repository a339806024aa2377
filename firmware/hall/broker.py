"""Mosquitto as a child process of the hall, started again when it dies, behind a gate.

Tables and organiser find their broker again by themselves, and publish all that they have, so a
death costs no more than some seconds of news.
"""

import logging
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Final, Self

from firmware.errors import CornerlightError, report_unwritable
from firmware.hall.broker_files import (
    LOG,
    PASSWORDS,
    RIGHTS,
    SETTINGS,
    password_file,
    rights_text,
    settings_text,
)
from firmware.hall.broker_gate import BrokerGate
from firmware.hall.certificates import Certificates
from firmware.hall.child_process import dying_with_us, end
from firmware.storage.atomic_file import PRIVATE, write_whole
from firmware.storage.run_folder import run_folder

OLDEST: Final = (2, 0, 11)
"""Oldest version of Mosquitto that is known to work: that of Debian 12."""

_INSTALL: Final = "install it, on Debian with: sudo apt install mosquitto"
"""Remedy for a missing or too old Mosquitto."""

_PLACES: Final = os.pathsep.join(("/usr/sbin", "/usr/local/sbin", "/opt/homebrew/sbin"))
"""Folders of system programs, which the PATH of ordinary users may lack."""

_STARTS_S: Final = 10.0
"""Seconds in which the broker has to listen."""

_POLL_S: Final = 0.02
"""Seconds between two looks for the broker that starts."""

_LONGEST_WAIT_S: Final = 5.0
"""Greatest seconds before a broker that died is started again; 0.25 s after the first death."""

_STEADY_S: Final = 60.0
"""Seconds after which a broker counts as one that runs well."""

_SOCKET: Final = "broker.sock"
"""Socket of the broker in the folder of this run, behind the gate."""

_log = logging.getLogger(__name__)


class Broker:
    """The broker, between `start` and `close`.

    Args:
        folder: folder of the hall.
        port: port for tables.
        certificates: certificates of the hall.
        prefix: beginning of all topics of the hall, without a slash at its end.
        bridge: settings of a bridge to another broker.
        lock: file descriptor that the process keeps open: a lock on the folder, which then is
            free only when the broker has ended too.

    Raises:
        CornerlightError: Mosquitto is missing or too old; on `start`, it cannot listen.
    """

    def __init__(
        self,
        folder: Path,
        port: int,
        certificates: Certificates,
        prefix: str,
        bridge: str = "",
        lock: int | None = None,
    ) -> None:
        self._program: Final = _found()
        self._folder: Final = folder / "broker"  # only the user of the hall may enter it
        self.port: Final = port
        self._certificates: Final = certificates
        self._prefix: Final = prefix
        self._bridge: Final = bridge
        self._stack: Final = ExitStack()
        self._inherited: Final = () if lock is None else (lock,)
        self._lock: Final = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._closing: Final = threading.Event()
        self._ready: Final = threading.Event()
        self._failure: OSError | None = None
        self._thread: Final = threading.Thread(target=self._keep, name="broker", daemon=True)
        self.deaths = 0

    @property
    def pid(self) -> int | None:
        """Number of the process; None while there is none."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    @property
    def is_ready(self) -> bool:
        """True while it listens."""
        return self._ready.is_set()

    def set_passwords(self, passwords: Mapping[str, str]) -> None:
        """Sets who may connect; clients that still may stay connected.

        Args:
            passwords: passwords by user.

        Raises:
            UnreadableError: the file cannot be written.
        """
        self._write(PASSWORDS, password_file(passwords))
        with self._lock:
            # Before it listens, it may have no handler for the signal, which would end it.
            if self._ready.is_set() and self._process is not None:
                self._process.send_signal(signal.SIGHUP)

    def start(self) -> None:
        """Starts the broker, and waits until it listens.

        Raises:
            CornerlightError: it does not; the message says why.
            UnreadableError: its files cannot be written.
        """
        with ExitStack() as failed:
            failed.callback(self.close)
            self._socket = self._stack.enter_context(run_folder()) / _SOCKET
            if not (self._folder / PASSWORDS).exists():
                self.set_passwords({})
            settings = settings_text(self._folder, self._socket, self._bridge)
            self._write(SETTINGS, settings.encode())
            self._write(RIGHTS, rights_text(self._prefix).encode())
            self._write(LOG, b"")
            self._thread.start()
            until = time.monotonic() + _STARTS_S
            while not self._ready.wait(_POLL_S):
                if self.deaths or self._failure is not None or time.monotonic() > until:
                    raise CornerlightError(self._why())
            self._stack.enter_context(closing(self._gate()))
            failed.pop_all()

    def close(self) -> None:
        """Ends the broker, which saves what is retained."""
        self._closing.set()
        with self._lock:
            process = self._process
        if process is not None:
            end(process)
        if self._thread.is_alive():
            self._thread.join()
        self._stack.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self, name: str, content: bytes) -> None:
        path = self._folder / name
        with report_unwritable(path):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(path, content, PRIVATE)

    def _keep(self) -> None:
        """Runs the broker until the hall ends.

        The child is of this thread, since Linux ends it with the thread that started it.
        """
        wait_s = _LONGEST_WAIT_S / 20
        while not self._closing.is_set():
            begun = time.monotonic()
            try:
                status = self._run()
            except OSError as error:
                self._failure = error
                return
            if self._closing.is_set():
                return
            self.deaths += 1
            _log.warning("the broker has ended with status %d and is started again", status)
            if time.monotonic() - begun > _STEADY_S:
                wait_s = _LONGEST_WAIT_S / 20
            self._closing.wait(wait_s)
            wait_s = min(2 * wait_s, _LONGEST_WAIT_S)

    def _run(self) -> int:
        """Runs one process of the broker until it ends; returns its exit status."""
        words = [*dying_with_us(), self._program, "-c", str((self._folder / SETTINGS).absolute())]
        with (self._folder / LOG).open("ab") as log, self._lock:
            if self._closing.is_set():
                return 0
            process = self._process = subprocess.Popen(  # noqa: S603
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                start_new_session=True,
                pass_fds=self._inherited,
            )
        while process.poll() is None and not _listens(self._socket):
            self._closing.wait(_POLL_S)
        if process.poll() is None:
            self._ready.set()
        status = process.wait()
        with self._lock:
            self._ready.clear()
        return status

    def _gate(self) -> BrokerGate:
        """Returns the gate, which has the port.

        Raises:
            CornerlightError: another program has it, or it is not permitted.
        """
        try:
            return BrokerGate(self.port, self._certificates, self._socket, self._prefix)
        except OSError as error:
            raise CornerlightError(
                f"tables cannot be served on port {self.port}: "
                f"{os.strerror(error.errno or 0)}; choose another with --broker-port"
            ) from error

    def _why(self) -> str:
        """Returns why the broker does not listen, and where to look, as a sentence."""
        path = self._folder / LOG
        log = path.read_text(errors="replace").strip()
        reason = log.splitlines()[-1] if log else str(self._failure or "it does not answer")
        return f"Mosquitto does not start: {reason}; its messages are in {path}"


def _found() -> str:
    """Returns the program.

    Raises:
        CornerlightError: there is none, or it is too old.
    """
    program = shutil.which("mosquitto") or shutil.which("mosquitto", path=_PLACES)
    if program is None:
        raise CornerlightError(f"a hall needs the broker Mosquitto; {_INSTALL}")
    asked = subprocess.run(  # noqa: S603
        [program, "-h"], capture_output=True, text=True, errors="replace", check=False
    )
    version = re.search(r"version (\d+)\.(\d+)\.(\d+)", asked.stdout + asked.stderr)
    found = tuple(map(int, version.groups())) if version else (0, 0, 0)
    if found < OLDEST:
        names = [".".join(map(str, one)) for one in (found, OLDEST)]
        raise CornerlightError(
            f"{program} has version {names[0]}, and a hall needs {names[1]} or newer; {_INSTALL}"
        )
    return program


def _listens(path: Path) -> bool:
    """True if somebody listens at a socket of this machine."""
    with suppress(OSError), socket.socket(socket.AF_UNIX) as caller:
        caller.connect(str(path))
        return True
    return False
