"""Checks of the program itself: its rules, its parts and its libraries."""

import re
from collections.abc import Collection
from importlib import import_module, metadata
from typing import Final

from firmware import __version__
from firmware.commands.checks.check import Check, fine
from firmware.errors import install_command
from firmware.rules.board import Board
from firmware.rules.perft import perft
from firmware.rules.position import Position
from firmware.rules.variants import GAMES

_PLACEMENTS: Final = {14: 13_729, 20: 30_433}
"""Number of placements of all pieces on a board, by squares along its side."""

_FIRST_TWO_MOVES_OF_DUO: Final = 342_792
"""Number of sequences of the first two moves in Duo."""

_SERVED: Final = ("firmware.commands.run", "firmware.commands.page", "firmware.commands.lights_off")
"""Modules that import all that the services run, but the player."""

_AGAIN: Final = "sudo make install, in the folder of a release"
"""Remedy for a wrong count or a missing part: the release is installed once more."""


def check_rules() -> list[Check]:
    """Counts placements and move sequences, which are known numbers."""
    counts = {size: Board.of(size).placements for size in _PLACEMENTS}
    found = ", ".join(f"{count:,} placements on {size}x{size}" for size, count in counts.items())
    moves = perft(Position.start(GAMES["duo"]), 2)
    return [
        _checked("tables", found, fine=counts == _PLACEMENTS),
        _checked("moves", f"{moves:,} ways to begin Duo", fine=moves == _FIRST_TWO_MOVES_OF_DUO),
    ]


def check_program() -> Check:
    """Imports all that the services run, and compares versions with what the program needs."""
    try:
        for name in _SERVED:
            import_module(name)
        missing = unmet("cornerlight")
    except ImportError as error:
        return _checked("program", f"a part is missing: {error}; install it again", fine=False)
    if missing:
        return _checked("program", f"needed: {', '.join(missing)}; install it again", fine=False)
    found = f"cornerlight {__version__}, all of its parts and libraries are there"
    return _checked("program", found, fine=True)


def check_player() -> Check:
    """Tells if the computer player has its library; without it there are no hints."""
    if _is_installed("numba"):
        return fine("player", "numba, which hints and the computer's seats need, is installed")
    command = install_command("numba")
    return fine("player", f"none: hints and the computer's seats need numba: {command}")


def unmet(project: str) -> list[str]:
    """Returns the libraries without extras that an installed project needs and that are missing."""
    return [name for name in needed(project) if not _is_installed(name)]


def needed(project: str, extras: Collection[str] = ()) -> list[str]:
    """Returns the libraries that an installed project needs, also for some of its extras."""
    wanted = [one.partition("extra ==") for one in metadata.requires(project) or []]
    chosen = [one for one, _, extra in wanted if not extra or extra.strip(" \"'") in extras]
    return [re.split(r"[ ;<>=!~\[(]", one)[0] for one in chosen]


def _is_installed(name: str) -> bool:
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def _checked(name: str, found: str, *, fine: bool) -> Check:
    return Check(name, fine, found, "" if fine else _AGAIN)
