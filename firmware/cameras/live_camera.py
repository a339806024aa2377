"""Keeps the newest picture of a camera in a thread, and opens the camera again when it failed.

A camera that gives no picture for `SILENT_S` has failed, whatever its driver: a connection may die
without a word.

The loop of a table must not wait for a camera. So a thread reads the driver, and the loop takes the
newest picture whenever it comes by; older ones are dropped. Of a recording none is dropped: the
thread waits until the loop has taken each picture, and pauses of a recording are no fault.
"""

import logging
import threading
import time
from collections.abc import Callable
from contextlib import closing
from typing import Final

from firmware.cameras.distinct_frames import OVERDUE, DistinctFrames
from firmware.cameras.interfaces import (
    SILENT_S,
    CameraDriver,
    CameraError,
    EndOfPictures,
    Picture,
)
from firmware.codes import CameraFault
from vision.camera import UPRIGHT, CameraOrientation, Frame, NoCamera, NoFrame

_WAIT_S: Final = 0.5
"""Longest wait for a picture in seconds, after which the thread looks whether it has to end."""

_OPENING_S: Final = 5.0
"""Seconds of opening after which the camera counts as away: a webcam, and the camera of a Raspberry
Pi, give their first picture after 4 s, when their controls are locked."""

_RETRY_S: Final = (0.5, 2.0)
"""Seconds until the first attempt to open a camera again, and the longest; they double."""

_CLOSE_S: Final = 1.0
"""Seconds for which `close` waits for the thread; a driver that hangs ends with the process."""

_FAILED: Final = "the camera has failed; the log names the cause"
"""Sentence on a fault that a driver does not name."""

_log = logging.getLogger(__name__)


class LiveCamera:
    """The newest picture of a camera that may fail and return.

    Args:
        open_driver: opens the camera; raises CameraError while it is not there.
        clock: returns the time in seconds of the clock of the pictures.
        orientation: the camera as it is mounted.

    Attributes:
        size: width and height of the last frame in pixels; None before the first.
        name: the camera as a person knows it, without any password; empty before it was open.
        is_cropped: True if the last frame leaves out a part of what the lens shows.
    """

    def __init__(
        self,
        open_driver: Callable[[], CameraDriver],
        clock: Callable[[], float] = time.monotonic,
        orientation: CameraOrientation = UPRIGHT,
    ) -> None:
        self.size: tuple[int, int] | None = None
        self.name = ""
        self.is_cropped = False
        self._open: Final = open_driver
        self._clock: Final = clock
        self._frames: Final = DistinctFrames(orientation)
        self._lock: Final = threading.Lock()
        self._ending: Final = threading.Event()
        self._taken: Final = threading.Event()
        self._waiting: Picture | Frame | None = None
        self._fault: NoCamera | None = None
        self._unread: NoCamera | None = None
        self._ended = False
        self._is_recording = False
        self._came_s = self._changed_s = self._opened_s = clock()
        self._is_opening = True
        self._thread: threading.Thread | None = None

    @property
    def is_recording(self) -> bool:
        """True if the last frame was one of a recording."""
        return self._is_recording

    def read(self) -> Frame | NoFrame | NoCamera | None:
        """Returns the newest frame if there is one since the last call; None after the last.

        A picture with the bytes of the one before is no new frame. Each fault is returned, also
        where the camera was opened again before the call: it may look elsewhere since.
        """
        if self._thread is None:
            self._start()
        with self._lock:
            unread, self._unread = self._unread, None
            if unread is not None:
                return unread
            picture, self._waiting = self._waiting, None
            fault, ended = self._fault, self._ended
            self._taken.set()
        if picture is not None:
            frame = self._frame(picture)
            if frame is not None:
                return frame
        if ended:
            return None
        return fault or self._overdue() or NoFrame()

    def close(self) -> None:
        """Ends the thread and releases the camera; further calls do nothing."""
        self._ending.set()
        if self._thread is not None:
            self._thread.join(_CLOSE_S)

    def _start(self) -> None:
        """Starts the thread, with the first call of `read`, so that no frame is lost before."""
        self._came_s = self._changed_s = self._opened_s = self._clock()
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    def _frame(self, picture: Picture | Frame) -> Frame | None:
        """Returns a frame; None for a repeated picture, or one that cannot be decoded."""
        self._is_recording = isinstance(picture, Frame)
        self.is_cropped = isinstance(picture, Picture) and picture.is_cropped
        frame = self._frames.frame_of(picture)
        if frame is not None:
            self._changed_s = self._clock()
            self.size = frame.image.shape[1], frame.image.shape[0]
        return frame

    def _overdue(self) -> NoCamera | None:
        """Returns the fault of a camera that sends nothing, or the same picture for too long."""
        now = self._clock()
        with self._lock:
            came_s, opened_s, is_opening = self._came_s, self._opened_s, self._is_opening
        if self._is_recording:
            return None
        if now - max(came_s, opened_s) > (_OPENING_S if is_opening else SILENT_S):
            return NoCamera(CameraFault.SILENT, OVERDUE[CameraFault.SILENT])
        if not is_opening and now - max(self._changed_s, opened_s) > SILENT_S:
            return NoCamera(CameraFault.STANDS_STILL, OVERDUE[CameraFault.STANDS_STILL])
        return None

    # In the thread

    def _run(self) -> None:
        retry_s = _RETRY_S[0] / 2
        while not self._ending.is_set():
            before_s = self._came_s
            try:
                self._keep_newest()
            except CameraError as error:
                self._fail(error)
            except EndOfPictures:
                with self._lock:
                    self._ended = True
                return
            except Exception:  # noqa: BLE001, a driver that fails must not end the game
                _log.exception("the camera has failed")
                self._fail(CameraError(CameraFault.FAILED, _FAILED))
            retry_s = _RETRY_S[0] if self._came_s > before_s else min(2 * retry_s, _RETRY_S[1])
            self._ending.wait(retry_s)

    def _keep_newest(self) -> None:
        """Opens the camera, and reads pictures until it is closed or fails."""
        self._set_opening(is_opening=True)
        with closing(self._open()) as driver:
            self.name = driver.name
            self._set_opening(is_opening=False)
            while not self._ending.is_set():
                picture = driver.read(_WAIT_S)
                if picture is None:
                    self._check_silence()
                    continue
                with self._lock:
                    self._waiting, self._fault, self._came_s = picture, None, self._clock()
                    self._taken.clear()
                if isinstance(picture, Frame):
                    self._await_taken()

    def _check_silence(self) -> None:
        """Raises CameraError if an open camera gives no pictures for too long."""
        silent_s = self._clock() - max(self._came_s, self._opened_s)
        if silent_s > SILENT_S and not self._is_recording:
            raise CameraError(CameraFault.SILENT, OVERDUE[CameraFault.SILENT])

    def _set_opening(self, *, is_opening: bool) -> None:
        with self._lock:
            self._opened_s, self._is_opening = self._clock(), is_opening

    def _await_taken(self) -> None:
        """Waits until the loop has taken the picture, or the camera is closed."""
        while not (self._taken.wait(_WAIT_S) or self._ending.is_set()):
            pass

    def _fail(self, error: CameraError) -> None:
        with self._lock:
            self._fault = self._unread = NoCamera(error.code, str(error))
            self._waiting = None
