"""The file system on which a folder lies."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.machine.computer import Computer, is_there

_IN_MEMORY: Final = "overlayroot"
"""Source of the file system that raspi-config puts over a disk that is never written."""


@dataclass(frozen=True, slots=True)
class FileSystem:
    """A mounted file system.

    Attributes:
        place: path at which it is mounted.
        is_read_only: True if nothing can be written on it.
        forgets: True if what is written is lost when the computer stops.
        free_mb: free space in megabytes for users.
    """

    place: Path
    is_read_only: bool
    forgets: bool
    free_mb: float


def file_system(computer: Computer, folder: Path) -> FileSystem | None:
    """Returns the file system of a folder, or of the nearest one above that exists.

    Returns:
        It; None if the system does not tell.
    """
    there = next((one for one in (folder, *folder.parents) if is_there(computer.at(one))), None)
    try:
        rows = (computer.root / "proc" / "self" / "mounts").read_text("utf-8", "replace")
        space = os.statvfs(computer.at(there or "/"))
    except OSError:
        return None
    found = [fields for row in rows.splitlines() if len(fields := row.split()) > 3]
    around = [one for one in found if there is not None and there.is_relative_to(_path(one[1]))]
    if not around:
        return None
    # A later one lies over an earlier one at the same place.
    mount = max(reversed(around), key=lambda one: len(_path(one[1]).parts))
    free_mb = space.f_bavail * space.f_frsize / 1e6
    is_read_only = "ro" in mount[3].split(",")
    return FileSystem(_path(mount[1]), is_read_only, mount[0] == _IN_MEMORY, free_mb)


def _path(text: str) -> Path:
    """Returns a path of fstab(5), in which a space is the octal number 040."""
    return Path(text.replace("\\040", " "))
