"""Options that name a table, and its places, for verbs that act on the files of a table."""

import argparse
from pathlib import Path

from firmware.assembly.table_places import TablePlaces, places_of_running_table
from firmware.errors import CornerlightError
from firmware.settings import load


def add_table(parser: argparse.ArgumentParser) -> None:
    """Adds `--config` and `--folder`, which name the table."""
    parser.add_argument("--config", metavar="FILE", type=Path, help="settings (TOML)")
    parser.add_argument(
        "--folder",
        metavar="FOLDER",
        type=Path,
        help="state folder of the table (default: of the one that runs)",
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


def _named(arguments: argparse.Namespace) -> TablePlaces:
    if arguments.folder:
        return TablePlaces.within(arguments.folder)
    if arguments.config:
        return TablePlaces.of(load(arguments.config))
    return places_of_running_table()
