"""The settings to check, the result of one check, and its lines on a terminal."""

import shlex
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.assembly.table_places import TablePlaces
from firmware.settings import Settings

_LINK: Final = Path("/usr/local/bin/cornerlight")
"""Link to the program of an installed release, which root finds too."""

_MODULE: Final = f"{shlex.quote(sys.executable)} -m firmware"
"""Words that start the program of an environment that is not in the path of root."""

AS_ROOT: Final = f"sudo {_LINK.name if _LINK.exists() else _MODULE} doctor"
"""Remedy where the user of this process may not look."""

_STATES: Final = {True: "fine", False: "WRONG", None: "not known"}
"""Words of a check by its result; None if it could not be seen."""

_INDENT: Final = 11
"""Columns before the text of a check."""


@dataclass(frozen=True, slots=True)
class Check:
    """Result of one check.

    Attributes:
        name: what was checked.
        fine: False if it is wrong; None if it could not be seen.
        found: what was found, for people.
        remedy: the command that mends it, or lets it be seen; words where no command does; empty
            if `found` says it, or there is nothing to mend.
    """

    name: str
    fine: bool | None
    found: str
    remedy: str = ""

    def lines(self, width: int | None = None) -> list[str]:
        """Returns the lines of the check.

        Args:
            width: columns of the terminal; None for one line, whatever its length. A command is
                never broken, so that it can be copied.
        """
        text = f"{_STATES[self.fine]:{_INDENT}}{self.name}: {self.found}"
        lines = [text] if width is None else _wrapped(text, width)
        purpose = "to see it" if self.fine is None else "mend it"
        return [*lines, f"{'':{_INDENT}}{purpose}: {self.remedy}"] if self.remedy else lines


def fine(name: str, found: str) -> Check:
    """Returns the result of a check that found nothing wrong."""
    return Check(name, fine=True, found=found)


def wrong(name: str, found: str, remedy: str = "") -> Check:
    """Returns the result of a check that found something wrong."""
    return Check(name, fine=False, found=found, remedy=remedy)


def unknown(name: str, found: str, remedy: str = "") -> Check:
    """Returns the result of a check that could not see; the remedy lets it see."""
    return Check(name, fine=None, found=found, remedy=remedy)


def summary(checks: list[Check], width: int | None = None) -> str:
    """Returns one sentence on all checks, broken into lines of `width` columns."""
    parts = [
        f"{_STATES[state]}: {', '.join(names)}"
        for state in (False, None)
        if (names := [check.name for check in checks if check.fine is state])
    ]
    text = "; ".join(parts) or f"all {len(checks)} checks are fine"
    return text if width is None else "\n".join(_wrapped(text, width))


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(
        text,
        max(width, 2 * _INDENT),
        subsequent_indent=" " * _INDENT,
        break_on_hyphens=False,
        break_long_words=False,
    )


@dataclass(frozen=True, slots=True)
class Examined:
    """The settings that are checked, where they came from, and the places they name.

    Attributes:
        settings: the settings.
        config: the file that has them; None for the defaults.
        places: places of their table.
        is_served: True if services that are installed run that table.
    """

    settings: Settings
    config: Path | None
    places: TablePlaces
    is_served: bool = False
