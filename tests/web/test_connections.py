"""Limits of the connections of each address and of the time that a request may take."""

import http.client
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import request

from tests.evaluation.connections import can_isolate, isolated
from tests.support import example_pages
from tests.support.waiting import eventually
from tests.support.wall_clock import WALL_CLOCK
from web import connections
from web import server as server_module
from web.app import create_app
from web.connections import PER_ADDRESS
from web.contract import LivePicture, PictureAudience
from web.server import Server
from web.table_client import TableClient
from web.views.streams import RESERVED

pytestmark = pytest.mark.slow

SOON_S = 10.0
KNOWN = {"Cookie": f"pairing={example_pages.TOKEN}"}
GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


class SlowPage:
    """A served page with clients; `/slow` is answered once `slow` is set."""

    def __init__(self, link: TableClient, streams: int) -> None:
        app = create_app(link, streams=streams)
        self.slow = threading.Event()
        self.answered: list[str | None] = []
        app.before_request(lambda: self.answered.append(request.headers.get("Cookie")))
        app.add_url_rule("/slow", "slow", lambda: str(self.slow.wait(SOON_S)))
        self.server = Server(app, "127.0.0.1", 0)

    def connect(self, sent: bytes = b"", address: str = "127.0.0.1") -> socket.socket:
        caller = socket.create_connection(
            ("127.0.0.1", self.server.port), SOON_S, source_address=(address, 0)
        )
        caller.sendall(sent)
        return caller

    def get(self, path: str = "/", address: str = "127.0.0.1", **headers: str) -> int:
        """Returns the status; 0 if the page closed the connection."""
        phone = http.client.HTTPConnection(
            "127.0.0.1", self.server.port, timeout=SOON_S, source_address=(address, 0)
        )
        with closing(phone):
            try:
                phone.request("GET", path, headers=headers)
                return phone.getresponse().status
            except (ConnectionError, http.client.BadStatusLine):
                return 0

    @property
    def channels(self) -> dict[int, Any]:
        channels: dict[int, Any] = self.server._servers[0].active_channels
        return channels

    @property
    def opened(self) -> int:
        """Number of open connections of the page."""
        return len(self.channels)

    @property
    def busy(self) -> int:
        """Number of connections with a request that is not answered yet."""
        return sum(
            bool(one.requests) for one in list(self.server._servers[0].active_channels.values())
        )

    @property
    def queued(self) -> int:
        """Number of requests that wait for a thread."""
        return len(self.server._servers[0].task_dispatcher.queue)

    @property
    def is_known_next(self) -> bool:
        """True if the next of them is that of a known phone."""
        return bool(self.server._servers[0].task_dispatcher.queue[0].is_known)


