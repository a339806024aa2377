"""Simulated cameras with their drivers, for the suite that all drivers share.

A new driver adds one function to `BENCHES`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NoReturn

from firmware.cameras.interfaces import CameraDriver
from firmware.cameras.raspberry_pi import RaspberryPiCamera
from firmware.cameras.usb import UsbCamera
from firmware.simulator.picamera2_library import Picamera2Library
from firmware.simulator.v4l2_device import MJPG, YUYV, V4l2Device

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
    """

    open: Callable[[tuple[int, int]], CameraDriver]
    unplug: Callable[[], None]
    slow: Callable[[], None]
    exclusive: bool = True


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


BENCHES: Final[dict[str, Callable[[], CameraBench]]] = {
    "usb": usb,
    "usb-uncompressed": lambda: usb(compressed=False),
    "raspberry-pi": raspberry_pi,
}
"""All drivers."""
