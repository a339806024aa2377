"""A chain of WS2812: from the bits on its data line to the colours of its LEDs."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from firmware.simulator.table import VirtualTable
from vision.plastics import Rgb

OnLatch = Callable[[Sequence[Rgb]], None]
"""Called with the colours of all LEDs after every change."""

_BITS: Final = 24
"""Bits that a chip takes for itself before it forwards the rest: eight for each colour."""

_BYTES: Final = 3
"""Bytes of a chip: one for each colour."""

_HISTORY: Final = 1000
"""Number of the newest frames that are stored, with their times."""


@dataclass(frozen=True, slots=True)
class ChainFaults:
    """Faults of a chain.

    Attributes:
        dead: the first LED that is dark and does not forward bits, or None.
        order: order of the bytes of a chip.
        supply_ma: milliamperes above which the voltage drops and all chips restart, dark.
    """

    dead: int | None = None
    order: str = "GRB"
    supply_ma: float = float("inf")


class Ws2812Chain:
    """LEDs one after another.

    Args:
        length: number of LEDs.
        clock: returns seconds, for the times of the frames.
        glow: called with the colours of all LEDs.
        faults: faults of the chain.

    Attributes:
        written: the last frames with their times, as red, green and blue of each LED.
        dips: number of voltage drops of the supply.
    """

    def __init__(
        self,
        length: int,
        clock: Callable[[], float],
        glow: OnLatch | None = None,
        faults: ChainFaults | None = None,
    ) -> None:
        self.length: Final = length
        self._clock: Final = clock
        self._glow: Final = glow
        self._faults: Final = faults or ChainFaults()
        self._shown: list[Rgb] = [(0, 0, 0)] * length
        self.written: Final[deque[tuple[float, bytes]]] = deque(maxlen=_HISTORY)
        self.dips = 0

    @property
    def shown(self) -> tuple[Rgb, ...]:
        """The present colours of the LEDs."""
        return tuple(self._shown)

    def latch(self, bits: Sequence[int]) -> None:
        """Shows the bits since the previous reset; each chip takes the first 24 it receives.

        Args:
            bits: 0 or 1; bits after the last chip are dropped, a chip that receives fewer than
                24 does not change.
        """
        reached = self.length if self._faults.dead is None else self._faults.dead
        count = min(len(bits) // _BITS, reached)
        taken = np.packbits(np.array(bits[: count * _BITS], np.uint8)).reshape(count, _BYTES)
        colours = taken[:, [self._faults.order.index(letter) for letter in "RGB"]].tolist()
        self._shown[:count] = [(red, green, blue) for red, green, blue in colours]
        if self._milliamps() > self._faults.supply_ma:
            self.dips += 1
            self._shown = [(0, 0, 0)] * self.length
        self.written.append((self._clock(), bytes(level for one in self._shown for level in one)))
        if self._glow is not None:
            self._glow(self._shown)

    def _milliamps(self) -> float:
        # 20 mA a channel and 1 mA for the chip: the maximum in the WS2812B data sheet.
        return sum(map(sum, self._shown)) / 255 * 20.0 + self.length


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
