"""Reports to systemd: by a socket as it makes one, from the class and from running programs."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware.commands.service_manager import ServiceManager
from tests.conftest import ROOT
from tests.support.waiting import eventually

HALF_A_SECOND_US = "500000"


class ListeningSystemd:
    """The end of the socket that systemd holds.

    Args:
        address: its address, as systemd writes it to NOTIFY_SOCKET.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self.heard: list[str] = []
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)  # noqa: FBT003 - the library's own signature
        self._socket.bind("\0" + address[1:] if address.startswith("@") else address)

    def hear(self) -> list[str]:
        """Returns all reports so far."""
        while True:
            try:
                self.heard.append(self._socket.recv(4096).decode())
            except BlockingIOError:
                return self.heard

    def close(self) -> None:
        self._socket.close()


@pytest.fixture(params=["path", "abstract"])
def systemd(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ListeningSystemd]:
    path = f"@cornerlight-{os.getpid()}" if request.param == "abstract" else f"{tmp_path}/notify"
    listening = ListeningSystemd(path)
    yield listening
    listening.close()


def test_a_service_is_ready_turns_and_stops(systemd: ListeningSystemd) -> None:
    environment = {"NOTIFY_SOCKET": systemd.address, "WATCHDOG_USEC": "3000000"}
    manager = ServiceManager(environment)
    manager.ready()
    for turn in range(25):
        manager.turned(100 + 0.1 * turn)
    manager.stopping()
    assert systemd.hear() == ["READY=1", *["WATCHDOG=1"] * 3, "STOPPING=1"]


def test_without_a_watchdog_no_turn_is_reported(systemd: ListeningSystemd) -> None:
    manager = ServiceManager({"NOTIFY_SOCKET": systemd.address})
    manager.turned(1.0)
    assert systemd.hear() == []


@pytest.mark.parametrize("address", ["", "/nowhere/notify"])
def test_nobody_need_listen(address: str, caplog: pytest.LogCaptureFixture) -> None:
    manager = ServiceManager({"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "1000"})
    manager.ready()
    manager.turned(1.0)
    assert ("systemd was not told" in caplog.text) == bool(address)


@contextmanager
def started(systemd: ListeningSystemd, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    variables = {"NOTIFY_SOCKET": systemd.address, "WATCHDOG_USEC": HALF_A_SECOND_US}
    command = [sys.executable, "-m", "firmware", *words]
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **variables})
    try:
        yield process
    finally:
        process.send_signal(signal.SIGCONT)
        process.terminate()
        assert process.wait(30) == 0


@pytest.mark.slow
def test_a_table_without_a_camera_is_ready_and_a_hung_one_is_silent(
    systemd: ListeningSystemd, tmp_path: Path
) -> None:
    words = ["run", "--no-page", "--camera", "/dev/video99", "--folder", str(tmp_path / "table")]
    with started(systemd, *words) as table:
        eventually(lambda: systemd.hear().count("WATCHDOG=1") > 2, 30)
        assert systemd.heard[0] == "READY=1"
        table.send_signal(signal.SIGSTOP)
        os.waitpid(table.pid, os.WUNTRACED)
        heard = len(systemd.hear())
        table.send_signal(signal.SIGCONT)
        eventually(lambda: len(systemd.hear()) > heard, 30)
    assert systemd.hear()[-1] == "STOPPING=1"


@pytest.mark.slow
def test_the_page_is_ready_when_it_listens(systemd: ListeningSystemd, tmp_path: Path) -> None:
    places = ["--socket", str(tmp_path / "feed.sock"), "--games", str(tmp_path / "games")]
    with started(systemd, "page", "--port", "0", *places):
        eventually(lambda: systemd.hear() == ["READY=1"], 30)
