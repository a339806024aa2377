"""The LEDs of a simulated table."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from firmware.drivers.pixel_order import frame_of
from firmware.simulator.table import VirtualTable
from vision.plastics import Rgb

OnLatch = Callable[[Sequence[Rgb]], None]
"""Called with the colours of all LEDs after every change."""

_HISTORY: Final = 1000
"""Number of the newest frames that are stored, with their times."""


class SimulatedStrip:
    """LEDs that show every frame at once. See `LedStrip`.

    Args:
        length: number of LEDs.
        clock: returns seconds, for the times of the frames.
        glow: called with the colours of all LEDs.

    Attributes:
        length: number of LEDs.
        written: the last frames with their times, as red, green and blue of each LED.
    """

    def __init__(
        self, length: int, clock: Callable[[], float], glow: OnLatch | None = None
    ) -> None:
        self.length: Final = length
        self._clock: Final = clock
        self._glow: Final = glow
        self.written: Final[deque[tuple[float, bytes]]] = deque(maxlen=_HISTORY)

    def write(self, pixels: bytes) -> None:
        """Shows one colour on each LED.

        Raises:
            DeviceError: the number of bytes is wrong.
        """
        levels = frame_of(pixels, self.length).tolist()
        self.written.append((self._clock(), pixels))
        if self._glow is not None:
            self._glow([(red, green, blue) for red, green, blue in levels])

    def close(self) -> None:
        """Does nothing; the LEDs do not change."""


def under(table: VirtualTable, layout: Sequence[int | None]) -> OnLatch:
    """Connects a chain of LEDs to a virtual table.

    Args:
        table: the table.
        layout: the square above each LED, in the order of the chain; None for none.

    Raises:
        ValueError: the layout has a square off the board, or one twice.
    """
    squares = table.scene.game.size**2
    named = [square for square in layout if square is not None]
    if len(set(named)) != len(named) or not all(0 <= square < squares for square in named):
        raise ValueError(f"a layout names each of {squares} squares once at most")

    def glow(shown: Sequence[Rgb]) -> None:
        lights: list[Rgb] = [(0, 0, 0)] * squares
        for square, colour in zip(layout, shown, strict=True):
            if square is not None:
                lights[square] = colour
        table.light(tuple(lights))

    return glow
