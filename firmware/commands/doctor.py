"""`cornerlight doctor`: checks this machine and its camera, and shows the settings."""

import argparse
import json
import platform
import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from importlib import import_module, metadata
from pathlib import Path
from typing import Any, Final

import numpy as np

from firmware import __version__
from firmware.assembly.game_config import variant_from
from firmware.assembly.hardware import button_pins
from firmware.assembly.led_strip import build_led_layout, build_led_strip
from firmware.assembly.simulated import probe_simulated
from firmware.assembly.table_places import TablePlaces, places_of_running_table
from firmware.commands.camera_check import Check, examine_camera
from firmware.commands.main import FAULT
from firmware.commands.options import add_camera
from firmware.commands.picture_file import write_picture
from firmware.commands.progress import Progress
from firmware.drivers.gpio_buttons import GpioButtons
from firmware.drivers.interfaces import DeviceError
from firmware.errors import SettingsError
from firmware.lights.led_layout import LedLayout
from firmware.passwords import without_passwords
from firmware.rules.board import Board
from firmware.rules.perft import perft
from firmware.rules.position import Position
from firmware.rules.variants import GAMES
from firmware.settings import Settings, describe, load, value_of
from vision.camera import Image

EXAMPLE: Final = "cornerlight doctor --config table.toml"

_PLACEMENTS: Final = {14: 13_729, 20: 30_433}
"""Number of placements of all pieces on a board, by squares along its side."""

