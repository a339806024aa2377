"""`cornerlight lights-test`: shows pictures on the LEDs, and asks whether they look right.

Or a camera looks: it finds the wiring by single LEDs.
"""

import argparse
import json
import logging
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from firmware.assembly.game_config import variant_from
from firmware.assembly.led_strip import build_led_layout, build_led_strip
from firmware.commands.camera_pictures import open_camera
from firmware.commands.main import FAULT
from firmware.commands.number_parsers import seconds
from firmware.drivers.interfaces import LedStrip
from firmware.errors import SettingsError
from firmware.lights.led_layout import LedLayout
from firmware.lights.light_test import COLOURS, LightStep, inks_of, light_steps, orders_of
from firmware.lights.power_budget import PowerSupply, corrected
from firmware.lights.scene import LightPlace
from firmware.session.devices import LedChain
from firmware.session.light_probing import LightProbing
from firmware.settings import CameraSettings, LightsSettings, load
from vision.errors import SourceError
from web.contract import MeasurementCode

EXAMPLE: Final = "cornerlight lights-test --config table.toml"

_BRIGHTNESS: Final = 0.48
"""Brightness, 0 to 1, a fifth of the light: in some pictures every LED is lit."""

_DOT_S: Final = 0.05
"""Seconds of each place of the dot."""

_AGAIN_S: Final = 1.0
"""Seconds after which a picture is sent again, as a frame may be lost."""

_log = logging.getLogger(__name__)


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    parser.add_argument(
        "--config", metavar="FILE", type=Path, required=True, help="settings (TOML)"
    )
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=seconds,
        default=2.0,
        help="seconds of each picture where nobody is asked (default: 2)",
    )
    parser.add_argument(
        "--camera",
        metavar="SOURCE",
        nargs="?",
        const="",
        help="instead let a camera above the board look; that of the settings if none is named",
    )
    parser.add_argument("--json", action="store_true", help="ask nothing; a line of JSON a picture")


def run(arguments: argparse.Namespace) -> int:
    """Shows the pictures; 1 if one of them looked wrong."""
    settings = load(arguments.config)
    size = variant_from(settings).size
    wiring = build_led_layout(settings.lights, size)
    strip = build_led_strip(settings.lights, wiring.length)
    if strip is None:
        print("there are no lights: lights.driver is 'none'")
        return 0
    with closing(strip):
        if arguments.camera is not None:
            chain = LedChain(strip, wiring.layout(size), LightPlace(settings.lights.place))
            return _looked_at(chain, size, settings.camera, arguments)
        test = _LightTest(strip, wiring, settings.lights, arguments.seconds)
        try:
            steps = light_steps(wiring, size)
            return _printed(test, steps) if arguments.json else _asked(test, steps)
        finally:
            test.show({})


def _looked_at(
    chain: LedChain, size: int, settings: CameraSettings, arguments: argparse.Namespace
) -> int:
    """Lights LEDs in turn before a camera; 1 if they are not as the settings say."""
    with open_camera(settings, arguments.camera or None, _log.info) as camera:
        probing = LightProbing(chain, size, None)
        with closing(probing):
            for frame in camera.frames():
                probing.see(frame)
                if probing.state is not MeasurementCode.RUNNING:
                    break
            else:
                raise SourceError(f"{camera.name} has ended; name a camera that looks at the LEDs")
    entry = probing.entry
    is_right = entry.state is MeasurementCode.DONE and not entry.settings
    if arguments.json:
        facts = {"right": is_right, "lit": entry.lit, "unseen": entry.unseen}
        print(json.dumps({**facts, "reason": probing.reason, "settings": entry.settings}))
    elif entry.settings:
        print(f"The LEDs are wired otherwise. Set this, and run it again:\n\n{entry.settings}")
    elif not is_right:
        print(f"The wiring is not found: {probing.reason}.")
    elif entry.beside:
        falls = "falls" if entry.lights_board else "does not fall"
        print(f"The light of the panel {falls} on the board; its wiring is not seen there.")
    else:
        print(f"The LEDs are as the settings say: {entry.lit} were lit, {entry.unseen} not seen.")
    return 0 if is_right else FAULT


class _LightTest:
    """LEDs that show the pictures.

    Args:
        strip: the LEDs.
        wiring: their wiring.
        settings: settings of the lights.
        seconds: time of a picture that nobody is asked about.
    """

    def __init__(
        self, strip: LedStrip, wiring: LedLayout, settings: LightsSettings, seconds: float
    ) -> None:
        self.wiring: Final = wiring
        self.settings: Final = settings
        self._strip: Final = strip
        self._supply: Final = PowerSupply(settings.limit_ma, settings.led_ma)
        self._seconds: Final = seconds

    def show(self, frame: Mapping[int, str]) -> None:
        """Shows a picture, within the limit of the supply."""
        inks = inks_of(frame, self.wiring.length)
        self._strip.write(self._supply.limited(corrected(inks, _BRIGHTNESS)).tobytes())

    def run(self, step: LightStep) -> None:
        """Shows all pictures of a step; the last one stays."""
        for frame in step.frames:
            self.show(frame)
            time.sleep(_DOT_S if len(step.frames) > 1 else 0.0)

    def hold(self, step: LightStep) -> None:
        """Shows a step for some time, again and again."""
        end_s = time.monotonic() + self._seconds
        self.run(step)
        while time.monotonic() < end_s:
            time.sleep(min(_AGAIN_S, max(0.0, end_s - time.monotonic())))
            self.show(step.frames[-1])

    def remedy(self, step: LightStep, seen: Mapping[str, bool]) -> str:
        """Returns what to change where a step looks wrong.

        Args:
            step: the step.
            seen: True for each of the colours so far that looked right.
        """
        if step.remedy:
            return step.remedy
        if self.settings.driver == "wled":
            return "set the order of colours in the LED preferences of WLED"
        orders = orders_of(self.settings.order, [seen[name] for name in COLOURS])
        return f"set lights.order to {' or '.join(repr(order) for order in orders)}"


def _printed(test: _LightTest, steps: Sequence[LightStep]) -> int:
    """Shows every step for some time, and prints what it has to look like."""
    for step in steps:
        facts = {"step": step.name, "expected": step.expected, "rows": step.drawing(test.wiring)}
        print(json.dumps(facts), flush=True)
        test.hold(step)
    return 0


def _asked(test: _LightTest, steps: Sequence[LightStep]) -> int:
    """Shows every step and asks about it; ends with the first thing to change."""
    print("Look at the LEDs from above, with the top row of the board at the far side.")
    seen: dict[str, bool] = {}
    for step in steps:
        is_plain = len(step.frames[0]) in (0, test.wiring.length)
        print("\n".join(["", *([] if is_plain else step.drawing(test.wiring))]))
        seen[step.name] = _answer(test, step)
        is_colour = step.name in COLOURS
        if (not is_colour or step.name == COLOURS[-1]) and not all(seen.values()):
            print(f"\nThen {test.remedy(step, seen)}, and run this again")
            return FAULT
    print("\nThe LEDs are as the settings say.")
    return 0


def _answer(test: _LightTest, step: LightStep) -> bool:
    """Asks until somebody says yes or no; each other answer shows the step again."""
    while True:
        test.run(step)
        print(f"{step.expected}: is it so? [y/n, Enter: show again] ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            raise SettingsError("nobody answers; give --json to see the pictures without questions")
        if (word := line.strip().lower()[:1]) and word in "yn":
            return word == "y"
