"""Cameras that speak RTSP: what GStreamer's own server sends, and a sentence for each refusal."""

import os
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from firmware.cameras.interfaces import CameraError, Picture
from firmware.cameras.rtsp import RtspCamera
from firmware.codes import CameraFault
from tests.support import rtsp_server
from tests.support.camera_benches import WAIT_S
from tests.support.rtsp_server import SOUND, RtspServer, video
from tests.support.wall_clock import WALL_CLOCK

pytestmark = pytest.mark.slow

server_wanted = pytest.mark.skipif(rtsp_server.missing() != "", reason=rtsp_server.missing())

BLACK, WHITE = 0xFF000000, 0xFFFFFFFF


def refused(url: str, library: Callable[[], Any] | None = None) -> CameraError:
    with pytest.raises(CameraError) as caught:
        RtspCamera(url, library=library)
    # Not even a debugger that prints causes shows FFmpeg's error, which has the whole address.
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    return caught.value


@server_wanted
@pytest.mark.parametrize("encoder", rtsp_server.ENCODERS)
def test_pictures_of_each_format_are_whole(encoder: str) -> None:
    with RtspServer(video((320, 240), encoder=encoder, pattern="solid-color")) as server:
        server.show(WHITE)
        camera = RtspCamera(server.url())
        for _ in range(3):
            picture = camera.read(WAIT_S)
            assert picture is not None
            assert picture.image is not None
            assert picture.image.shape == (240, 320, 3)
            assert picture.image.min() > 230, "nothing of it is grey or green"
        camera.close()


@server_wanted
@pytest.mark.parametrize("method", ["basic", "digest"])
def test_a_password_opens_and_is_shown_nowhere(method: str) -> None:
    with RtspServer(login="ann:s3/cr@t", method=method) as server:
        camera = RtspCamera(server.url(login="ann:s3%2Fcr%40t"))
        assert camera.name == server.url()
        assert camera.read(WAIT_S) is not None
        camera.close()
        for login, why in (("", "wants a password"), ("ann:wr0ng", "check both")):
            error = refused(server.url(login=login))
            assert error.code is CameraFault.PASSWORD
            assert why in str(error)
            assert "wr0ng" not in "".join(traceback.format_exception(error))


@server_wanted
def test_a_stream_that_is_missing_or_has_no_video_is_refused() -> None:
    with RtspServer() as server:
        error = refused(server.url("/elsewhere"))
        assert error.code is CameraFault.NO_PICTURES
        assert str(error).startswith(f"{server.url('/elsewhere')} does not exist")
    with RtspServer(SOUND) as server:
        error = refused(server.url())
        assert error.code is CameraFault.NO_PICTURES
        assert "sends no video" in str(error)


@server_wanted
def test_a_camera_that_answers_nothing_is_silent() -> None:
    with RtspServer() as server:
        camera = RtspCamera(server.url())
        assert camera.read(WAIT_S) is not None
        os.kill(server.process.pid, signal.SIGSTOP)
        while camera.read(0.5) is not None:
            pass
        camera.close()
        assert refused(server.url()).code is CameraFault.SILENT


@WALL_CLOCK
@server_wanted
def test_pictures_are_new_although_this_machine_is_slower_than_the_camera(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put = RtspCamera._put

    def slowly(camera: RtspCamera, picture: Picture) -> None:
        time.sleep(0.1)
        put(camera, picture)

    monkeypatch.setattr(RtspCamera, "_put", slowly)
    with RtspServer(video((640, 480), fps=30, pattern="solid-color")) as server:
        server.show(BLACK)
        camera = RtspCamera(server.url())
        end_s = time.monotonic() + 4.0
        while time.monotonic() < end_s:
            camera.read(WAIT_S)
        server.show(WHITE)
        changed_s = time.monotonic()
        brightness = 0.0
        while brightness < 128:
            picture = camera.read(WAIT_S)
            assert picture is not None
            assert picture.image is not None
            brightness = float(picture.image.mean())
        assert time.monotonic() - changed_s < 1.5
        camera.close()


class FileLibrary:
    """The library, with a file as the stream of each camera."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.error = import_module("av").error

    def open(self, _: str, *, options: dict[str, str], timeout: object) -> Any:
        assert int(options["max_pixels"]) < 3700**2, "FFmpeg decodes some when it opens a stream"
        return import_module("av").open(str(self._path), options=options)


def write_video(path: Path, side: int) -> None:
    """Writes a grey video of H.264; its file is small, whatever its size."""
    av = pytest.importorskip("av")
    with av.open(str(path), "w", format="mpegts") as file:
        stream = file.add_stream("libx264", rate=5, options={"preset": "ultrafast"})
        stream.width = stream.height = side
        frame = av.VideoFrame(side, side, "yuv420p")
        for plane in frame.planes:
            plane.update(bytes([128]) * plane.buffer_size)
        file.mux([*stream.encode(frame), *stream.encode(None)])


def test_a_picture_of_too_many_pixels_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    path = tmp_path / "video.ts"
    write_video(path, 3700)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"rtsp://127.0.0.1:{listener.getsockname()[1]}/live"
        error = refused(url, library=lambda: FileLibrary(path))
        assert "more than 13 million pixels; choose its smaller stream" in str(error)
        write_video(path, 320)
        camera = RtspCamera(url, library=lambda: FileLibrary(path))
        picture = camera.read(WAIT_S)
        camera.close()
    assert picture is not None
    assert picture.image is not None
    assert picture.image.shape == (320, 320, 3)


def test_a_device_that_is_no_camera_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    error = refused(f"rtsp://ann:s3cret@127.0.0.1:{port}/live", library=object)
    assert error.code is CameraFault.UNREACHABLE
    assert str(error) == (
        f"rtsp://127.0.0.1:{port}/live refuses the connection; "
        "start the camera, and check the port in its address"
    )


@pytest.mark.parametrize("url", ["rtsp://", "http://ann:s3cret@cam/", "rtsp://ann:s3/cret@cam/"])
def test_what_is_no_address_is_refused_without_the_password(url: str) -> None:
    error = refused(url)
    assert "cret" not in str(error)
    assert "write" in str(error)


def test_without_the_library_its_installation_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(CameraError) as caught:
        RtspCamera("rtsp://ann:s3cret@127.0.0.1/live")
    assert caught.value.code is CameraFault.MISSING
    assert "-m pip install av" in str(caught.value)