_FIRST_TWO_MOVES_OF_DUO: Final = 342_792
"""Number of sequences of the first two moves in Duo."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    parser.add_argument("--config", metavar="FILE", type=Path, help="settings to check (TOML)")
    add_camera(parser)
    parser.add_argument(
        "--picture", metavar="OUT.png", type=Path, help="save one picture of the camera"
    )
    parser.add_argument(
        "--lights",
        action="store_true",
        help="also check that a camera finds the wiring of the settings, at a simulated table",
    )
    parser.add_argument(
        "--release",
        action="store_true",
        help="check program and settings before they are used; open no device",
    )
    parser.add_argument("--json", action="store_true", help="print one line of JSON")


def run(arguments: argparse.Namespace) -> int:
    """Checks and prints."""
    settings = load(arguments.config) if arguments.config else Settings()
    progress = Progress()
    facts: dict[str, Any] | None = None
    progress.show("checking the rules and the program")
    checks = [check() for check in _CHECKS]
    if arguments.release:
        checks += [_program(), _wired(settings)]
    else:
        places = TablePlaces.of(settings) if arguments.config else places_of_running_table()
        progress.show("looking through the camera")
        camera = examine_camera(settings.camera, arguments.camera)
        facts = camera.facts
        progress.show("checking the devices")
        checks += [_table(places), *camera.checks, _lights(settings), _buttons(settings)]
        if arguments.picture:
            checks.append(_saved(camera.image, arguments.picture))
    values = {name: _shown(value_of(settings, name)) for name, *_ in describe()}
    if arguments.lights:
        progress.show("lighting LEDs of a simulated table")
        checks.append(_wiring(settings))
    progress.clear()
    if arguments.json:
        lines = [asdict(check) for check in checks]
        print(json.dumps({"checks": lines, "camera": facts, "settings": values}))
    else:
        for check in checks:
            print(f"{'fine ' if check.fine else 'WRONG'}  {check.name}: {check.found}")
        print(f"settings{f' of {arguments.config}' if arguments.config else ' by default'}:")
        for name, value in values.items():
            print(f"  {name} = {json.dumps(value, ensure_ascii=False)}")
    return 0 if all(check.fine for check in checks) else FAULT


def _shown(value: object) -> object:
    """A value of a setting without any password."""
    return without_passwords(value) if isinstance(value, str) else value


def _saved(image: Image | None, path: Path) -> Check:
    """Saves the picture of the camera.

    Raises:
        UnreadableError: the file cannot be written.
    """
    if image is None:
        return Check("picture", fine=False, found="none to save: the camera gives no pictures")
    write_picture(path, image)
    return Check("picture", fine=True, found=f"saved to {path}")


def _machine() -> Check:
    found = f"Python {platform.python_version()}, numpy {np.__version__}, {platform.machine()}"
    return Check("machine", fine=True, found=found)


def _tables() -> Check:
    counts = {size: Board.of(size).placements for size in _PLACEMENTS}
    found = ", ".join(f"{count:,} placements on {size}x{size}" for size, count in counts.items())
    return Check("tables", counts == _PLACEMENTS, found)


def _moves() -> Check:
    count = perft(Position.start(GAMES["duo"]), 2)
    return Check("moves", count == _FIRST_TWO_MOVES_OF_DUO, f"{count:,} ways to begin Duo")


def _program() -> Check:
    """Imports all that the services run, and compares versions with what the program needs."""
    try:
        for name in _SERVED:
            import_module(name)
        missing = unmet("cornerlight")
    except ImportError as error:
        return Check("program", fine=False, found=f"a part is missing: {error}; install it again")
    if missing:
        return Check("program", fine=False, found=f"needed: {', '.join(missing)}; install it again")
    found = f"cornerlight {__version__}, all of its parts and libraries are there"
    return Check("program", fine=True, found=found)


def unmet(project: str) -> list[str]:
    """Returns the libraries without extras that an installed project needs and that are missing."""
    wanted = metadata.requires(project) or []
    names = [re.split(r"[ ;<>=!~\[(]", one)[0] for one in wanted if "extra ==" not in one]
    return [name for name in names if not _is_installed(name)]


def _is_installed(name: str) -> bool:
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def _wired(settings: Settings) -> Check:
    """Checks the settings of lights and buttons against the game; opens no device."""
    game = variant_from(settings)
    try:
        length = build_led_layout(settings.lights, game.size).length
        if settings.buttons.driver != "none":
            button_pins(settings.buttons, game.people, settings.lights)
    except SettingsError as error:
        return Check("settings", fine=False, found=str(error))
    return Check("settings", fine=True, found=f"fit {game.title}, with {length} LEDs")


def _table(places: TablePlaces) -> Check:
    """Looks for the table that runs, and for its files."""
    if places.is_running:
        return Check("table", fine=True, found=f"one runs; its files are in {places.folder}")
    kept = f"; the files of the last one are in {places.folder}" if places.folder.is_dir() else ""
    return Check("table", fine=True, found=f"none runs{kept}")


def _lights(settings: Settings) -> Check:
    """Opens the strip of the settings, and writes one dark frame."""
    driver = settings.lights.driver
    try:
        length = build_led_layout(settings.lights, variant_from(settings).size).length
        strip = build_led_strip(settings.lights, length)
        if strip is None:
            return Check("lights", fine=True, found="none, lights.driver is 'none'")
        strip.write(bytes(3 * length))
        strip.close()
    except (DeviceError, SettingsError) as error:
        return Check("lights", fine=False, found=str(error))
    return Check("lights", fine=True, found=f"{length} LEDs by {driver}, dark now")


def _buttons(settings: Settings) -> Check:
    """Opens the pins of the settings, and checks that no button is pressed."""
    if settings.buttons.driver == "none":
        return Check("buttons", fine=True, found="none, buttons.driver is 'none'")
    try:
        pins = button_pins(settings.buttons, variant_from(settings).people, settings.lights)
        with closing(GpioButtons(pins, settings.buttons.hold_s)) as buttons:
            down = buttons.down()
    except (DeviceError, SettingsError) as error:
        return Check("buttons", fine=False, found=str(error))
    if down:
        which = ", ".join(f"GPIO{pins[person]}" for person in down)
        found = f"pressed though nobody should: {which}; is its other side at ground by mistake?"
        return Check("buttons", fine=False, found=found)
    numbers = ", ".join(f"GPIO{pin}" for pin in pins)
    return Check("buttons", fine=True, found=f"{len(pins)} on {numbers}, none pressed")


def _wiring(settings: Settings) -> Check:
    """Checks that a camera finds the wiring of the settings by its lit LEDs."""
    game = variant_from(settings)
    wiring = build_led_layout(settings.lights, game.size)
    found = probe_simulated(game, wiring).find()
    layout = wiring.layout(game.size)
    fine = found.wiring is not None and found.wiring.layout(game.size) == layout
    dark = f"{len(found.dark)} of them not seen" if found.dark else "all of them seen"
    lit = f"{len(found.seen)} of {wiring.length} LEDs were lit, {dark}"
    if fine:
        return Check("wiring", fine, f"found as it is in the settings: {_words(wiring)}; {lit}")
    instead = "none" if found.wiring is None else _words(found.wiring)
    return Check("wiring", fine, f"{_words(wiring)} in the settings, but {instead} found; {lit}")


def _words(wiring: LedLayout) -> str:
    """Returns a wiring in words."""
    lines = wiring.along.value
    words = [
        f"{wiring.columns} columns and {wiring.rows} rows of LEDs",
        f"the first at the {wiring.first.value.replace('-', ' ')}",
        f"then along the {lines}",
        f"every second of the {lines} backwards" if wiring.serpentine else "each the same way",
    ]
    if wiring.left or wiring.top:
        words += [f"columns left of the board: {wiring.left}", f"rows above it: {wiring.top}"]
    return ", ".join(words)


_SERVED: Final = ("firmware.commands.run", "firmware.commands.page", "firmware.commands.lights_off")
"""Modules that import all that the services run, but the player."""

_CHECKS: Final[tuple[Callable[[], Check], ...]] = (_machine, _tables, _moves)
"""Checks that need no settings."""
