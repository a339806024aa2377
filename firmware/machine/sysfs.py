"""Files in which the kernel tells facts: small texts, which may be missing or nonsense."""

import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from firmware.errors import read_file

SYSFS: Final = Path("/sys")
"""Folder in which the kernel shows its devices."""

SYSFS_VARIABLE: Final = "CORNERLIGHT_SYS"
"""Environment variable with the path of a folder that stands in for `SYSFS`, for a trial."""

_log = logging.getLogger(__name__)


def sysfs_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Returns the folder of the kernel's facts: `SYSFS`, or one that stands in, which it logs.

    Args:
        environ: environment variables.
    """
    chosen = environ.get(SYSFS_VARIABLE)
    if not chosen:
        return SYSFS
    if Path(chosen).is_dir():
        _log.warning("facts of the computer come from %s, as %s says", chosen, SYSFS_VARIABLE)
    else:
        _log.warning(
            "%s = %s is no folder: no fact of the computer is known; unset it, "
            "or name a folder that stands in for /sys",
            SYSFS_VARIABLE,
            chosen,
        )
    return Path(chosen)


def entries(folder: Path, name: str) -> list[Path]:
    """Returns what lies in a folder under a name that begins with `name`, in order."""
    try:
        return sorted(path for path in folder.iterdir() if path.name.startswith(name))
    except OSError:
        return []


def number(path: Path) -> int | None:
    """Returns the whole number in a file; None if none can be read."""
    try:
        return int(text(path) or "")
    except ValueError:
        return None


def text(path: Path) -> str | None:
    """Returns the ASCII text in a file; None if none can be read. Never waits for it."""
    try:
        return read_file(path).decode("ascii").strip()
    except (OSError, ValueError):
        return None
