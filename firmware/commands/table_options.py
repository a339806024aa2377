"""Options that name settings or a table, and its places, for verbs that act on its files."""

import argparse
from pathlib import Path

from firmware.assembly.table_places import TablePlaces, places_of_running_table
from firmware.errors import CornerlightError
from firmware.settings import Settings, load


def add_config(parser: argparse.ArgumentParser) -> None:
    """Adds `--config`, the settings."""
    parser.add_argument("--config", metavar="FILE", type=Path, help="settings (TOML)")


def settings_of(arguments: argparse.Namespace) -> Settings:
    """Returns the settings that `--config` names, or the defaults.

    Raises:
        CornerlightError: they cannot be read, or used.
    """
    return load(arguments.config) if arguments.config else Settings()


def add_table(parser: argparse.ArgumentParser) -> None:
    """Adds `--config` and `--folder`, which name the table."""
    add_config(parser)
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
        return TablePlaces.of(settings_of(arguments))
    return places_of_running_table()
