"""Bytes of a camera that is none: each answer is a picture or a sentence, and no thread fails."""

import re
import socket
import threading
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from firmware.cameras.http_camera import HttpCamera
from firmware.cameras.interfaces import CameraError
from firmware.codes import CameraFault
from tests.support.http_camera import HttpCameraServer, numbered_jpeg

pytestmark = pytest.mark.slow

JPEG = numbered_jpeg(1)
SIGNS = st.binary(max_size=40).map(lambda data: re.sub(rb"[\r\n]", b"", data))
VALUE = st.one_of(
    SIGNS,
    st.sampled_from(
        [
            b"",
            b"9" * 5000,
            b"-1",
            b"chunked",
            b"close",
            b"image/jpeg",
            b"multipart/x-mixed-replace; boundary=\xff",
            b"multipart/x-mixed-replace; boundary*0*=\xff''%ff",
            b"http://[",
            b"http://[::1]:99999999/",
            b"http://\xff/",
            b"//\xe2\x84\x80/",
            b'Digest realm="\xff", nonce=, qop=auth',
            b"Basic",
        ]
    ),
)
NAME = st.sampled_from(
    b"Content-Type Content-Length Transfer-Encoding Location WWW-Authenticate \xff".split()
)
FIRST = st.one_of(
    SIGNS,
    st.sampled_from(
        [
            b"HTTP/1.1 %s No" % status
            for status in b"200 200 100 204 206 301 302 401 404 503".split()
        ]
        + [b"HTTP/1.1 \xb2\xb2\xb2", b"HTTP/9.9 200", b"ICY 200 OK", b"\x15\x03\x01\0\x02\x02"]
    ),
)
BODY = st.one_of(
    st.binary(max_size=60),
    st.sampled_from(
        [JPEG, JPEG[:200], JPEG * 2, b"--\xff\r\n\r\n" + JPEG, b"zz\r\n", b"5\r\nabcde\r\n"]
    ),
)


@pytest.fixture(scope="module")
def failed() -> Iterator[list[object]]:
    """Exceptions that no thread expected."""
    found: list[object] = []
    before, threading.excepthook = threading.excepthook, found.append
    yield found
    threading.excepthook = before


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    first=FIRST,
    headers=st.lists(st.tuples(NAME, VALUE), max_size=4),
    bodies=st.lists(BODY, max_size=3),
)
@example(first=b"HTTP/1.1 302 No", headers=[(b"Location", b"http://[")], bodies=[])
def test_an_answer_of_any_content_is_a_picture_or_a_sentence(
    failed: list[object], first: bytes, headers: list[tuple[bytes, bytes]], bodies: list[bytes]
) -> None:
    reply = b"\r\n".join([first, *(b"%s: %s" % one for one in headers), b"", b"".join(bodies)])

    def respond(_: object, line: socket.socket) -> bool:
        line.sendall(reply)
        return False

    with HttpCameraServer(respond) as server:
        error = None
        try:
            HttpCamera(server.url(login="someone:secret")).close()
        except CameraError as refused:
            error = refused
    assert failed == []
    assert error is None or error.code is not CameraFault.SILENT
    assert error is None or re.fullmatch("(?!.*secret)[^\n]{20,300}", str(error))
