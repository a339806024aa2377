"""`cornerlight lights-off`: puts the lights out.

LEDs keep their last colours when the program that set them is killed. A service runs this command
after any end: `ExecStopPost=cornerlight lights-off --config FILE`.
"""

import argparse
from typing import Final

from firmware.assembly.game_config import variant_from
from firmware.assembly.led_strip import build_led_layout, build_led_strip
from firmware.commands.table_options import add_config, settings_of

EXAMPLE: Final = "cornerlight lights-off --config table.toml"

_BYTES: Final = 3
"""Bytes of one LED: red, green and blue."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    add_config(parser)


def run(arguments: argparse.Namespace) -> int:
    """Writes one dark frame."""
    settings = settings_of(arguments)
    length = build_led_layout(settings.lights, variant_from(settings).size).length
    strip = build_led_strip(settings.lights, length)
    if strip is None:
        print("there are no lights: lights.driver is 'none'")
        return 0
    strip.write(bytes(_BYTES * length))
    strip.close()
    return 0
