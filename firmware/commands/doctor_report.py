"""The report of `cornerlight doctor`: one text for those who help, without secrets."""

import os
import re
from importlib import metadata
from typing import Final

from firmware import __version__
from firmware.commands.checks.check import Check, summary
from firmware.commands.checks.program import needed
from firmware.commands.redaction import without_secrets
from firmware.machine.computer import Computer

_EXTRAS: Final = ("pi", "rtsp", "player", "club")
"""Extras whose libraries only some computers have."""

_SYSTEM: Final = "picamera2"
"""Library that comes with the system alone."""

_PROGRAMS: Final = {
    "systemd": ("systemctl", "--version"),
    "firmware": ("vcgencmd", "version"),
}
"""Programs that tell a version."""

_NOTHING: Final = "-- No entries --"
"""Answer of journalctl where there are no lines, and where this user may see none."""

_LOG_LINES: Final = 200
"""Last lines of the services' log."""

_KERNEL_LINES: Final = 100
"""Last messages of the kernel that concern a table."""

_CONCERNED: Final = re.compile(
    r"(?i)camera|csi|unicam|rp1|imx\d|ov5647|ov64|uvc|video|v4l|spi|gpio|leds|ws2812|volt|"
    r"throttl|thermal|mmc|ext4|i/o error|out of memory|oom"
)
"""Messages of the kernel on camera, SPI, supply, heat, disk and memory."""


def report(computer: Computer, checks: list[Check], settings: list[str]) -> str:
    """Returns the whole report.

    Args:
        computer: the computer.
        checks: results of all checks.
        settings: the settings as lines.
    """
    sections = {
        "checks": [*(line for check in checks for line in check.lines()), summary(checks)],
        "versions": _versions(computer),
        "settings": settings,
        "log of the services": _journal(computer),
        "messages of the kernel": _kernel(computer),
    }
    texts = (f"== {name}\n\n" + "\n".join(lines) for name, lines in sections.items())
    return without_secrets("\n\n".join((f"Cornerlight {__version__}", *texts)) + "\n")


def _versions(computer: Computer) -> list[str]:
    found = []
    for name in (*needed("cornerlight", _EXTRAS), _SYSTEM):
        try:
            found.append(f"{name}=={metadata.version(name)}")
        except metadata.PackageNotFoundError:
            found.append(f"{name} is not installed")
    for name, words in _PROGRAMS.items():
        output = computer.ask(words)
        found.append(f"{name}: {output.splitlines()[0] if output else 'not known'}")
    return found


def _journal(computer: Computer) -> list[str]:
    words = ("journalctl", "--no-pager", "-o", "short-iso", "-n", str(_LOG_LINES))
    output = computer.ask((*words, "-u", "cornerlight-*"))
    if output == _NOTHING and os.geteuid() != 0:
        output = None  # a usual user sees none of others
    # Otherwise the unit's name is taken for the address of a camera with a password.
    return _lines_of(output and output.replace("cornerlight-player@", "cornerlight-player "))


def _kernel(computer: Computer) -> list[str]:
    output = computer.ask(("dmesg",)) or computer.ask(("journalctl", "-k", "-b", "--no-pager"))
    if output is None:
        return _lines_of(output)
    lines = [line for line in output.splitlines() if _CONCERNED.search(line)]
    return lines[-_KERNEL_LINES:] or ["none that concerns a table"]


def _lines_of(text: str | None) -> list[str]:
    if text is None:
        return ["not readable here; run: sudo cornerlight doctor --report"]
    return text.splitlines() or ["empty"]
