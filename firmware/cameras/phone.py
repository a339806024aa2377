"""The camera of a phone, whose browser sends pictures through the page."""

import time
from threading import Condition
from typing import Final

from firmware.cameras.interfaces import CameraError, Picture
from firmware.codes import CameraFault
from vision.io.image_header import header_of

PHONE: Final = "phone"
"""The source that stands for the camera of a phone."""

_SILENT_S: Final = 2.5
"""Seconds without a picture after which the phone is away: before any camera counts as silent."""

_MOST_PIXELS: Final = 1920 * 1080
"""Pixels of a picture; one of more is not decoded."""

_AWAY: Final = (
    "no phone sends pictures: open the page /camera on the phone, with its screen on and in the "
    "same WiFi; for a new number: cornerlight pair --camera"
)
"""Sentence for whoever waits for the phone."""


class PhoneCamera:
    """The newest picture of the phone; the thread of the feed gives it, a table reads it.

    It stays while phones come and go: to close it does nothing.

    Attributes:
        name: the camera as a person knows it.
    """

    name: Final = "phone"

    def __init__(self) -> None:
        self._changed: Final = Condition()
        self._newest: Picture | None = None
        self._came_s = float("-inf")

    def take(self, jpeg: bytes) -> None:
        """Keeps a picture, and drops the one before it; one of too many pixels is dropped."""
        try:
            header = header_of(jpeg)
        except ValueError:
            return  # it is damaged
        if header is None or header.width * header.height > _MOST_PIXELS:
            return
        with self._changed:
            self._came_s = time.monotonic()
            self._newest = Picture(self._came_s, encoded=jpeg)
            self._changed.notify_all()

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
