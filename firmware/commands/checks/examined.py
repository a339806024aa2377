"""The settings to check, and their table."""

from dataclasses import dataclass
from pathlib import Path

from firmware.assembly.table_places import TablePlaces
from firmware.settings import Settings


@dataclass(frozen=True, slots=True)
class Examined:
    """The settings that are checked, where they came from, and the places they name.

    Attributes:
        settings: the settings.
        config: the file that has them; None for the defaults.
        places: places of their table.
        is_served: True if services that are installed run that table.
    """

    settings: Settings
    config: Path | None
    places: TablePlaces
    is_served: bool = False
