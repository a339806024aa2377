"""A webcam as OpenCV shows it on Linux: `cv2.VideoCapture` with the backend V4L2.

As measured with the kernel's virtual camera `vivid`: controls that it lacks are refused by False,
a size that it lacks becomes another one without a word, a second program does not get it opened,
its gain takes each value and reports another one at the end of the second,
and after it was unplugged `read` returns False while `isOpened` stays True.
"""

import errno
import time
from collections.abc import Mapping, Sequence
from threading import Event
from typing import Any, Final

import cv2
import numpy as np

from vision.camera import Image
from vision.io.image_file import encode_jpeg

MJPG: Final = cv2.VideoWriter.fourcc(*"MJPG")
"""Pictures as JPEG."""

YUYV: Final = cv2.VideoWriter.fourcc(*"YUYV")
"""Pictures without compression."""

WEBCAM: Final[Mapping[int, float]] = {
    cv2.CAP_PROP_AUTO_EXPOSURE: 3,
    cv2.CAP_PROP_EXPOSURE: 156,
    cv2.CAP_PROP_GAIN: 40,
    cv2.CAP_PROP_AUTO_WB: 1,
    cv2.CAP_PROP_WB_TEMPERATURE: 4600,
    cv2.CAP_PROP_AUTOFOCUS: 1,
    cv2.CAP_PROP_FOCUS: 30,
}
"""Controls of a usual webcam and their values after it was plugged in."""

VIVID: Final[Mapping[int, float]] = {cv2.CAP_PROP_GAIN: 100}
"""Controls of `vivid`: it has neither exposure nor focus."""

_MODES: Final = {
    cv2.CAP_PROP_EXPOSURE: (cv2.CAP_PROP_AUTO_EXPOSURE, 1),
    cv2.CAP_PROP_WB_TEMPERATURE: (cv2.CAP_PROP_AUTO_WB, 0),
    cv2.CAP_PROP_FOCUS: (cv2.CAP_PROP_AUTOFOCUS, 0),
}
"""Control of the mode of each control, and its manual value."""

_USUAL: Final = 156.0
"""Automatic exposure in the usual light, in units of 100 microseconds: that of `WEBCAM`."""

_LONGEST: Final = 10_000.0
"""Longest automatic exposure, in the same unit: a second."""

_OFFSET_S: Final = 1e6
"""Seconds by which a foreign clock is ahead."""


class V4l2Device:
    """A webcam and its device file.

    Args:
        sizes: widths and heights in pixels that it has.
        fps: pictures a second.
        controls: its controls and their values.
        formats: formats that it has, the usual one first.

    Attributes:
        missing: True if there is no such device file.
        forbidden: True if the user may not open it.
        light: light of the room, 1 for the usual one. Automatic exposure makes up for it.
        unsteady: controls that report another value from the next picture on.
        damaged: number of the next pictures that arrive only in part.
        foreign_clock: True if its times are not on the monotonic clock.
        mains_hz: frequency of the mains that was set; None if none was.
        padding: bytes after each JPEG that the driver reports as part of it.
    """

    def __init__(
        self,
        sizes: Sequence[tuple[int, int]] = ((640, 480), (1280, 720)),
        fps: float = 50.0,
        controls: Mapping[int, float] = WEBCAM,
        formats: Sequence[int] = (MJPG, YUYV),
    ) -> None:
        self.missing = False
        self.forbidden = False
        self.light = 1.0
        self.unsteady: frozenset[int] = frozenset()
        self.damaged = 0
        self.foreign_clock = False
        self.mains_hz: int | None = None
        self.padding = b""
        self._sizes: Final = tuple(sizes)
        self._period_s = 1 / fps
        self._formats: Final = tuple(formats)
        self._values: Final = dict(controls)
        self._users = 0
        self._pictures = 0
        self._unplugged: Final = Event()
        self._stalled = False

    @property
    def sizes(self) -> tuple[tuple[int, int], ...]:
        """Widths and heights in pixels that it has."""
        return self._sizes

    @property
    def formats(self) -> tuple[int, ...]:
        """Formats that it has, the usual one first."""
        return self._formats

    def probe(self, _: str | int, mains_hz: int) -> None:
        """Opens the device file, sets the frequency of the mains in Hz, and closes it.

        Raises:
            OSError: it is missing or forbidden.
        """
        if self.missing or self._unplugged.is_set():
            raise OSError(errno.ENOENT, "No such file or directory")
        if self.forbidden:
            raise OSError(errno.EACCES, "Permission denied")
        self.mains_hz = mains_hz

    def capture(self, _: str | int, backend: int) -> "V4l2Capture":
        """Opens the camera, as `cv2.VideoCapture` with a backend."""
        free = not (self.missing or self.forbidden or self._unplugged.is_set() or self._users)
        opened = free and backend in {cv2.CAP_V4L2, cv2.CAP_ANY}
        self._users += opened
        return V4l2Capture(self, opened=opened)

    def leave(self) -> None:
        """Ends a use of the camera."""
        self._users -= 1

    def unplug(self) -> None:
        """Unplugs the camera."""
        self._unplugged.set()

    def plug_in(self) -> None:
        """Plugs the camera in again."""
        self._unplugged.clear()

    def set_fps(self, fps: float) -> None:
        """Changes the number of pictures a second, as automatic exposure does in the dark."""
        self._period_s = 1 / fps

    def stall(self) -> None:
        """Stops the pictures; the camera stays."""
        self._stalled = True

    def wait(self, timeout_s: float) -> bool:
        """Waits for a picture; False if none came because of a fault."""
        if self._stalled:
            self._unplugged.wait(timeout_s)
            return False
        return not self._unplugged.wait(self._period_s)

    def control(self, control: int) -> float:
        """Value of a control; -1 if the camera lacks it."""
        return self._values.get(control, -1.0)

    def set_control(self, control: int, value: float) -> bool:
        """Sets a control; False if the camera lacks it, or its mode is automatic."""
        if control not in self._values or self._unplugged.is_set():
            return False
        if self._is_automatic(control):
            return False
        self._values[control] = value
        return True

    def drift(self) -> None:
        """Changes the values of the automatic controls, as for another light."""
        self._pictures += 1
        for control in self._values:
            if self._is_automatic(control) or control in self.unsteady:
                self._values[control] += 1
        if self._is_automatic(cv2.CAP_PROP_EXPOSURE):
            needed = min(_USUAL / self.light, _LONGEST)
            self._values[cv2.CAP_PROP_EXPOSURE] = needed * (1 + self._pictures / 1000)

    @property
    def brightness(self) -> float:
        """Brightness of the pictures, 1 for that of a good exposure."""
        return self._values.get(cv2.CAP_PROP_EXPOSURE, _USUAL / self.light) * self.light / _USUAL

    def _is_automatic(self, control: int) -> bool:
        mode, manual = _MODES.get(control, (None, 0))
        return mode is not None and self._values.get(mode, manual) != manual


