"""The camera's page over TLS: whole requests, silent and wrong callers, and nothing else served."""

import http.client
import random
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from flask import request

from firmware.storage.certificate import page_certificate
from tests.support import example_pages
from tests.support.waiting import eventually
from web import connections
from web.app import create_app
from web.contract import LONGEST_PICTURE, fingerprint
from web.request_guard import TLS_PORT
from web.server import Server
from web.table_client import TableClient

pytestmark = pytest.mark.slow

CAMERA = {"Cookie": "camera=token-of-the-camera"}


class SecurePage:
    """A served page with a port for TLS; it keeps the length of each body that is sent to it."""

    def __init__(self, link: TableClient, folder: Path) -> None:
        app = create_app(link)
        self.bodies: list[bytes] = []

        def keep() -> str | None:
            if request.path != "/camera/picture":
                return None
            request.max_content_length = LONGEST_PICTURE
            self.bodies.append(request.get_data())
            return "taken"

        app.before_request_funcs.setdefault(None, []).insert(0, keep)
        self.server = Server(app, "127.0.0.1", 0)
        self.folder = folder
        self.certificate = page_certificate(folder, ("127.0.0.1",))
        self.server.listen_securely("127.0.0.1", self.certificate)
        self.port: int = app.extensions[TLS_PORT]

    def phone(self) -> http.client.HTTPSConnection:
        trusts = ssl.create_default_context(cafile=str(self.certificate))
        return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=30, context=trusts)


@pytest.fixture
def page(tmp_path: Path) -> Iterator[SecurePage]:
    with closing(TableClient(Path("/nowhere"))) as link:
        link.hear(example_pages.classic_middle())
        link.hear(replace(example_pages.PHONES, camera=fingerprint("token-of-the-camera")))
        page = SecurePage(link, tmp_path)
        thread = threading.Thread(target=page.server.run)
        thread.start()
        try:
            yield page
        finally:
            page.server.close()
            thread.join(10)
            assert not thread.is_alive()


def test_bodies_of_any_length_arrive_whole_over_one_connection(page: SecurePage) -> None:
    numbers = random.Random(1)  # noqa: S311
    lengths = [1, 16_383, 16_384, 16_385, LONGEST_PICTURE - 1]
    lengths += [numbers.randrange(1, LONGEST_PICTURE) for _ in range(60)]
    sent = [numbers.randbytes(length) for length in lengths]
    with closing(page.phone()) as phone:
        for body in sent:
            phone.request("POST", "/camera/picture", body, CAMERA)
            answer = phone.getresponse()
            assert (answer.status, answer.read()) == (200, b"taken")
    assert page.bodies == sent


def test_keys_cannot_be_changed_for_ever(page: SecurePage) -> None:
    with closing(page.phone()) as phone:
        phone.connect()
        assert phone.sock.version() == "TLSv1.2"


def test_another_certificate_is_used_by_connections_that_begin_later(page: SecurePage) -> None:
    with closing(page.phone()) as before:
        before.connect()
        page.certificate = page_certificate(page.folder, ("127.0.0.1", "192.168.1.20"))
        page.server.change_certificate(page.certificate)
        before.request("POST", "/camera/picture", b"1", CAMERA)
        assert before.getresponse().status == 200
    with closing(page.phone()) as after:
        after.connect()
        found = after.sock.getpeercert()
    assert found is not None
    assert ("IP Address", "192.168.1.20") in found["subjectAltName"]


def test_bytes_in_small_pieces_arrive_whole(page: SecurePage) -> None:
    body = bytes(range(256)) * 40
    head = f"POST /camera/picture HTTP/1.1\r\nHost: localhost\r\nCookie: {CAMERA['Cookie']}\r\n"
    text = (head + f"Content-Length: {len(body)}\r\n\r\n").encode() + body
    with closing(page.phone()) as phone:
        phone.connect()
        for at in range(0, len(text), 997):
            phone.sock.sendall(text[at : at + 997])
        eventually(lambda: page.bodies == [body])


def test_only_the_page_of_the_camera_is_served(page: SecurePage) -> None:
    with closing(page.phone()) as phone:
        for path, status in (
            ("/camera", 200),
            ("/static/camera.js", 200),
            ("/static/style.css", 200),
            ("/", 404),
            ("/arbiter", 404),
            ("/live.jpg", 404),
            ("/page.json", 404),
            ("/events", 404),
            ("/cameras", 404),
        ):
            phone.request("GET", path)
            answer = phone.getresponse()
            answer.read()
            assert answer.status == status, path


def test_a_stranger_may_not_send_the_length_of_a_picture(page: SecurePage) -> None:
    with closing(page.phone()) as phone:
        with suppress(OSError):
            phone.request("POST", "/camera/picture", bytes(100_000))
        with suppress(OSError, http.client.HTTPException):
            assert phone.getresponse().status == 413
    assert page.bodies == []


def test_callers_that_say_nothing_or_no_tls_are_closed_and_hold_up_nobody(
    page: SecurePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEADER_S", 2.0)
    with ExitStack() as held:
        silent, wrong = (
            held.enter_context(socket.create_connection(("127.0.0.1", page.port), 30))
            for _ in range(2)
        )
        for _ in range(20):
            held.enter_context(socket.create_connection(("127.0.0.1", page.port), 30))
        wrong.sendall(b"GET /camera HTTP/1.1\r\nHost: localhost\r\n\r\n")
        began = time.monotonic()
        with closing(page.phone()) as phone:
            phone.request("GET", "/camera")
            assert phone.getresponse().status == 200
        assert time.monotonic() - began < 5.0
        with suppress(ConnectionError):
            assert not wrong.recv(100).startswith(b"HTTP")
        silent.settimeout(30)
        with suppress(ConnectionError):
            assert silent.recv(100) == b""


def test_phones_that_go_while_they_are_answered_leave_the_page_to_others(page: SecurePage) -> None:
    asked = b"GET /camera HTTP/1.1\r\nHost: localhost\r\n\r\n" * 3

    def come_and_go() -> None:
        for number in range(60):
            with suppress(OSError), closing(page.phone()) as phone:
                phone.connect()
                phone.sock.sendall(asked)
                if number % 2:
                    phone.sock.recv(100)

    crowd = [threading.Thread(target=come_and_go, daemon=True) for _ in range(6)]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join(10)
    with closing(page.phone()) as phone:
        phone.request("GET", "/camera")
        assert phone.getresponse().status == 200
