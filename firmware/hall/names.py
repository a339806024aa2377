"""Names of players: a table of their own, and the public forms of them.

Journal, results and exports name ids. A name lies in one row, so that forgetting it is one
deletion: SQLite overwrites the row (`secure_delete`) and the log is cut.

The public form is applied once, before anything leaves the hall; it is short unless an organiser
chooses another, and short at most for minors.
"""

import sqlite3
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Final

from firmware.hall.sqlite_file import commit
from firmware.hall.tournament.codes import PublicForm
from firmware.hall.tournament.matches import Entrant
from firmware.storage.wall_clock import TimeOfDay
from web.contract.person_names import clean_name

RETENTION_DAYS: Final = 90
"""Days after which a name is forgotten."""

TABLE: Final = "CREATE TABLE names (player TEXT PRIMARY KEY, name TEXT, since TEXT)"
"""Definition of the table. `since` is the date of entry, NULL while the clock is not set."""


def public_name(player: Entrant, name: str | None) -> str:
    """The name of a player for everybody; the id if the name is forgotten, or no name."""
    words = (name or "").split()
    if player.public_form is PublicForm.ID or not words:
        return player.id
    return " ".join(words) if player.public_form is PublicForm.FULL else short_name(words)


def short_name(words: Sequence[str]) -> str:
    """First name and initial of the last one, as in "Anna K.".

    "Kern, Anna" is read as "Anna Kern". A single word is a first name or a nickname, and stays;
    in a script without spaces it is the whole name, of which the first character stays.
    """
    if words[0].endswith(",") and len(words) > 1:
        words = (*words[1:], words[0].rstrip(","))
    if len(words) == 1:
        return f"{words[0][:1]}." if _has_no_spaces(words[0]) else words[0]
    return f"{words[0]} {_initial(words[-1])}."


def _initial(word: str) -> str:
    """The first letter of a word, without what stands before it: "(", a quotation mark."""
    return next((letter for letter in word if letter.isalnum()), word[:1]).upper()


def _has_no_spaces(word: str) -> bool:
    """True for a word in a script that is written without spaces: Chinese, Japanese, Korean."""
    scripts = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL")
    return unicodedata.name(word[0], "").startswith(scripts)


class PlayerNames:
    """The names in the file of a hall.

    Another process may forget a name while the hall runs (`cornerlight hall forget`), so each
    reading asks SQLite if the file was changed.

    Args:
        file: the file, open for writing, with its table.
    """

    def __init__(self, file: sqlite3.Connection) -> None:
        self._file: Final = file
        self._file.execute("PRAGMA secure_delete=ON")
        self._known: dict[str, str] = {}
        self._version = -1

    def all(self) -> Mapping[str, str]:
        """The names by id of the player.

        Raises:
            sqlite3.Error: they cannot be read now.
        """
        version = self._file.execute("PRAGMA data_version").fetchone()[0]
        if version != self._version:
            rows = self._file.execute("SELECT player, name FROM names")
            self._known = {player: clean_name(name) for player, name in rows}
            self._version = version
        return dict(self._known)

    def insert(self, names: Mapping[str, str], entered: TimeOfDay) -> None:
        """Adds or changes names, as a part of the commit that the caller began.

        Raises:
            sqlite3.Error: the disk refuses.
        """
        self._version = -1
        for player, name in names.items():
            self._file.execute(
                "INSERT INTO names VALUES (?, ?, ?) ON CONFLICT (player) DO UPDATE SET name = ?",
                (player, name, entered.date, name),
            )

    def forget(self, players: Iterable[str]) -> tuple[str, ...]:
        """Deletes names so that their bytes are gone from the file and from its log.

        Returns:
            The ids of those who had a name.

        Raises:
            sqlite3.Error: the disk refuses; some bytes may be left.
        """
        forgotten = tuple(one for one in players if self._delete(one))
        # Also without a deletion: an earlier one may have been interrupted before this.
        busy = self._file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        if busy:
            raise sqlite3.OperationalError("another process reads the file; try again")
        return forgotten

    def forget_old(self, now: TimeOfDay) -> tuple[str, ...]:
        """Deletes the names that were entered too long ago; nothing while the clock is not set.

        A name that was entered under a clock that was not set counts from the first day on which
        it is.

        Returns:
            The ids of those who had one.

        Raises:
            sqlite3.Error: the disk refuses.
        """
        if now.date is None:
            return ()
        with commit(self._file):
            self._file.execute("UPDATE names SET since = ? WHERE since IS NULL", (now.date,))
        first = (date.fromisoformat(now.date) - timedelta(days=RETENTION_DAYS)).isoformat()
        old = self._file.execute("SELECT player FROM names WHERE since < ?", (first,)).fetchall()
        return self.forget(player for (player,) in old) if old else ()

    def _delete(self, player: str) -> bool:
        self._version = -1
        with commit(self._file):
            done = self._file.execute("DELETE FROM names WHERE player = ?", (player,))
        return done.rowcount > 0
