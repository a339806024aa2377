"""Finds the rooms of the program that add services to a table.

A room is a package in `firmware` with a module `table_services`. Nobody names it, so that it can be
taken out: the rest goes on without its services.
"""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import firmware
from firmware.session.service import TableService
from firmware.session.table_parts import TableParts

_MODULE: Final = "table_services"
"""Name of the module; its function of the same name makes the services."""


def services_of_rooms(table: TableParts, **arguments: Mapping[str, Any]) -> list[TableService]:
    """Returns the services of all rooms for a table that is being composed.

    Args:
        table: its parts.
        arguments: further arguments of a room's function, by room.
    """
    services: list[TableService] = []
    for path in sorted(Path(firmware.__path__[0]).glob(f"*/{_MODULE}.py")):
        room = path.parent.name
        make = import_module(f"firmware.{room}.{_MODULE}").table_services
        services += make(table, **arguments.get(room, {}))
    return services
