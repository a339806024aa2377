"""A real Mosquitto with TLS on a free port, as a hall starts it, and invitations of its tables."""

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Self

import pytest

from firmware.hall.broker import Broker
from firmware.hall.certificates import certificates
from firmware.hall.link.invitation import HallInvitation
from firmware.hall.link.topics import HallTopics
from tests.support.free_port import free_port
from tests.support.mqtt_clients import NotingClient

PASSWORDS = {"hall": "organiser's", "07": "seven-seven", "08": "eight-eight"}


class HallBench:
    """A broker and its clients.

    Args:
        folder: an empty folder.

    Attributes:
        broker: the broker.
        topics: topics of the hall.
    """

    def __init__(self, folder: Path) -> None:
        if not (shutil.which("mosquitto") or Path("/usr/sbin/mosquitto").exists()):
            pytest.skip("there is no Mosquitto: sudo apt install mosquitto")
        folder.mkdir(exist_ok=True)
        self.topics = HallTopics("testhall")
        self._made = certificates(folder, ["localhost"])
        self.broker = Broker(folder, free_port(), self._made, self.topics.root)
        self.broker.set_passwords(PASSWORDS)
        self._stack = ExitStack()

    @property
    def fingerprint(self) -> str:
        return self._made.fingerprint

    def invitation(
        self, table: str = "07", secret: str = "", fingerprint: str = ""
    ) -> HallInvitation:
        return HallInvitation(
            "localhost",
            self.broker.port,
            self.topics.hall,
            table,
            secret or PASSWORDS[table],
            fingerprint or self.fingerprint,
            "Test hall",
        )

    def join(
        self,
        user: str = "hall",
        topic: str = "",
        *,
        password: str = "",
        at: str = "localhost",
        source: str = "",
    ) -> NotingClient:
        """Returns a client, subscribed to a topic; the organiser's own without a user."""
        client = NotingClient(
            self.broker.port,
            self._made.authority,
            user,
            password or PASSWORDS[user],
            at=at,
            source=source,
        )
        self._stack.enter_context(client)
        if topic:
            client.subscribe(topic)
        return client

    def signal(self, number: int) -> None:
        pid = self.broker.pid
        assert pid is not None
        os.kill(pid, number)

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """The broker hangs, with its connections open."""
        self.signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.signal(signal.SIGCONT)

    def __enter__(self) -> Self:
        self.broker.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()
        self.broker.close()
