"""A webcam on USB, by OpenCV: Video4Linux on Linux, the system's own interface elsewhere.

A thread reads the camera without a pause. OpenCV cannot be told how long to wait for a picture,
and it keeps the oldest picture of a camera that nobody reads; so the thread waits, and the newest
picture is handed on.
"""

import errno
import fcntl
import os
import struct
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Protocol

import cv2
import numpy as np

from firmware.cameras.interfaces import SILENT_S, CameraError, Picture
from firmware.cameras.jpeg_stream import END
from firmware.cameras.stored_exposure import (
    KEEPS_NOTHING,
    Exposure,
    ExposureMemory,
    locked_exposure,
)
from firmware.cameras.threaded_camera import ThreadedCamera
from firmware.codes import CameraFault
from vision.camera import Image
from vision.io.image_header import header_of

SETTLE_S: Final = 2.0
"""Seconds of automatic exposure, white balance and focus before they are locked: webcams are
steady after 1 to 2 s."""

_FPS: Final = 10.0
"""Pictures a second that a camera is asked for; it may choose another number."""

_CHANGED: Final = 5
"""Pictures dropped after a control was set: the camera has taken up to four of them before."""

_HELD: Final = 0.5
"""Share of the time of settling for which a control has to hold its value to count as locked. Some
cameras have an automatic gain that OpenCV cannot switch off: the kernel's virtual camera takes a
gain, and reports another one at the end of the second."""

_PLAUSIBLE_S: Final = 2.0
"""Largest age in seconds of a picture when it arrives. A larger one is from another clock."""

_SET_CONTROL: Final = 0xC008561C
"""Request of `ioctl` that sets a control (VIDIOC_S_CTRL, linux/videodev2.h)."""

_POWER_LINE_FREQUENCY: Final = 0x00980918
"""Control of the mains' frequency (V4L2_CID_POWER_LINE_FREQUENCY); OpenCV does not know it."""

_MAINS: Final = {50: 1, 60: 2, 0: 3}
"""Value of that control by frequency in Hz; 3 lets the camera find it out, if it can."""

_WAIT: Final = "OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT"
"""Environment variable with the seconds for which OpenCV waits for a picture, 10 without it.
OpenCV reads it at the first picture."""

_MJPG: Final = cv2.VideoWriter.fourcc(*"MJPG")
"""Format in which a webcam sends each picture as a JPEG. Uncompressed, USB 2 has room for
1280x720 only at 10 pictures a second, and many webcams do not offer it."""

_EMPTY: Final = cv2.cvtColor(np.zeros((1, 2, 2), np.uint8), cv2.COLOR_YUV2BGR_YUYV)[0, 0]
"""Colour of the rows that did not arrive in an uncompressed picture: a dark green."""

Device = str | int
"""Path of a camera, or its number."""


class OpenCvCapture(Protocol):
    """The methods of `cv2.VideoCapture` that the driver calls."""

    def isOpened(self) -> bool:  # noqa: N802, a name of OpenCV
        """True from a successful opening to the release, also of an unplugged camera."""
        ...

    def read(self) -> tuple[bool, Any]:
        """Waits for a picture; (False, None) if none came."""
        ...

    def get(self, control: int, /) -> float:
        """Value of a property; -1 or 0 if the camera lacks it."""
        ...

    def set(self, control: int, value: float, /) -> bool:
        """Sets a property; False if the camera refuses it."""
        ...

    def release(self) -> None:
        """Closes the camera."""
        ...


CaptureFactory = Callable[[Device, int], OpenCvCapture]
"""Opens a device with a backend of OpenCV."""

Probe = Callable[[Device, int], None]
"""Looks for a device, and sets the frequency of the mains in Hz."""


@dataclass(frozen=True, slots=True)
class _Control:
    """A setting of a camera.

    Attributes:
        value: property of OpenCV with its value.
        mode: property that switches between automatic and manual; None if there is none.
        automatic: values of the mode, the usual one first (V4L2 menu of each control).
        manual: value of the mode.
    """

    value: int
    mode: int | None = None
    automatic: tuple[float, ...] = ()
    manual: float = 0


_CONTROLS: Final[Mapping[str, _Control]] = {
    "exposure": _Control(cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_AUTO_EXPOSURE, (3, 0), 1),
    "gain": _Control(cv2.CAP_PROP_GAIN),
    "white balance": _Control(cv2.CAP_PROP_WB_TEMPERATURE, cv2.CAP_PROP_AUTO_WB, (1,), 0),
    "focus": _Control(cv2.CAP_PROP_FOCUS, cv2.CAP_PROP_AUTOFOCUS, (1,), 0),
}
"""Controls to lock. The gain has no mode of its own: it follows that of the exposure."""

_MISSING: Final = CameraFault.MISSING, "is not there; plug it in, see: ls /dev/v4l/by-id"
"""Fault and sentence for a device that is not there."""

