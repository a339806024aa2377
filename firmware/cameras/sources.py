"""Finds the driver for the source that a person named."""

import logging
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from firmware.cameras.http_camera import HttpCamera
from firmware.cameras.interfaces import CameraDriver, CameraError
from firmware.cameras.network_address import with_scheme
from firmware.cameras.phone import PhoneCamera
from firmware.cameras.playback import PlaybackCamera
from firmware.cameras.raspberry_pi import RaspberryPiCamera
from firmware.cameras.rtsp import RtspCamera
from firmware.cameras.stored_exposure import KEEPS_NOTHING, ExposureMemory
from firmware.cameras.usb import UsbCamera
from firmware.codes import AUTO_CAMERA, PHONE_CAMERA, CameraFault
from firmware.errors import without_passwords
from vision.errors import SourceError

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
    phone: PhoneCamera | None = None,
) -> Opener:
    """Returns a function that opens the camera of a source.

    Args:
        source: one of `CAMERA_SOURCES` of the settings; an address without http:// gets it.
        speed: factor of the pace of a recording.
        tell: is told which camera `auto` takes, and why no other.
        exposures: keeps the locked exposure of a camera of this machine.
        mains_hz: frequency of the mains, for such a camera; 0 leaves it to the camera.
        phone: the camera of a phone; None where no page takes its pictures.

    Raises:
        SourceError: there is no such kind of source.
    """
    source = with_scheme(source)
    raspberry_pi = partial(RaspberryPiCamera, exposures=exposures, mains_hz=mains_hz)
    usb = partial(UsbCamera, exposures=exposures, mains_hz=mains_hz)
    if source == AUTO_CAMERA:

        def first() -> CameraDriver:
            return _first(tell, [raspberry_pi, *(partial(usb, one) for one in _numbers())])

        return first if phone is None else phone.before(first)
    if source == "picamera2":
        return raspberry_pi
    if source.isdecimal() or source.startswith("/dev/"):
        return partial(usb, source)
    if source.startswith(("http://", "https://")):
        return lambda: HttpCamera(source)
    if source.startswith("rtsp://"):
        return lambda: RtspCamera(source)
    return _other(source, speed, phone)


def _other(source: str, speed: float, phone: PhoneCamera | None) -> Opener:
    """Returns a function that opens a phone or a recording.

    Raises:
        SourceError: there is no such kind of source.
    """
    if source == PHONE_CAMERA:
        if phone is None:
            raise SourceError("a phone is the camera of a table alone: cornerlight run")
        return phone.opened
    if "://" in source:
        scheme = source.partition("://")[0]
        raise SourceError(
            f"cameras with {scheme}:// cannot be read; give an address with http:// or rtsp://"
        )
    _open_recording(source, speed).close()  # a wrong name is refused at once
    return lambda: _open_recording(source, speed)


def _first(tell: Tell, openers: Sequence[Opener]) -> CameraDriver:
    """Opens the first camera that answers."""
    refused: list[CameraError] = []
    for open_it in openers:
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


def _numbers() -> list[int]:
    """Returns the numbers of the cameras at USB; that of the first one if there is none."""
    names = (path.name.removeprefix("video") for path in _DEVICES.glob("video*"))
    return sorted(int(name) for name in names if name.isdecimal()) or [0]


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
