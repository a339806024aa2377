"""The newest picture of a thread that reads a camera without a pause."""

import time
from threading import Condition
from typing import Final

from firmware.cameras.interfaces import CameraError, Picture
from firmware.codes import CameraFault


class NewestPicture:
    """Hands the newest picture from the thread that reads a camera to the one that asks for it.

    Args:
        name: the camera in the message of a closed one.
    """

    def __init__(self, name: str) -> None:
        self._name: Final = name
        self._changed: Final = Condition()
        self._newest: Picture | None = None
        self._fault: CameraError | None = None
        self._closed = False

    @property
    def closed(self) -> bool:
        """True from `close` on."""
        return self._closed

    @property
    def fault(self) -> CameraError | None:
        """The error that every `take` raises; None if there is none."""
        return self._fault

    def put(self, picture: Picture) -> None:
        """Keeps a picture, and drops the one before it."""
        with self._changed:
            if not self._closed:
                self._newest = picture
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
            CameraError: it has failed, or is closed.
        """
        end_s = time.monotonic() + timeout_s
        with self._changed:
            while self._newest is None:
                if self._fault is not None:
                    raise self._fault
                if not self._changed.wait(max(0.0, end_s - time.monotonic())):
                    return None
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
