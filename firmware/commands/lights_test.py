"""`cornerlight lights-test`: shows pictures on the LEDs, and asks whether they look right.

Or a camera looks: it finds the wiring by single LEDs.
"""

import argparse
import json
import logging
import sys
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

from firmware.assembly.game_config import variant_from
from firmware.assembly.hardware import build_led_chain
from firmware.assembly.led_strip import build_led_layout, build_led_strip
from firmware.cameras.open_camera import open_camera
from firmware.commands.main import FAULT
from firmware.commands.options import seconds
from firmware.drivers.interfaces import LedStrip
from firmware.errors import SettingsError
from firmware.lights.light_test import LightStep, LightTest
from firmware.session.devices import LedChain
from firmware.session.light_probing import LightProbing
from firmware.session.light_testing import AGAIN_S, DOT_S
from firmware.settings import CameraSettings, load
from vision.errors import SourceError
from web.contract import MeasurementCode
from web.i18n.wording import Wording

EXAMPLE: Final = "cornerlight lights-test --config table.toml"

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
    strip = build_led_strip(settings.lights, build_led_layout(settings.lights, size).length)
    if strip is None:
        print("there are no lights: lights.driver is 'none'")
        return 0
    with closing(strip):
        chain = build_led_chain(settings.lights, strip, size)
        if arguments.camera is not None:
            return _looked_at(chain, size, settings.camera, arguments)
        shown = _ShownTest(strip, chain.test)
        try:
            return _printed(shown, arguments.seconds) if arguments.json else _asked(shown)
        finally:
            shown.show({})


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


class _ShownTest:
    """A test on LEDs that are open.

    Args:
        strip: the LEDs.
        test: the test.
    """

    def __init__(self, strip: LedStrip, test: LightTest) -> None:
        self._strip: Final = strip
        self.test = test

    def show(self, frame: Mapping[int, str]) -> None:
        """Shows a picture."""
        self._strip.write(self.test.levels(frame).tobytes())

    def run(self, step: LightStep) -> None:
        """Shows all pictures of a step; the last one stays."""
        for frame in step.frames:
            self.show(frame)
            time.sleep(DOT_S if len(step.frames) > 1 else 0.0)

    def hold(self, step: LightStep, duration_s: float) -> None:
        """Shows a step for some time, again and again."""
        end_s = time.monotonic() + duration_s
        self.run(step)
        while time.monotonic() < end_s:
            time.sleep(min(AGAIN_S, max(0.0, end_s - time.monotonic())))
            self.show(step.frames[-1])


def _printed(shown: _ShownTest, duration_s: float) -> int:
    """Shows every step for some time, and prints what it has to look like."""
    for step in shown.test.steps:
        expected, rows = Wording().say(f"lights-seen.{step.name}"), step.drawing(shown.test.wiring)
        print(json.dumps({"step": step.name, "expected": expected, "rows": rows}), flush=True)
        shown.hold(step, duration_s)
    return 0


def _asked(shown: _ShownTest) -> int:
    """Shows every step and asks about it; ends with the first thing to change."""
    print("Look at the LEDs from above, with the top row of the board at the far side.")
    while (step := shown.test.step) is not None:
        is_plain = len(step.frames[0]) in (0, shown.test.wiring.length)
        print("\n".join(["", *([] if is_plain else step.drawing(shown.test.wiring))]))
        shown.test = shown.test.answered(right=_answer(shown, step))
    if (remedy := shown.test.remedy) is not None:
        sentence = Wording().say(f"light-remedies.{remedy.code}", value=remedy.value)
        print(f"\n{sentence} Then run this again.")
        return FAULT
    print("\nThe LEDs are as the settings say.")
    return 0


def _answer(shown: _ShownTest, step: LightStep) -> bool:
    """Asks until somebody says yes or no; each other answer shows the step again."""
    while True:
        shown.run(step)
        expected = Wording().say(f"lights-seen.{step.name}")
        print(f"{expected} Is it so? [y/n, Enter: show again] ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            raise SettingsError("nobody answers; give --json to see the pictures without questions")
        if (word := line.strip().lower()[:1]) and word in "yn":
            return word == "y"
