"""Streams of JPEGs: the ways in which cameras write them, the newest picture, ends, closing."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import repeat

import pytest

from firmware.cameras.http_camera import HttpCamera
from firmware.cameras.interfaces import CameraError
from firmware.codes import CameraFault
from tests.support.camera_benches import read_on
from tests.support.http_camera import (
    CameraRequest,
    HttpCameraServer,
    Respond,
    chunk,
    numbered_jpeg,
    part,
    sent,
    stream,
    stream_head,
)
from tests.support.picture_files import jpeg_with
from tests.support.wall_clock import WALL_CLOCK

JPEGS = [numbered_jpeg(number) for number in range(6)]
WAIT_S = 2.0
SHORT_S = 0.15


@contextmanager
def opened(respond: Respond) -> Iterator[HttpCamera]:
    with HttpCameraServer(respond) as server:
        camera = HttpCamera(server.url())
        try:
            yield camera
        finally:
            camera.close()


def read(camera: HttpCamera, timeout_s: float = WAIT_S) -> bytes | None:
    got = camera.read(timeout_s)
    return None if got is None else got.encoded


def every(camera: HttpCamera) -> list[bytes]:
    """The pictures until nothing comes."""
    found = []
    while (jpeg := read(camera, 2 * SHORT_S)) is not None:
        found.append(jpeg)
    return found


def slowly(*pieces: bytes) -> Respond:
    return sent(*pieces, pause_s=0.05)


def preview(inner: bytes, outer: bytes) -> bytes:
    """A JPEG with another one in a header segment, as cameras write previews."""
    content = b"Exif\0\0" + inner
    return outer[:2] + b"\xff\xe1" + (len(content) + 2).to_bytes(2, "big") + content + outer[2:]


@pytest.mark.parametrize("declared", ["frame", '"frame"', "--frame", '"--frame"', '"frame"; a=b'])
@pytest.mark.parametrize("lengths", [-1, None])
def test_boundaries_are_quoted_or_not_and_have_their_dashes_or_not(
    declared: str, lengths: int | None
) -> None:
    parts = [part(jpeg, length=lengths) for jpeg in JPEGS[:3]]
    with opened(slowly(stream_head(declared), *parts)) as camera:
        assert every(camera) == JPEGS[:3]


def test_marks_may_have_more_dashes_than_declared() -> None:
    parts = [part(jpeg, "----frame", length=None) for jpeg in JPEGS[:3]]
    with opened(slowly(stream_head("--frame"), *parts)) as camera:
        assert every(camera) == JPEGS[:3]


PARTS = b"".join(part(jpeg) for jpeg in JPEGS[:2])
OK = b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(OK + b"Content-Type: application/octet-stream\r\n\r\n" + PARTS, id="octets"),
        pytest.param(b"HTTP/1.0 200 OK\r\n\r\n" + PARTS, id="no type"),
        pytest.param(OK + b"Content-Type: image/jpeg\r\n\r\n" + PARTS, id="type of a picture"),
        pytest.param(OK + b"Content-Type: video/x-motion-jpeg\r\n\r\n" + JPEGS[0] + JPEGS[1]),
        pytest.param(stream_head("somethingelse") + PARTS, id="another boundary"),
        pytest.param(stream_head("") + PARTS, id="no boundary"),
        pytest.param(stream_head() + PARTS.removeprefix(b"--frame\r\n"), id="no first boundary"),
        pytest.param((stream_head() + PARTS).replace(b"\r\n", b"\n"), id="bare line feeds"),
    ],
)
def test_jpegs_are_found_whatever_the_camera_calls_them(reply: bytes) -> None:
    pieces = [reply[: reply.index(JPEGS[1])], reply[reply.index(JPEGS[1]) :]]
    with opened(slowly(*pieces)) as camera:
        assert every(camera) == JPEGS[:2]


@pytest.mark.parametrize(
    "head", [stream_head() + b"--frame\r\n\r\n", OK + b"Content-Type: image/jpeg\r\n\r\n"]
)
def test_a_jpeg_right_behind_another_is_no_picture_of_its_own(head: bytes) -> None:
    with opened(slowly(head + JPEGS[0] + bytes(8), JPEGS[1])) as camera:
        assert every(camera) == JPEGS[:1]


@pytest.mark.parametrize("lengths", [-1, None])
def test_a_picture_is_complete_with_its_last_byte(lengths: int | None) -> None:
    data = part(JPEGS[0], length=lengths).removesuffix(b"\r\n")
    with opened(sent(stream_head() + data)) as camera:
        assert read(camera) == JPEGS[0]


@pytest.mark.parametrize("lengths", [-1, None])
def test_parts_arrive_in_pieces_of_any_size(lengths: int | None) -> None:
    data = b"".join(part(jpeg, length=lengths) for jpeg in JPEGS[:2])
    pieces = [data[at : at + 97] for at in range(0, len(data), 97)]
    found = []
    with opened(sent(stream_head(), *pieces, pause_s=0.01)) as camera:
        found = every(camera)
    assert found == JPEGS[:2]


def test_a_chunked_stream_is_read_wherever_its_chunks_are_cut() -> None:
    data = b"".join(part(jpeg, length=None) for jpeg in JPEGS[:3])
    chunks = [chunk(data[at : at + 211]) for at in range(0, len(data), 211)]
    body = b"".join(chunks)
    pieces = [body[at : at + 53] for at in range(0, len(body), 53)]
    head = stream_head("frame", "Transfer-Encoding: chunked")
    with opened(sent(head, *pieces, pause_s=0.002)) as camera:
        assert every(camera) == JPEGS[:3]


def test_a_preview_inside_a_picture_is_no_end_of_it() -> None:
    whole = preview(JPEGS[1], JPEGS[0])
    with opened(slowly(stream_head(), part(whole, length=None), part(JPEGS[2]))) as camera:
        assert every(camera) == [whole, JPEGS[2]]


def test_filling_behind_a_picture_is_taken_off() -> None:
    with opened(slowly(stream_head(), part(JPEGS[0] + bytes(40)))) as camera:
        assert read(camera) == JPEGS[0]


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(part(JPEGS[0][:-200]), id="cut, with its length"),
        pytest.param(part(JPEGS[0][:-200], length=None), id="cut, without a length"),
        pytest.param(part(JPEGS[0][:100], length=None), id="cut in its headers"),
        pytest.param(part(JPEGS[0], length=len(JPEGS[0]) - 50), id="length too small"),
        pytest.param(part(JPEGS[0][:-9], length=len(JPEGS[0]) + 70), id="length too large"),
        pytest.param(part(b"", length=0), id="empty"),
        pytest.param(part(b"<p>no picture</p>"), id="no picture"),
    ],
)
def test_a_broken_part_is_skipped_and_the_next_one_is_read(broken: bytes) -> None:
    respond = sent(stream_head() + broken + part(JPEGS[1]) + part(JPEGS[2], length=None))
    with opened(respond) as camera:
        assert every(camera)[-1] == JPEGS[2]
    with opened(sent(stream_head() + broken + part(JPEGS[1]))) as camera:
        assert read(camera) == JPEGS[1]


def test_of_all_that_has_piled_up_only_the_newest_is_read() -> None:
    with opened(stream(JPEGS)) as camera:
        time.sleep(0.2)
        assert read(camera) == JPEGS[-1]
        assert read(camera, SHORT_S) is None


@WALL_CLOCK
def test_after_a_pause_the_picture_is_new() -> None:
    shown: list[float] = []
    jpeg = numbered_jpeg(1, 500)

    def live() -> Iterator[bytes]:
        while True:
            shown.append(time.monotonic())
            yield jpeg_with(jpeg, b"\xff\xfe\x00\x06%04d" % len(shown))

    with opened(stream(live(), 0.02)) as camera:
        time.sleep(1.0)
        begun_s = time.monotonic()
        encoded = read(camera)
        assert encoded is not None
        at = encoded.index(b"\xff\xfe\x00\x06") + 4
        assert begun_s - shown[int(encoded[at : at + 4]) - 1] < 0.3


@WALL_CLOCK
def test_after_a_pause_the_last_picture_of_a_slow_stream_is_read() -> None:
    with opened(slowly(stream_head(), *map(part, JPEGS[:3]))) as camera:
        time.sleep(0.8)
        begun_s = time.monotonic()
        assert read(camera) == JPEGS[2]
        assert time.monotonic() - begun_s < 0.6


@WALL_CLOCK
def test_a_slow_reader_is_never_behind() -> None:
    with opened(stream((JPEGS[k % 6] for k in range(600)), 0.005)) as camera:
        for _ in range(4):
            found = camera.read(WAIT_S)
            assert found is not None
            assert time.monotonic() - found.time_s < 0.15  # less than the pause
            time.sleep(0.2)


@WALL_CLOCK
def test_times_rise_and_are_those_of_arrival() -> None:
    with opened(stream(JPEGS, 0.05)) as camera:
        times = []
        while (found := camera.read(2 * SHORT_S)) is not None:
            assert 0 <= time.monotonic() - found.time_s < 0.05
            times.append(found.time_s)
    assert len(times) == len(JPEGS)
    assert times == sorted(times)


@WALL_CLOCK
def test_nothing_comes_in_time() -> None:
    with opened(sent(stream_head())) as camera:
        begun_s = time.monotonic()
        assert camera.read(SHORT_S) is None
        assert SHORT_S <= time.monotonic() - begun_s < SHORT_S + 0.3
        assert camera.read(0.0) is None


@WALL_CLOCK
@pytest.mark.parametrize("pause_s", [0.0, 0.01])
def test_a_camera_that_trickles_does_not_lengthen_the_wait(pause_s: float) -> None:
    stop = threading.Event()

    def respond(_: CameraRequest, line: socket.socket) -> object:
        line.sendall(stream_head() + b"--frame\r\nContent-Length: 9000000\r\n\r\n")
        while not stop.wait(pause_s):
            line.sendall(b"\0")
        return False

    with opened(respond) as camera:
        begun_s = time.monotonic()
        assert camera.read(SHORT_S) is None
        assert time.monotonic() - begun_s < SHORT_S + 0.3
        stop.set()


@pytest.mark.parametrize("last", [b"", b"0\r\n\r\n"])
def test_after_the_last_picture_the_stream_has_ended(last: bytes) -> None:
    head = stream_head("frame", *["Transfer-Encoding: chunked"] * (last != b""))
    data = part(JPEGS[0])
    with opened(sent(head + (chunk(data) + last if last else data), linger_s=0.0)) as camera:
        assert read(camera) == JPEGS[0]
        for _ in range(2):
            with pytest.raises(CameraError, match="the stream ended") as caught:
                camera.read(WAIT_S)
            assert caught.value.code is CameraFault.FAILED


@pytest.mark.parametrize("begin", [b"", b"\xff\xd8", b"\xff\xd8\xff\xda"])
def test_more_than_20_megabytes_without_a_picture_are_an_error(begin: bytes) -> None:
    endless = sent(stream_head() + part(begin, length=None), *[bytes(1_000_000)] * 40)
    with (
        HttpCameraServer(endless) as server,
        pytest.raises(CameraError, match="more than 20 MB") as caught,
    ):
        reads(server.url())
    assert caught.value.code is CameraFault.FAILED


def reads(url: str) -> None:
    """Opens a camera and reads it until it fails."""
    camera = HttpCamera(url)
    try:
        for _ in range(20):
            camera.read(WAIT_S)
    finally:
        camera.close()


def closed_meanwhile(work: Callable[[], object], close: Callable[[], None]) -> float:
    """Closes while another thread works; the seconds until its CameraError."""
    ended: list[CameraError] = []

    def run() -> None:
        try:
            work()
        except CameraError as error:
            ended.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    time.sleep(0.1)
    begun_s = time.monotonic()
    close()
    thread.join(4.0)
    assert [error.code for error in ended] == [CameraFault.FAILED]
    assert "is closed" in str(ended[0])
    return time.monotonic() - begun_s


def test_closing_from_another_thread_ends_the_wait() -> None:
    with opened(sent(stream_head())) as camera:
        assert closed_meanwhile(lambda: camera.read(4.0), camera.close) < 1.0
        camera.close()
        with pytest.raises(CameraError, match="is closed"):
            camera.read(SHORT_S)


def test_closing_ends_the_read_of_an_endless_flood() -> None:
    with opened(stream(repeat(numbered_jpeg(1, 300)))) as camera:
        assert closed_meanwhile(lambda: read_on(camera), camera.close) < 1.0
