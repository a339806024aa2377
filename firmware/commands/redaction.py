"""Hides secrets in a text that a person sends to others."""

import ipaddress
import re
from typing import Final

from firmware.errors import without_passwords

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
