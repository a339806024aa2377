"""Requests: faults of the network and of answers, redirections, passwords, which never show."""

import base64
import socket
import threading
import time
import traceback
from pathlib import Path

import pytest

from firmware.cameras import http_camera, http_client
from firmware.cameras.http_camera import HttpCamera
from firmware.cameras.interfaces import CameraError
from firmware.codes import CameraFault
from tests.support.http_camera import (
    CameraRequest,
    DigestGate,
    HttpCameraServer,
    Respond,
    answer,
    fixed,
    numbered_jpeg,
    picture,
    redirect,
    self_signed,
    sent,
    stream,
    with_basic,
)
from tests.support.wall_clock import WALL_CLOCK

JPEG = numbered_jpeg(1)
SECRET = "Xyz-Geheim"  # noqa: S105, of no real camera
LOGIN = f"someone:{SECRET}"


def refused(url: str) -> CameraError:
    """The error of opening a camera."""
    with pytest.raises(CameraError) as caught:
        HttpCamera(url).close()
    return caught.value


def first(url: str) -> bytes | None:
    """The first picture of a camera."""
    camera = HttpCamera(url)
    try:
        found = camera.read(2.0)
        return None if found is None else found.encoded
    finally:
        camera.close()


def unused_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def test_a_port_where_nobody_listens_is_unreachable() -> None:
    error = refused(f"http://{LOGIN}@127.0.0.1:{unused_port()}/video")
    assert error.code is CameraFault.UNREACHABLE
    assert "refuses the connection; start the camera" in str(error)


def test_a_name_that_nobody_has_is_unreachable() -> None:
    error = refused("http://no-such-camera.invalid/video")
    assert error.code is CameraFault.UNREACHABLE
    assert "no device in the network has this name" in str(error)


@WALL_CLOCK
def test_looking_up_a_name_takes_no_longer_than_connecting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done = threading.Event()

    def forever(*_: object, **__: object) -> object:
        done.wait(10.0)
        raise socket.gaierror

    monkeypatch.setattr(http_client, "CONNECT_S", 0.2)
    monkeypatch.setattr(socket, "getaddrinfo", forever)
    begun_s = time.monotonic()
    assert refused("http://cam/").code is CameraFault.UNREACHABLE
    assert time.monotonic() - begun_s < 1.0
    done.set()


