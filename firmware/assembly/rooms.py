"""Finds the rooms of the program that add services to a table.

A room is a package in `firmware` with a module `table_services`. Nobody names it, so that it can be
taken out: the rest goes on without its services.
"""

from importlib import import_module
from pathlib import Path
from typing import Final

import firmware
from firmware.session.composition import Composition
from firmware.session.service import TableService

_MODULE: Final = "table_services"
"""Name of the module; its function of the same name makes the services."""


def services_of_rooms(table: Composition) -> list[TableService]:
    """Returns the services of all rooms for a table that is being composed."""
    found = sorted(Path(firmware.__path__[0]).glob(f"*/{_MODULE}.py"))
    rooms = [import_module(f"firmware.{path.parent.name}.{_MODULE}") for path in found]
    return [service for room in rooms for service in room.table_services(table)]
