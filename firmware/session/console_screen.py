r"""The text console of the table's computer: where the page is, and how a first phone is paired.

agetty(8) shows the file above its prompt, on the screen at the computer: only who stands there sees
it. It fills in name and address of the computer (`\n`, `\4`), as the table has no network, and
draws again when that address changes. The file begins with a sequence that clears the screen: so a
number that is no longer valid goes away, and so does the sentence for a table that does not run, of
`systemd/cornerlight.issue`, which is shown before it.
"""

import logging
import os
from pathlib import Path
from typing import Final

from firmware.machine.sysfs import text
from firmware.session.pairing import NUMBER_LIVES_S, Pairing, grouped
from firmware.session.service import TableService
from firmware.storage.atomic_file import PRIVATE, write_whole

CONSOLE_VARIABLE: Final = "CORNERLIGHT_CONSOLE"
"""Environment variable that names the file; without it nothing is shown."""

NEW_NUMBER_S: Final = NUMBER_LIVES_S / 2
"""Seconds until the number on the screen is another one. The one before stays valid as long again,
for whoever has just read it."""

_LOOKS_S: Final = 2.0
"""Seconds between two looks at paired phones and screens."""

_RELOAD: Final = Path("/run/agetty.reload")
"""File for a change of which every agetty waits, as `agetty --reload` makes it, to draw again."""

_CLEAR: Final = "\x1b[H\x1b[2J"
"""Sequence that clears the screen of a terminal."""

_log = logging.getLogger(__name__)


class ConsoleScreen(TableService):
    """Writes the file, and a new number into it while no phone is paired and a screen is there.

    Args:
        file: the file; for this user and root alone.
        pairing: the paired phones.
        port: port of the score page.
        sysfs: the folder `/sys`, or one that stands in for it.
        reload: file whose change makes agetty draw again.
    """

    def __init__(
        self, file: Path, pairing: Pairing, port: int, sysfs: Path, reload: Path = _RELOAD
    ) -> None:
        self._file: Final = file
        self._pairing: Final = pairing
        self._port: Final = port
        self._sysfs: Final = sysfs
        self._reload: Final = reload
        self._looked_s = self._drawn_s = float("-inf")
        self._number = self._shown = ""

    def poll(self) -> None:
        """Looks for paired phones now and then."""
        now = self.table.now
        if now - self._looked_s < _LOOKS_S:
            return
        self._looked_s = now
        phones = self._pairing.phones(now)
        if phones.tokens or not self._has_screen():
            self._number = ""
        elif now - self._drawn_s >= NEW_NUMBER_S or not phones.takes(self._number):
            self._number, self._drawn_s = self._pairing.issue_screen_code(now), now
        self._show(self._content())

    def _has_screen(self) -> bool:
        """True if a screen is connected, or nobody can tell."""
        states = [text(path) for path in self._sysfs.glob("class/drm/*/status")]
        return not states or "connected" in states

    def _content(self) -> str:
        path = "/arbiter" if self._number else ""
        lines = [
            "Cornerlight. On a phone in the same network, open",
            "",
            rf"    http://\n.local:{self._port}{path}    or    http://\4:{self._port}{path}",
            "",
            *([f"and type there    {grouped(self._number)}", ""] if self._number else []),
            "While 127.0.0.1 or nothing stands there, this computer is in no network.",
        ]
        return _CLEAR + "\n".join((*lines, "", ""))

    def _show(self, content: str) -> None:
        """Writes the file if it changes, or removes it, and has it shown."""
        if content == self._shown:
            return
        self._shown = content
        try:
            if content:
                write_whole(self._file, content.encode(), PRIVATE)
            else:
                self._file.unlink(missing_ok=True)
            os.utime(self._reload)
        except OSError as error:
            _log.warning("the console shows no address: %s: %s", error.filename, error.strerror)

    def close(self) -> None:
        """Leaves the console to the sentence for a table that does not run."""
        self._show("")
