"""Finds what rooms of the program add to the rest: services of a table, verbs, benchmarks.

A room is a package in `firmware`. Nobody names it, so that it can be taken out: the rest goes on
without it.
"""

from pathlib import Path

import firmware


def rooms_with(module: str) -> list[str]:
    """Returns the rooms that have a module, in the order of their names.

    Args:
        module: dotted name of the module within its room.
    """
    path = Path(*module.split(".")).with_suffix(".py")
    rooms = sorted(Path(firmware.__path__[0]).iterdir())
    return [room.name for room in rooms if (room / path).is_file()]
