"""Opens every node and every driver of lights and buttons; prints what each of them says, as JSON.

It runs as the program of the table's unit, so under its rights, on a machine that has the nodes of
a Raspberry Pi and no hardware behind them.
"""

import errno
import json
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final, get_args, get_type_hints

from firmware.assembly.hardware import build_buttons
from firmware.assembly.led_strip import build_led_strip
from firmware.drivers.interfaces import DeviceError
from firmware.settings import ButtonsSettings, LightsSettings, load

FOLDER: Final = Path(__file__).parent
"""Folder of this file, with the settings of the builds and the libraries of a Raspberry Pi."""


def node(path: str) -> str:
    """Opens a node; returns the name of the kernel's refusal, empty if it opens."""
    try:
        os.close(os.open(path, os.O_RDWR))
    except OSError as error:
        return errno.errorcode[error.errno or 0]
    return ""


def said(ask: Callable[[], object]) -> str:
    """Returns the sentence of a refusal; empty if there is none."""
    try:
        ask()
    except DeviceError as error:
        return str(error)
    return ""


def press(settings: ButtonsSettings) -> None:
    """Reads the buttons of settings as a table does."""
    buttons = build_buttons(settings, 2, LightsSettings())
    if buttons is not None:
        buttons.pressed()


def main(nodes: list[str]) -> None:
    """Asks all, with what WLED is called in its file."""
    sys.path.append(str(FOLDER / "libraries"))
    wled = (FOLDER / "wled").read_text()
    answers = {path: node(path) for path in nodes}
    for name in get_args(get_type_hints(LightsSettings)["driver"]):
        lights = LightsSettings(driver=name, device=wled if name == "wled" else "")
        answers[name] = said(partial(build_led_strip, lights, 196))
    answers["gpiozero"] = said(partial(press, ButtonsSettings(driver="gpiozero")))
    for path in sorted(FOLDER.glob("builds/*.toml")):
        build = load(path)
        answers[path.name] = said(partial(build_led_strip, build.lights, 196))
    sys.stdout.write(json.dumps(answers) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
