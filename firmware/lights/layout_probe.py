"""Finds the layout of LEDs: lights them in turn and reads the camera.

Slow on purpose: never more than three changes a second, and each compared frame was exposed
wholly before or wholly after a change.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.drivers.interfaces import LedStrip
from firmware.lights.delay_probe import PROBE_LEVEL
from firmware.lights.flash_limiter import MOST, SECOND
from firmware.lights.layout_inference import InferredLayout, find
from firmware.lights.led_exposure import LATCH_S, CameraDelay
from vision.camera import Camera, Frame
from vision.detection.board_detector import locate
from vision.errors import SourceError
from vision.reading import BoardNotFound
from vision.setup.led_detection import lit_leds

_LONGEST_S: Final = 5.0
"""Seconds beyond the camera's delay in which a picture of the changed lights has to come."""


class LayoutProbe:
    """A chain of LEDs under a board in view of a camera.

    Args:
        strip: the chain; nothing else may write to it.
        camera: a camera above the board.
        size: squares along a side of the board.
        clock: returns seconds on the clock of the camera's exposures.
        pause: waits for a number of seconds.
        delay: delay of frames without exposure times.
        corners: (4, 2) corners of the board in pixels; None to find it by its markers.

    Raises:
        SourceError: the camera shows no board, or ends.
    """

    def __init__(
        self,
        strip: LedStrip,
        camera: Camera,
        size: int,
        clock: Callable[[], float],
        pause: Callable[[float], None],
        delay: CameraDelay | None = None,
        corners: NDArray[np.float64] | None = None,
    ) -> None:
        self._delay: Final = delay or CameraDelay()
        self._strip: Final = strip
        self._camera: Final = camera
        self._size: Final = size
        self._clock: Final = clock
        self._pause: Final = pause
        self._light(None)
        found = locate(self._frame().image, size, corners)
        if isinstance(found, BoardNotFound):
            raise SourceError(found.reason)
        self._grid: Final = found.grid

    def find(self) -> InferredLayout:
        """Finds the wiring of the chain; its LEDs are dark afterwards."""
        return find(self._lit_square, self._size, self._strip.length)

    def _lit_square(self, led: int) -> int | None:
        dark = self._frame()
        self._light(led)
        lit = self._frame()
        self._light(None)
        return lit_leds(dark.image, lit.image, self._grid)

    def _light(self, led: int | None) -> None:
        """Lights one LED, or none, and waits to stay within the limit of changes."""
        pixels = bytearray(3 * self._strip.length)
        if led is not None:
            pixels[3 * led : 3 * led + 3] = bytes([PROBE_LEVEL] * 3)
        self._strip.write(bytes(pixels))
        self._changed_s = self._clock() + LATCH_S
        self._pause(SECOND / MOST)

    def _frame(self) -> Frame:
        """The first frame whose whole exposure is after the last change.

        Raises:
            SourceError: the camera gives none for some seconds, or ends.
        """
        late, dark_s = 0, self._changed_s + self._delay.seconds
        while self._clock() < dark_s + _LONGEST_S:
            frame = self._read()
            if frame.exposure is not None:
                if frame.exposure[0] >= self._changed_s:
                    return frame
            elif late >= self._delay.frames and frame.time_s >= dark_s:
                return frame
            late += 1
        raise SourceError(
            "the camera gives no pictures that are newer than the change of the lights; "
            "see whether its picture stands still"
        )

    def _read(self) -> Frame:
        frame = self._camera.read()
        if frame is None:
            raise SourceError("the camera has no more frames")
        return frame
