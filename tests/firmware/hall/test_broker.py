"""The broker: who may do what, and that it lives as long as the hall."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from firmware.errors import CornerlightError
from firmware.hall.broker import Broker
from firmware.hall.certificates import Certificates, certificates
from tests.conftest import ROOT
from tests.support.free_port import free_port
from tests.support.mqtt_clients import NotingClient
from tests.support.waiting import eventually
from tests.support.wall_clock import WALL_CLOCK

PREFIX = "cornerlight/1/testhall"
PASSWORDS = {"hall": "organiser's", "07": "seven's", "08": "eight's"}
REFUSED = "Not authorized"
TAKEN = ("Success", "No matching subscribers")

Join = Callable[[str], NotingClient]


class Hall:
    """A broker and its clients."""

    def __init__(self, folder: Path) -> None:
        self.made = certificates(folder, ["localhost"])
        self.broker = Broker(folder, free_port(), self.made, PREFIX)
        self.broker.set_passwords(PASSWORDS)
        self.stack = ExitStack()

    def join(self, user: str, password: str = "", client: str = "") -> NotingClient:
        password = password or PASSWORDS.get(user, "")
        made = NotingClient(self.broker.port, self.made.authority, user, password, client)
        return self.stack.enter_context(made)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    made = Hall(tmp_path_factory.mktemp("hall"))
    with made.broker, made.stack:
        yield made


def test_the_newest_message_is_there_for_who_comes_later(hall: Hall) -> None:
    assert hall.join("07").publish(f"{PREFIX}/table/07/summary", "new", retain=True) in TAKEN
    later = hall.join("hall")
    later.subscribe(f"{PREFIX}/table/#")
    assert later.wait_for(f"{PREFIX}/table/07/summary") == [b"new"]


@pytest.mark.parametrize(
    "topic",
    [
        f"{PREFIX}/table/08/status",
        f"{PREFIX}/seat/07",
        f"{PREFIX}/hall/status",
        f"{PREFIX}/round/pairings",
        f"{PREFIX}/show/standings",
        "cornerlight/1/otherhall/table/07/status",
        f"{PREFIX}/table/07/invented",
        f"{PREFIX}/table/07/status/more",
        f"{PREFIX}/table/07",
    ],
)
def test_a_table_may_not_write_what_is_not_its_own(hall: Hall, topic: str) -> None:
    assert hall.join("07").publish(topic, "mine") == REFUSED


def test_a_table_reads_its_seat_and_no_other(hall: Hall) -> None:
    table, organiser = hall.join("07"), hall.join("hall")
    table.subscribe(f"{PREFIX}/seat/#")
    table.subscribe(f"{PREFIX}/round/clock")
    organiser.publish(f"{PREFIX}/seat/08", "not yours", retain=True)
    organiser.publish(f"{PREFIX}/seat/07", "yours", retain=True)
    organiser.publish(f"{PREFIX}/round/clock", "all", retain=True)
    assert table.wait_for(f"{PREFIX}/round/clock") == [b"all"]
    assert table.messages[f"{PREFIX}/seat/07"] == [b"yours"]
    assert f"{PREFIX}/seat/08" not in table.messages


def test_a_table_throws_off_nobody_by_the_id_of_a_client(hall: Hall) -> None:
    organiser, other = hall.join("hall"), hall.join("08")
    assert organiser.is_connected
    assert other.is_connected
    for client in ("hall", "08"):
        assert hall.join("07", client=client).is_connected
    again = hall.join("07")
    assert again.is_connected
    assert organiser.publish(f"{PREFIX}/seat/07", "still here") in TAKEN
    assert other.publish(f"{PREFIX}/table/08/status", "still here") in TAKEN
    assert (organiser.drops, other.drops) == (0, 0)


@pytest.mark.parametrize("password", ["", "eight's", "seven's "])
def test_a_wrong_password_does_not_connect(hall: Hall, password: str) -> None:
    assert hall.join("07", password or "wrong").refusal == REFUSED


def test_tables_come_and_go_while_others_stay(hall: Hall) -> None:
    stays, goes = hall.join("07"), hall.join("08")
    assert goes.is_connected
    assert hall.join("09", "nine's").refusal == REFUSED
    hall.broker.set_passwords({"hall": "organiser's", "07": "seven's", "09": "nine's"})
    try:
        eventually(lambda: goes.drops > 0)
        assert hall.join("09", "nine's").is_connected
        assert hall.join("08").refusal == REFUSED
        assert stays.is_connected
        assert stays.drops == 0
    finally:
        hall.broker.set_passwords(PASSWORDS)


def test_a_broker_that_dies_is_started_again_with_what_was_retained(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    with hall.broker, hall.stack:
        table = hall.join("07")
        table.publish(f"{PREFIX}/table/07/results", "of then", retain=True)
        table.close()
        first = hall.broker.pid
        assert first is not None
        os.kill(first, signal.SIGUSR1)  # saves now, as it does twice a minute
        saved = tmp_path / "broker/retained.db"
        eventually(lambda: saved.exists() and b"of then" in saved.read_bytes())
        os.kill(first, signal.SIGKILL)
        eventually(lambda: hall.broker.deaths == 1 and hall.broker.is_ready)
        assert hall.broker.pid != first
        organiser = hall.join("hall")
        organiser.subscribe(f"{PREFIX}/#")
        assert organiser.wait_for(f"{PREFIX}/table/07/results") == [b"of then"]


def test_what_was_retained_is_there_in_the_next_hall_of_the_folder(tmp_path: Path) -> None:
    for count in (0, 1):
        hall = Hall(tmp_path)
        with hall.broker, hall.stack:
            organiser = hall.join("hall")
            organiser.subscribe(f"{PREFIX}/#")
            if count:
                assert organiser.wait_for(f"{PREFIX}/seat/07") == [b"wanted"]
            organiser.publish(f"{PREFIX}/seat/07", "wanted", retain=True)


def test_a_taken_port_is_one_sentence_with_a_remedy(tmp_path: Path) -> None:
    with socket.create_server(("", 0)) as other:
        port = other.getsockname()[1]
        broker = Broker(tmp_path, port, certificates(tmp_path, ["localhost"]), PREFIX)
        with pytest.raises(CornerlightError, match=rf"{port}: Address .* with --broker-port"):
            broker.start()


@pytest.fixture
def certified(tmp_path: Path) -> Certificates:
    return certificates(tmp_path, ["localhost"])


def program(folder: Path, text: str) -> None:
    (folder / "mosquitto").write_text(f"#!/bin/sh\n{text}\n")
    (folder / "mosquitto").chmod(0o755)


def test_an_old_mosquitto_is_one_sentence(
    tmp_path: Path, certified: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, "echo mosquitto version 1.6.9; exit 3")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CornerlightError, match=r"has version 1\.6\.9, and a hall needs 2\.0\.11"):
        Broker(tmp_path, 1, certified, PREFIX)


def test_a_missing_mosquitto_is_one_sentence(
    tmp_path: Path, certified: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("firmware.hall.broker._PLACES", str(tmp_path))
    with pytest.raises(CornerlightError, match="needs the broker Mosquitto; install it"):
        Broker(tmp_path, 1, certified, PREFIX)


def test_a_broker_that_does_not_start_says_why(
    tmp_path: Path, certified: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, '[ "$1" = -h ] && echo version 2.0.18 || { echo no room >&2; exit 1; }')
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(CornerlightError, match="Mosquitto does not start: no room; its messages"):
        Broker(tmp_path, free_port(), certified, PREFIX).start()


KILLED = """
import os, sys, time
from pathlib import Path
from firmware.hall.broker import Broker
from firmware.hall.certificates import certificates
folder = Path(sys.argv[1])
broker = Broker(folder, int(sys.argv[2]), certificates(folder, ["localhost"]), "cornerlight/1/h")
broker.start()
print(broker.pid, flush=True)
time.sleep(60)
"""


@WALL_CLOCK
def test_the_broker_ends_with_a_hall_that_is_killed(tmp_path: Path) -> None:
    words = [sys.executable, "-c", KILLED, str(tmp_path), str(free_port())]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=ROOT) as hall:
        assert hall.stdout is not None
        pid = int(hall.stdout.readline())
        begun = time.monotonic()
        hall.kill()
        eventually(lambda: not runs(pid))
        assert time.monotonic() - begun < 5


def runs(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
