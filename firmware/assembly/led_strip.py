"""Opens the strip of the settings. Imports little, because a service puts the lights out by it.

Settings that cannot be met are refused, never replaced by others.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from firmware.drivers.interfaces import LedStrip
from firmware.drivers.reopened_strip import ReopenedStrip
from firmware.drivers.spidev import Spidev
from firmware.drivers.wled import Wled
from firmware.drivers.ws281x import Ws281x
from firmware.drivers.ws2812_pio import Ws2812Pio
from firmware.drivers.ws2812_spi import Ws2812Spi
from firmware.errors import SettingsError
from firmware.lights.led_layout import LedLayout
from firmware.settings import LightsSettings

_SPI: Final = "/dev/spidev0.0"
"""Default device of the driver `spi`."""

_WLED_ANSWERS_S: Final = 6.0
"""Seconds to wait for WLED where nobody waits for a picture."""

_PIO: Final = "/dev/leds0"
"""Default device of the driver `ws2812-pio`."""


def build_led_layout(settings: LightsSettings, size: int) -> LedLayout:
    """Returns the wiring of the LEDs in the settings.

    Args:
        settings: settings of the lights.
        size: squares along a side of the board.

    Raises:
        SettingsError: these LEDs do not cover the board.
    """
    wiring = LedLayout(
        settings.columns or size,
        settings.rows or size,
        settings.first,
        settings.along,
        settings.serpentine,
        settings.left,
        settings.top,
        settings.panels_across,
        settings.panels_down,
    )
    try:
        wiring.layout(size)
    except ValueError as error:
        raise SettingsError(
            f"{error}; see lights.columns, lights.rows, lights.left, lights.top, "
            "lights.panels_across and lights.panels_down"
        ) from error
    return wiring


def build_led_strip(settings: LightsSettings, length: int) -> LedStrip | None:
    """Opens the strip of the settings; returns None if they name none.

    Args:
        settings: settings of the lights.
        length: number of LEDs.

    Raises:
        DeviceError: it cannot work; the message names cause and remedy.
    """
    opener = _opener(settings, length)
    return None if opener is None else opener()


def build_reopened_strip(settings: LightsSettings, length: int) -> LedStrip | None:
    """Returns the strip of the settings, opened by what it shows; None if they name none."""
    if settings.driver == "wled":
        return _wled(settings, length, wait_s=0.0)  # it comes back by itself
    opener = _opener(settings, length)
    return None if opener is None else ReopenedStrip(opener, length)


def _opener(settings: LightsSettings, length: int) -> Callable[[], LedStrip] | None:
    if settings.driver == "spi":
        return lambda: Ws2812Spi(Spidev(Path(settings.device or _SPI)), length, settings.order)
    if settings.driver == "ws2812-pio":
        return partial(Ws2812Pio, Path(settings.device or _PIO), length, settings.order)
    if settings.driver == "rpi-ws281x":
        return partial(Ws281x, length, settings.order, settings.bus)
    if settings.driver == "wled":
        return partial(_wled, settings, length, wait_s=_WLED_ANSWERS_S)
    return None


def _wled(settings: LightsSettings, length: int, *, wait_s: float) -> Wled:
    if not settings.device:
        raise SettingsError(
            "lights.driver = 'wled' needs the name or address of WLED in lights.device, such as "
            "'192.168.1.50' or 'wled-table.local'"
        )
    is_one_panel = settings.panels_across * settings.panels_down == 1
    is_in_rows = settings.first == "top-left" and settings.along == "rows"
    in_rows = is_one_panel and is_in_rows and not settings.serpentine
    return Wled(settings.device, length, is_wired_in_rows=in_rows, wait_s=wait_s)
