"""The real server: sockets, threads, and phones that misbehave."""

import http.client
import itertools
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support import example_pages
from tests.support.serving import serving_pages
from tests.support.turning_feed import TurningFeed
from tests.support.waiting import eventually
from web import listening
from web.app import create_app
from web.contract import Page, RefereeState, RefereeStatus
from web.server import Server
from web.table_client import TableClient

pytestmark = pytest.mark.slow

STREAMS = 4
SOON_S = 10.0


@pytest.fixture
def link(tmp_path: Path) -> Iterator[TableClient]:
    link = TableClient(tmp_path / "table.sock")
    yield link
    link.close()


@contextmanager
def served(link: TableClient, streams: int = STREAMS, port: int = 0) -> Iterator[Server]:
    with serving_pages(create_app(link, streams=streams), port) as server:
        yield server


class Phone:
    """A reader of the stream that stays connected."""

    def __init__(self, port: int, path: str = "/events") -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SOON_S)
        self._connection.request("GET", path)
        self._answer = self._connection.getresponse()
        self.status = self._answer.status

    def news(self) -> dict[str, object]:
        while True:
            line = self._answer.readline()
            assert line, "the stream ended"
            if line.startswith(b"data: "):
                news = json.loads(line[6:])
                assert isinstance(news, dict)
                return news

    def wait_for(self, revision: int) -> None:
        while self.news().get("revision") != revision:
            pass

    def close(self) -> None:
        self._answer.close()
        self._connection.close()


def get(port: int, path: str) -> int:
    with closing(Phone(port, path)) as phone:
        return phone.status


def test_a_change_at_the_table_reaches_every_phone(tmp_path: Path) -> None:
    path, page = tmp_path / "table.sock", example_pages.empty()
    with TurningFeed(path) as feed, TableClient(path) as link, served(link) as server:
        feed.publish(page)
        phones = [Phone(server.port) for _ in range(STREAMS)]
        feed.publish(replace(page, revision=7, state=RefereeStatus(RefereeState.HAND)))
        for phone in phones:
            phone.wait_for(7)
            phone.close()


def test_a_phone_that_reads_nothing_holds_up_nobody(link: TableClient) -> None:
    big = example_pages.classic_middle()
    link.hear(big)
    with served(link) as server, socket.create_connection(("127.0.0.1", server.port)) as asleep:
        asleep.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        asleep.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        with closing(Phone(server.port)) as awake:
            for revision in range(100, 140):
                link.hear(renewed(big, revision))
                awake.wait_for(revision)
        assert get(server.port, "/") == 200


def test_a_phone_that_vanishes_gives_its_place_back_and_leaves_no_traceback(
    link: TableClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Linux reports a phone that reads nothing for long like a vanished one: ETIMEDOUT."""
    monkeypatch.setattr(listening, "_PATIENCE_MS", 300)
    big = example_pages.classic_middle()
    link.hear(big)
    with served(link, streams=1) as server, socket.socket() as asleep:
        asleep.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        asleep.connect(("127.0.0.1", server.port))
        asleep.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        eventually(lambda: get(server.port, "/events") == 503)
        revisions = itertools.count(1)

        def is_free() -> bool:
            link.hear(renewed(big, next(revisions)))
            return get(server.port, "/events") == 200

        eventually(is_free, 20)
    assert [record for record in caplog.records if record.exc_info] == []


def renewed(page: Page, revision: int) -> Page:
    """Returns the page with every fragment changed, to fill the buffer of an idle phone soon."""
    colours = tuple(replace(c, player=f"{c.player} {revision}") for c in page.colours)
    return replace(page, revision=revision, colours=colours, pieces=page.pieces[: revision % 30])


def test_beyond_the_streams_watchers_poll_and_pages_are_served(link: TableClient) -> None:
    link.hear(example_pages.empty())
    with served(link) as server:
        phones = [Phone(server.port) for _ in range(STREAMS)]
        assert [phone.status for phone in phones] == [200] * STREAMS
        assert get(server.port, "/events") == 503
        for path in ("/", "/tv", "/fragments.json", "/page.json", "/static/live.js"):
            assert get(server.port, path) == 200
        for phone in phones:
            phone.close()
        # Places become free soon after the phones disconnect, without a change at the table.
        eventually(lambda: get(server.port, "/events") == 200)


def test_streams_end_when_the_server_does_and_continue_with_the_next(link: TableClient) -> None:
    link.hear(example_pages.empty())
    with served(link) as server:
        port, phone = server.port, Phone(server.port)
        phone.news()
    with pytest.raises((AssertionError, OSError)):
        phone.news()
    phone.close()
    with served(link, port=port), closing(Phone(port)) as again:
        assert again.news()["state"] == "waiting"


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", b"421"),
        (b"GET / HTTP/1.1\r\nHost: a/b\\c\r\n\r\n", b"4"),
        (b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n\r\n" + b"x" * 9999, b"4"),
        (b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", b"4"),
        (b"GET /static/../app.py HTTP/1.1\r\nHost: localhost\r\n\r\n", b"404"),
        (b"GET /static/%2e%2e/app.py HTTP/1.1\r\nHost: localhost\r\n\r\n", b"404"),
        (b"nonsense\r\n\r\n", b"4"),
    ],
)
def test_a_hostile_request_is_refused(link: TableClient, request_: bytes, status: bytes) -> None:
    with served(link) as server:
        with socket.create_connection(("127.0.0.1", server.port), timeout=SOON_S) as caller:
            caller.sendall(request_)
            assert caller.recv(4096).split(b" ", 2)[1].startswith(status)
        assert get(server.port, "/") == 200


def test_a_port_that_is_taken_is_an_error(link: TableClient) -> None:
    with served(link) as server, pytest.raises(OSError, match="in use"):
        Server(create_app(link), "127.0.0.1", server.port)


def test_the_address_of_each_request_is_told(link: TableClient) -> None:
    heard: list[str] = []
    server = Server(create_app(link), "127.0.0.1", 0, heard.append)
    thread = threading.Thread(target=server.run)
    thread.start()
    assert get(server.port, "/") == 200
    assert get(server.port, "/none") == 404
    server.close()
    thread.join(SOON_S)
    assert heard == ["127.0.0.1", "127.0.0.1"]
