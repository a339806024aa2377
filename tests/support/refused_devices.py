"""Asks the drivers of LEDs and buttons for what a kernel refuses; prints a line for each.

It runs with the installed program on the machine, as a user who may use the devices.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from firmware.drivers.gpio_buttons import GpioButtons
from firmware.drivers.interfaces import DeviceError
from firmware.drivers.spidev import Spidev
from firmware.drivers.ws281x import Ws281x
from firmware.drivers.ws2812_pio import Ws2812Pio
from firmware.drivers.ws2812_spi import Ws2812Spi

BUS: Final = Path("/dev/spidev0.0")


def closed_strip() -> None:
    strip = Ws2812Spi(Spidev(BUS), 196)
    strip.close()
    strip.write(bytes(3 * 196))


def button(pin: int) -> None:
    """Reads a button as a table does."""
    GpioButtons([pin]).pressed()


ASKED: Final[dict[str, dict[str, Callable[[], object]]]] = {
    # While a table uses the pins.
    "busy": {"a pin that the table uses": lambda: button(5)},
    "free": {
        "a bus that is not there": lambda: Ws2812Spi(Spidev(Path("/dev/spidev9.9")), 196),
        "a file that is no bus": lambda: Ws2812Spi(Spidev(Path("/dev/null")), 196),
        "more LEDs than a transfer has room for": lambda: Ws2812Spi(Spidev(BUS), 400),
        "a strip that is closed": closed_strip,
        "the LEDs of a Raspberry Pi 5": lambda: Ws2812Pio(Path("/dev/leds0"), 196),
        "rpi-ws281x on another computer": lambda: Ws281x(196, bus="pwm"),
        "a pin that there is not": lambda: button(99),
    },
    # As a user without the groups of the devices.
    "others": {
        "a bus without the right": lambda: Ws2812Spi(Spidev(BUS), 196),
        "a pin without the right": lambda: button(5),
    },
}
"""Questions by occasion."""


def answer(ask: Callable[[], object]) -> str:
    """Returns the sentence of a refusal."""
    try:
        ask()
    except DeviceError as error:
        return str(error)
    return "not refused"


if __name__ == "__main__":
    for name, ask in ASKED[sys.argv[1]].items():
        sys.stdout.write(f"| {name} | {answer(ask)} |\n")
