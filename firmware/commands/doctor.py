"""`cornerlight doctor`: checks this machine, its camera, its services and the settings."""

import argparse
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from shutil import get_terminal_size
from typing import Any, Final

from firmware.assembly.table_places import INSTALLED, TablePlaces, places_of_running_table
from firmware.commands.checks.camera import (
    camera_in_use,
    check_cameras,
    examine_camera,
)
from firmware.commands.checks.check import Check, Examined, fine, summary, wrong
from firmware.commands.checks.computer import check_machine
from firmware.commands.checks.hardware import check_buttons, check_lights
from firmware.commands.checks.program import check_player, check_program, check_rules
from firmware.commands.doctor_report import report
from firmware.commands.main import FAULT, missing_verbs
from firmware.commands.options import add_camera
from firmware.commands.picture_file import write_picture
from firmware.commands.progress import Progress
from firmware.errors import UnreadableError, report_unwritable, without_passwords
from firmware.machine.computer import Computer, is_there
from firmware.machine.sysfs import sysfs_folder
from firmware.machine.units import is_installed
from firmware.settings import Settings, describe, load, value_of
from vision.camera import Image

EXAMPLE: Final = "cornerlight doctor --config table.toml"

_REPORT: Final = Path("cornerlight-report.txt")
"""Default name of the report."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    parser.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        help=f"settings to check, TOML (default: {INSTALLED}, if it is there)",
    )
    add_camera(parser)
    parser.add_argument(
        "--picture", metavar="OUT.png", type=Path, help="save one picture of the camera"
    )
    parser.add_argument(
        "--release",
        action="store_true",
        help="check program and settings before they are used; open no device",
    )
    parser.add_argument(
        "--report",
        metavar="FILE",
        type=Path,
        nargs="?",
        const=_REPORT,
        help="write all that is found to a file for those who help, without passwords, numbers "
        f"and tokens of phones, and public addresses (default name: {_REPORT})",
    )
    parser.add_argument("--json", action="store_true", help="print one line of JSON")


def run(arguments: argparse.Namespace, computer: Computer | None = None) -> int:
    """Checks and prints."""
    computer = computer or Computer(stand_in=sysfs_folder())
    examined = _examined(arguments.config, computer)
    progress = Progress()
    progress.show("checking the rules and the program")
    checks = [check_machine(computer), *check_rules()]
    if missing := missing_verbs():
        names = ", ".join(missing)
        checks.append(
            fine("verbs", f"not a part of this program: {names}; a complete release has them")
        )
    facts = None
    if arguments.release:
        checks += [check_program(), *_fitted(examined.settings, opens=False)]
    else:
        found, facts = _devices(examined, arguments, computer, progress)
        checks += [check_player(), *found]
    values = {name: _shown(value_of(examined.settings, name)) for name, *_ in describe()}
    changed = {name: values[name] for name, _, usual, _ in describe() if values[name] != usual}
    progress.clear()
    if arguments.json:
        lines = [asdict(check) for check in checks]
        print(json.dumps({"checks": lines, "camera": facts, "settings": values}))
    else:
        _print(checks, _settings(examined, changed) if changed else [])
    if arguments.report:
        text = report(computer, checks, _settings(examined, values))
        with report_unwritable(arguments.report, "the report"):
            arguments.report.write_text(text, "utf-8", "backslashreplace")
        if not arguments.json:
            print(f"the report is in {arguments.report}; read it before you send it")
    return FAULT if any(check.fine is False for check in checks) else 0


def _examined(config: Path | None, computer: Computer) -> Examined:
    """Finds the settings: those named, those of the installation, or the defaults.

    A table that the user of this process runs goes before an installation.

    Raises:
        UnreadableError: they cannot be read.
        SettingsError: they cannot be used.
    """
    if config is not None:
        settings = load(config)
        is_served = config.absolute() == INSTALLED and is_installed(computer)
        return Examined(settings, config, TablePlaces.of(settings), is_served)
    file = computer.at(INSTALLED)
    if is_there(file) is False or TablePlaces.of_user().is_running:
        return Examined(Settings(), None, places_of_running_table())
    if not os.access(file, os.R_OK):
        raise UnreadableError(f"this user may not read {file}; run: sudo cornerlight doctor")
    settings = load(file)
    return Examined(settings, INSTALLED, TablePlaces.of(settings), is_installed(computer))


def _devices(
    examined: Examined, arguments: argparse.Namespace, computer: Computer, progress: Progress
) -> tuple[list[Check], dict[str, Any] | None]:
    """Checks the computer and its devices; returns the checks, and the camera's facts."""
    settings, camera, is_free = examined.settings, None, True
    checks = [check_cameras(computer, settings.camera.source)]
    if os.name == "posix":
        from firmware.commands.checks.services import ask_table  # noqa: PLC0415, needs Unix
        from firmware.commands.checks.survey import survey  # noqa: PLC0415, needs Unix

        progress.show("checking the computer and its services")
        table = ask_table(examined.places)
        is_free = table.runs is False
        checks = [*survey(computer, examined, table), *checks]
        if not (is_free or arguments.camera or arguments.picture):
            camera = camera_in_use(settings.camera, table.page)
    progress.show("looking through the camera")
    camera = camera or examine_camera(
        settings.camera, arguments.camera, is_needed=examined.is_served
    )
    progress.show("checking the devices")
    checks += [*camera.checks, *_fitted(settings, opens=is_free)]
    if arguments.picture:
        checks.append(_saved(camera.image, arguments.picture))
    return checks, camera.facts


def _saved(image: Image | None, path: Path) -> Check:
    """Saves the picture of the camera.

    Raises:
        UnreadableError: the file cannot be written.
    """
    if image is None:
        return wrong("picture", "none to save: the camera gives no pictures")
    write_picture(path, image)
    return fine("picture", f"saved to {path}")


def _fitted(settings: Settings, *, opens: bool) -> tuple[Check, Check]:
    """Checks lights and buttons; those of a table that runs are not opened."""
    return check_lights(settings, opens=opens), check_buttons(settings, opens=opens)


def _shown(value: object) -> object:
    """A value of a setting without any password."""
    return without_passwords(value) if isinstance(value, str) else value


def _settings(examined: Examined, values: dict[str, object]) -> list[str]:
    """Returns the settings as lines of TOML under a heading."""
    heading = f"settings{f' of {examined.config}' if examined.config else ' by default'}:"
    lines = [
        f"  {name} = {json.dumps(value, ensure_ascii=False)}" for name, value in values.items()
    ]
    return [heading, *lines]


def _print(checks: list[Check], settings: list[str]) -> None:
    """Prints what is wrong first, and a summary last: of long output a terminal shows the end."""
    width = get_terminal_size().columns if sys.stdout.isatty() else None
    for state in (False, None, True):
        for check in checks:
            if check.fine is state:
                print(*check.lines(width), sep="\n")
    print(*settings, summary(checks, width), sep="\n")
