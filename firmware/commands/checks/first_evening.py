"""The checklist of a first evening, with what a program finds for each of its lines."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from firmware.commands.checks.check import Check
from firmware.machine.computer import Computer
from firmware.machine.units import TABLE

LINES: Final = tuple(Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines())
"""The lines: a name, "by you" where a person has to look, and after a colon what is right."""

_CHECKS: Final[Mapping[str, tuple[str, ...]]] = {
    "power": ("power",),
    "start": ("machine",),
    "page": ("page", "address", "name"),
    "camera": ("cameras", "camera"),
    "focus": ("camera controls",),
    "rate": ("camera pictures",),
    "colours": ("boot", "lights"),
    "buttons": ("buttons",),
    "memory": ("limits",),
    "heat": ("heat",),
}
"""Names of the checks of `doctor` that concern a line."""

_PROGRAMS: Final[Mapping[str, tuple[str, ...]]] = {
    "power": ("vcgencmd", "get_throttled"),
    "start": ("systemd-analyze", "time"),
    "colours": ("vcgencmd", "measure_clock", "core"),
    "memory": ("systemctl", "show", "-p", "Id,MemoryCurrent,MemoryMax", "cornerlight-*.service"),
    "heat": ("uptime", "-p"),
}
"""Programs of the system that tell something about a line."""

_LOGGED: Final = {"camera": r"sensor format|of the width", "exposure": r"exposure kept for"}
"""Patterns for messages in the table's log about a line, those of libcamera among them."""

_LOG: Final = ("journalctl", "--no-pager", "-o", "cat", "-b", "-n", "5000", "-u", TABLE)
"""Command for the newest messages of the table since the start of the computer."""

_SETTINGS: Final = {"lamp": "camera.mains_hz", "current": "lights.limit_ma"}
"""Settings that concern a line."""


def checklist(computer: Computer, checks: list[Check], settings: list[str]) -> Iterator[str]:
    """Yields the lines by number, each with what is found, and a place for what people see.

    Args:
        computer: the computer.
        checks: results of all checks.
        settings: the settings as lines.
    """
    log = (computer.ask(_LOG) or "").splitlines()
    for number, line in enumerate(LINES, 1):
        name, by_you, _ = re.split("(, by you)?: ", line, maxsplit=1)
        concerned = [one for one in checks if one.name in _CHECKS.get(name, ())]
        logged = [one for one in log if name in _LOGGED and re.search(_LOGGED[name], one)]
        found = [
            *(row.strip() for one in concerned for row in one.lines()),
            *_told(computer, name),
            *logged[-2:],
            *(one.strip() for one in settings if one.split()[0] == _SETTINGS.get(name)),
        ]
        yield f"{number}. {line}"
        yield from (f"    {one}" for one in found)
        if by_you or not found:
            yield "    by you:" if by_you else "    not known"


def _told(computer: Computer, name: str) -> list[str]:
    """Returns the answer of a program, a paragraph a line, with bytes and hertz in millions."""
    output = computer.ask(_PROGRAMS[name]) if name in _PROGRAMS else None
    rows = [", ".join(one.splitlines()) for one in output.split("\n\n")] if output else []
    return [re.sub(r"=(\d+)\d{6}\b", r"=\1 million", row) for row in rows]
