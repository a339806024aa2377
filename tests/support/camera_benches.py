"""Simulated cameras with their drivers, for the suite that all drivers share.

A new driver adds one function to `BENCHES`.
"""

import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Final, NoReturn

import numpy as np
import pytest

from firmware.cameras.http_camera import HttpCamera
from firmware.cameras.interfaces import CameraDriver
from firmware.cameras.raspberry_pi import RaspberryPiCamera
from firmware.cameras.rtsp import RtspCamera
from firmware.cameras.usb import UsbCamera
from tests.support import rtsp_server, virtual_picamera2
from tests.support.http_camera import CameraRequest, HttpCameraServer, answer, part, stream_head
from tests.support.picamera2_library import Picamera2Library
from tests.support.v4l2_device import MJPG, YUYV, V4l2Device
from vision.io.image_file import encode_jpeg

SIZE: Final = (320, 240)
"""Width and height in pixels of the pictures."""

OTHER_SIZE: Final = (400, 300)
"""A size that the cameras lack."""

SETTLE_S: Final = 0.05
"""Seconds of automatic control."""


WAIT_S: Final = 2.0
"""Longest wait in seconds for a picture."""


@dataclass(frozen=True)
class CameraBench:
    """A camera that a test opens and unplugs.

    Attributes:
        open: opens it with a size.
        unplug: unplugs it.
        slow: makes it give two pictures a second from now on.
        exclusive: True if a second driver may not open it at the same time.
        sized: True if it is asked for a size, and a driver refuses another one.
        close: removes it after the test.
    """

    open: Callable[[tuple[int, int]], CameraDriver]
    unplug: Callable[[], None]
    slow: Callable[[], None]
    exclusive: bool = True
    sized: bool = True
    close: Callable[[], None] = lambda: None


def read_on(camera: CameraDriver) -> NoReturn:
    """Reads until the camera raises its fault."""
    while True:
        camera.read(WAIT_S)


def usb(*, compressed: bool = True) -> CameraBench:
    """A webcam."""
    formats = (MJPG, YUYV) if compressed else (YUYV,)
    device = V4l2Device(sizes=(SIZE, (640, 480)), formats=formats)

    def opened(size: tuple[int, int]) -> CameraDriver:
        return UsbCamera(
            0, size, settle_s=SETTLE_S, capture_factory=device.capture, probe=device.probe
        )

    return CameraBench(opened, device.unplug, lambda: device.set_fps(2))


def raspberry_pi() -> CameraBench:
    """A camera of a Raspberry Pi."""
    library = Picamera2Library(sizes=(SIZE, (640, 480)))

    def opened(size: tuple[int, int]) -> CameraDriver:
        return RaspberryPiCamera(size, settle_s=SETTLE_S, library=lambda: library)

    return CameraBench(opened, library.unplug, lambda: library.set_fps(2))


def picamera2() -> CameraBench:
    """A camera of the real library."""
    bench = virtual_picamera2.bench()

    def opened(size: tuple[int, int]) -> CameraDriver:
        return RaspberryPiCamera(size, settle_s=SETTLE_S, library=virtual_picamera2.library)

    return CameraBench(
        opened, bench.unplug, lambda: virtual_picamera2.set_period(500), close=bench.close
    )


class _Phone:
    """A phone that sends pictures over http; each is another one."""

    def __init__(self) -> None:
        self._pictures = count()
        self._period_s = 0.1
        self.server = HttpCameraServer(self._respond)

    def _jpeg(self) -> bytes:
        width, height = SIZE
        picture = np.full((height, width, 3), next(self._pictures) % 256, np.uint8)
        return encode_jpeg(picture, 80)

    def _respond(self, request: CameraRequest, line: socket.socket) -> object:
        if request.path == "/shot.jpg":
            time.sleep(self._period_s)
            line.sendall(answer("200 OK", "Content-Type: image/jpeg", body=self._jpeg()))
            return True
        line.sendall(stream_head())
        while True:
            line.sendall(part(self._jpeg()))
            time.sleep(self._period_s)

    def slow(self) -> None:
        self._period_s = 0.5


def http(path: str) -> CameraBench:
    """A phone as the camera."""
    phone = _Phone()
    url = phone.server.url(path)
    return CameraBench(
        lambda _: HttpCamera(url),
        phone.server.close,
        phone.slow,
        exclusive=False,
        sized=False,
        close=phone.server.close,
    )


def rtsp() -> CameraBench:
    """A camera with GStreamer's server; the test is skipped where that is missing."""
    if rtsp_server.missing():
        pytest.skip(rtsp_server.missing())
    server = rtsp_server.RtspServer(rtsp_server.video(SIZE, fps=20))
    return CameraBench(
        lambda _: RtspCamera(server.url()),
        server.close,
        server.slow,
        exclusive=False,
        sized=False,
        close=server.close,
    )


BENCHES: Final[dict[str, Callable[[], CameraBench]]] = {
    "usb": usb,
    "usb-uncompressed": lambda: usb(compressed=False),
    "raspberry-pi": raspberry_pi,
    "http-stream": lambda: http("/video"),
    "http-snapshot": lambda: http("/shot.jpg"),
    "rtsp": rtsp,
    **({"picamera2": picamera2} if virtual_picamera2.IS_HERE else {}),
}
"""All drivers."""
