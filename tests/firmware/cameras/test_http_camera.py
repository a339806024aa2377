"""Cameras over http: what they send decides, silence is an end, and hostile ones take little."""

import socket
import time
from contextlib import suppress
from itertools import count

import pytest

from firmware.cameras.http_camera import HttpCamera
from firmware.cameras.interfaces import CameraError
from firmware.cameras.live_camera import LiveCamera
from firmware.codes import CameraFault
from tests.support.http_camera import (
    CameraRequest,
    HttpCameraServer,
    Respond,
    answer,
    fixed,
    numbered_jpeg,
    part,
    picture,
    sent,
    stream,
    stream_head,
    with_basic,
)
from tests.support.waiting import eventually
from vision.camera import Frame, NoCamera

JPEG = numbered_jpeg(1)


@pytest.mark.parametrize("respond", [stream([JPEG]), picture(JPEG)])
def test_the_answer_decides(respond: Respond) -> None:
    with HttpCameraServer(with_basic("me", "word", respond)) as server:
        camera = HttpCamera(server.url("/", "me:word"))
        assert camera.name == server.url("/")
        found = camera.read(2.0)
        camera.close()
        assert found is not None
        assert found.encoded == JPEG
        assert len(server.requests) == 2, "once without and once with the password"


def test_neither_is_an_error() -> None:
    respond = fixed(answer("200 OK", "Content-Type: text/html; charset=utf-8", body=b"<p>"))
    with HttpCameraServer(respond) as server, pytest.raises(CameraError) as caught:
        HttpCamera(server.url())
    assert caught.value.code is CameraFault.NO_PICTURES
    assert str(caught.value) == (
        f"{server.url()} sends a web page and no pictures; "
        "open it in a browser and copy the address of its video"
    )


def stalling(request_limit: int, last: bytes, pause_s: float = 0.0) -> Respond:
    """A camera whose first connection goes silent, or trickles, and stays open.

    Args:
        request_limit: pictures before that.
        last: what is sent then, byte by byte.
        pause_s: seconds after each byte.
    """
    given = count()

    def respond(request: CameraRequest, line: socket.socket) -> object:
        is_stream = request.path == "/video"
        if is_stream:
            line.sendall(stream_head())
        while (number := next(given)) != request_limit:
            jpeg = numbered_jpeg(number)
            if not is_stream:
                line.sendall(answer("200 OK", "Content-Type: image/jpeg", body=jpeg))
                return True
            line.sendall(part(jpeg))
            time.sleep(0.05)
        sent(*(bytes([byte]) for byte in last), pause_s=pause_s)(request, line)
        return False

    return respond


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\n"


@pytest.mark.parametrize("path", ["/video", "/shot.jpg"])
@pytest.mark.parametrize("last", [b"", (HEAD + b"\r\n" + JPEG) * 9])
def test_a_camera_that_falls_silent_is_opened_again(path: str, last: bytes) -> None:
    """As when a phone leaves the network: nothing ends the connection."""
    with HttpCameraServer(stalling(3, last, 0.2)) as server:
        camera = LiveCamera(lambda: HttpCamera(server.url(path)))
        eventually(lambda: isinstance(camera.read(), Frame), 5.0)
        answers: list[object] = []

        def is_back() -> bool:
            answers.append(camera.read())
            away = any(isinstance(one, NoCamera) for one in answers)
            return away and isinstance(answers[-1], Frame)

        eventually(is_back, 8.0)
        assert server.connections == 2
        camera.close()


HOSTILE_S = 1.0
"""Seconds of CPU that a hostile camera may take until it is given up."""

PAGE = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


def challenge(text: str) -> bytes:
    return answer("401 No", f"WWW-Authenticate: {text}")


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(challenge("a " * 30_000), id="spaces in a challenge"),
        pytest.param(challenge("a=," * 20_000), id="parameters in a challenge"),
        pytest.param(challenge("Digest " * 8_000), id="schemes in a challenge"),
        pytest.param(challenge('Digest realm="' + "\\" * 60_000), id="a quote without end"),
        pytest.param(
            answer("401 No", *["WWW-Authenticate: Basic " + "a, " * 20_000] * 90), id="challenges"
        ),
        pytest.param(PAGE + b"X: " + b"y" * 70_000 + b"\r\n\r\n", id="a long header"),
        pytest.param(PAGE + (b"X: " + b"y" * 65_000 + b"\r\n") * 99 + b"\r\n", id="long headers"),
        pytest.param(PAGE + b"X: y\r\n" + b" z\r\n" * 99_999 + b"\r\n", id="a folded header"),
        pytest.param(b"HTTP/1.1 100 Continue\r\n\r\n" * 1000, id="interim answers"),
        pytest.param(b"HTTP/1.1 103 Early Hints\r\n\r\n", id="an interim answer"),
        pytest.param(CHUNKED + b"f" * 60_000 + b"\r\n", id="a size of a chunk without end"),
        pytest.param(CHUNKED + b"ffffffffffff\r\n" + bytes(999), id="a giant chunk"),
        pytest.param(CHUNKED + b"-5\r\n" + bytes(999), id="a negative chunk"),
        pytest.param(CHUNKED + b"1;" + b"x" * 60_000 + b"\r\n", id="a long extension of a chunk"),
        pytest.param(CHUNKED + b"0\r\n" + b"X: y\r\n" * 9999, id="trailers"),
        pytest.param(HEAD + b"Content-Length: -1\r\n\r\n" + JPEG[:-9], id="a negative length"),
        pytest.param(HEAD + b"Content-Length: 9" + b"9" * 9000 + b"\r\n\r\n", id="a giant length"),
        pytest.param(HEAD + b"Content-Encoding: gzip\r\n\r\n\x1f\x8b" + bytes(99), id="gzip"),
        pytest.param(stream_head("x" * 60_000) + part(b""), id="a long boundary"),
        pytest.param(stream_head() + b"--frame\r\n" * 99_999, id="boundaries alone"),
        pytest.param(stream_head() + b"--frame\r\n" + b"A: b\r\n" * 99_999, id="heads of parts"),
        pytest.param(stream_head() + b"\xff\xd8\xff" * 999_999, id="begins of pictures"),
    ],
)
def test_a_hostile_camera_takes_little_time(reply: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.cameras.http_camera.OPENING_S", 0.5)
    with HttpCameraServer(lambda _, line: line.sendall(reply)) as server:
        begun_s = time.process_time()
        with suppress(CameraError):
            camera = HttpCamera(server.url(login="me:word"))
            assert camera.read(1.0) is None
            camera.close()
        assert time.process_time() - begun_s < HOSTILE_S
