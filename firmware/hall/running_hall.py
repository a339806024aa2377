"""The whole of a hall but its pages: broker, roster, connection, journal and organiser."""

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final, Self

from firmware.errors import CornerlightError, UnreadableError
from firmware.hall.bridge import Bridge
from firmware.hall.broker import Broker
from firmware.hall.broker_files import ORGANISER
from firmware.hall.certificates import certificates
from firmware.hall.hall_client import HallClient
from firmware.hall.journal import FILE, HallJournal
from firmware.hall.link.invitation import HallInvitation
from firmware.hall.link.mqtt import BrokerLogin
from firmware.hall.organiser import Organiser
from firmware.hall.roster import Roster
from firmware.storage.run_folder import lock_file

_LOCK: Final = "running.lock"
"""Name of the lock in the hall's folder, held by the hall and by its broker."""

_ENDED_S: Final = 3.0
"""Seconds to wait for the lock: the broker of a hall that was killed saves what is retained."""

_RETRY_S: Final = 0.05
"""Seconds between two attempts to lock."""

USUAL_PORT: Final = 8883
"""Port for tables unless another one is chosen: that of MQTT over TLS."""


class RunningHall:
    """A hall between `__enter__` and `__exit__`.

    Args:
        folder: folder of the hall; made if it is missing.
        name: name of the hall for people.
        hosts: names and addresses of this machine; tables use the first one.
        port: port for tables; None for that of last time, at first the usual one.
        bridge: another broker for the public copies; None without one.

    Raises:
        CornerlightError: another hall runs on the folder; the broker cannot be started.
        UnreadableError: the folder or the journal cannot be used.

    Attributes:
        roster: tables of the hall.
        client: the hall's connection to its broker.
        broker: the broker.
        organiser: what the pages show and ask for.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        hosts: Iterable[str],
        *,
        port: int | None = None,
        bridge: Bridge | None = None,
    ) -> None:
        self._stack: Final = ExitStack()
        self.name: Final = name
        self._hosts: Final = tuple(hosts)
        lock = self._stack.enter_context(_locked(folder))
        with ExitStack() as failed:
            failed.enter_context(self._stack)
            self.roster: Final = Roster(folder, self._renew_passwords)
            port = port or self.roster.port or USUAL_PORT
            if port != self.roster.port:
                self.roster.use_port(port)
            topics, made = self.roster.topics, certificates(folder, self._hosts)
            self._fingerprint: Final = made.fingerprint
            outside = "" if bridge is None else bridge.settings_text(topics)
            self.broker: Final = Broker(folder, port, made, topics.root, outside, lock)
            secret = self.roster.secret
            login = BrokerLogin("localhost", port, ORGANISER, secret, made.fingerprint)
            self.client: Final = HallClient(login, topics, name)
            journal = self._stack.enter_context(closing(HallJournal(folder / FILE)))
            self.organiser: Final = Organiser(
                folder,
                name,
                journal,
                self.roster,
                self.client.publish,
                self._invitation_uri,
            )
            self._stack.callback(self.organiser.close)
            failed.pop_all()

    def invitation(self, number: int, host: str = "") -> HallInvitation | None:
        """Returns the invitation of a table; None if it is not on the roster.

        Args:
            number: number of the table.
            host: address of this machine for the table; empty for the usual one.
        """
        table = self.roster.table(number)
        if table is None:
            return None
        return HallInvitation(
            host or self._hosts[0],
            self.broker.port,
            self.roster.topics.hall,
            table.user,
            table.secret,
            self._fingerprint,
            self.name,
        )

    def __enter__(self) -> Self:
        with ExitStack() as failed:
            failed.enter_context(self._stack)
            self.broker.set_passwords(self.roster.passwords)
            self._stack.enter_context(self.broker)
            organiser = self.organiser
            self.client.start(
                organiser.monitor.receive, lambda on: organiser.connection(is_connected=on)
            )
            self._stack.callback(self.client.close)
            self.organiser.start()
            failed.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the hall, and frees its folder."""
        self._stack.close()

    def _invitation_uri(self, number: int) -> str:
        invitation = self.invitation(number)
        return "" if invitation is None else invitation.uri

    def _renew_passwords(self, passwords: dict[str, str]) -> None:
        self.broker.set_passwords(passwords)


@contextmanager
def _locked(folder: Path) -> Iterator[int]:
    """Locks a folder; yields the file descriptor of the lock, which the broker keeps open too.

    Raises:
        CornerlightError: another hall has locked it, or it takes no file.
    """
    until = time.monotonic() + _ENDED_S
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        while (handle := lock_file(folder / _LOCK)) is None and time.monotonic() < until:
            time.sleep(_RETRY_S)
    except OSError as error:
        raise UnreadableError(
            f"cannot use the folder {folder}: {error.strerror}; name another with --folder"
        ) from error
    if handle is None:
        raise CornerlightError(
            f"another hall runs on the folder {folder}; "
            "end it, or name another folder with --folder"
        )
    try:
        yield handle
    finally:
        os.close(handle)
