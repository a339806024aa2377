"""Checks of the lights and buttons of the settings: they fit the game, and they work."""

from contextlib import closing

from firmware.assembly.game_config import variant_from
from firmware.assembly.hardware import button_pins
from firmware.assembly.led_strip import build_led_layout, build_led_strip
from firmware.commands.checks.check import Check, fine, wrong
from firmware.drivers.gpio_buttons import GpioButtons
from firmware.drivers.interfaces import DeviceError
from firmware.errors import SettingsError
from firmware.settings import Settings


def check_lights(settings: Settings, *, opens: bool) -> Check:
    """Checks that the LEDs cover the board.

    Args:
        settings: all settings.
        opens: True to open the strip too, and to write one dark frame.
    """
    driver = settings.lights.driver
    try:
        length = build_led_layout(settings.lights, variant_from(settings).size).length
        if driver == "none":
            return fine("lights", "none, lights.driver is 'none'")
        if not opens:
            return fine("lights", f"{length} LEDs by {driver}, not opened")
        strip = build_led_strip(settings.lights, length)
        if strip is not None:
            strip.write(bytes(3 * length))
            strip.close()
    except (DeviceError, SettingsError) as error:
        return wrong("lights", str(error))
    return fine("lights", f"{length} LEDs by {driver}, dark now")


def check_buttons(settings: Settings, *, opens: bool) -> Check:
    """Checks that each person has a button, at a pin that can have one.

    Args:
        settings: all settings.
        opens: True to open the pins too, and to check that no button is pressed.
    """
    if settings.buttons.driver == "none":
        return fine("buttons", "none, buttons.driver is 'none'")
    try:
        pins = button_pins(settings.buttons, variant_from(settings).people, settings.lights)
        numbers = ", ".join(f"GPIO{pin}" for pin in pins)
        if not opens:
            return fine("buttons", f"{len(pins)} on {numbers}, not opened")
        with closing(GpioButtons(pins, settings.buttons.hold_s)) as buttons:
            down = buttons.down()
    except (DeviceError, SettingsError) as error:
        return wrong("buttons", str(error))
    if down:
        which = ", ".join(f"GPIO{pins[person]}" for person in down)
        found = f"pressed though nobody should: {which}; is its other side at ground by mistake?"
        return wrong("buttons", found)
    return fine("buttons", f"{len(pins)} on {numbers}, none pressed")
