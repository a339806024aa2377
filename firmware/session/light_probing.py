"""Finds the layout of a table's LEDs in a thread, while its frames go on arriving.

Of a panel beside the board it finds only if its light falls on the board.
"""

import logging
import threading
import time
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.codes import LightPlace
from firmware.drivers.interfaces import DeviceError, LedStrip
from firmware.lights.delay_probe import DelayProbe, UnseenLightsError
from firmware.lights.layout_probe import InferredLayout, LayoutProbe
from firmware.lights.led_exposure import CameraDelay
from firmware.session.background_job import BackgroundJob
from firmware.session.devices import LedChain
from vision.camera import Frame, Image
from vision.detection.board_detector import locate
from vision.errors import BoardFailure, SourceError, VisionError
from web.contract import MeasurementCode, ProbeEntry

_WAIT_S: Final = 5.0
"""Longest wait in seconds for a frame."""

_log = logging.getLogger(__name__)


class LightProbing:
    """A search for the layout of the LEDs under a board.

    Args:
        chain: the LEDs; nothing else may write to them during the search.
        board: squares along a side of the board.
        corners: (4, 2) corners of the board in pixels; None to detect it.

    Attributes:
        state: running until the layout is found, or no layout fits what was seen.
        reason: why it failed; empty if it did not.
        found: the result; None before, if the search failed, and for a panel beside the board.
        lights_board: True if light of a panel beside the board falls on it; None if it is not
            known yet.
        delay: delay of the camera, measured first; None if its frames tell their exposure.
    """

    def __init__(self, chain: LedChain, board: int, corners: NDArray[np.float64] | None) -> None:
        self._strip: Final = _CountingStrip(chain.strip)
        self._beside: Final = chain.place is LightPlace.BESIDE
        self._layout: Final = chain.test.wiring.layout(board)
        self._board: Final = board
        self._frames: Final = _NewestFrames()
        self._job: Final = BackgroundJob[InferredLayout | bool | SourceError]("lights-probe")
        self.state = MeasurementCode.RUNNING
        self.reason = ""
        self.found: InferredLayout | None = None
        self.lights_board: bool | None = None
        self.delay: CameraDelay | None = None
        self._job.start(lambda: self._find(corners))

    @property
    def is_running(self) -> bool:
        """True until the search has ended."""
        return self.state is MeasurementCode.RUNNING

    @property
    def entry(self) -> ProbeEntry:
        """The search in terms of the page."""
        unseen = 0 if self.found is None else len(self.found.dark)
        delay_s = 0.0 if self.delay is None else self.delay.seconds
        return ProbeEntry(
            self.state,
            self._strip.lit,
            unseen,
            self._settings(),
            delay_s,
            beside=self._beside,
            lights_board=self.lights_board is True,
        )

    def see(self, frame: Frame) -> None:
        """Takes the next frame; returns at once."""
        self._frames.put(frame)
        result = self._job.take()
        if result is None:
            return
        if isinstance(result, InferredLayout) and result.wiring is not None:
            self.state, self.found = MeasurementCode.DONE, result
        elif isinstance(result, bool):
            self.state, self.lights_board = MeasurementCode.DONE, result
        else:
            is_stopped = isinstance(result, SourceError)
            self.reason = str(result) if is_stopped else "no layout fits what was seen"
            _log.warning("the layout of the LEDs is not found: %s", self.reason)
            self.state = MeasurementCode.FAILED

    def close(self) -> None:
        """Stops the search, within a second."""
        self._frames.close()
        self._job.close()

    def _settings(self) -> str:
        """Returns the settings of the found layout; empty if the present ones are right."""
        wiring = None if self.found is None else self.found.wiring
        if wiring is None or wiring.layout(self._board) == self._layout:
            return ""
        return (
            f"[lights]\ncolumns = {wiring.columns}\nrows = {wiring.rows}\n"
            f'first = "{wiring.first}"\nalong = "{wiring.along}"\n'
            f"serpentine = {str(wiring.serpentine).lower()}\n"
            f"left = {wiring.left}\ntop = {wiring.top}"
        )

    def _find(self, corners: NDArray[np.float64] | None) -> InferredLayout | bool | SourceError:
        frames, clock = self._frames, time.monotonic
        try:
            if self._beside:
                return self._panel_lights_board(corners)
            self.delay = self._measured_delay()
            probe = LayoutProbe(
                self._strip, frames, self._board, clock, frames.pause, self.delay, corners
            )
            return probe.find()
        except (DeviceError, VisionError) as error:
            return SourceError(str(error))

    def _panel_lights_board(self, corners: NDArray[np.float64] | None) -> bool:
        """Lights the panel, and looks if the board becomes brighter in the pictures.

        Raises:
            SourceError: the camera shows no board, or something moves.
        """
        probe, board = DelayProbe(self._strip, time.monotonic, every=1), None
        while (frame := self._frames.read()) is not None:
            if board is None:
                found = locate(frame.image, self._board, corners)
                if isinstance(found, BoardFailure):
                    raise SourceError(found.reason)
                board = found.grid.corners
            try:
                delay = probe.see(replace(frame, image=_only(frame.image, board)))
            except UnseenLightsError:
                return False
            if delay is not None:
                self.delay = delay if frame.exposure is None else None
                return True
        raise SourceError("the camera gives no pictures any more")

    def _measured_delay(self) -> CameraDelay | None:
        """Measures the delay of the camera, unless its frames tell their exposure.

        Raises:
            SourceError: it cannot be measured.
        """
        probe = DelayProbe(self._strip, time.monotonic)
        while (frame := self._frames.read()) is not None:
            if frame.exposure is not None:
                return None
            delay = probe.see(frame)
            if delay is not None:
                return delay
        raise SourceError("the camera gives no pictures any more")


def _only(image: Image, corners: NDArray[np.float64]) -> Image:
    """Returns a part of a picture within four corners, black around them."""
    outline = np.round(corners).astype(np.int32)
    left, top, width, height = cv2.boundingRect(outline)
    rows, columns = slice(max(top, 0), top + height), slice(max(left, 0), left + width)
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, outline, 255)
    return np.where(mask[rows, columns, None] > 0, image[rows, columns], 0).astype(np.uint8)


class _CountingStrip:
    """A strip that counts the LEDs that were lit."""

    def __init__(self, strip: LedStrip) -> None:
        self._strip: Final = strip
        self.length: Final = strip.length
        self.lit = 0

    def write(self, pixels: bytes) -> None:
        self._strip.write(pixels)
        self.lit += any(pixels)

    def close(self) -> None:
        """Leaves the strip open, as it is the table's."""


class _NewestFrames:
    """Frames for a thread that waits for them; each is given once, and only the newest."""

    def __init__(self) -> None:
        self._changed: Final = threading.Condition()
        self._frame: Frame | None = None
        self._is_closed = False

    def put(self, frame: Frame) -> None:
        with self._changed:
            self._frame = frame
            self._changed.notify_all()

    def read(self) -> Frame | None:
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed or self._frame is not None, _WAIT_S)
            frame, self._frame = self._frame, None
            return None if self._is_closed else frame

    def pause(self, seconds: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed, seconds)
            self._frame = None

    def close(self) -> None:
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
