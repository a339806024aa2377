"""The running system: the file system of a folder, the clock, and what the firmware slowed."""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.machine.computer import Computer, is_there
from firmware.machine.sysfs import text

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


@dataclass(frozen=True, slots=True)
class ClockSource:
    """The sources of the computer's time.

    Attributes:
        synchronised: True if it was set from the network; None if that is not known.
        asks: True if it is to be set from the network; None if that is not known.
        lasts: True unless this is a Raspberry Pi, whose time stops with its power: the clock of a
            Raspberry Pi 5 has no battery of its own.
    """

    synchronised: bool | None
    asks: bool | None
    lasts: bool


def clock_source(computer: Computer) -> ClockSource:
    """Returns the sources of the computer's time."""
    words = ("timedatectl", "show", "-p", "NTPSynchronized", "-p", "NTP")
    rows = (computer.ask(words) or "").splitlines() if computer.has_systemd else []
    properties = dict(row.partition("=")[::2] for row in rows)
    states = {"yes": True, "no": False}
    synchronised = states.get(properties.get("NTPSynchronized", ""))
    if (computer.root / "run" / "systemd" / "timesync" / "synchronized").exists():
        synchronised = True
    asks = states.get(properties.get("NTP", ""))
    return ClockSource(synchronised, asks, lasts=not computer.is_raspberry_pi)


_THROTTLED_FILE: Final = "devices/platform/soc*/soc*:firmware/get_throttled"
"""File below /sys in which kernels of Raspberry Pi OS tell the bits, in hexadecimal digits."""

_LOW_VOLTAGE: Final = 1 << 0
"""Bit of a supply below 4.63 V (Raspberry Pi documentation, `vcgencmd get_throttled`)."""

_CAPPED: Final = 1 << 1
"""Bit of a processor whose clock is capped (the same source)."""

_THROTTLED: Final = 1 << 2
"""Bit of a processor that is throttled (the same source)."""

_SOFT_LIMIT: Final = 1 << 3
"""Bit of a processor at its soft limit of temperature (the same source)."""

_SINCE_START: Final = 16
"""Bits by which each is shifted to tell that it was so at some time since the start."""


@dataclass(frozen=True, slots=True)
class Throttling:
    """The bits of the firmware.

    Attributes:
        low_voltage: True if the supply gives too little voltage now.
        had_low_voltage: True if it did so since the start of the computer.
        slowed: True if the processor is slowed now, because of its heat or of the voltage.
        was_slowed: True if it was so since the start.
    """

    low_voltage: bool
    had_low_voltage: bool
    slowed: bool
    was_slowed: bool


def throttling(computer: Computer) -> Throttling | None:
    """Returns what the firmware tells; None if it tells nothing."""
    file = next(computer.sysfs.glob(_THROTTLED_FILE), None)
    words = (file and text(file)) or computer.ask(("vcgencmd", "get_throttled")) or ""
    found = re.fullmatch(r"(?:throttled=)?(?:0x)?([0-9a-fA-F]{1,8})", words)
    if found is None:
        return None
    bits = int(found[1], 16)
    slowed = _CAPPED | _THROTTLED | _SOFT_LIMIT
    return Throttling(
        bool(bits & _LOW_VOLTAGE),
        bool(bits & _LOW_VOLTAGE << _SINCE_START),
        bool(bits & slowed),
        bool(bits & slowed << _SINCE_START),
    )
