"""WS2812 by the library rpi-ws281x, for Raspberry Pi Zero to 4.

Over SPI (GPIO10) it needs the groups `spi` and `gpio`, and sets the pin by `/dev/gpiomem`; over PWM
(GPIO18) or PCM (GPIO21) it needs root, and PWM also needs analogue sound switched off. It does not
support the Raspberry Pi 5.
"""

import atexit
import os
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

from firmware.codes import Bus, Order
from firmware.drivers.interfaces import DeviceError
from firmware.drivers.pixel_order import for_sender, frame_of
from firmware.drivers.spidev import buffer_size, too_long
from firmware.errors import install_command

PINS: Final[dict[Bus, int]] = {"spi": 10, "pwm": 18, "pcm": 21}
"""GPIO of the data line, pins 19, 12 and 40 of the header."""

FREQUENCY_HZ: Final = 800_000
"""Bits a second on the data line."""

_CAUSES: Final = {
    -3: "does not know this machine; on a Raspberry Pi 5 choose lights.driver = 'ws2812-pio'",
    -5: "may not reach the memory of the chip; run it as root, or choose lights.bus = 'spi'",
    -6: "may not reach the pins; put this user into the group gpio",
    -9: "may not reach /dev/vcio; run it as root, or choose lights.bus = 'spi'",
    -14: "cannot send so much at once over SPI; see spidev.bufsiz in cmdline.txt",
}
"""Cause and remedy of the library's error codes (ws2811.h)."""

_NO_SPI: Final = -13
"""Error code for each file that the library needs for SPI, whichever it cannot open."""

_SPI_FILES: Final = {
    "/dev/spidev0.0": "switch SPI on with dtparam=spi=on in config.txt, and put this user into the "
    "group spi",
    "/dev/gpiomem": "put this user into the group gpio, or choose lights.driver = 'spi', which "
    "needs no such file",
}
"""Remedies by these files."""


class Ws281x:
    """A chain of WS2812 that rpi-ws281x drives.

    Args:
        length: number of LEDs.
        order: order of the bytes of an LED.
        bus: hardware with which the library makes its pulses.

    Raises:
        DeviceError: the library is not installed, or cannot work on this machine.

    Attributes:
        length: number of LEDs.
    """

    def __init__(self, length: int, order: Order = "GRB", bus: Bus = "spi") -> None:
        self.length: Final = length
        self._order: Final = order
        if bus == "spi" and message_size(length) > buffer_size():
            raise DeviceError(too_long(message_size(length), buffer_size()))
        try:
            library = import_module("rpi_ws281x")
        except ImportError as error:
            raise DeviceError(
                f"rpi-ws281x is not installed; install it with: {install_command('rpi-ws281x')}"
            ) from error
        # The library always uses the order GRB and applies no gamma.
        strip = library.PixelStrip(length, PINS[bus], FREQUENCY_HZ)
        try:
            _call(strip.begin)
        except DeviceError:
            # The library's exit handler would crash the program: there is nothing to free.
            atexit.unregister(_exit_handler(strip))
            raise
        self._strip: Any = strip

    def write(self, pixels: bytes) -> None:
        """Shows one colour on each LED.

        Raises:
            DeviceError: it is closed, the number of bytes is wrong, or the bus failed.
        """
        if self._strip is None:
            raise DeviceError("the strip is closed; open it again to write to it")
        wire = for_sender(frame_of(pixels, self.length), self._order).astype(int)
        for led, colour in enumerate((wire @ [1 << 16, 1 << 8, 1]).tolist()):
            self._strip[led] = colour
        _call(self._strip.show)

    def close(self) -> None:
        """Releases the pins; the LEDs do not change."""
        strip, self._strip = self._strip, None
        if strip is not None:
            atexit.unregister(_exit_handler(strip))
            _exit_handler(strip)()


def _exit_handler(strip: Any) -> Callable[[], None]:
    """The exit handler that the library has registered; it has no public name."""
    handler: Callable[[], None] = strip._cleanup  # noqa: SLF001
    return handler


def message_size(length: int) -> int:
    """Bytes that the library sends over SPI for a frame, with four colours for each LED.

    Measured for 196, 256, 340 and 400 LEDs with version 5.0.0.
    """
    return (((length * 96 + 132) >> 3) & ~7) + 8


def _call(work: Callable[[], None]) -> None:
    """Calls the library and translates its errors, which have a code in their text.

    Raises:
        DeviceError: the call failed.
    """
    try:
        work()
    except RuntimeError as error:
        text = str(error)
        causes = (cause for code, cause in _CAUSES.items() if f"code {code} " in text)
        cause = _refused_file() if f"code {_NO_SPI} " in text else next(causes, "")
        raise DeviceError(f"rpi-ws281x {cause or f'failed: {text}'}") from error


def _refused_file() -> str:
    """Cause and remedy of the first file of SPI that cannot be opened; empty if all can be."""
    for path, remedy in _SPI_FILES.items():
        try:
            os.close(os.open(path, os.O_RDWR))
        except OSError as error:
            return f"cannot use {path}: {error.strerror}; {remedy}"
    return ""
