"""The lights of a table: a scene in, bytes to the strip out, and what frames may show of it."""

from collections.abc import Callable
from types import TracebackType
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from firmware.devices import Strip
from firmware.lights.afterglow import Afterglow
from firmware.lights.layout import Layout
from firmware.lights.levels import Brightness, Levels, Supply, corrected
from firmware.lights.pace import Pace
from firmware.scene import Ink, Scene, at

RAMP_S: Final = 1.0
"""From the first light to full brightness: a cold supply is not hit by it all at once."""

_REFRESH_S: Final = 2.0
"""After so long the same is sent again, lest a spark on the wire stays on the board."""

_Picture = dict[int, Ink]


class Lights:
    """A strip under a board.

    Args:
        strip: where the bytes go; it is made dark at once.
        layout: the square above each LED, in the markers' frame.
        size: squares along a side of the board.
        clock: seconds, the clock of the camera's exposures.
        supply: what feeds the strip.
        brightness: of everything, by day and by night.
        hour: the hour of the day, 0 to 24, by which it is night.

    Raises:
        DeviceError: the strip does not work.
    """

    def __init__(
        self,
        strip: Strip,
        layout: Layout,
        size: int,
        clock: Callable[[], float],
        *,
        supply: Supply | None = None,
        brightness: Brightness | None = None,
        hour: Callable[[], float] = lambda: 12.0,
    ) -> None:
        self._strip: Final = strip
        self._squares: Final = np.array([-1 if s is None else s for s in layout], np.intp)
        self._size: Final = size
        self._clock: Final = clock
        self._supply: Final = supply or Supply()
        self._brightness: Final = brightness or Brightness()
        self._hour: Final = hour
        self._pace: Final = Pace()
        self._afterglow: Final = Afterglow(frozenset(s for s in layout if s is not None))
        self._picture: _Picture = {}
        self._begun_s: float | None = None
        self._closed = False
        self._sent = b""
        self._sent_s = float("-inf")
        self._send(np.zeros((len(layout), 3), np.uint8))

    def show(self, scene: Scene, *, turned: int = 0, dark: bool = False) -> None:
        """Shows a scene as it looks now, as soon as the pace allows.

        Args:
            scene: what to say, in the game's frame.
            turned: the clockwise turn from the markers' frame to the game's, in degrees.
            dark: whether the camera needs the dark now.

        Raises:
            DeviceError: the strip does not work any more.
        """
        now = self._clock()
        wanted = {} if dark else at(scene, now)
        if wanted != self._picture and self._pace.allows(now, dark=dark):
            self._pace.note(now)
            self._picture = wanted
        if self._picture and self._begun_s is None:
            self._begun_s = now
        levels = self._levels(turned, now)
        if levels.tobytes() != self._sent or now - self._sent_s >= _REFRESH_S:
            self._send(levels)

    def seen_in(self, number: int, exposure: tuple[float, float] | None) -> frozenset[int]:
        """The squares, in the markers' frame, that may glow in a frame; see `Afterglow`."""
        return self._afterglow.seen_in(number, exposure)

    def milliamps(self) -> float:
        """The current of what is shown now, by the figures of the LEDs' data sheet."""
        return self._supply.milliamps(np.frombuffer(self._sent, np.uint8).reshape(-1, 3))

    def close(self) -> None:
        """Puts the lights out and lets go of the strip; further calls do nothing."""
        if self._closed:
            return
        self._closed = True
        try:
            self._send(np.zeros((len(self._squares), 3), np.uint8))
        finally:
            self._strip.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _levels(self, turned: int, now: float) -> Levels:
        """What each LED shows, within what the supply gives."""
        inks = np.zeros((self._size**2 + 1, 3), np.uint8)
        for square, ink in self._picture.items():
            inks[square] = ink
        board = inks[:-1].reshape(self._size, self._size, 3)
        inks[:-1] = np.rot90(board, turned // 90).reshape(-1, 3)
        ramp = 1.0 if self._begun_s is None else min(1.0, (now - self._begun_s) / RAMP_S)
        brightness = self._brightness.at(self._hour()) * ramp
        return self._supply.limited(corrected(inks[self._squares], brightness))

    def _send(self, levels: Levels) -> None:
        begun_s = self._clock()
        self._strip.write(levels.tobytes())
        self._sent, self._sent_s = levels.tobytes(), begun_s
        self._afterglow.change(_lit(levels, self._squares), begun_s, self._clock())


def _lit(levels: Levels, squares: NDArray[np.intp]) -> frozenset[int]:
    return frozenset(int(square) for square in squares[levels.any(axis=1)] if square >= 0)
