"""The camera of a phone, whose browser sends pictures through the page."""

import time
from collections.abc import Callable
from threading import Condition
from typing import Final

from firmware.cameras.interfaces import CameraDriver, CameraError, Picture
from firmware.codes import AUTO_CAMERA, PHONE_CAMERA, CameraFault
from vision.camera import Frame
from vision.io.image_header import header_of

MAY_BE_PHONE: Final = frozenset({PHONE_CAMERA, AUTO_CAMERA})
"""Sources with which a phone can be the camera."""

_SILENT_S: Final = 2.5
"""Seconds without a picture after which the phone is away: before any camera counts as silent."""

_LATE_S: Final = 2.0
"""Seconds that a picture is on its way at most; `web.views.camera` drops one that is later."""

_MOST_PIXELS: Final = 1920 * 1080
"""Pixels of a picture; one of more is not decoded."""

_AWAY: Final = (
    "no phone sends pictures: open the page /camera on the phone, with its screen on and in the "
    "same WiFi; for a new number: cornerlight pair --camera; for another camera, start again with "
    "--camera"
)
"""Sentence for whoever waits for the phone."""


class PhoneCamera:
    """The newest picture of the phone; the thread of the feed gives it, a table reads it.

    It stays while phones come and go: to close it does nothing.

    Attributes:
        name: the camera as a person knows it.
        is_chosen: True once a phone has sent a picture: then it stays the camera of this run.
    """

    name: Final = PHONE_CAMERA

    def __init__(self) -> None:
        self.is_chosen = False
        self._changed: Final = Condition()
        self._newest: Picture | None = None
        self._came_s = float("-inf")

    def take(self, jpeg: bytes) -> None:
        """Keeps a picture, and drops the one before it; one of too many pixels is dropped."""
        try:
            header = header_of(jpeg)
        except ValueError:
            return  # it is damaged
        if header is None or header.pixels > _MOST_PIXELS:
            return
        with self._changed:
            self._came_s = now = time.monotonic()
            self._newest = Picture(now, encoded=jpeg, exposure=(now - _LATE_S, now))
            self.is_chosen = True
            self._changed.notify_all()

    def before(self, open_other: Callable[[], CameraDriver]) -> Callable[[], CameraDriver]:
        """Returns a function that opens the phone once one was chosen, and another camera before.

        Args:
            open_other: opens the other camera, which is given up when a phone is chosen.
        """
        return lambda: self.opened() if self.is_chosen else _UntilPhone(open_other(), self)

    def opened(self) -> "PhoneCamera":
        """Returns the camera.

        Raises:
            CameraError: no phone sends pictures.
        """
        if time.monotonic() - self._came_s > _SILENT_S:
            raise CameraError(CameraFault.NO_PHONE, _AWAY)
        return self

    def read(self, timeout_s: float) -> Picture | None:
        """Waits for a picture newer than the last one; None if none came in time.

        Args:
            timeout_s: longest wait in seconds.

        Raises:
            CameraError: no phone sends pictures any more.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._newest is not None, timeout_s)
            picture, self._newest = self._newest, None
        if picture is None:
            self.opened()
        return picture

    def close(self) -> None:
        """Does nothing; see the class."""


class _UntilPhone:
    """A camera that is given up when a phone is chosen."""

    def __init__(self, camera: CameraDriver, phone: PhoneCamera) -> None:
        self.name: Final = camera.name
        self.close: Final = camera.close
        self._read: Final = camera.read
        self._phone: Final = phone

    def read(self, timeout_s: float) -> Picture | Frame | None:
        """Waits for the next picture; see `CameraDriver`."""
        if self._phone.is_chosen:
            raise CameraError(CameraFault.NO_PHONE, _AWAY)
        return self._read(timeout_s)
