"""Hides users and passwords in the addresses of cameras, for every text that people may see."""

import re
from typing import Final

_LOGIN: Final = re.compile(r"(\w+:/+)?[^\s:/@'\"]*:.*@")
"""A user and a password, wherever the address is wrong: a password may have any sign."""

_QUERY: Final = re.compile(r"(://[^?\s]*\?)\S+")
"""A query, which may have them too."""

_VALUE: Final = re.compile(r"(pass(?:word|wd)?|pwd)=[^/?\s]*", re.IGNORECASE)
"""A password in a path, as the addresses of some cameras have it."""


def without_passwords(text: str) -> str:
    """Returns a text with "..." for users, passwords and queries of the addresses in it.

    It hides too much rather than too little: all from a user to the last @ of the line.
    """
    text = _LOGIN.sub(r"\1...@", text)
    return _VALUE.sub(r"\1=...", _QUERY.sub(r"\1...", text))
