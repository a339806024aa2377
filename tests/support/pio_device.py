"""The device of a Raspberry Pi 5's kernel for a chain of WS2812.

As in drivers/misc/ws2812-pio-rp1.c: the file offset advances with each write, so there is no
space for a second frame between open and close; a short frame leaves the other LEDs dark; a
single byte at the start is the brightness.
"""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from firmware.simulator.ws2812_chain import Ws2812Chain

_BYTES: Final = 4
"""Bytes of an LED in the device: red, green, blue, and one that it ignores."""


class PioDevice:
    """The kernel's side of `/dev/leds0`.

    Args:
        chain: the chain at the pin.
        passes: True if brightness 0 leaves levels unchanged, as in kernels from 6.12.56 on;
            False if it turns all LEDs off.
    """

    def __init__(self, chain: Ws2812Chain, *, passes: bool = True) -> None:
        self._chain: Final = chain
        self._passes: Final = passes
        self._size: Final = _BYTES * chain.length
        self._brightness = 255
        self._frame = bytearray(self._size)

    @contextmanager
    def open(self) -> Iterator["OpenPio"]:
        """Opens the device for writing."""
        yield OpenPio(self)

    def take(self, at: int, data: bytes) -> int:
        """Writes at a file offset; returns the number of bytes accepted."""
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
                emitted = self._emitted(level)
                bits += [emitted >> place & 1 for place in reversed(range(8))]
        self._chain.latch(bits)

    def _emitted(self, level: int) -> int:
        if self._brightness == 0:
            return level if self._passes else 0
        return int(255 * (level * self._brightness // 255 / 255) ** (1 / 0.45))


class OpenPio:
    """The device between open and close."""

    def __init__(self, device: PioDevice) -> None:
        self._device = device
        self._at = 0

    def write(self, data: bytes, /) -> int:
        """Writes at the file offset, and advances it.

        Raises:
            OSError: EFBIG for more than a frame, ENOSPC beyond the end of the frame; the bytes
                that fit are shown nevertheless.
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
