"""Bytes of strangers at the real servers: all are answered, or the connection is closed."""

import logging
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote_from_bytes

import pytest
from flask import Flask
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.support import example_pages
from tests.support.fake_hall import ORGANISER, FakeHall
from web import request_guard
from web.app import create_app
from web.hall.app import LONGEST_LIST, create_hall_app
from web.server import Server
from web.table_client import TableClient

pytestmark = pytest.mark.slow

SOON_S = 3.0
"""Less than a header may take; far more than an answer takes on a busy machine."""

PATIENCE_S = 10.0

TLS_HELLO = bytes.fromhex("1603010200010001fc0303") + bytes(range(256)) * 2

HOST = b"Host: localhost\r\n"
COOKIES = (f"pairing={example_pages.TOKEN}", f"pairing={ORGANISER}", "table-seat=x", "language=de")
LATIN = st.binary(max_size=40).map(lambda data: re.sub(rb"[\0-\x1f\x7f]", b"", data))
"""Values that a header may have, of any encoding."""

WORD = st.one_of(
    LATIN,
    st.text(max_size=12).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.sampled_from(
        [b"", b"-1", b"9" * 5000, b"nan", b"\xff", b"\0", b"[" * 2000, b"../" * 9, b"a" * 3000]
    ),
)
"""Values of fields and parts of paths, before they are quoted."""

HEADER = st.sampled_from(
    [
        "Cookie", "Accept", "Accept-Language", "Accept-Encoding", "Authorization", "Connection",
        "Content-Length", "Content-Type", "Expect", "Forwarded", "Host", "If-Modified-Since",
        "If-None-Match", "If-Range", "Origin", "Range", "Referer", "Sec-Fetch-Site", "TE",
        "Transfer-Encoding", "Upgrade", "User-Agent", "X-Forwarded-For", "X-Forwarded-Proto",
    ]
)  # fmt: skip


class RawCaller:
    """Sends bytes to a served page, and reads what comes back."""

    def __init__(self, app: Flask) -> None:
        self._server = Server(app, "127.0.0.1", 0)
        self.thread = threading.Thread(target=self._server.run)
        self.close = self._server.close
        self.paths = [str(rule) for rule in app.url_map.iter_rules()]

    def status(self, *parts: bytes, ends: bool = False, until: bytes = b"\r\n\r\n") -> int:
        """Returns the status of the first answer; 0 if the page closes the connection.

        Args:
            parts: bytes to send, one after another.
            ends: True to send no more then.
            until: bytes of the answer up to which it is read.
        """
        with socket.create_connection(("127.0.0.1", self._server.port), PATIENCE_S) as caller:
            began, heard = time.monotonic(), b""
            with suppress(ConnectionError):  # it may have answered before it had all
                for part in parts:
                    caller.sendall(part)
            if ends:
                with suppress(OSError):
                    caller.shutdown(socket.SHUT_WR)
            with suppress(ConnectionError):
                while until not in heard and (data := caller.recv(1 << 16)):
                    heard = (heard + data).removeprefix(b"HTTP/1.1 100 Continue\r\n\r\n")
            assert time.monotonic() - began < SOON_S
        assert until in heard or until == b"\r\n\r\n", heard
        found = re.match(rb"HTTP/1\.[01] (\d{3}) ", heard)
        assert found or not heard, heard
        return int(found[1]) if found else 0


@contextmanager
def called(app: Flask) -> Iterator[RawCaller]:
    caller = RawCaller(app)
    caller.thread.start()
    try:
        with suppress(AssertionError):  # the first page takes longest
            caller.status(get())
        yield caller
    finally:
        caller.close()
        caller.thread.join(PATIENCE_S)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RawCaller]:
    games = tmp_path_factory.mktemp("games")
    (games / "000001-duo-2026-07-24").mkdir()
    with closing(TableClient(Path("/nowhere"))) as link:
        link.hear(example_pages.classic_middle())
        link.hear(example_pages.PHONES)
        with called(create_app(link, games=games)) as caller:
            yield caller


@pytest.fixture(scope="module")
def hall() -> Iterator[RawCaller]:
    with called(create_hall_app(FakeHall())) as caller:
        yield caller


