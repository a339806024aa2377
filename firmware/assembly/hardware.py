"""Opens the lights and buttons of the settings.

A part of the composition root, see `firmware.assembly.simulated`. Settings that cannot be met are
refused, never replaced by others.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from firmware.assembly.led_strip import build_led_layout
from firmware.drivers.gpio_buttons import GpioButtons
from firmware.drivers.interfaces import Buttons, LedStrip
from firmware.drivers.wled import LATE_S
from firmware.errors import SettingsError
from firmware.lights.led_display import LedDisplay
from firmware.lights.light_test import LightTest, light_steps
from firmware.lights.power_budget import Brightness, PowerSupply
from firmware.session.devices import LedChain
from firmware.settings import ButtonsSettings, LightsSettings

_USABLE: Final = frozenset({4, 5, 6, 12, 13, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27})
"""GPIO on the header without another use: not the HAT's identity (0, 1), not I2C (2, 3, which have
fixed pull-ups), not SPI (7 to 11), not the serial console (14, 15)."""

_PULSES: Final = {"pwm": 18, "pcm": 21}
"""GPIO that rpi-ws281x uses for its pulses, by bus, other than SPI."""


def button_pins(settings: ButtonsSettings, people: int, lights: LightsSettings) -> tuple[int, ...]:
    """Returns the pins of the players' buttons.

    Args:
        settings: settings of the buttons.
        people: number of players.
        lights: settings of the lights, for the pins in use.

    Raises:
        SettingsError: there are too few, or one cannot be used.
    """
    pins = settings.pins
    taken = _PULSES.get(lights.bus) if lights.driver == "rpi-ws281x" else None
    for pin in pins:
        if pin not in _USABLE or pin == taken:
            whose = "the lights have it" if pin == taken else "the board needs it for other things"
            raise SettingsError(f"buttons.pins cannot be GPIO{pin}: {whose}")
    if len(set(pins)) != len(pins):
        raise SettingsError(f"buttons.pins must be different numbers, not {list(pins)}")
    if len(pins) < people:
        raise SettingsError(f"{people} people need {people} buttons; buttons.pins has {len(pins)}")
    return pins[:people]


def build_buttons(settings: ButtonsSettings, people: int, lights: LightsSettings) -> Buttons | None:
    """Opens the buttons of the settings; None if they name none. See `button_pins`."""
    if settings.driver == "none":
        return None
    return GpioButtons(button_pins(settings, people, lights), settings.hold_s)


def build_led_display(
    settings: LightsSettings, strip: LedStrip, size: int, clock: Callable[[], float]
) -> LedDisplay:
    """Returns lights on a strip, by the settings.

    Args:
        settings: settings of the lights.
        strip: the strip.
        size: squares along a side of the board.
        clock: returns the time in seconds of the clock that dates the camera's exposures.

    Raises:
        SettingsError: these LEDs do not cover the board.
    """
    brightness = Brightness(
        settings.brightness, settings.night_brightness, settings.night_from, settings.night_to
    )
    display = LedDisplay(
        strip,
        build_led_layout(settings, size),
        size,
        clock,
        supply=_supply(settings),
        brightness=lambda: brightness.at(hour_of_day()),
        place=settings.place,
    )
    if settings.driver == "wled":
        display.set_latch(LATE_S)
    return display


def build_led_chain(settings: LightsSettings, strip: LedStrip, size: int) -> LedChain:
    """Returns the LEDs of a strip for set-up, by the settings; see `build_led_display`."""
    wiring = build_led_layout(settings, size)
    order = "" if settings.driver == "wled" else settings.order
    test = LightTest(wiring, light_steps(wiring, size), _supply(settings), order)
    return LedChain(strip, settings.place, test)


def _supply(settings: LightsSettings) -> PowerSupply:
    return PowerSupply(settings.limit_ma, settings.led_ma)


def hour_of_day() -> float:
    """Returns the local hour of the day, 0 to 24."""
    now = datetime.now().astimezone()
    return now.hour + now.minute / 60
