"""Heat and supply voltage of a Raspberry Pi, from the files of its kernel.

A fact that cannot be read is None, never "fine": another computer may be hot as well.

The firmware of a Raspberry Pi slows its processor step by step from 80 °C, and its graphics too
from 85 °C (Raspberry Pi documentation, "Frequency management and thermal control"). The soft limit
of a 3B+ at 60 °C takes its clock from 1.4 to 1.2 GHz only, which needs no remedy. The kernel's
driver `raspberrypi-hwmon` asks the firmware every 2 s; its alarm says if the voltage was below
4.63 V at any time since it asked before.
"""

from pathlib import Path
from typing import Final

from firmware.machine.sysfs import SYSFS, entries, number, text

HOT_C: Final = 80.0
"""Temperature in °C from which a computer is hot: its processor is slowed."""

COOL_C: Final = 75.0
"""Temperature in °C below which a hot computer no longer is, so that one near `HOT_C` stays hot."""

_ZONE: Final = "cpu-thermal"
"""Type of the thermal zone of a Raspberry Pi. Zones of a PC have other limits than `HOT_C`."""

_VOLTAGE: Final = "rpi_volt"
"""Name of the driver that reports the voltage of a Raspberry Pi."""

_ALARMS: Final = {"0": False, "1": True}
"""Meaning of the kernel's text for an alarm; any other text is unknown."""

_POSSIBLE_C: Final = range(-40, 126)
"""Temperatures in °C that a processor may have; others are faults of the sensor."""


def celsius(sysfs: Path = SYSFS) -> float | None:
    """Returns the temperature of the hottest zone of a processor in °C; None if it is not known.

    A zone without a type counts, so that a folder that stands in for `/sys` needs `temp` only.
    Takes under a millisecond and raises nothing, as `undervoltage`.

    Args:
        sysfs: the folder `/sys`, or one that stands in for it.
    """
    found = []
    for zone in entries(sysfs / "class" / "thermal", "thermal_zone"):
        if text(zone / "type") in {_ZONE, None}:
            thousandths = number(zone / "temp")
            if thousandths is not None and thousandths // 1000 in _POSSIBLE_C:
                found.append(thousandths / 1000)
    return max(found, default=None)


def is_hot(temperature: float | None, *, was_hot: bool | None = None) -> bool | None:
    """True if the processor is slowed because of its heat; None if that is not known.

    Args:
        temperature: temperature in °C; None if it is not known.
        was_hot: True if it was hot before: it stays so until it is below `COOL_C`.
    """
    return None if temperature is None else temperature >= (COOL_C if was_hot else HOT_C)


def undervoltage(sysfs: Path = SYSFS) -> bool | None:
    """True if the supply gives too little voltage; None if that is not known.

    Args:
        sysfs: the folder `/sys`, or one that stands in for it.
    """
    for monitor in entries(sysfs / "class" / "hwmon", "hwmon"):
        if text(monitor / "name") == _VOLTAGE:
            return _ALARMS.get(text(monitor / "in0_lcrit_alarm") or "")
    return None
