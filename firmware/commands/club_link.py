"""The table and its hall, for the verbs `join`, `share` and `unshare`."""

import argparse
import json
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from firmware.assembly.table_places import TablePlaces, places_of_running_table
from firmware.errors import CornerlightError
from firmware.settings import load

_LIBRARIES: Final = ("paho", "cryptography")
"""Libraries of the extra that connecting to a hall needs."""


def add_table(parser: argparse.ArgumentParser) -> None:
    """Adds the options that name the table, and `--json`."""
    parser.add_argument("--config", metavar="FILE", type=Path, help="settings (TOML)")
    parser.add_argument(
        "--folder",
        metavar="FOLDER",
        type=Path,
        help="state folder of the table (default: of the one that runs)",
    )
    parser.add_argument("--json", action="store_true", help="print lines of JSON")


def require_club() -> None:
    """Checks that the extra is installed.

    Raises:
        CornerlightError: it is not.
    """
    if any(find_spec(library) is None for library in _LIBRARIES):
        raise CornerlightError(
            "a hall needs more libraries; install them with: pip install 'cornerlight[club]'"
        )


def table_places(arguments: argparse.Namespace) -> TablePlaces:
    """Returns the places of the table that the options name.

    Raises:
        CornerlightError: no table keeps its state there.
    """
    places = _named(arguments)
    if not places.folder.is_dir():
        message = f"no table keeps its state in {places.folder}; name its folder with --folder"
        raise CornerlightError(message)
    return places


def say_event(arguments: argparse.Namespace, text: str, event: str, **facts: object) -> None:
    """Prints what happened, as a sentence or as a line of JSON."""
    print(json.dumps({"event": event, **facts}) if arguments.json else text, flush=True)


def _named(arguments: argparse.Namespace) -> TablePlaces:
    if arguments.folder:
        return TablePlaces.within(arguments.folder)
    if arguments.config:
        return TablePlaces.of(load(arguments.config))
    return places_of_running_table()
