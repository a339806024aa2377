"""LEDs that glow in the virtual table, and refuse what a chain of WS2812 refuses."""

from collections.abc import Callable
from typing import Final

from firmware.devices import DeviceError
from firmware.simulator.table import VirtualTable

LED_S: Final = 30e-6
"""Time that the wire takes for an LED: 24 bits at 800 kHz."""

RESET_S: Final = 300e-6
"""Silence after which the chain shows what it was sent (WS2812B datasheet: above 280 us)."""

_BYTES: Final = 3


class SimulatedStrip:
    """A chain of LEDs under the board.

    Args:
        table: where they glow.
        layout: the square above each LED, in the order of the chain.
        clock: seconds that only go forward; by it a frame too soon is refused.

    Attributes:
        written: every frame that was shown, with its time.

    Raises:
        ValueError: the layout names a square that the board has not, or one twice.
    """

    def __init__(
        self, table: VirtualTable, layout: tuple[int, ...], clock: Callable[[], float]
    ) -> None:
        squares = table.scene.game.size**2
        if len(set(layout)) != len(layout) or not all(0 <= at < squares for at in layout):
            raise ValueError(f"a layout names each of {squares} squares once at most")
        self._table = table
        self._layout = layout
        self._clock = clock
        self._free_s = float("-inf")
        self._closed = False
        self.written: list[tuple[float, bytes]] = []

    @property
    def length(self) -> int:
        """How many LEDs there are."""
        return len(self._layout)

    def write(self, pixels: bytes) -> None:
        """Shows one colour, red green blue, on each LED.

        Raises:
            DeviceError: it is closed, the number of bytes is wrong, or the wire is still busy.
        """
        if self._closed:
            raise DeviceError("the strip is closed; open it again to write to it")
        if len(pixels) != _BYTES * self.length:
            raise DeviceError(
                f"{len(pixels)} bytes are no frame for {self.length} LEDs; "
                f"send {_BYTES} for each, {_BYTES * self.length}"
            )
        now_s = self._clock()
        if now_s < self._free_s:
            wait_ms = 1000 * (self._free_s - now_s)
            raise DeviceError(f"the wire is busy with the frame before for {wait_ms:.2f} ms more")
        self._free_s = now_s + LED_S * self.length + RESET_S
        self.written.append((now_s, bytes(pixels)))
        self._show(pixels)

    def close(self) -> None:
        """Ends it; the LEDs stay as they are, as real ones do."""
        self._closed = True

    def _show(self, pixels: bytes) -> None:
        lights = list(self._table.scene.lights)
        for led, square in enumerate(self._layout):
            red, green, blue = pixels[_BYTES * led : _BYTES * led + _BYTES]
            lights[square] = red, green, blue
        self._table.light(tuple(lights))


def serpentine(size: int) -> tuple[int, ...]:
    """A layout that runs back and forth: a14 to n14, n13 to a13 and so on down."""
    return tuple(
        row * size + (column if row % 2 == 0 else size - 1 - column)
        for row in range(size)
        for column in range(size)
    )
