"""An SPI bus whose data line ends in a chain of WS2812: bytes become times, times become bits.

The clock is the one the chip really makes of the one asked for, the line may idle for some
clocks after each byte and may idle high between messages, and every pulse is measured against
the windows of a data sheet. What no chip is bound to understand is refused.
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
"""Shortest and longest, in nanoseconds."""

LONGEST_LOW_NS: Final = 5000.0
"""A low that lasts longer may already latch; up to there its length means nothing to chips."""

_IDLE_HIGH_CLOCKS: Final = 64
_BITS: Final = 24


@dataclass(frozen=True, slots=True)
class TimingWindows:
    """Times that a chip understands.

    Attributes:
        high_0, high_1: how long the line is high for a bit that is 0, and for one that is 1.
        low_0, low_1: how long it is then low.
        reset_ns: how long it is low for the chip to show what it was sent.
    """

    high_0: Window
    high_1: Window
    low_0: Window
    low_1: Window
    reset_ns: float

    def with_idle(self) -> "TimingWindows":
        """The windows for a bus that idles between bytes: lows may last."""
        low_0, low_1 = (self.low_0[0], LONGEST_LOW_NS), (self.low_1[0], LONGEST_LOW_NS)
        return replace(self, low_0=low_0, low_1=low_1)


V1: Final = TimingWindows((250, 550), (650, 950), (700, 1000), (300, 600), 50_000)
"""WS2812B: 400, 800, 850 and 450 ns, 150 either way; reset above 50 us (its data sheet)."""

V5: Final = TimingWindows((220, 380), (580, 1000), (580, 1000), (580, 1000), 280_000)
"""WS2812B-V5; reset above 280 us (its data sheet)."""


def bcm_hz(core_hz: int) -> Callable[[int], float]:
    """The clock that a Raspberry Pi up to 4 makes: the core's, divided by an even number."""

    def real(asked_hz: int) -> float:
        divisor = -(-core_hz // asked_hz)
        return core_hz / (divisor + divisor % 2)

    return real


def rp1_hz(asked_hz: int) -> float:
    """The clock that a Raspberry Pi 5 makes: 200 MHz, divided by an even number."""
    divisor = -(-200_000_000 // asked_hz)
    return 200_000_000 / (divisor + divisor % 2)


CLOCKS: Final[dict[str, Callable[[int], float]]] = {
    "core 250 MHz": bcm_hz(250_000_000),
    "core 400 MHz": bcm_hz(400_000_000),
    "core 500 MHz": bcm_hz(500_000_000),
    "RP1": rp1_hz,
}
"""The clocks of every Raspberry Pi."""


class SpiLine:
    """A bus and the chain at its end.

    Args:
        chain: what hangs on it.
        windows: what its chips understand.
        clock: makes the real clock in Hz of the one asked for.
        idle: clocks for which the line is low after each byte.
        idles_high: whether it is high between messages.
        largest: bytes that one message may have.
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
        """Bytes that one message may have."""
        return self._largest

    def open(self, clock_hz: int) -> None:
        """Gets ready."""
        self._hz = self._clock(clock_hz)

    def send(self, message: bytes) -> None:
        """Takes a message and latches what it says.

        Raises:
            DeviceError: it is closed, the message is too long, or a chip need not understand it.
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
        """Ends it; the chain stays as it is."""
        self._hz = None


def decoded(levels: NDArray[np.uint8], tick_ns: float, windows: TimingWindows) -> list[list[int]]:
    """The bits that chips take from a line, one list for each reset.

    Args:
        levels: 0 or 1, what the line is in each tick.
        tick_ns: how long a tick is.
        windows: what the chips understand.

    Raises:
        DeviceError: a pulse is in no window, or what was sent is not followed by a reset.
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
        # Less than one chip's worth before a reset is forgotten, however long it was.
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