@contextmanager
def housed(streams: int = 1) -> Iterator[SlowPage]:
    with closing(TableClient(Path("/nowhere"))) as link:
        link.hear(replace(example_pages.classic_middle(), pictures=PictureAudience.EVERYBODY))
        link.hear(LivePicture(b"\xff\xd8\xff" + bytes(1 << 20)))
        link.hear(example_pages.PHONES)
        house = SlowPage(link, streams)
        thread = threading.Thread(target=house.server.run)
        thread.start()
        try:
            yield house
        finally:
            house.slow.set()
            house.server.close()
            thread.join(SOON_S)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts addresses of this machine like those of phones."""
    monkeypatch.setattr(connections, "sender_of", lambda address: address)


def is_closed(caller: socket.socket) -> bool:
    """True if the page closes a connection within `SOON_S`."""
    try:
        while caller.recv(1 << 16):
            pass
    except ConnectionResetError:
        return True
    return True


def is_open(caller: socket.socket) -> bool:
    caller.settimeout(0.0)
    try:
        return bool(caller.recv(1, socket.MSG_PEEK))
    except BlockingIOError:
        return True
    except ConnectionResetError:
        return False
    finally:
        caller.settimeout(SOON_S)


def closed_after(caller: socket.socket, more: bytes) -> float:
    """Returns the seconds until the page closes a connection that gets bytes ten times a second."""
    began = time.monotonic()
    caller.settimeout(0.1)
    with suppress(ConnectionError):
        while time.monotonic() - began < SOON_S:
            caller.sendall(more)
            with suppress(TimeoutError):
                if not caller.recv(1):
                    break
    return time.monotonic() - began


@pytest.mark.usefixtures("counted")
def test_an_address_has_sixteen_connections_and_the_others_have_theirs() -> None:
    with housed() as house, ExitStack() as held:
        callers = [
            held.enter_context(house.connect(address="127.0.0.2")) for _ in range(PER_ADDRESS)
        ]
        eventually(lambda: house.opened == PER_ADDRESS)
        with house.connect(GET, address="127.0.0.2") as late:
            assert is_closed(late)
        assert all(map(is_open, callers))
        assert house.get(address="127.0.0.3") == 200
        callers[0].close()
        eventually(lambda: house.get(address="127.0.0.2") == 200)


@pytest.mark.usefixtures("counted")
def test_of_one_address_a_connection_that_is_idle_makes_room_for_another() -> None:
    with housed() as house, ExitStack() as held:
        callers = [
            held.enter_context(house.connect(GET, address="127.0.0.2")) for _ in range(PER_ADDRESS)
        ]
        for caller in callers:
            assert caller.recv(12) == b"HTTP/1.1 200"
        eventually(lambda: not house.busy)
        for _ in range(3):  # the phones of a club behind one address
            caller = held.enter_context(house.connect(GET, address="127.0.0.2"))
            assert caller.recv(12) == b"HTTP/1.1 200"
        assert all(map(is_closed, callers[:3]))
        assert all(map(is_open, callers[3:]))


def test_connections_from_this_machine_are_not_counted() -> None:
    with housed() as house, ExitStack() as held:
        for _ in range(3 * PER_ADDRESS):
            held.enter_context(house.connect())
        assert house.get() == 200
        assert house.opened >= 3 * PER_ADDRESS


@pytest.mark.parametrize(
    "sent", [b"", b"GET / HTTP/1.1\r\n", b"\r\n", b"GET / HTTP/1.1\r\nX: " + b"x" * 9000]
)
def test_a_header_that_is_not_complete_in_time_ends_the_connection(
    monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(connections, "HEADER_S", 1.0)
    with housed() as house, house.connect(sent) as caller:
        assert 0.9 < closed_after(caller, b"x") < 5.0


def test_a_body_that_is_not_complete_in_time_ends_the_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connections, "BODY_S", 1.0)
    head = b"POST /pair HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000\r\n\r\n"
    with housed() as house, house.connect(head) as caller:
        assert 0.9 < closed_after(caller, b"x") < 5.0


def test_a_phone_that_was_answered_may_be_idle_for_longer_and_each_request_has_its_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connections, "HEADER_S", 1.0)
    with (
        housed() as house,
        closing(
            http.client.HTTPConnection("127.0.0.1", house.server.port, timeout=SOON_S)
        ) as phone,
    ):
        for _ in range(2):
            phone.request("GET", "/page.json")
            assert phone.getresponse().read()
            time.sleep(2.5)
        assert phone.sock is not None
        assert is_open(phone.sock)
        phone.sock.sendall(b"GET / HT")
        assert is_closed(phone.sock)


def test_when_all_places_are_taken_the_newest_takes_that_of_the_oldest_that_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server_module, "SPARE_CONNECTIONS", 4)
    with housed() as house, ExitStack() as held:
        callers = [held.enter_context(house.connect()) for _ in range(5)]
        eventually(lambda: house.opened == 5)
        for _ in range(3):
            assert house.get() == 200
        assert is_closed(callers[0])
        assert is_open(callers[-1])


@pytest.mark.usefixtures("counted")
def test_the_place_is_taken_from_the_address_that_has_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server_module, "SPARE_CONNECTIONS", 4)
    with housed() as house, ExitStack() as held:
        alone = held.enter_context(house.connect(address="127.0.0.2"))
        eventually(lambda: house.opened == 1)
        crowd = [held.enter_context(house.connect(address="127.0.0.3")) for _ in range(4)]
        eventually(lambda: house.opened == 5)
        assert house.get(address="127.0.0.4") == 200
        assert is_closed(crowd[0])
        assert is_open(alone)


def test_when_every_place_is_busy_only_known_phones_get_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server_module, "SPARE_CONNECTIONS", 4)
    slow = b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with housed() as house, ExitStack() as held:
        for _ in range(5):
            held.enter_context(house.connect(slow))
        eventually(lambda: house.busy == 5)
        assert house.get() == 0
        assert house.get("/arbiter", **KNOWN) == 200
        eventually(lambda: house.opened == 5)
        for _ in range(RESERVED):  # silent connections do not hold the reserved places
            held.enter_context(house.connect())
        eventually(lambda: house.opened == 5 + RESERVED)
        assert house.get("/arbiter", **KNOWN) == 200
        assert house.get("/arbiter", Cookie="pairing=made-up") == 0
        house.slow.set()
        eventually(lambda: house.get() == 200)


@pytest.mark.usefixtures("counted")
def test_a_network_with_many_addresses_leaves_places_to_others_and_to_known_phones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server_module, "SPARE_CONNECTIONS", 7)  # and one for a stream
    monkeypatch.setattr(
        connections, "network_of", lambda one: "crowd" if one.startswith("127.0.1.") else one
    )
    slow = b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with housed() as house, ExitStack() as held:
        for n in range(1, 7):
            held.enter_context(house.connect(slow, address=f"127.0.1.{n}"))
        eventually(lambda: house.busy == 6)
        assert house.get(address="127.0.1.7") == 0
        assert house.get("/arbiter", address="127.0.1.8", **KNOWN) == 200
        assert house.get(address="127.0.2.1") == 200


@WALL_CLOCK
def test_requests_that_take_long_leave_threads_for_known_phones() -> None:
    slow = b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with housed() as house, ExitStack() as held:
        for _ in range(server_module.AT_ONCE + 4):
            held.enter_context(house.connect(slow))
        eventually(lambda: house.busy == server_module.AT_ONCE + 4)
        began = time.monotonic()
        assert house.get("/arbiter", **KNOWN) == 200
        assert time.monotonic() - began < SOON_S / 2


def test_a_known_phone_is_answered_before_those_that_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("RESERVED", 0), ("SPARE_THREADS", 1)):
        monkeypatch.setattr(server_module, name, value)
    with housed(streams=0) as house, house.connect(b"GET /slow HTTP/1.1\r\nHost: a\r\n\r\n"):
        eventually(lambda: house.busy == 1)
        waiting = [threading.Thread(target=house.get) for _ in range(5)]
        for thread in waiting:
            thread.start()
        eventually(lambda: house.busy == 6)
        waiting.append(threading.Thread(target=house.get, args=("/arbiter",), kwargs=KNOWN))
        waiting[-1].start()
        eventually(lambda: house.queued == 6 and house.is_known_next)
        house.slow.set()
        for thread in waiting:
            thread.join(SOON_S)
        assert house.answered == [None, KNOWN["Cookie"], *[None] * 5]


@WALL_CLOCK
def test_phones_that_ask_much_and_take_nothing_hold_up_nobody() -> None:
    with housed() as house, ExitStack() as held:
        assert house.get() == 200  # the first page takes longer
        for _ in range(3 * (1 + RESERVED + server_module.SPARE_THREADS)):
            caller = held.enter_context(socket.socket())
            caller.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            caller.connect(("127.0.0.1", house.server.port))
            caller.sendall(b"GET /live.jpg HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20)
        eventually(lambda: not house.busy)
        began = time.monotonic()
        assert house.get() == 200
        assert time.monotonic() - began < 2.0


@pytest.mark.skipif(not can_isolate(), reason="no network namespace here")
def test_hundreds_of_hostile_connections_hold_up_neither_a_phone_nor_the_arbiter() -> None:
    words = ["--seconds", "4", "--wait", "2", "--pause", "0.1", "--vanish", "0"]
    found = isolated(words)
    for figures in (found["phone"], found["arbiter"]):
        assert figures["failed"] == 0
        assert figures["times"] >= 3
        assert figures["worst_s"] < 1.0, found
    assert found["most_open_of_an_address"] <= PER_ADDRESS
    assert found["tracebacks"] == found["log_lines"] == 0
    assert found["hostile_connections"] > 900
