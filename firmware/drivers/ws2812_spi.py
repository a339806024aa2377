"""WS2812 over SPI, without a library: four bits on the wire for each bit of an LED.

A 0 is sent as 1000 and a 1 as 1100, at 3.05 MHz or the nearest lower clock of the chip. On every
Raspberry Pi the high times are 328-330 ns and 656-660 ns, within the windows of the data sheets
of WS2812B (400 and 800 ns, 150 either way) and WS2812B-V5 (220-380 and 580-1000 ns). Each byte on
the wire ends low, so one to eight idle clocks between bytes only lengthen a low time, which has
almost no effect, and never a high time.

Each frame begins and ends with a low level longer than the reset of a chain (280 us): this
discards bits that a line idling high has sent to the first LED, and latches the frame at once.
The only permission needed is the group `spi`.
"""

from typing import Final

import numpy as np

from firmware.codes import Order
from firmware.drivers.interfaces import DeviceError, SpiBus
from firmware.drivers.pixel_order import frame_of, in_order
from firmware.drivers.spidev import too_long

CLOCK_HZ: Final = 3_050_000
"""Clock of the bus in hertz."""

SILENCE: Final = bytes(128)
"""Low level before and after a frame: 336 us at the fastest clock of a chip up to `CLOCK_HZ`."""

_CODE: Final = np.array(
    [
        sum((0b1100 if byte >> bit & 1 else 0b1000) << 4 * bit for bit in range(8))
        for byte in range(256)
    ],
    ">u4",
)
"""For each byte of a frame the four bytes on the wire."""


class Ws2812Spi:
    """A chain of WS2812 on the data line of an SPI bus.

    Args:
        spi: the bus.
        length: number of LEDs.
        order: order of the bytes of an LED.

    Raises:
        DeviceError: the bus cannot be used, or a frame is longer than its largest message.

    Attributes:
        length: number of LEDs.
    """

    def __init__(self, spi: SpiBus, length: int, order: Order = "GRB") -> None:
        self._spi: Final = spi
        self.length: Final = length
        self._order: Final = order
        spi.open(CLOCK_HZ)
        frame_bytes = len(encode(bytes(3 * length), length, order))
        if frame_bytes > spi.largest:
            spi.close()
            raise DeviceError(too_long(frame_bytes, spi.largest))

    def write(self, pixels: bytes) -> None:
        """Shows one colour on each LED.

        Raises:
            DeviceError: it is closed, the number of bytes is wrong, or the bus failed.
        """
        self._spi.send(encode(pixels, self.length, self._order))

    def close(self) -> None:
        """Closes the bus; the LEDs do not change."""
        self._spi.close()


def encode(pixels: bytes, length: int, order: Order) -> bytes:
    """The message on the bus for a frame.

    Raises:
        DeviceError: it is not a frame for `length` LEDs.
    """
    wire = in_order(frame_of(pixels, length), order)
    return SILENCE + _CODE[wire.ravel()].tobytes() + SILENCE
