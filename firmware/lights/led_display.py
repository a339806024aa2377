"""The lights of a table: writes scenes to the strip and predicts lit squares in frames.

A strip that is away or fails is reported and tried again every two seconds; it never stops a game.
LEDs hold their last level, so until the strip works again the squares that may be lit are listed in
`stuck`, to be ignored by the reader.
"""

import logging
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.codes import LightPlace
from firmware.drivers.interfaces import DeviceError, LedStrip
from firmware.lights.flash_limiter import FlashLimiter
from firmware.lights.led_exposure import CameraDelay, LedExposure
from firmware.lights.led_layout import LedLayout
from firmware.lights.power_budget import Brightness, Levels, PowerSupply, corrected
from firmware.lights.scene import FRAME, Scene, at
from vision.camera import Frame
from vision.plastics import Rgb

RAMP_S: Final = 1.0
"""Seconds from the first light to full brightness, to avoid a surge at a cold supply."""

_REFRESH_S: Final = 2.0
"""Seconds after which an unchanged frame is sent again, to repair transmission errors, and a
failed strip is tried again."""

_log = logging.getLogger(__name__)

_Picture = dict[int, Rgb]
"""Ink of each lit square."""


class LedDisplay:
    """A strip under a board, or a panel beside it.

    Nothing waits for the dark because of a panel, unless its light falls on the board. Its LEDs
    next to the board are a dim frame.

    Args:
        strip: the strip; it is made dark at once.
        wiring: the wiring of its LEDs.
        size: squares along a side of the board.
        clock: returns seconds on the clock of the camera's exposures.
        supply: power supply of the strip.
        brightness: returns the brightness of all lights now, 0 to 1.
        place: place of the LEDs.

    Raises:
        ValueError: the board extends beyond these LEDs.

    Attributes:
        trouble: fault of the strip in one sentence; empty if it works.
        stuck: the squares, in the markers' frame, that may be lit while the strip does not work.
    """

    def __init__(
        self,
        strip: LedStrip,
        wiring: LedLayout,
        size: int,
        clock: Callable[[], float],
        *,
        supply: PowerSupply | None = None,
        brightness: Callable[[], float] = lambda: Brightness().day,
        place: LightPlace = LightPlace.UNDER,
    ) -> None:
        self._strip: Final = strip
        layout = wiring.layout(size)
        self._squares: Final = np.array([-1 if s is None else s for s in layout], np.intp)
        self._size: Final = size
        self._clock: Final = clock
        self._supply: Final = supply or PowerSupply()
        self._brightness: Final = brightness
        self._limiter: Final = FlashLimiter()
        self._beside: Final = place is LightPlace.BESIDE
        self._lights_board = not self._beside
        self._board: Final = frozenset(s for s in layout if s is not None)
        self._exposure: Final = LedExposure(frozenset() if self._beside else self._board)
        self._frame: Final = wiring.around(size) if self._beside else []
        self._picture: _Picture = {}
        self._begun_s: float | None = None
        self._closed = False
        self._sent = bytes(3 * len(layout))
        self._sent_s = float("-inf")
        self.trouble = ""
        self.stuck: frozenset[int] = frozenset()
        self._try(self._newest_levels)

    def show(self, scene: Scene, *, turned: int = 0, dark: bool = False) -> None:
        """Shows the present picture of a scene, as soon as the limit of changes allows.

        Args:
            scene: the scene, in the game's frame.
            turned: the clockwise turn from the markers' frame to the game's, in degrees.
            dark: True if the camera needs a dark frame.

        Raises:
            DeviceError: these lights were closed.
        """
        if self._closed:
            raise DeviceError("the lights are closed; make others to show something")
        now = self._clock()
        dark = dark and self._lights_board
        wanted = {} if dark else at(scene, now)
        if wanted != self._picture and self._limiter.allows(now, dark=dark):
            self._limiter.note(now)
            self._picture = wanted
        if self._picture and self._begun_s is None:
            self._begun_s = now
        levels = self._levels(turned, now)
        changed = levels.tobytes() != self._sent and not self.trouble
        if changed or now - self._sent_s >= _REFRESH_S:
            self._try(levels)

    def set_latch(self, seconds: float) -> None:
        """Sets the time after a write until the strip surely shows it."""
        self._exposure.latch_s = seconds

    def set_delay(self, delay: CameraDelay) -> None:
        """Sets the delay of a camera that reports no exposure times."""
        self._exposure.delay = delay

    def set_lights_board(self, lights_board: bool) -> None:  # noqa: FBT001 - the only argument
        """Sets that light of a panel beside the board falls on it, or does not.

        If it does, no frame in its light counts. LEDs under a board always light it.
        """
        if self._beside and lights_board != self._lights_board:
            self._lights_board = lights_board
            now = self._clock()
            self._exposure.change(self._seen(self._newest_levels), now, now)

    def seen_in(self, frame: Frame) -> frozenset[int]:
        """The squares, in the markers' frame, that may be lit in a frame; see `LedExposure`."""
        return self._exposure.seen_in(frame)

    def milliamps(self) -> float:
        """Current of the present picture in milliamperes, by the LEDs' data sheet."""
        return self._supply.milliamps(self._newest_levels)

    def close(self) -> None:
        """Turns the lights off and closes the strip; further calls do nothing."""
        if self._closed:
            return
        self._closed = True
        try:
            self._try(np.zeros((len(self._squares), 3), np.uint8))
        finally:
            self._strip.close()

    def _levels(self, turned: int, now: float) -> Levels:
        """The levels of all LEDs, limited by the supply."""
        inks = np.zeros((self._size**2 + 1, 3), np.uint8)
        for square, ink in self._picture.items():
            inks[square] = ink
        board = inks[:-1].reshape(self._size, self._size, 3)
        inks[:-1] = np.rot90(board, turned // 90).reshape(-1, 3)
        inks = inks[self._squares]
        inks[self._frame] = FRAME if self._picture else 0
        ramp = 1.0 if self._begun_s is None else min(1.0, (now - self._begun_s) / RAMP_S)
        brightness = self._brightness() * ramp
        return self._supply.limited(corrected(inks, brightness))

    def _try(self, levels: Levels) -> None:
        """Sends levels; reports a strip that refuses them."""
        try:
            self._send(levels)
        except DeviceError as error:
            self._sent_s = self._clock()
            if str(error) != self.trouble:
                _log.error("the lights do not work: %s; the game goes on", error)
            if not self.trouble:
                # The LEDs may show either of the two. A panel is then a lamp like any other.
                both = _lit(self._newest_levels, self._squares) | _lit(levels, self._squares)
                self.stuck = frozenset() if self._beside else both
                self._exposure.change(self.stuck, self._sent_s, self._sent_s)
            self.trouble = str(error)
            return
        if self.trouble:
            _log.warning("the lights work again")
        self.trouble, self.stuck = "", frozenset()

    def _send(self, levels: Levels) -> None:
        begun_s = self._clock()
        self._strip.write(levels.tobytes())
        self._sent, self._sent_s = levels.tobytes(), begun_s
        self._exposure.change(self._seen(levels), begun_s, self._clock())

    @property
    def _newest_levels(self) -> Levels:
        """The levels that were sent last."""
        return np.frombuffer(self._sent, np.uint8).reshape(-1, 3)

    def _seen(self, levels: Levels) -> frozenset[int]:
        """The squares, in the markers' frame, on which light of these levels falls."""
        if not self._beside:
            return _lit(levels, self._squares)
        return self._board if self._lights_board and levels.any() else frozenset()


def _lit(levels: Levels, squares: NDArray[np.intp]) -> frozenset[int]:
    return frozenset(int(square) for square in squares[levels.any(axis=1)] if square >= 0)
