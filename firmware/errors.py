"""Errors that the program raises, as one tree, and the remedy for a library that is missing.

Files from outside are read by `vision.errors`, which `read_file` gives errors of this tree.

Other failures at a table are data.

    Exception
    └── CornerlightError        one sentence that names cause and remedy, shown unchanged
        ├── SettingsError       (also ValueError)  a setting that cannot be used
        ├── UnreadableError     (also OSError)     a file that cannot be read or written
        └── PlayerError         the player gives no answer

Parts that import nothing of ours have roots of their own, which the command line shows alike:
`firmware.rules.errors.RulesError` (a ValueError), `firmware.drivers.interfaces.DeviceError` (an
OSError) and `vision.errors.VisionError`. The contract of the page has
`web.contract.ContractError`.
"""

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from firmware.codes import PlayerFailure
from vision.errors import read_regular

_LOGIN: Final = re.compile(r"(\w+:/+)?[^\s:/@'\"]*:.*@")
"""A user and a password, wherever the address is wrong: a password may have any sign."""

_QUERY: Final = re.compile(r"(://[^?\s]*\?)\S+")
"""A query, which may have them too."""

_VALUE: Final = re.compile(r"(pass(?:word|wd)?|pwd)=[^/?\s]*", re.IGNORECASE)
"""A password in a path, as the addresses of some cameras have it."""


class CornerlightError(Exception):
    """Root of the errors that the program raises."""


class SettingsError(CornerlightError, ValueError):
    """A setting that cannot be used: unknown, of the wrong kind, or out of bounds."""


class UnreadableError(CornerlightError, OSError):
    """A file that cannot be read or written."""


@contextmanager
def _named(verb: str, path: Path, kind: str = "", remedy: str = "") -> Iterator[None]:
    """Runs code that reads or writes a file, and names the file if that fails.

    Args:
        verb: `read` or `write`.
        path: the file.
        kind: name of such a file for people, as in "the report"; empty for none.
        remedy: remedy for the message; empty for none.

    Raises:
        UnreadableError: the code raised an OSError.
    """
    try:
        yield
    except OSError as error:
        named = f"{kind} {path}" if kind else str(path)
        message = f"cannot {verb} {named}: {error.strerror}"
        raise UnreadableError(f"{message}; {remedy}" if remedy else message) from error


report_unwritable: Final = partial(_named, "write")
"""Context of code that writes a file; see `_named` for the arguments after the first."""


def read_file(path: Path, kind: str = "", remedy: str = "", *, longest: int = 1_000_000) -> bytes:
    """Reads a file from outside of at most `longest` bytes; see `report_unwritable`.

    Raises:
        UnreadableError: it cannot be read, is no regular file, or is longer.
    """
    with _named("read", path, kind, remedy):
        return read_regular(path, longest)


class PlayerError(CornerlightError):
    """The player gives no answer.

    Args:
        code: reason.
        message: the reason as one sentence.

    Attributes:
        code: reason.
    """

    def __init__(self, code: PlayerFailure, message: str) -> None:
        super().__init__(message)
        self.code = code


def install_command(*libraries: str) -> str:
    """Returns the command that installs libraries for this program, wherever it is installed."""
    words = (sys.executable, "-m", "pip", "install", *libraries)
    if sys.platform == "win32":
        return subprocess.list2cmdline(words)
    # The environment of a service is root's, and its user is not who types this.
    sudo = "sudo " if Path(sys.prefix).stat().st_uid == 0 and shutil.which("sudo") else ""
    return f"{sudo}{shlex.join(words)}"


def without_passwords(text: str) -> str:
    """Returns a text with "..." for users, passwords and queries of the addresses in it.

    It hides too much rather than too little: all from a user to the last @ of the line.
    """
    text = _LOGIN.sub(r"\1...@", text)
    return _VALUE.sub(r"\1=...", _QUERY.sub(r"\1...", text))
