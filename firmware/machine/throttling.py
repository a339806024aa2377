"""The words of a Raspberry Pi's firmware on its voltage and its heat since the start."""

import re
from dataclasses import dataclass
from typing import Final

from firmware.machine.computer import Computer
from firmware.machine.sysfs import text

_FILE: Final = "devices/platform/soc*/soc*:firmware/get_throttled"
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
    file = next(computer.sysfs.glob(_FILE), None)
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
