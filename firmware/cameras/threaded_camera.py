"""A camera that a thread reads without a pause, so that whoever asks gets its newest picture."""

import time
from abc import ABC, abstractmethod
from threading import Condition, Event, Thread
from typing import Final

from firmware.cameras.interfaces import CameraError, Picture
from firmware.codes import CameraFault

_CLOSING_S: Final = 4.0
"""Longest wait in seconds for the thread to release the camera; `close` may take 5 s."""


class ThreadedCamera(ABC):
    """Hands the newest picture from the thread that reads a camera to the one that asks for it.

    Args:
        name: the camera as a person knows it, without any password.
        title: the same in a sentence; None for the name.
        closing_s: longest wait in seconds of `close` for the thread.

    Attributes:
        name: see above.
    """

    def __init__(self, name: str, title: str | None = None, closing_s: float = _CLOSING_S) -> None:
        self.name: Final = name
        self._title: Final = title or name
        self._closing_s: Final = closing_s
        self._changed: Final = Condition()
        self._newest: Picture | None = None
        self._fault: CameraError | None = None
        self._closed: Final = Event()
        self._thread: Final = Thread(target=self._run, name=name, daemon=True)

    @abstractmethod
    def _run(self) -> None:
        """In the thread: reads the camera until it is closed, and releases it."""

    def read(self, timeout_s: float) -> Picture | None:
        """Waits for a picture newer than the last one; None if none came in time.

        Args:
            timeout_s: longest wait in seconds.

        Raises:
            CameraError: it is closed, or gives no pictures any more.
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
        """Ends every `read` and releases the camera within 5 s; further calls do nothing."""
        with self._changed:
            self._closed.set()
            self._newest = None
            message = f"{self._title} is closed; open it again to read it"
            self._fault = CameraError(CameraFault.FAILED, message)
            self._changed.notify_all()
        self._thread.join(self._closing_s)

    def _put(self, picture: Picture) -> None:
        """Keeps a picture, and drops the one before it."""
        with self._changed:
            if not self._closed.is_set():
                self._newest = picture
                self._changed.notify_all()

    def _fail(self, error: CameraError) -> None:
        """Keeps an error for all that ask from now on; the first one stays."""
        with self._changed:
            self._fault = self._fault or error
            self._changed.notify_all()
