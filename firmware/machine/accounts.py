"""Users, groups, and the files that a user may open."""

import os
import pwd
from dataclasses import dataclass, replace
from pathlib import Path
from stat import S_IMODE
from typing import Final

from firmware.machine.computer import Computer

READ: Final = 4
"""Right to read a file or to list a folder, as the bit of chmod(2) and access(2)."""

WRITE: Final = 2
"""Right to change a file, or the names in a folder, as that bit."""

SEARCH: Final = 1
"""Right to reach a file through a folder, as that bit."""


@dataclass(frozen=True, slots=True)
class Account:
    """A user of the computer, with the groups that a process of the user has.

    Attributes:
        name: name of the user.
        uid: number of the user.
        gids: numbers of the groups.
    """

    name: str
    uid: int
    gids: frozenset[int] = frozenset()

    def may(self, path: Path, rights: int) -> bool | None:
        """True if the user has all the rights to an existing file; None if that cannot be seen.

        An access control list is obeyed for the user of this process alone.
        """
        if self.uid == os.geteuid():
            return os.access(path, rights)
        try:
            status = path.stat()
        except OSError:
            return None
        if self.uid == 0:
            return True
        mode = S_IMODE(status.st_mode)
        if status.st_uid == self.uid:
            granted = mode >> 6
        else:
            granted = mode >> 3 if status.st_gid in self.gids else mode
        return granted & rights == rights

    def reaches(self, computer: Computer, path: Path) -> bool:
        """True if the user may search every folder on the way from the root to a path."""
        way = [folder for folder in path.parents if folder.is_relative_to(computer.root)]
        return all(self.may(folder, SEARCH) for folder in way)

    def with_groups(self, computer: Computer, names: tuple[str, ...]) -> "Account":
        """Returns the user with more groups, as a service may have them."""
        gids = groups(computer)
        return replace(self, gids=self.gids | {gids[name] for name in names if name in gids})


def calling_account() -> Account:
    """Returns the user of this process."""
    uid = os.geteuid()
    try:
        name = pwd.getpwuid(uid).pw_name
    except KeyError:
        name = str(uid)
    return Account(name, uid, frozenset({os.getegid(), *os.getgroups()}))


def account(computer: Computer, name: str) -> Account | None:
    """Returns a user of the computer's own; None if there is none of the name."""
    gids = {
        int(fields[2])
        for fields in _rows(computer, "group", 4)
        if name in fields[3].split(",") and fields[2].isdecimal()
    }
    for fields in _rows(computer, "passwd", 4):
        if fields[0] == name and fields[2].isdecimal() and fields[3].isdecimal():
            return Account(name, int(fields[2]), frozenset(gids | {int(fields[3])}))
    return None


def groups(computer: Computer) -> dict[str, int]:
    """Returns the numbers of the computer's own groups by their names."""
    rows = _rows(computer, "group", 3)
    return {fields[0]: int(fields[2]) for fields in rows if fields[2].isdecimal()}


def _rows(computer: Computer, name: str, least: int) -> list[list[str]]:
    """Returns the rows of a file in /etc, see passwd(5) and group(5)."""
    try:
        lines = (computer.root / "etc" / name).read_text("utf-8", "replace").splitlines()
    except OSError:
        return []
    return [fields for line in lines if len(fields := line.split(":")) >= least]