@pytest.fixture(params=["table", "hall"])
def page(
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> Iterator[RawCaller]:
    """A page whose forms need no token, and where nothing is logged."""
    monkeypatch.setattr(request_guard.RequestGuard, "_is_allowed", lambda _: True)
    monkeypatch.setattr(request_guard.RequestGuard, "token", lambda _: "")
    yield request.getfixturevalue(request.param)
    caller: RawCaller = request.getfixturevalue(request.param)
    assert caller.status(get()) == 200
    assert [one.getMessage() for one in caplog.records if one.levelno >= logging.WARNING] == []


def get(*headers: bytes, path: bytes = b"/") -> bytes:
    return b"GET " + path + b" HTTP/1.1\r\n" + HOST + b"".join(headers) + b"\r\n"


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (get(b"Cookie: a=\xff\r\n"), 200),
        (get(b"Cookie: pairing=\xed\xa0\x80\r\n"), 200),
        (get(b'Cookie: pairing="\\377"; language=\xff\r\n'), 200),
        (get(b"Accept-Language: \xff;q=nan\r\n"), 200),
        (get(path=b"http://[::1"), 400),
        (get(path=b"http://[x]/"), 400),
        (get(b"Content-Length: " + b"9" * 5000 + b"\r\n"), 400),
        (get(b"Content-Length: -1\r\n"), 400),
        (b"GET / HTTP/1.1\nHost: localhost\n\n", 400),
        (TLS_HELLO, 400),
        (bytes(100), 400),
        (b"\x10\x10\0\x04MQTT\x04\x02\0<\0\x04name", 400),
        (b"SSH-2.0-OpenSSH_9.6\r\n", 400),
        (b"\r\nhello\r\n", 400),
        (b"POST /pair HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        (b"POST /pair HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: gzip\r\n\r\n", 501),
        (b"POST /pair HTTP/1.1\r\n" + HOST + b"Content-Length: 99999999\r\n\r\n", 413),
        (get(b"X: " + b"x" * 20_000 + b"\r\n"), 431),
    ],
)
def test_what_is_not_expected_is_answered_at_once(
    page: RawCaller, sent: bytes, status: int
) -> None:
    assert page.status(sent) == status
    middle = len(sent) // 2
    assert page.status(sent[:middle], sent[middle:]) == status
    page.status(sent[:middle], ends=True)


FIELDS = (
    "word", "id", "revision", "number", "act", "action", "mode", "game", "level", "names", "name",
    "language", "back", "edition", "puzzle", "round", "form", "event", "rounds", "minutes",
)  # fmt: skip
QUERIES = ("for", "shown", "reply", "from", "q", "at", "pieces", "table", "who", "one", "paper")

FIELD = st.tuples(st.sampled_from(FIELDS), WORD)
QUERY = st.tuples(st.sampled_from(QUERIES), WORD)
SENT_HEADER = st.tuples(HEADER, st.one_of(LATIN, st.sampled_from(COOKIES).map(str.encode)))


def coded(pairs: list[tuple[str, bytes]]) -> bytes:
    return "&".join(f"{name}={quote_from_bytes(value)}" for name, value in pairs).encode()


def test_a_body_that_is_far_too_long_is_refused_while_it_is_sent(page: RawCaller) -> None:
    body = b"names=" + b"x" * 1_000_000
    head = f"POST /organiser/say HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
    for _ in range(5):
        assert page.status(head.encode(), body) == 413


def test_a_list_that_is_too_long_is_refused_in_a_sentence(hall: RawCaller) -> None:
    body = b"token=&names=" + b"x" * LONGEST_LIST
    head = b"POST /organiser/say HTTP/1.1\r\n%sOrigin: http://localhost\r\n" % HOST
    kind = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n"
    assert hall.status(head + kind % len(body), body, until=b"enter the list in parts") == 413


@settings(max_examples=250, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_whole_request_of_any_content_is_answered(page: RawCaller, data: st.DataObject) -> None:
    part, form = quote_from_bytes(data.draw(WORD), safe=""), data.draw(st.lists(FIELD, max_size=4))
    method = data.draw(st.sampled_from([b"GET", b"POST", b"HEAD", b"PUT"]))
    query = coded(data.draw(st.lists(QUERY, max_size=2)))
    headers = data.draw(st.lists(SENT_HEADER, max_size=3))
    cookie = data.draw(st.sampled_from(COOKIES))
    path = re.sub("<[^>]*>", part, data.draw(st.sampled_from(page.paths)))
    body = coded(form)
    head = b"%s %s?%s HTTP/1.1\r\n" % (method, path.encode(), query)
    fixed = (
        f"Host: localhost\r\nOrigin: http://localhost\r\nCookie: {cookie}\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\n"
    )
    extra = b"".join(b"%s: %s\r\n" % (name.encode(), value) for name, value in headers)
    status = page.status(
        head + fixed.encode() + extra + b"Content-Length: %d\r\n\r\n" % len(body), body
    )
    assert 200 <= status < 500 or status == 501


@settings(max_examples=250, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    parts=st.lists(
        st.one_of(
            st.binary(max_size=60),
            st.sampled_from(
                [b"GET / HTTP/1.1\r\n", b"POST /pair HTTP/1.1\r\n", HOST, b"\r\n", b"\n", b"TE: ",
                 b"Transfer-Encoding: chunked\r\n\r\n", b"5\r\nabcde\r\n", b"0\r\n\r\n", TLS_HELLO]
            ),
        ),
        min_size=1,
        max_size=6,
    )
)  # fmt: skip
@example(parts=[b"GET / HTTP/1.1\r\n" + HOST + b"\r\n"] * 3)
def test_any_bytes_before_an_early_end_leave_nothing_behind(
    page: RawCaller, parts: list[bytes]
) -> None:
    status = page.status(*parts, ends=True)
    assert status == 0 or 200 <= status < 500 or status == 501
