"""The LEDs of a virtual table: a strip that shows what is written to it."""

from collections.abc import Callable, Sequence
from typing import Final

from firmware.simulator.table import VirtualTable
from vision.plastics import Rgb

Glow = Callable[[Sequence[Rgb]], None]
"""Called with the colours of all LEDs after every change."""


class SimulatedStrip:
    """A chain of LEDs, see `firmware.drivers.interfaces.LedStrip`.

    Args:
        length: number of LEDs.
        glow: called with their colours; None if their light falls on nothing.

    Attributes:
        shown: the newest frame.
    """

    def __init__(self, length: int, glow: Glow | None = None) -> None:
        self.length: Final = length
        self._glow: Final = glow
        self.shown = bytes(3 * length)

    def write(self, pixels: bytes) -> None:
        """Shows one colour on each LED."""
        self.shown = pixels
        if self._glow is not None:
            self._glow(list(zip(pixels[::3], pixels[1::3], pixels[2::3], strict=True)))

    def close(self) -> None:
        """Does nothing."""


def under(table: VirtualTable, layout: Sequence[int | None]) -> Glow:
    """Returns the effect of a chain of LEDs under a virtual table.

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