@WALL_CLOCK
def test_a_device_that_does_not_answer_is_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full queue of a listener: the system drops further connections."""
    monkeypatch.setattr(http_client, "CONNECT_S", 0.3)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        port = listener.getsockname()[1]
        waiting = [socket.socket() for _ in range(4)]
        for line in waiting:
            line.settimeout(0.0)
            line.connect_ex(("127.0.0.1", port))
        begun_s = time.monotonic()
        error = refused(f"http://127.0.0.1:{port}/")
        for line in waiting:
            line.close()
    assert error.code is CameraFault.UNREACHABLE
    assert "does not answer; check that the camera is on" in str(error)
    assert time.monotonic() - begun_s < 1.5


@WALL_CLOCK
@pytest.mark.parametrize("pause_s", [0.0, 0.02])
def test_a_camera_that_answers_nothing_or_trickles_is_silent(
    monkeypatch: pytest.MonkeyPatch, pause_s: float
) -> None:
    monkeypatch.setattr(http_camera, "OPENING_S", 0.4)
    reply = sent(*(bytes([byte]) for byte in b"HTTP/1.1 200 OK\r\nX: " * 3), pause_s=pause_s)
    with HttpCameraServer(reply if pause_s else sent()) as server:
        begun_s = time.monotonic()
        assert refused(server.url()).code is CameraFault.SILENT
        assert time.monotonic() - begun_s < 1.0


HTML = "Content-Type: text/html"
PLAIN = "Content-Type: text/plain"


@pytest.mark.parametrize(
    ("reply", "code", "phrase"),
    [
        (answer("401 No", "WWW-Authenticate: Basic"), CameraFault.PASSWORD, "refuses the user"),
        (answer("401 No", "WWW-Authenticate: Bearer"), CameraFault.PASSWORD, "neither Basic"),
        (answer("403 No"), CameraFault.PASSWORD, "refuses the user or the password"),
        (answer("404 No", HTML), CameraFault.NO_PICTURES, "/video does not exist; open http://"),
        (answer("200 OK", HTML), CameraFault.NO_PICTURES, "sends a web page and no pictures"),
        (answer("200 OK", PLAIN), CameraFault.NO_PICTURES, "sends no pictures; open http://"),
        (answer("200 OK"), CameraFault.NO_PICTURES, "sends no pictures"),
        (answer("503 No"), CameraFault.BUSY, "close other programs"),
        (answer("500 No"), CameraFault.FAILED, "answers with the error 500"),
        (b"RTSP/1.0 200 OK\r\n\r\n", CameraFault.NO_PICTURES, "no answer of a camera"),
        (b"HTTP/2 200\r\n\r\n", CameraFault.NO_PICTURES, "no answer of a camera"),
        (b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 99_999, CameraFault.NO_PICTURES, "no answer"),
        (b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 101 + b"\r\n", CameraFault.NO_PICTURES, "answer"),
        (redirect("rtsp://else"), CameraFault.NO_PICTURES, "redirects to no picture"),
        (redirect("/video"), CameraFault.NO_PICTURES, "redirects to no picture"),
    ],
)
def test_each_answer_without_pictures_has_a_sentence(
    reply: bytes, code: CameraFault, phrase: str
) -> None:
    with HttpCameraServer(fixed(reply)) as server:
        error = refused(server.url(login=LOGIN))
    assert error.code is code
    assert phrase in str(error)
    assert server.url() in str(error)


def test_a_connection_that_ends_without_an_answer_has_failed() -> None:
    with HttpCameraServer(lambda *_: False) as server:
        error = refused(server.url())
    assert error.code is CameraFault.FAILED
    assert "the stream ended" in str(error)


def around(count: int) -> Respond:
    """A camera that redirects a number of times."""

    def respond(request: CameraRequest, line: socket.socket) -> object:
        done = int(request.path[1:])
        if done < count:
            line.sendall(redirect(f"/{done + 1}"))
            return True
        return picture(JPEG)(request, line)

    return respond


def test_five_redirections_are_followed_and_six_are_not() -> None:
    with HttpCameraServer(around(5)) as server:
        assert first(server.url("/0")) == JPEG
    with HttpCameraServer(around(6)) as server:
        assert refused(server.url("/0")).code is CameraFault.NO_PICTURES


def test_a_redirection_may_lead_to_another_device_that_gets_no_password() -> None:
    with HttpCameraServer(stream([JPEG])) as other:
        away = other.url("/there").replace("127.0.0.1", "localhost")
        with HttpCameraServer(with_basic("someone", SECRET, fixed(redirect(away)))) as server:
            assert first(server.url(login=LOGIN)) == JPEG
        assert [request.path for request in other.requests] == ["/there"]
        assert "Authorization" not in other.requests[0].headers


@pytest.mark.parametrize("inside", [stream([JPEG]), picture(JPEG)])
@pytest.mark.parametrize("algorithm", ["MD5", "SHA-256"])
@pytest.mark.parametrize("qop", ["auth", "auth,auth-int", ""])
def test_digest_lets_in(inside: Respond, algorithm: str, qop: str) -> None:
    gate = DigestGate("someone", SECRET, inside, algorithm=algorithm, qop=qop)
    with HttpCameraServer(gate) as server:
        assert first(server.url("/video?a=b", LOGIN)) == JPEG
        assert gate.refused == 1


def test_digest_is_preferred_so_that_the_password_is_not_sent() -> None:
    gate = DigestGate("someone", SECRET, picture(JPEG), others=('Basic realm="a"',))
    with HttpCameraServer(gate) as server:
        assert first(server.url(login=LOGIN)) == JPEG
        sent_headers = [request.headers.get("Authorization", "") for request in server.requests]
    assert not any(header.startswith("Basic") for header in sent_headers)


def test_basic_lets_in_any_sign() -> None:
    with HttpCameraServer(with_basic("mé", "p@:ss/", picture(JPEG))) as server:
        assert first(server.url(login="m%C3%A9:p%40:ss%2F")) == JPEG


@pytest.mark.parametrize(
    "gate",
    [with_basic("someone", "another", picture(JPEG)), DigestGate("someone", "x", picture(JPEG))],
)
def test_a_wrong_password_and_none_are_told_apart(gate: Respond) -> None:
    with HttpCameraServer(gate) as server:
        wrong, none = refused(server.url(login=LOGIN)), refused(server.url())
        assert len(server.requests) == 3
    assert wrong.code is none.code is CameraFault.PASSWORD
    assert (
        str(wrong) == f"{server.url()} refuses the user or the password; check both in its address"
    )
    assert str(none).startswith(f"{server.url()} wants a password; write user and password before")


def shown(error: BaseException) -> str:
    """All that can be printed of an error, with the local variables of its frames."""
    texts = []
    todo: list[BaseException | None] = [error]
    while todo:
        one = todo.pop()
        if one is None:
            continue
        todo += [one.__cause__, one.__context__]
        frames = one.__traceback__ and one.__traceback__.tb_next
        printed = traceback.TracebackException(
            type(one), one, frames, capture_locals=True, compact=False
        )
        texts += [str(one), repr(one), repr(one.args), *printed.format()]
    return "\n".join(texts)


HIDDEN = (SECRET, "someone", base64.b64encode(LOGIN.encode()).decode())
ECHO = redirect(f"http://{LOGIN}@{SECRET}.invalid:1/{SECRET}?pwd={SECRET}")


@pytest.mark.parametrize(
    "respond",
    [
        with_basic("someone", "another", picture(JPEG)),
        DigestGate("someone", "another", picture(JPEG)),
        with_basic("someone", SECRET, fixed(answer("404 No"))),
        with_basic("someone", SECRET, lambda *_: False),
        with_basic("someone", SECRET, fixed(ECHO)),
        fixed(b"nonsense\r\n"),
        lambda *_: False,
    ],
)
def test_no_error_shows_a_password(respond: Respond) -> None:
    with HttpCameraServer(respond) as server, pytest.raises(CameraError) as caught:
        HttpCamera(server.url(f"/video?pwd={SECRET}", LOGIN))
    for secret in HIDDEN:
        assert secret not in shown(caught.value)
        assert secret not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        f"http://{LOGIN}@127.0.0.1:1/video",
        f"http://{LOGIN}@no-such-camera.invalid/video",
        f"http://{LOGIN}@127.0.0.1:port/video",
        f"http://{LOGIN}#@127.0.0.1/video",
        f"ftp://{LOGIN}@127.0.0.1/video",
    ],
)
def test_no_error_of_an_address_shows_its_password(url: str) -> None:
    with pytest.raises(CameraError) as caught:
        HttpCamera(url)
    assert SECRET not in shown(caught.value)
    assert caught.value.__cause__ is caught.value.__context__ is None


def test_a_camera_that_is_open_shows_no_password_and_fails_without() -> None:
    with HttpCameraServer(with_basic("someone", SECRET, stream([JPEG], linger_s=0.0))) as server:
        camera = HttpCamera(server.url(login=LOGIN))
        assert SECRET not in f"{camera} {camera!r} {camera.name}"
        assert camera.read(2.0) is not None
        with pytest.raises(CameraError) as caught:
            camera.read(2.0)
        camera.close()
    assert SECRET not in shown(caught.value)


def test_an_address_of_https_is_read_if_its_certificate_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = self_signed(tmp_path)
    for inside in (stream([JPEG], linger_s=2.0), picture(JPEG)):
        with HttpCameraServer(with_basic("someone", SECRET, inside), certificate) as server:
            monkeypatch.delenv("SSL_CERT_FILE", raising=False)
            error = refused(server.url(login=LOGIN))
            assert error.code is CameraFault.UNREACHABLE
            assert "a certificate that this machine does not trust; use" in str(error)
            assert SECRET not in shown(error)
            monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
            assert first(server.url(login=LOGIN)) == JPEG


def test_https_to_a_camera_that_only_knows_http_has_a_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def respond() -> None:
            with listener.accept()[0] as line:
                line.recv(1)
                line.sendall(answer("400 No"))
                line.recv(1 << 16)

        thread = threading.Thread(target=respond)
        thread.start()
        error = refused(f"https://127.0.0.1:{listener.getsockname()[1]}/")
        thread.join(2.0)
    assert error.code is CameraFault.UNREACHABLE
    assert "does not speak https; use its address with http:" in str(error)
