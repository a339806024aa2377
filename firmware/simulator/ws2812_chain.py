"""A chain of WS2812 as its chips behave: what comes in over one wire, and what glows."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from firmware.simulator.table import VirtualTable

Rgb = tuple[int, int, int]
OnLatch = Callable[[Sequence[Rgb]], None]
"""Told what every LED shows, whenever that changes."""

_BITS: Final = 24
_BYTES: Final = 3
_KEPT: Final = 1000


@dataclass(frozen=True, slots=True)
class ChainFaults:
    """What may be wrong with a chain.

    Attributes:
        dead: the first LED that passes nothing on and stays dark.
        order: in which the chips take their colours.
        supply_ma: current at which the voltage drops so far that all chips start anew, dark.
    """

    dead: int | None = None
    order: str = "GRB"
    supply_ma: float = float("inf")


class Ws2812Chain:
    """LEDs one after another.

    Args:
        length: how many there are.
        clock: seconds; stamps what was shown.
        glow: told what they show.
        faults: what is wrong with it.

    Attributes:
        written: the newest frames that were shown whole, as red, green and blue of each LED,
            with their times.
        dips: how often the supply gave in.
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
        self.written: Final[deque[tuple[float, bytes]]] = deque(maxlen=_KEPT)
        self.dips = 0

    @property
    def shown(self) -> tuple[Rgb, ...]:
        """What glows now."""
        return tuple(self._shown)

    def latch(self, bits: Sequence[int]) -> None:
        """Shows the bits since the reset before; each chip keeps the first 24 that reach it.

        Args:
            bits: 0 or 1; those beyond the last chip run out of the end, a chip that got fewer
                than its 24 shows what it did.
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
        # 20 mA a channel beside 1 mA for the chip: the WS2812B data sheet at its most.
        return sum(map(sum, self._shown)) / 255 * 20.0 + self.length


def under(table: VirtualTable, layout: Sequence[int | None]) -> OnLatch:
    """LEDs that glow in a virtual table.

    Args:
        table: where.
        layout: the square above each LED, in the order of the chain; None for none.

    Raises:
        ValueError: the layout names a square that the board has not, or one twice.
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
