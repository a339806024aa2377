"""The newest picture of a thread that reads a camera without a pause."""

import time
from collections.abc import Callable
from threading import Condition
from typing import Final

from firmware.cameras.interfaces import CameraError, CameraFault, Picture


class NewestPicture:
    """Hands the newest picture from the thread that reads a camera to the one that asks for it.

    Args:
        name: the camera in the message of a closed one.
        silent_s: seconds without a picture after which the camera counts as silent.
        silent: makes the error of a silent camera.
    """

    def __init__(self, name: str, silent_s: float, silent: Callable[[], CameraError]) -> None:
        self._name: Final = name
        self._silent_s: Final = silent_s
        self._silent: Final = silent
        self._changed: Final = Condition()
        self._newest: Picture | None = None
        self._fault: CameraError | None = None
        self._closed = False
        self._last_s = time.monotonic()

    @property
    def closed(self) -> bool:
        """True from `close` on."""
        return self._closed

    def put(self, picture: Picture) -> None:
        """Keeps a picture, and drops the one before it."""
        with self._changed:
            if not self._closed:
                self._newest, self._last_s = picture, time.monotonic()
                self._changed.notify_all()

    def fail(self, error: CameraError) -> None:
        """Keeps an error for all that ask from now on; the first one stays."""
        with self._changed:
            self._fault = self._fault or error
            self._changed.notify_all()

    def take(self, timeout_s: float) -> Picture | None:
        """Waits for a picture that was not taken before; None if none came in time.

        Args:
            timeout_s: longest wait in seconds.

        Raises:
            CameraError: it has failed, is silent, or is closed.
        """
        end_s = time.monotonic() + timeout_s
        with self._changed:
            while self._newest is None:
                now_s = time.monotonic()
                silent_s = self._last_s + self._silent_s
                if self._fault is None and now_s >= silent_s:
                    self._fault = self._silent()
                if self._fault is not None:
                    raise self._fault
                if now_s >= end_s:
                    return None
                self._changed.wait(min(end_s, silent_s) - now_s)
            picture, self._newest = self._newest, None
            return picture

    def close(self) -> None:
        """Has every `take` raise the error of a closed camera."""
        with self._changed:
            self._closed = True
            self._newest = None
            message = f"{self._name} is closed; open it again to read it"
            self._fault = CameraError(CameraFault.FAILED, message)
            self._changed.notify_all()
