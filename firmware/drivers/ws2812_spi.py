"""WS2812 by our own code over SPI: four bits on the wire for each bit of an LED.

A 0 is sent as 1000 and a 1 as 1100, at 3.05 MHz or the nearest below that the chip has. On every
Raspberry Pi that gives high times of 328-330 ns and 656-660 ns, within the windows of the data
sheets of WS2812B (400 and 800 ns, 150 either way) and WS2812B-V5 (220-380 and 580-1000 ns).
Each byte on the wire ends low, so a clock or eight in which the bus idles between bytes lengthen
a low time, which hardly matters, and never a high one.

Each frame begins and ends with silence, longer than the 280 us after which a chain starts anew:
whatever a line that idled high has told the first LED is forgotten, and what was sent is shown
at once. It needs no right beyond the group `spi`.
"""

from typing import Final

import numpy as np

from firmware.drivers.interfaces import DeviceError, SpiBus
from firmware.drivers.pixel_order import Order, frame_of, in_order
from firmware.drivers.spidev import too_long

CLOCK_HZ: Final = 3_050_000
SILENCE: Final = bytes(128)
"""336 us at the fastest clock that a chip has at or below `CLOCK_HZ`."""

_CODE: Final = np.array(
    [
        sum((0b1100 if byte >> bit & 1 else 0b1000) << 4 * bit for bit in range(8))
        for byte in range(256)
    ],
    ">u4",
)
"""For each byte the four that carry it."""


class Ws2812Spi:
    """A chain of WS2812 on the data line of an SPI bus.

    Args:
        spi: the bus.
        length: how many LEDs there are.
        order: in which they take their colours.

    Raises:
        DeviceError: the bus cannot be used, or takes no message as long as a frame.
    """

    def __init__(self, spi: SpiBus, length: int, order: Order = "GRB") -> None:
        self._spi: Final = spi
        self._length: Final = length
        self._order: Final = order
        spi.open(CLOCK_HZ)
        whole = len(encode(bytes(3 * length), length, order))
        if whole > spi.largest:
            spi.close()
            raise DeviceError(too_long(whole, spi.largest))

    @property
    def length(self) -> int:
        """How many LEDs there are."""
        return self._length

    def write(self, pixels: bytes) -> None:
        """Shows one colour on each LED.

        Raises:
            DeviceError: it is closed, the number of bytes is wrong, or the bus failed.
        """
        self._spi.send(encode(pixels, self._length, self._order))

    def close(self) -> None:
        """Lets go of the bus; the LEDs stay as they are."""
        self._spi.close()


def encode(pixels: bytes, length: int, order: Order) -> bytes:
    """What goes over the bus for a frame.

    Raises:
        DeviceError: it is not a frame for so many LEDs.
    """
    wire = in_order(frame_of(pixels, length), order)
    return SILENCE + _CODE[wire.ravel()].tobytes() + SILENCE
