"""Checks of the computer: model and system, supply voltage, heat, clock, and disk."""

import platform
from datetime import datetime
from pathlib import Path
from typing import Final

import numpy as np

from firmware.commands.checks.check import Check, fine, unknown, wrong
from firmware.machine.computer import Computer
from firmware.machine.health import HOT_C, celsius, is_hot, undervoltage
from firmware.machine.running_system import (
    ClockSource,
    FileSystem,
    Throttling,
    clock_source,
    file_system,
    throttling,
)

_SUPPLY: Final = "use a supply of 5.1 V and 3 A, of 5 A for a Raspberry Pi 5"
"""Remedy for low voltage: the values of the supplies that Raspberry Pi sells for its models."""

_FIRST_YEAR: Final = 2026
"""Year before which this program did not exist."""

_LEAST_MB: Final = 200.0
"""Megabytes that have to be free: some hundred games take 1.5 MB each with their pictures."""


def check_machine(computer: Computer) -> Check:
    """Tells the model, the system and the versions."""
    versions = f"Python {platform.python_version()}, numpy {np.__version__}"
    model = computer.model or "no Raspberry Pi"
    return fine("machine", f"{model}, {computer.system}, {versions}")


def check_sensors(computer: Computer) -> list[Check]:
    """Checks supply voltage and temperature; no checks if this is no Raspberry Pi."""
    if not computer.is_raspberry_pi:
        return []
    throttled = throttling(computer)
    power = _power(undervoltage(computer.sysfs), throttled)
    return [power, _heat(celsius(computer.sysfs), throttled)]


def _power(alarm: bool | None, throttled: Throttling | None) -> Check:  # noqa: FBT001
    if alarm is None and throttled is None:
        return unknown("power", "neither kernel nor firmware tells the supply voltage")
    if alarm or (throttled and throttled.low_voltage):
        return wrong("power", "the supply gives less than 4.63 V", _SUPPLY)
    if throttled and throttled.had_low_voltage:
        found = "the supply gave less than 4.63 V at some time since the start"
        return wrong("power", found, f"{_SUPPLY}; sudo reboot forgets it")
    since = ", and did since the start" if throttled else ""
    return fine("power", f"the supply gives enough voltage{since}")


def _heat(temperature: float | None, throttled: Throttling | None) -> Check:
    if temperature is None and throttled is None:
        return unknown("heat", "neither kernel nor firmware tells the temperature")
    degrees = "" if temperature is None else f"{temperature:.0f} °C"
    if is_hot(temperature) or (throttled and throttled.slowed and not throttled.low_voltage):
        found = ", ".join(filter(None, (degrees, "the processor is slowed")))
        return wrong("heat", found, "give it air, a heat sink or a fan")
    was = (
        "; it was slowed at some time since the start" if throttled and throttled.was_slowed else ""
    )
    return fine("heat", f"{degrees or 'not slowed'}, slowed from {HOT_C:.0f} °C{was}")


def check_clock(computer: Computer, now: datetime) -> Check:
    """Checks that the time is plausible, and where it comes from.

    Args:
        computer: the computer.
        now: its time, with a zone.
    """
    shown = f"{now:%Y-%m-%d %H:%M %Z}".strip()
    source = clock_source(computer)
    if now.year < _FIRST_YEAR:
        return wrong("clock", f"{shown} cannot be true", _set_clock(source))
    if not computer.has_systemd:
        return fine("clock", f"{shown}; no systemd is here that sets it from the network")
    if computer.is_container:
        return fine("clock", f"{shown}, of the computer around this container")
    return _synchronised(source, shown)


def _synchronised(source: ClockSource, shown: str) -> Check:
    if source.synchronised is None:
        return unknown("clock", f"{shown}; systemd does not tell if the network has set it")
    if source.synchronised:
        return fine("clock", f"{shown}, set from the network")
    if source.lasts:
        return fine("clock", f"{shown}, not set from the network")
    found = f"{shown}, not set from the network, and without a battery it stops with the power"
    return wrong("clock", found, _set_clock(source))


def _set_clock(source: ClockSource) -> str:
    if source.asks is False:
        return "sudo timedatectl set-ntp true"
    return "sudo date -s 'YEAR-MONTH-DAY HOUR:MINUTE'"


def check_disk(computer: Computer, folder: Path) -> Check:
    """Checks the file system on which a table keeps its games.

    Args:
        computer: the computer.
        folder: folder of the table.
    """
    disk = file_system(computer, folder)
    if disk is None:
        return unknown("disk", f"the system does not tell on which disk {folder} is")
    where = f"{folder} is on the disk at {disk.place}"
    if disk.is_read_only:
        found = f"{where}, which cannot be written"
        return wrong("disk", found, f"sudo mount -o remount,rw {disk.place}")
    if disk.forgets:
        found = f"{where}, which is in memory: games are lost when it is switched off"
        return wrong("disk", found, "sudo raspi-config nonint disable_overlayfs")
    return _space(where, disk)


def _space(where: str, disk: FileSystem) -> Check:
    found = f"{where}, {disk.free_mb / 1000:,.1f} GB free"
    if disk.free_mb < _LEAST_MB:
        remedy = "sudo apt-get clean && sudo journalctl --vacuum-size=20M"
        return wrong("disk", f"{found} of {_LEAST_MB / 1000:.1f} needed", remedy)
    return fine("disk", found)