_FORBIDDEN: Final = (
    CameraFault.NO_PERMISSION,
    "may not be used by this user; put the user into the group video",
)
"""Fault and sentence for a device that this user may not open."""

_REFUSALS: Final = {
    errno.ENOENT: _MISSING,
    errno.ENODEV: _MISSING,
    errno.ENXIO: _MISSING,
    errno.EACCES: _FORBIDDEN,
    errno.EPERM: _FORBIDDEN,
    errno.EBUSY: (CameraFault.BUSY, "is in use by another program; close that program"),
}
"""Fault and sentence for each error number at the opening of a device."""


class UsbCamera(ThreadedCamera):
    """A webcam. Opening it takes the time of settling and about one second more.

    Exposure, gain, white balance and focus are automatic at first and then locked, so that a
    picture changes only if the table changes. Values that are kept from before are locked at once,
    unless the camera refuses them or the picture contradicts them. A picture is the JPEG of the
    camera, or the decoded pixels if the camera sends no JPEG.

    Args:
        device: path such as `/dev/v4l/by-id/...`, or a number.
        size: width and height in pixels.
        exposures: keeps the locked values.
        mains_hz: frequency of the mains, which exposure goes by; 0 leaves it to the camera.
        settle_s: seconds of automatic control before the controls are locked.
        capture_factory: opens the device with a backend of OpenCV; None for OpenCV itself.
        probe: opens the device file, sets the frequency of the mains, and closes it, or raises the
            system's reason if it cannot be opened; None for the real file.

    Raises:
        CameraError: it is missing, in use or forbidden, gives another size, or no pictures.

    Attributes:
        locks: True for each control that is locked, False for one that it lacks or does not keep.
    """

    def __init__(
        self,
        device: Device,
        size: tuple[int, int] = (1280, 720),
        *,
        exposures: ExposureMemory = KEEPS_NOTHING,
        mains_hz: int = 0,
        settle_s: float = SETTLE_S,
        capture_factory: CaptureFactory | None = None,
        probe: Probe | None = None,
    ) -> None:
        number = isinstance(device, str) and device.isdecimal()
        device = int(device) if number else device
        name = f"USB camera {_path(device)}"
        super().__init__(name, f"the {name}")
        self._size: Final = size
        self._settle_s: Final = settle_s
        self._hold_s = 0.0
        self._probe_device(probe or _probe, device, mains_hz)
        self._capture: Final = self._opened(capture_factory or _opencv, device)
        try:
            self._configure()
            exposure = locked_exposure(self, exposures, size)
            self.locks: Final = MappingProxyType({one: one in exposure for one in _CONTROLS})
        except BaseException:
            self._capture.release()
            raise
        self._thread.start()

    def settled(self) -> Exposure:
        """Makes all controls automatic, as a webcam keeps the locks of an earlier program.

        Returns:
            Their values after a while.

        Raises:
            CameraError: the camera gives no pictures.
        """
        for control in _CONTROLS.values():
            if control.mode is not None:
                any(self._capture.set(control.mode, value) for value in control.automatic)
        self._skip(seconds=self._settle_s)
        self._hold_s = _HELD * self._settle_s
        return {name: self._capture.get(control.value) for name, control in _CONTROLS.items()}

    def lock(self, values: Exposure) -> tuple[Exposure, Picture | None]:
        """Locks each control at its value, and reads it back; see `CameraControls`."""
        locked = {
            name: values[name]
            for name, control in _CONTROLS.items()
            if name in values and _locked(self._capture, control, values[name])
        }
        frame = self._skip(seconds=self._hold_s, pictures=_CHANGED)
        held = {
            name: value
            for name, value in locked.items()
            if self._capture.get(_CONTROLS[name].value) == value
        }
        return held, self._picture(frame, 0.0)

    def _probe_device(self, probe: Probe, device: Device, mains_hz: int) -> None:
        """Looks for a device, and sets the frequency of the mains.

        Raises:
            CameraError: it is missing or forbidden.
        """
        try:
            probe(device, mains_hz)
        except OSError as error:
            other = (CameraFault.FAILED, f"cannot be opened: {error.strerror}")
            raise self._error(*_REFUSALS.get(error.errno or 0, other)) from error

    def _opened(self, factory: CaptureFactory, device: Device) -> OpenCvCapture:
        """Opens a device.

        Raises:
            CameraError: it is in use, or no camera.
        """
        capture = factory(device, cv2.CAP_V4L2 if sys.platform == "linux" else cv2.CAP_ANY)
        if not capture.isOpened():
            capture.release()
            raise self._error(
                CameraFault.BUSY,
                "is in use by another program, or is no camera; close that program, "
                "or choose another device",
            )
        return capture

    def _configure(self) -> None:
        """Sets format, size and rate, and reads the size back.

        Raises:
            CameraError: the camera gives another size.
        """
        capture, size = self._capture, self._size
        capture.set(cv2.CAP_PROP_FOURCC, _MJPG)
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        capture.set(cv2.CAP_PROP_FPS, _FPS)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        # The bytes of a JPEG come as one row. A camera that sends another format is converted:
        # OpenCV would otherwise return its raw bytes.
        raw = int(capture.get(cv2.CAP_PROP_FOURCC)) == _MJPG
        capture.set(cv2.CAP_PROP_CONVERT_RGB, 0 if raw else 1)
        sides = (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)
        given = tuple(int(capture.get(side)) for side in sides)
        if given != size:
            raise self._error(
                CameraFault.OTHER_SIZE,
                f"gives {given[0]}x{given[1]} pixels instead of {size[0]}x{size[1]}; "
                "use a camera that has that size",
            )

    def _skip(self, *, seconds: float = 0.0, pictures: int = 1) -> Image:
        """Reads and drops pictures, for some seconds and at least some; returns the last.

        Raises:
            CameraError: the camera gives none.
        """
        end_s = time.monotonic() + seconds
        count = 0
        frame: Image | None = None
        while frame is None or count < pictures or time.monotonic() < end_s:
            given, frame = self._capture.read()
            if not given:
                raise self._unplugged() if count else self._silent()
            count += 1
        return frame

    def _run(self) -> None:
        time_s = 0.0
        try:
            while not self._closed.is_set():
                given, frame = self._capture.read()
                if not given:
                    break
                time_s = _time_of(self._capture, after_s=time_s)
                picture = self._picture(frame, time_s)
                if picture is not None:
                    self._put(picture)
        except cv2.error:
            pass  # OpenCV could not convert a picture: the camera has failed
        finally:
            self._capture.release()
            self._fail(self._unplugged())

    def _picture(self, frame: Image, time_s: float) -> Picture | None:
        """The picture in what OpenCV returned; None if it is cut, damaged or of another size."""
        size = self._size
        if frame.ndim == 3:
            sound = frame.shape == (size[1], size[0], 3) and not (frame[-1] == _EMPTY).all()
            return Picture(time_s, image=frame) if sound else None
        # Some drivers report the whole buffer: what follows the end is dropped.
        data, end, _ = frame.tobytes().rpartition(END)
        if not end:
            return None
        try:
            header = header_of(data + end)
        except ValueError:
            return None
        if header is None or (header.width, header.height) != size:
            return None
        return Picture(time_s, encoded=data + end)

    def _error(self, code: CameraFault, sentence: str) -> CameraError:
        return CameraError(code, f"the {self.name} {sentence}")

    def _unplugged(self) -> CameraError:
        return self._error(
            CameraFault.FAILED, "gives no pictures any more; check its plug and cable"
        )

    def _silent(self) -> CameraError:
        return self._error(
            CameraFault.SILENT,
            f"has given no picture for {SILENT_S:.0f} s; unplug it and plug it in again",
        )


