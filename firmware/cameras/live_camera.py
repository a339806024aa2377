"""The newest picture of a camera, which is opened again when it failed.

A camera that gives no picture for `SILENT_S` has failed, whatever its driver: a connection may die
without a word. Pauses of a recording are no fault.

The loop of a table must not wait for a camera. Drivers keep the newest picture themselves, so the
loop takes it whenever it comes by; a thread opens and closes the drivers, which takes seconds.
"""

import logging
import threading
import time
from collections.abc import Callable
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

_OPENING_S: Final = 5.0
"""Seconds of opening after which the camera counts as away: a webcam, and the camera of a Raspberry
Pi, give their first picture after 4 s, when their controls are locked."""

_RETRY_S: Final = (0.5, 2.0)
"""Seconds until the first attempt to open a camera again, and the longest; they double."""

_CLOSE_S: Final = 1.0
"""Seconds for which `close` waits for the thread; a driver that hangs ends with the process."""

_FAILED: Final = NoCamera(CameraFault.FAILED, "the camera has failed; the log names the cause")
"""A fault that a driver does not name."""

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
        is_recording: True if the last frame was one of a recording.
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
        self.is_recording = False
        self._open: Final = open_driver
        self._clock: Final = clock
        self._frames: Final = DistinctFrames(orientation)
        self._driver: CameraDriver | None = None
        self._fault: NoCamera | None = None
        self._came_s = self._changed_s = self._opened_s = self._called_s = self._resumed_s = clock()
        self._is_over = False
        self._ending: Final = threading.Event()
        self._given_up: Final = threading.Event()
        self._thread: threading.Thread | None = None

    def read(self) -> Frame | NoFrame | NoCamera | None:
        """Returns the newest frame if there is one since the last call; None after the last.

        A picture with the bytes of the one before is no new frame. After a fault the camera is
        opened again; the fault lasts until its first picture.
        """
        if self._thread is None:
            self._start()
        if self._is_over:
            return None
        self._note_call()
        try:
            picture = None if self._driver is None else self._driver.read(0.0)
        except EndOfPictures:
            self._is_over = True
            self.close()
            return None
        except CameraError as error:
            return self._give_up(NoCamera(error.code, str(error)))
        except Exception:  # noqa: BLE001, a driver that fails must not end the game
            _log.exception("the camera has failed")
            return self._give_up(_FAILED)
        if picture is not None:
            self._fault, self._came_s = None, self._clock()
            frame = self._frame(picture)
            if frame is not None:
                return frame
        overdue = self._overdue()
        return self._fault or overdue or NoFrame()

    def close(self) -> None:
        """Ends the thread and releases the camera; further calls do nothing."""
        self._ending.set()
        self._given_up.set()
        if self._thread is not None:
            self._thread.join(_CLOSE_S)

    def _start(self) -> None:
        """Starts the thread, with the first call of `read`, so that no frame is lost before."""
        self._came_s = self._changed_s = self._opened_s = self._called_s = self._clock()
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    def _note_call(self) -> None:
        """Lets silence count from now on if the loop has not called for long.

        What held it up, as a library that is loaded, may have held up the thread of the driver.
        """
        before_s, self._called_s = self._called_s, self._clock()
        if self._called_s - before_s > SILENT_S:
            self._resumed_s = self._called_s

    def _frame(self, picture: Picture | Frame) -> Frame | None:
        """Returns a frame; None for a repeated picture, or one that cannot be decoded."""
        self.is_recording = isinstance(picture, Frame)
        self.is_cropped = isinstance(picture, Picture) and picture.is_cropped
        frame = self._frames.frame_of(picture)
        if frame is not None:
            self._changed_s = self._clock()
            self.size = frame.image.shape[1], frame.image.shape[0]
        return frame

    def _overdue(self) -> NoCamera | None:
        """Returns the fault of a camera that sends nothing, or the same picture for too long."""
        now, is_opening = self._clock(), self._driver is None
        if self.is_recording:
            return None
        since_s = max(self._opened_s, self._resumed_s)
        if now - max(self._came_s, since_s) > (_OPENING_S if is_opening else SILENT_S):
            fault = NoCamera(CameraFault.SILENT, OVERDUE[CameraFault.SILENT])
            return fault if is_opening else self._give_up(fault)
        if not is_opening and now - max(self._changed_s, since_s) > SILENT_S:
            return NoCamera(CameraFault.STANDS_STILL, OVERDUE[CameraFault.STANDS_STILL])
        return None

    def _give_up(self, fault: NoCamera) -> NoCamera:
        """Has the open camera closed, and opened again; returns the fault."""
        self._fault, self._driver, self._opened_s = fault, None, self._clock()
        self._given_up.set()
        return fault

    # In the thread

    def _run(self) -> None:
        retry_s = _RETRY_S[0] / 2
        while not self._ending.is_set():
            before_s = self._came_s
            try:
                self._hold(self._open())
            except CameraError as error:
                self._fault = NoCamera(error.code, str(error))
            except Exception:  # noqa: BLE001, see `read`
                _log.exception("the camera has failed")
                self._fault = _FAILED
            retry_s = _RETRY_S[0] if self._came_s > before_s else min(2 * retry_s, _RETRY_S[1])
            self._ending.wait(retry_s)

    def _hold(self, driver: CameraDriver) -> None:
        """Gives the driver to the loop until that gives it up, and closes it."""
        try:
            self._given_up.clear()
            self.name, self._opened_s, self._driver = driver.name, self._clock(), driver
            if not self._ending.is_set():
                self._given_up.wait()
        finally:
            self._driver = None
            driver.close()
