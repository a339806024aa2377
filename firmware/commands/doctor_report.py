"""The report of `cornerlight doctor`: one text for those who help, without secrets."""

import ipaddress
import os
import re
from importlib import metadata
from typing import Final

from firmware import __version__
from firmware.commands.checks.check import AS_ROOT, Check, summary
from firmware.commands.checks.first_evening import checklist
from firmware.commands.checks.program import needed
from firmware.errors import without_passwords
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


HIDDEN: Final = "..."
"""Text in place of a secret."""

_EMAIL: Final = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
"""An e-mail address: letters, digits, _ . + and - around the @, and a domain with a dot."""

_NUMBER: Final = re.compile(r"(?<!\d)\d{4}([ -]?)\d{4}\1\d{4}(?!\d)")
"""A number that pairs a phone, with or without its groups."""

_NAMED: Final = re.compile(
    r"(?i)\b([\w-]*(?:pass(?:word|wd|phrase)?|pwd|psk|secret|token|cookie|authorization|"
    r"serial(?:number)?|ssid))(\"?\s*[=:]\s*)(?:Basic |Bearer )?[^\s,;]+"
)
"""A secret that is named, as in `token=abc`; also the serial numbers of devices."""

_TOKEN: Final = re.compile(r"(?<![\w-])(?=[\w-]*[A-Z\d])(?=[\w-]*[A-Za-z])[\w-]{32,}(?![\w-])")
"""A token of a phone or its fingerprint, and the identity of a computer: 32 letters, digits, _ or -
or more in a row, with a capital letter or a digit among them. Few tokens have no digit, but some.
"""

_MAC: Final = re.compile(r"(?i)(?<![0-9a-f:])(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}(?![0-9a-f:])")
"""A hardware address: six pairs of hexadecimal digits between : or -, with no seventh."""

_IP: Final = re.compile(
    r"(?i)(?<![\w.])(?<!==)\d{1,3}(?:\.\d{1,3}){3}(?![\w.]*\d)"
    r"|(?<![\w:])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?![\w:])"
)
"""Text that may be an address. After two signs of equality it is a version."""


def report(computer: Computer, checks: list[Check], settings: list[str]) -> str:
    """Returns the whole report.

    Args:
        computer: the computer.
        checks: results of all checks.
        settings: the settings as lines.
    """
    sections = {
        "checks": [*(line for check in checks for line in check.lines()), summary(checks)],
        "checklist": list(checklist(computer, checks, settings)),
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
        return [f"not readable here; run: {AS_ROOT} --report"]
    return text.splitlines() or ["empty"]


def without_secrets(text: str) -> str:
    """Returns a text with "..." for secrets, line by line.

    Hidden are users and passwords, numbers that pair phones, tokens, e-mail addresses, addresses
    of devices, and addresses that the whole internet can reach. It hides too much rather than too
    little.
    """
    return "\n".join(map(_line, text.split("\n")))


def _line(line: str) -> str:
    line = _EMAIL.sub(HIDDEN, without_passwords(line))
    line = _NAMED.sub(rf"\1\2{HIDDEN}", line)
    for secret in (_NUMBER, _TOKEN, _MAC):
        line = secret.sub(HIDDEN, line)
    return _IP.sub(_unless_local, line)


def _unless_local(found: re.Match[str]) -> str:
    try:
        address = ipaddress.ip_address(found[0])
    except ValueError:
        return found[0]
    return HIDDEN if address.is_global else found[0]
