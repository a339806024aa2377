"""Finds the driver for the source that a person named."""

from collections.abc import Callable
from pathlib import Path

from firmware.cameras.interfaces import CameraDriver, CameraError, CameraFault
from firmware.cameras.playback import PlaybackCamera
from vision.errors import SourceError

Opener = Callable[[], CameraDriver]
"""Function that opens a driver."""


def opener_of(source: str, *, speed: float = 1.0) -> Opener:
    """Returns a function that opens the camera of a source.

    Args:
        source: a device such as `/dev/video0` or `0`, `picamera2`, an address that begins with
            http:// or https://, a folder of pictures, a video file, or `auto`.
        speed: factor of the pace of a recording.

    Raises:
        SourceError: there is no such kind of source.
    """
    if source == "auto":
        return _first
    if source == "picamera2":
        return _raspberry_pi
    if source.isdecimal() or source.startswith("/dev/"):
        return lambda: _usb(int(source) if source.isdecimal() else source)
    if source.startswith(("http://", "https://")):
        return lambda: _http(source)
    if "://" in source:
        scheme = source.partition("://")[0]
        raise SourceError(
            f"cameras with {scheme}:// cannot be read; give the http:// address of its video"
        )
    PlaybackCamera(Path(source), speed).close()  # a wrong name is refused at once
    return lambda: PlaybackCamera(Path(source), speed)


def _first() -> CameraDriver:
    """Opens the first camera that answers: that of a Raspberry Pi, then one at USB."""
    reasons = []
    for open_it in (_raspberry_pi, lambda: _usb(0)):
        try:
            return open_it()
        except CameraError as error:
            reasons.append(str(error))
    raise CameraError(CameraFault.MISSING, "; ".join(reasons))


def _raspberry_pi() -> CameraDriver:
    from firmware.cameras.raspberry_pi import RaspberryPiCamera  # noqa: PLC0415, its library is big

    return RaspberryPiCamera()


def _usb(device: int | str) -> CameraDriver:
    from firmware.cameras.usb import UsbCamera  # noqa: PLC0415, only where it is asked for

    return UsbCamera(device)


def _http(url: str) -> CameraDriver:
    from firmware.cameras.http_camera import open_http_camera  # noqa: PLC0415, see above

    return open_http_camera(url)