def _opencv(device: Device, backend: int) -> OpenCvCapture:
    """Opens a device with OpenCV, without its log lines: the errors of this module say more."""
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    os.environ.setdefault(_WAIT, f"{SILENT_S:.0f}")
    if isinstance(device, int):
        return cv2.VideoCapture(device, backend)
    return cv2.VideoCapture(device, backend)


def _probe(device: Device, mains_hz: int) -> None:
    """Opens and closes the file of a device; OpenCV itself gives no reason for a failure.

    Meanwhile the frequency of the mains is set, which lasts; some cameras lack that control.

    Raises:
        OSError: it cannot be opened.
    """
    if sys.platform == "linux":
        handle = os.open(_path(device), os.O_RDWR | os.O_NONBLOCK)
        try:
            with suppress(OSError):
                control = struct.pack("=Ii", _POWER_LINE_FREQUENCY, _MAINS[mains_hz])
                fcntl.ioctl(handle, _SET_CONTROL, control)
        finally:
            os.close(handle)
    elif isinstance(device, str):
        raise OSError(errno.ENOENT, "cameras have numbers here, no paths", device)


def _path(device: Device) -> str:
    return f"/dev/video{device}" if isinstance(device, int) else device


def _locked(capture: OpenCvCapture, control: _Control, value: float) -> bool:
    """Locks a control at a value; leaves it automatic if the camera does not keep the value."""
    before = 0.0
    if control.mode is not None:
        before = capture.get(control.mode)
        if not capture.set(control.mode, control.manual):
            return False
        if capture.get(control.mode) != control.manual:
            return False
    if capture.set(control.value, value) and capture.get(control.value) == value:
        return True
    if control.mode is not None:
        capture.set(control.mode, before)
    return False


def _time_of(capture: OpenCvCapture, after_s: float) -> float:
    """Time of the picture just read, in seconds of `time.monotonic`, later than that before it."""
    arrival_s = time.monotonic()
    # On V4L2 this is the time that the kernel gave to the buffer, on the same clock.
    buffer_s = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
    plausible = 0 <= arrival_s - buffer_s <= _PLAUSIBLE_S
    return buffer_s if plausible and buffer_s > after_s else arrival_s
