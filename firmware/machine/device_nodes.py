"""The devices that a table may use, as files in `/dev`."""

import re
from pathlib import Path
from typing import Final

from firmware.machine.computer import Computer
from firmware.machine.sysfs import text

PATTERNS: Final = {
    "spidev*": "spi",
    "gpiochip*": "gpio",
    "leds*": "gpio",
    "video*": "video",
    "media*": "video",
    "dma_heap/*": "video",
}
"""Names of the devices in `/dev`, and the group that has the right to each."""


def nodes(computer: Computer, pattern: str) -> list[Path]:
    """Returns the devices of a pattern, by name and number."""
    return sorted((computer.root / "dev").glob(pattern), key=_in_order)


def named_cameras(computer: Computer) -> dict[Path, str]:
    """Returns the V4L2 devices with the names that their drivers give; empty where there is none.

    A Raspberry Pi has some for its codecs too, which give no pictures.
    """
    names = computer.sysfs / "class" / "video4linux"
    found = [path for path in nodes(computer, "video*") if path.name[5:].isdecimal()]
    return {path: text(names / path.name / "name") or "" for path in found}


def _in_order(path: Path) -> tuple[str, int]:
    number = re.search(r"\d+$", path.name)
    return path.name.rstrip("0123456789"), int(number[0]) if number else -1