class V4l2Capture:
    """The object that OpenCV returns for an opened camera.

    Args:
        device: the camera.
        opened: False if it could not be opened.
        select_s: seconds for which it waits for a picture.
    """

    def __init__(self, device: V4l2Device, *, opened: bool, select_s: float = 2.0) -> None:
        self._device: Final = device
        self._opened = opened
        self._select_s: Final = select_s
        self._format = device.formats[0]
        self._asked = [640, 480]
        self._converts = True
        self._number = 0
        self._time_s = 0.0

    def isOpened(self) -> bool:  # noqa: N802, a name of OpenCV
        """True from a successful opening to the release, also of an unplugged camera."""
        return self._opened

    def read(self) -> tuple[bool, Image | None]:
        """Waits for a picture; (False, None) if none came."""
        if not self._opened or not self._device.wait(self._select_s):
            return False, None
        self._number += 1
        self._time_s = time.monotonic()
        self._device.drift()
        return True, self._frame()

    def get(self, control: int, /) -> float:
        """Value of a property; -1 if the camera lacks it."""
        width, height = self._size
        ahead_s = _OFFSET_S if self._device.foreign_clock else 0.0
        own: dict[int, float] = {
            cv2.CAP_PROP_FRAME_WIDTH: width,
            cv2.CAP_PROP_FRAME_HEIGHT: height,
            cv2.CAP_PROP_FOURCC: self._format,
            cv2.CAP_PROP_POS_MSEC: 1000 * (self._time_s + ahead_s),
        }
        return own[control] if control in own else self._device.control(control)

    def set(self, control: int, value: float, /) -> bool:
        """Sets a property; False if the camera refuses it."""
        if control == cv2.CAP_PROP_FOURCC:
            known = int(value) in self._device.formats
            self._format = int(value) if known else self._format
            return known
        if control in {cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT}:
            self._asked[control == cv2.CAP_PROP_FRAME_HEIGHT] = int(value)
            return True
        if control == cv2.CAP_PROP_CONVERT_RGB:
            self._converts = bool(value)
            return True
        if control in {cv2.CAP_PROP_FPS, cv2.CAP_PROP_BUFFERSIZE}:
            return True
        return self._device.set_control(control, value)

    def release(self) -> None:
        """Closes the camera."""
        if self._opened:
            self._opened = False
            self._device.leave()

    @property
    def _size(self) -> tuple[int, int]:
        width, height = self._asked
        return min(self._device.sizes, key=lambda one: abs(one[0] - width) + abs(one[1] - height))

    def _frame(self) -> Any:
        width, height = self._size
        cut = self._device.damaged > 0
        self._device.damaged -= cut
        shade = min(255, (64 + self._number % 128) * self._device.brightness)
        image = np.full((height, width, 3), shade, np.uint8)
        image[:8, :8] = 64 + self._number % 128  # two pictures are never the same
        if self._format == MJPG:
            return self._jpeg(image, cut=cut)
        if not self._converts:
            return np.zeros((height, width, 2), np.uint8)
        if cut:
            empty = np.zeros((1, 2, 2), np.uint8)
            image[height // 2 :] = cv2.cvtColor(empty, cv2.COLOR_YUV2BGR_YUYV)[0, 0]
        return image

    def _jpeg(self, image: Image, *, cut: bool) -> Any:
        if self._converts:
            return image
        data = encode_jpeg(image, 80)
        data = data[: len(data) // 2] if cut else data
        return np.frombuffer(data + self._device.padding, np.uint8)[np.newaxis].copy()
