"""A hall among strangers on other machines, and with a table that floods it."""

import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from firmware.hall.link.topics import TableTopic
from tests.support.hall_bench import HallBench
from tests.support.mqtt_clients import NotingClient
from tests.support.other_machines import HALL, MACHINES, other_machines
from tests.support.process_memory import MB, memory_use

ATTACKER, SEVEN, EIGHT = MACHINES
IDLE = 1300
ANSWERS_S = 2.0
FLOOD_S = 8.0

IDLERS = """
import resource, socket, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
host, port, source, count = sys.argv[1:]
socket.setdefaulttimeout(5)
idle = [socket.create_connection((host, port), 5.0, (source, 0)) for _ in range(int(count))]
print("idle", flush=True)
sys.stdin.read()
"""

Within = Callable[[Callable[[], Any]], Any]


class FloodedHall:
    """A hall, and its tables on other machines."""

    def __init__(self, hall: HallBench, within: Within) -> None:
        self.hall = hall
        self.within = within
        self.organiser = hall.join("hall", hall.topics.all_of_tables)

    def table(self, user: str, source: str) -> NotingClient:
        """Returns a table, which the broker has accepted in time."""
        begun = time.monotonic()
        made: NotingClient = self.within(partial(self.hall.join, user, at=HALL, source=source))
        assert made.is_connected, made.refusal
        assert time.monotonic() - begun < ANSWERS_S
        return made

    def topic(self, user: str) -> str:
        return self.hall.topics.table(user, TableTopic.SUMMARY)

    def answers_in_time(self, table: NotingClient, user: str, number: int) -> None:
        """The broker answers a message of a table in time, and the hall gets it."""
        begun, payload = time.monotonic(), f"{user}: {number}".encode()
        table.publish(self.topic(user), payload, retain=True)
        while payload not in self.organiser.messages.get(self.topic(user), []):
            assert time.monotonic() - begun < ANSWERS_S
            time.sleep(0.01)
        assert time.monotonic() - begun < ANSWERS_S
        assert (table.drops, self.organiser.drops) == (0, 0)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[FloodedHall]:
    with other_machines() as within, HallBench(tmp_path) as hall:
        yield FloodedHall(hall, within)


def connected(port: int) -> socket.socket:
    return socket.create_connection((HALL, port), 5.0, (ATTACKER, 0))


@contextmanager
def idlers(evening: FloodedHall) -> Iterator[None]:
    """Idle connections of another machine, in a process of their own."""
    words = [sys.executable, "-c", IDLERS, HALL, str(evening.hall.broker.port), ATTACKER, str(IDLE)]
    pipe = subprocess.PIPE
    process = evening.within(lambda: subprocess.Popen(words, stdin=pipe, stdout=pipe))
    with process:
        assert process.stdout.readline() == b"idle\n"
        yield
        process.stdin.close()


def test_1300_idle_connections_of_an_address_keep_no_table_out(evening: FloodedHall) -> None:
    seven = evening.table("07", SEVEN)
    with idlers(evening):
        for number in range(20):
            evening.answers_in_time(seven, "07", number)
        eight = evening.table("08", EIGHT)
        seven.close()
        seven = evening.table("07", SEVEN)
        evening.answers_in_time(seven, "07", 20)
        evening.answers_in_time(eight, "08", 20)


def test_a_storm_of_handshakes_of_an_address_delays_nobody(evening: FloodedHall) -> None:
    seven, ends = evening.table("07", SEVEN), threading.Event()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE

    def storm() -> None:
        while not ends.is_set():
            with (
                suppress(OSError),
                closing(connected(evening.hall.broker.port)) as one,
                context.wrap_socket(one) as secured,
            ):
                secured.send(b"\x10\x02no")

    threads = [threading.Thread(target=evening.within, args=(storm,)) for _ in range(4)]
    for one in threads:
        one.start()
    try:
        until = time.monotonic() + FLOOD_S / 2
        number = 0
        while time.monotonic() < until:
            number += 1
            evening.answers_in_time(seven, "07", number)
        evening.answers_in_time(evening.table("08", EIGHT), "08", 1)
    finally:
        ends.set()
        for one in threads:
            one.join()


@pytest.mark.parametrize("size", [60_000, 1])
def test_a_table_that_floods_the_broker_takes_nothing_from_the_others(
    evening: FloodedHall, size: int
) -> None:
    floods, eight = evening.table("07", SEVEN), evening.table("08", EIGHT)
    pid = evening.hall.broker.pid
    assert pid is not None
    before = memory_use(pid).private
    topics = [evening.hall.topics.table("07", one) for one in TableTopic]
    topics += [f"{evening.hall.topics.root}/table/07/invented-{one}" for one in range(20)]
    count = 2_400 if size > 1 else 20_000
    content = bytes(size)
    for number in range(count):
        floods.send(topics[number % len(topics)] if size > 1 else topics[0], content)
    until = time.monotonic() + FLOOD_S
    number = 0
    while time.monotonic() < until:
        number += 1
        evening.answers_in_time(eight, "08", number)
    assert memory_use(pid).private - before < 30 * MB
    heard = evening.organiser.messages
    assert set(heard) <= {evening.topic("08"), *topics[:4]}
    assert len(heard.get(evening.topic("07"), [])) < 1_000
