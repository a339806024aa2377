"""Finds the driver for the source that a person named."""

import logging
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from firmware.cameras.interfaces import CameraDriver, CameraError
from firmware.cameras.network_address import with_scheme
from firmware.cameras.playback import PlaybackCamera
from firmware.cameras.stored_exposure import KEEPS_NOTHING, ExposureMemory
from firmware.codes import CameraFault
from firmware.errors import without_passwords
from vision.errors import SourceError

AUTO: Final = "auto"
"""The source that stands for the first camera that answers."""

Opener = Callable[[], CameraDriver]
"""Function that opens a driver."""

Tell = Callable[[str], None]
"""Function that tells people a sentence."""

_DEVICES: Final = Path("/dev")
"""Folder of the devices of Linux."""

_log = logging.getLogger(__name__)


def opener_of(
    source: str,
    *,
    speed: float = 1.0,
    tell: Tell = _log.info,
    exposures: ExposureMemory = KEEPS_NOTHING,
    mains_hz: int = 0,
) -> Opener:
    """Returns a function that opens the camera of a source.

    Args:
        source: a device such as `/dev/video0` or `0`, `picamera2`, an address with http://,
            https:// or rtsp://, or without for http, a folder of pictures, a video file, or `auto`.
        speed: factor of the pace of a recording.
        tell: is told which camera `auto` takes, and why no other.
        exposures: keeps the locked exposure of a camera of this machine.
        mains_hz: frequency of the mains, for such a camera; 0 leaves it to the camera.

    Raises:
        SourceError: there is no such kind of source.
    """
    source = with_scheme(source)
    if source == AUTO:
        return lambda: _first(tell, exposures, mains_hz)
    if source == "picamera2":
        return lambda: _raspberry_pi(exposures, mains_hz)
    if source.isdecimal() or source.startswith("/dev/"):
        return lambda: _usb(int(source) if source.isdecimal() else source, exposures, mains_hz)
    if source.startswith(("http://", "https://")):
        return lambda: _http(source)
    if source.startswith("rtsp://"):
        return lambda: _rtsp(source)
    if "://" in source:
        scheme = source.partition("://")[0]
        raise SourceError(
            f"cameras with {scheme}:// cannot be read; give an address with http:// or rtsp://"
        )
    _open_recording(source, speed).close()  # a wrong name is refused at once
    return lambda: _open_recording(source, speed)


def _first(tell: Tell, exposures: ExposureMemory, mains_hz: int) -> CameraDriver:
    """Opens the first camera that answers: that of a Raspberry Pi, then those at USB."""
    refused: list[CameraError] = []
    for open_it in _candidates(exposures, mains_hz):
        try:
            camera = open_it()
        except CameraError as error:
            refused.append(error)
            continue
        others = f"; not taken: {_joined(refused)}" if refused else ""
        tell(f"camera.source = auto takes the {camera.name}{others}")
        return camera
    code = next((one.code for one in refused if one.code is not CameraFault.MISSING), None)
    raise CameraError(code or CameraFault.MISSING, _joined(refused))


def _candidates(exposures: ExposureMemory, mains_hz: int) -> Iterator[Opener]:
    """Yields functions that open the cameras of this machine, in the order of `auto`."""
    yield lambda: _raspberry_pi(exposures, mains_hz)
    numbers = sorted(
        int(path.name.removeprefix("video"))
        for path in _DEVICES.glob("video*")
        if path.name.removeprefix("video").isdecimal()
    )
    for number in numbers or [0]:
        yield partial(_usb, number, exposures, mains_hz)


def _joined(refused: list[CameraError]) -> str:
    return "; ".join(str(error) for error in refused)


def _open_recording(source: str, speed: float) -> CameraDriver:
    """Opens a recording.

    Raises:
        SourceError: it cannot be played; a password in an address that was taken for a file is
            not in the message.
    """
    try:
        return PlaybackCamera(Path(source), speed)
    except SourceError as error:
        message = str(error)
    raise SourceError(without_passwords(message))


def _raspberry_pi(exposures: ExposureMemory, mains_hz: int) -> CameraDriver:
    from firmware.cameras.raspberry_pi import RaspberryPiCamera  # noqa: PLC0415, its library is big

    return RaspberryPiCamera(exposures=exposures, mains_hz=mains_hz)


def _usb(device: int | str, exposures: ExposureMemory, mains_hz: int) -> CameraDriver:
    from firmware.cameras.usb import UsbCamera  # noqa: PLC0415, only where it is asked for

    return UsbCamera(device, exposures=exposures, mains_hz=mains_hz)


def _http(url: str) -> CameraDriver:
    from firmware.cameras.http_camera import HttpCamera  # noqa: PLC0415, see above

    return HttpCamera(url)


def _rtsp(url: str) -> CameraDriver:
    from firmware.cameras.rtsp import RtspCamera  # noqa: PLC0415, see above

    return RtspCamera(url)
