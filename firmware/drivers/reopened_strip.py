"""A strip that is opened when it has something to show, and anew after a fault.

A strip that is away at the start or later is so no reason to end a table, and comes back by itself.
"""

from collections.abc import Callable
from typing import Final

from firmware.drivers.interfaces import DeviceError, LedStrip


class ReopenedStrip:
    """A strip that `write` opens.

    Args:
        opener: opens the strip, or raises DeviceError.
        length: number of LEDs.

    Attributes:
        length: see above.
    """

    def __init__(self, opener: Callable[[], LedStrip], length: int) -> None:
        self._opener: Final = opener
        self.length: Final = length
        self._strip: LedStrip | None = None
        self._closed = False

    def write(self, pixels: bytes) -> None:
        """Shows one colour on each LED.

        Raises:
            DeviceError: it is closed, cannot be opened, or cannot show the frame. After a fault it
                is opened again by the next call.
        """
        if self._closed:
            raise DeviceError("the strip is closed; open another one to write to it")
        if self._strip is None:
            self._strip = self._opener()
        try:
            self._strip.write(pixels)
        except DeviceError:
            strip, self._strip = self._strip, None
            strip.close()
            raise

    def close(self) -> None:
        """Closes the strip; the LEDs do not change."""
        self._closed = True
        if self._strip is not None:
            self._strip.close()
            self._strip = None
