"""Single pictures: one at a time over a connection that is kept, cuts, slow answers, closing."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise

import pytest

from firmware.cameras.http_camera import HttpCamera
from firmware.cameras.interfaces import CameraError
from firmware.codes import CameraFault
from tests.support.http_camera import (
    CameraRequest,
    DigestGate,
    HttpCameraServer,
    Respond,
    answer,
    chunk,
    fixed,
    numbered_jpeg,
    picture,
    pictures,
    redirect,
)
from tests.support.wall_clock import WALL_CLOCK

JPEGS = [numbered_jpeg(number) for number in range(5)]
KIND = "Content-Type: image/jpeg"
HEAD = f"HTTP/1.1 200 OK\r\n{KIND}\r\n"
WAIT_S = 2.0
SHORT_S = 0.15


@contextmanager
def opened(
    respond: Respond, fps: float = 50.0, login: str = ""
) -> Iterator[tuple[HttpCamera, HttpCameraServer]]:
    with HttpCameraServer(respond) as server:
        camera = HttpCamera(server.url("/shot.jpg", login), fps)
        try:
            yield camera, server
        finally:
            camera.close()


def read(camera: HttpCamera, timeout_s: float = WAIT_S) -> bytes | None:
    got = camera.read(timeout_s)
    return None if got is None else got.encoded


def test_pictures_come_one_after_another_over_one_connection() -> None:
    with opened(pictures(JPEGS)) as (camera, server):
        assert [read(camera) for _ in JPEGS] == JPEGS
        assert server.connections == 1
        assert server.requests[0].headers["Connection"] == "keep-alive"
        assert len(server.requests) == len(JPEGS)


@WALL_CLOCK
def test_no_more_requests_are_sent_than_wanted() -> None:
    with opened(picture(JPEGS[0]), fps=10.0) as (camera, server):
        begun_s = time.monotonic()
        times = [found.time_s for _ in range(6) if (found := camera.read(WAIT_S))]
        assert 0.45 < time.monotonic() - begun_s < 1.0
        assert all(late - early > 0.05 for early, late in pairwise(times))
        assert len(server.requests) == 6


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(HEAD.encode() + b"\r\n" + JPEGS[0], id="until it closes"),
        pytest.param(
            f"HTTP/1.0 200 OK\r\n{KIND}\r\nContent-Length: {len(JPEGS[0])}\r\n\r\n".encode()
            + JPEGS[0],
            id="HTTP 1.0",
        ),
        pytest.param(answer("200 OK", KIND, "Connection: close", body=JPEGS[0]), id="close"),
    ],
)
def test_a_camera_that_closes_after_each_picture_is_asked_again(reply: bytes) -> None:
    def respond(_: CameraRequest, line: socket.socket) -> object:
        line.sendall(reply)
        return False

    with opened(respond) as (camera, server):
        assert [read(camera) for _ in range(3)] == [JPEGS[0]] * 3
        assert server.connections == 3


def test_a_camera_that_closed_without_notice_is_asked_again() -> None:
    with opened(picture(JPEGS[0])) as (camera, server):
        assert read(camera) == JPEGS[0]
        server.hang_up()
        assert read(camera) == JPEGS[0]
        assert server.connections == 2


def test_pictures_may_be_chunked() -> None:
    head = HEAD + "Transfer-Encoding: chunked\r\n\r\n"
    cuts = range(0, len(JPEGS[0]), 100)
    body = b"".join(chunk(JPEGS[0][at : at + 100]) for at in cuts) + b"0\r\n\r\n"
    reply = head.encode() + body

    def respond(_: CameraRequest, line: socket.socket) -> object:
        line.sendall(reply[:-2])
        time.sleep(0.03)
        line.sendall(reply[-2:])
        return True

    with opened(respond) as (camera, server):
        assert [read(camera) for _ in range(3)] == [JPEGS[0]] * 3
        assert server.connections == 1


@pytest.mark.parametrize(
    "cut",
    [
        pytest.param(answer("200 OK", KIND, body=JPEGS[0][:-100]), id="no end mark"),
        pytest.param(answer("200 OK", KIND), id="empty"),
        pytest.param(answer("200 OK", KIND, body=JPEGS[0])[:-100], id="closed in the middle"),
        pytest.param(answer("200 OK", "Content-Type: image/png", body=b"1" * 99)[:-9], id="png"),
    ],
)
def test_a_cut_picture_is_skipped(cut: bytes) -> None:
    replies = iter([cut])
    whole = answer("200 OK", KIND, body=JPEGS[1])

    def respond(_: CameraRequest, line: socket.socket) -> object:
        line.sendall(next(replies, whole))
        return False

    with opened(respond) as (camera, _):
        assert read(camera) == JPEGS[1]


def test_pictures_of_other_formats_are_passed_on() -> None:
    with opened(fixed(answer("200 OK", "Content-Type: image/png", body=b"a png"))) as (camera, _):
        assert read(camera) == b"a png"


@WALL_CLOCK
def test_a_slow_answer_goes_on_in_the_next_read() -> None:
    reply = answer("200 OK", KIND, body=JPEGS[0])

    def respond(_: CameraRequest, line: socket.socket) -> object:
        for at in range(0, len(reply), 200):
            line.sendall(reply[at : at + 200])
            time.sleep(0.05)
        return True

    with opened(respond) as (camera, server):
        begun_s = time.monotonic()
        assert camera.read(0.1) is None
        assert time.monotonic() - begun_s < 0.3
        assert [read(camera, 0.1) for _ in range(6)].count(JPEGS[0]) == 1
        assert len(server.requests) <= 2


@WALL_CLOCK
def test_after_a_pause_the_picture_is_new() -> None:
    with opened(pictures(numbered_jpeg(number) for number in range(200))) as (camera, _):
        time.sleep(0.7)
        found = camera.read(WAIT_S)
        assert found is not None
        assert time.monotonic() - found.time_s < 0.3


@WALL_CLOCK
def test_a_silent_camera_gives_nothing_in_time() -> None:
    replies = iter([answer("200 OK", KIND, body=JPEGS[0])])

    def respond(_: CameraRequest, line: socket.socket) -> object:
        line.sendall(next(replies, b""))
        return True

    with opened(respond) as (camera, _):
        assert read(camera) == JPEGS[0]
        begun_s = time.monotonic()
        assert camera.read(SHORT_S) is None
        assert camera.read(SHORT_S) is None
        assert 2 * SHORT_S <= time.monotonic() - begun_s < 2 * SHORT_S + 0.3


def test_a_camera_that_is_gone_is_reported() -> None:
    with opened(picture(JPEGS[0])) as (camera, server):
        assert read(camera) == JPEGS[0]
        server.close()
        with pytest.raises(CameraError) as caught:
            read(camera)
        assert caught.value.code is CameraFault.UNREACHABLE


def test_a_camera_that_takes_connections_and_ends_them_is_reported() -> None:
    with opened(pictures(JPEGS[:1])) as (camera, _):
        assert read(camera) == JPEGS[0]
        with pytest.raises(CameraError, match="the stream ended") as caught:
            read(camera)
        assert caught.value.code is CameraFault.FAILED


def test_a_number_of_digest_that_becomes_stale_is_renewed() -> None:
    gate = DigestGate("me", "word", picture(JPEGS[0]), lasting=2)
    with opened(gate, login="me:word") as (camera, _):
        assert [read(camera) for _ in range(5)] == [JPEGS[0]] * 5
        assert gate.refused == 3


def test_a_temporary_redirection_is_followed_for_each_picture() -> None:
    numbers = iter(range(5))

    def respond(request: CameraRequest, line: socket.socket) -> object:
        if request.path == "/shot.jpg":
            line.sendall(redirect(f"/{next(numbers)}.jpg"))
        else:
            line.sendall(answer("200 OK", KIND, body=JPEGS[int(request.path[1])]))
        return True

    with opened(respond) as (camera, _):
        assert [read(camera) for _ in range(3)] == JPEGS[:3]


def test_a_permanent_redirection_is_followed_once() -> None:
    def respond(request: CameraRequest, line: socket.socket) -> object:
        there = answer("200 OK", KIND, body=JPEGS[0])
        moved = redirect("/new.jpg", "301 Moved Permanently")
        line.sendall(moved if request.path == "/shot.jpg" else there)
        return True

    with opened(respond) as (camera, server):
        assert [read(camera) for _ in range(3)] == [JPEGS[0]] * 3
        paths = [request.path for request in server.requests]
        assert paths == ["/shot.jpg", *["/new.jpg"] * 3]
        assert camera.name == server.url("/shot.jpg")


def test_a_picture_above_20_megabytes_is_an_error() -> None:
    with (
        opened(fixed(HEAD.encode() + b"\r\n" + bytes(21_000_000))) as (camera, _),
        pytest.raises(CameraError, match="more than 20 MB"),
    ):
        read(camera)


@WALL_CLOCK
def test_closing_from_another_thread_ends_the_wait() -> None:
    with opened(picture(JPEGS[0]), fps=0.1) as (camera, _):
        assert read(camera) == JPEGS[0]
        closer = threading.Timer(0.1, camera.close)
        closer.start()
        begun_s = time.monotonic()
        with pytest.raises(CameraError, match="is closed"):
            camera.read(4.0)
        assert time.monotonic() - begun_s < 1.0
        closer.join()
        camera.close()
