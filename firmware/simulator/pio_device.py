"""The device that a Raspberry Pi 5's kernel makes for a chain of WS2812, as its driver behaves.

After drivers/misc/ws2812-pio-rp1.c: the place in the file moves on with each write, so a second
frame between open and close finds no space; what is short of a frame leaves the rest dark; one
byte at the start is no frame but the brightness.
"""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from firmware.simulator.ws2812_chain import Ws2812Chain

_BYTES: Final = 4


class PioDevice:
    """The kernel's side of `/dev/leds0`.

    Args:
        chain: what hangs on the pin.
        passes: whether brightness 0 passes levels through, as kernels from 6.12.56 do, instead
            of putting all LEDs out.
    """

    def __init__(self, chain: Ws2812Chain, *, passes: bool = True) -> None:
        self._chain: Final = chain
        self._passes: Final = passes
        self._size: Final = _BYTES * chain.length
        self._brightness = 255
        self._frame = bytearray(self._size)

    @contextmanager
    def open(self) -> Iterator["OpenPio"]:
        """Opens it for writing."""
        yield OpenPio(self)

    def take(self, at: int, data: bytes) -> int:
        """Takes a write at a place in the file; says how much of it fitted."""
        if at == 0 and len(data) == 1:
            self._brightness = data[0]
        else:
            data = data[: self._size - at]
            self._frame[at : at + len(data)] = data
            self._frame[at + len(data) :] = bytes(self._size - at - len(data))
        self._show()
        return len(data)

    @property
    def size(self) -> int:
        """Bytes of a frame."""
        return self._size

    def _show(self) -> None:
        bits: list[int] = []
        for led in range(self._chain.length):
            red, green, blue, _ = self._frame[_BYTES * led : _BYTES * (led + 1)]
            for level in (green, red, blue):
                shown = self._shown(level)
                bits += [shown >> place & 1 for place in reversed(range(8))]
        self._chain.latch(bits)

    def _shown(self, level: int) -> int:
        if self._brightness == 0:
            return level if self._passes else 0
        return int(255 * (level * self._brightness // 255 / 255) ** (1 / 0.45))


class OpenPio:
    """The device between open and close."""

    def __init__(self, device: PioDevice) -> None:
        self._device = device
        self._at = 0

    def write(self, data: bytes, /) -> int:
        """Writes at the place in the file, and moves it on.

        Raises:
            OSError: EFBIG for more than a frame, ENOSPC where none fits any more; what fits is
                shown all the same.
        """
        fits = self._device.size - self._at
        taken = self._device.take(self._at, data)
        if len(data) != 1 or self._at:
            self._at += taken
        if len(data) > self._device.size:
            raise OSError(errno.EFBIG, "File too large")
        if len(data) > fits:
            raise OSError(errno.ENOSPC, "No space left on device")
        return taken
