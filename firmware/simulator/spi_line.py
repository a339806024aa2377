"""An SPI bus with a chain of WS2812 at its data line: bytes to pulse lengths, these to bits.

The clock is the one that the chip really makes for the requested one, the line may idle for some
clocks after each byte and may idle high between messages, and every pulse is checked against the
windows of a data sheet. A pulse outside the windows is refused.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.drivers.interfaces import DeviceError
from firmware.simulator.ws2812_chain import Ws2812Chain

Times = NDArray[np.float64]
"""Nanoseconds."""

Window = tuple[float, float]
"""Shortest and longest time, in nanoseconds."""

LONGEST_LOW_NS: Final = 5000.0
"""Nanoseconds up to which chips ignore the length of a low level; a longer one may latch."""

_IDLE_HIGH_CLOCKS: Final = 64
"""Clocks of high level before a message, if the line idles high."""

_BITS: Final = 24
"""Bits of a chip."""


@dataclass(frozen=True, slots=True)
class TimingWindows:
    """Pulse lengths that a chip accepts.

    Attributes:
        high_0, high_1: high times of a bit 0 and of a bit 1.
        low_0, low_1: low times after them.
        reset_ns: shortest low time after which the chip shows its bits, in nanoseconds.
    """

    high_0: Window
    high_1: Window
    low_0: Window
    low_1: Window
    reset_ns: float

    def with_idle(self) -> "TimingWindows":
        """The windows for a bus that idles between bytes: low times may be longer."""
        low_0, low_1 = (self.low_0[0], LONGEST_LOW_NS), (self.low_1[0], LONGEST_LOW_NS)
        return replace(self, low_0=low_0, low_1=low_1)


V1: Final = TimingWindows((250, 550), (650, 950), (700, 1000), (300, 600), 50_000)
"""WS2812B: 400, 800, 850 and 450 ns, 150 either way; reset above 50 us (its data sheet)."""

V5: Final = TimingWindows((220, 380), (580, 1000), (580, 1000), (580, 1000), 280_000)
"""WS2812B-V5; reset above 280 us (its data sheet)."""


def bcm_hz(core_hz: int) -> Callable[[int], float]:
    """Clock of a Raspberry Pi up to 4 in hertz: the core's, divided by an even number."""

    def real(asked_hz: int) -> float:
        divisor = -(-core_hz // asked_hz)
        return core_hz / (divisor + divisor % 2)

    return real


def rp1_hz(asked_hz: int) -> float:
    """Clock of a Raspberry Pi 5 in hertz: 200 MHz, divided by an even number."""
    divisor = -(-200_000_000 // asked_hz)
    return 200_000_000 / (divisor + divisor % 2)


CLOCKS: Final[dict[str, Callable[[int], float]]] = {
    "core 250 MHz": bcm_hz(250_000_000),
    "core 400 MHz": bcm_hz(400_000_000),
    "core 500 MHz": bcm_hz(500_000_000),
    "RP1": rp1_hz,
}
"""Functions from the requested to the real clock, for every Raspberry Pi."""


class SpiLine:
    """A bus and the chain at its end.

    Args:
        chain: the chain.
        windows: pulse lengths that its chips accept.
        clock: returns the real clock in hertz for the requested one.
        idle: clocks of low level after each byte.
        idles_high: True if the line is high between messages.
        largest: bytes of the largest message.
    """

    def __init__(
        self,
        chain: Ws2812Chain,
        windows: TimingWindows = V5,
        clock: Callable[[int], float] = CLOCKS["core 250 MHz"],
        *,
        idle: int = 0,
        idles_high: bool = False,
        largest: int = 4096,
    ) -> None:
        self._chain: Final = chain
        self._windows: Final = windows.with_idle() if idle else windows
        self._clock: Final = clock
        self._idle: Final = idle
        self._idles_high: Final = idles_high
        self._largest: Final = largest
        self._hz: float | None = None

    @property
    def largest(self) -> int:
        """Bytes of the largest message."""
        return self._largest

    def open(self, clock_hz: int) -> None:
        """Opens the bus at a clock."""
        self._hz = self._clock(clock_hz)

    def send(self, message: bytes) -> None:
        """Decodes a message and latches its bits.

        Raises:
            DeviceError: it is closed, the message is too long, or a pulse is in no window.
        """
        if self._hz is None:
            raise DeviceError("the bus is closed; open it again to send")
        if len(message) > self._largest:
            raise DeviceError(f"{len(message)} bytes are over the {self._largest} of the bus")
        clocks = np.unpackbits(np.frombuffer(message, np.uint8)).reshape(-1, 8)
        levels = np.pad(clocks, ((0, 0), (0, self._idle))).ravel()
        if self._idles_high:
            levels = np.concatenate([np.ones(_IDLE_HIGH_CLOCKS, np.uint8), levels])
        for bits in decoded(levels, 1e9 / self._hz, self._windows):
            self._chain.latch(bits)

    def close(self) -> None:
        """Closes the bus; the chain does not change."""
        self._hz = None


def decoded(levels: NDArray[np.uint8], tick_ns: float, windows: TimingWindows) -> list[list[int]]:
    """The bits that chips decode from a line, one list for each reset.

    Args:
        levels: level of the line in each tick, 0 or 1.
        tick_ns: nanoseconds of a tick.
        windows: pulse lengths that the chips accept.

    Raises:
        DeviceError: a pulse is in no window, or there is no reset after the last bit.
    """
    edges = np.flatnonzero(np.diff(levels, prepend=0, append=0))
    rises, falls = edges[::2], edges[1::2]
    if not len(rises):
        return []
    highs = np.asarray((falls - rises) * tick_ns, np.float64)
    lows = np.asarray((np.append(rises[1:], len(levels)) - falls) * tick_ns, np.float64)
    ends = np.flatnonzero(lows >= windows.reset_ns) + 1
    found = []
    for first, last in zip([0, *ends[:-1]], ends, strict=False):
        # A reset discards less than the bits of one chip, whatever their pulse lengths.
        if last - first >= _BITS:
            found.append(_bits(highs[first:last], lows[first : last - 1], windows))
    if not len(ends) or ends[-1] != len(highs):
        raise DeviceError(
            f"the line is low for {lows[-1] / 1000:.1f} us after a frame; "
            f"chips show it after {windows.reset_ns / 1000:.0f} us"
        )
    return found


def _bits(highs: Times, lows: Times, windows: TimingWindows) -> list[int]:
    ones = _within(highs, windows.high_1)
    strange = ~ones & ~_within(highs, windows.high_0)
    if strange.any():
        raise DeviceError(f"a high of {highs[strange][0]:.0f} ns is neither a 0 nor a 1")
    fits = np.where(ones[:-1], _within(lows, windows.low_1), _within(lows, windows.low_0))
    if not fits.all():
        at = int(np.flatnonzero(~fits)[0])
        raise DeviceError(f"a low of {lows[at]:.0f} ns does not follow a {int(ones[at])}")
    bits: list[int] = ones.astype(int).tolist()
    return bits


def _within(times: Times, window: Window) -> NDArray[np.bool_]:
    return (times >= window[0]) & (times <= window[1])
