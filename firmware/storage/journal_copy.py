"""The second copy of the journal: a text file that grows by a line with each commit.

Each line is its seal, a space and JSON; the first holds the format, the header and the games at
that time, each other the events of one commit. A line is written after the commit to the SQLite
file, and before `record` returns; it is synced afterwards. So the copy is never ahead, and after a
power cut it lacks one commit at most. If one of the two files ends earlier than that, it has lost
its end, which cannot be detected in that file alone.
"""

import errno
import json
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from firmware.storage.atomic_file import PRIVATE, sync_folder, write_whole
from firmware.storage.journal_rows import (
    EncodedGame,
    EventRow,
    FoundRows,
    GameRow,
    JournalHeader,
    seal,
)

_FORM: Final = 3
"""Version of the format, the same as that of the SQLite file."""

_LARGEST: Final = 64 << 20
"""Greatest size in bytes of a copy that is read; a long evening without filing has about 1 MB."""


class JournalCopy:
    """The copy, open for writing; one thread at a time.

    Args:
        path: the file; replaced as a whole, readable by its owner only.
        head: the header.
        games: all games of the journal.

    Raises:
        OSError: it cannot be written; an existing file is unchanged.
    """

    def __init__(self, path: Path, head: JournalHeader, games: Sequence[EncodedGame]) -> None:
        rows = [game.row for game in games]
        events = [row for game in games for row in game.events]
        first = _line("", {"form": _FORM, "head": head, "games": rows, "events": events})
        write_whole(path, first, PRIVATE)
        sync_folder(path.parent)
        self._identity: Final = head.identity
        self._file: Final = os.open(path, os.O_WRONLY)
        self._end = len(first)

    def append(self, serial: int, rows: Sequence[EventRow]) -> None:
        """Adds the events of one commit; they are safe after `sync`.

        Raises:
            OSError: they are not all in the file.
        """
        line = _line(self._identity, {"serial": serial, "events": list(rows)})
        if os.pwrite(self._file, line, self._end) < len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._end += len(line)

    def sync(self) -> None:
        """Waits until all added events are on disk.

        Raises:
            OSError: the disk refuses.
        """
        os.fdatasync(self._file)

    def close(self) -> None:
        """Closes the file."""
        with suppress(OSError):
            os.close(self._file)


def read(path: Path) -> FoundRows:
    """Reads all readable rows of a copy; a missing file has none and no fault."""
    found = FoundRows()
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST)
    except FileNotFoundError:
        return found
    except OSError as error:
        found.unread = str(error)
        return found
    first, *lines = content.split(b"\n")
    table = _opened("", first)
    if table is None:
        found.note("its beginning is not what was written")
        return found
    if table["form"] != _FORM:
        found.note(f"it is of form {table['form']}, which this release does not know")
        return found
    found.head = head = JournalHeader(*table["head"])
    found.serial = head.serial
    found.games = {row[0]: GameRow(*row) for row in table["games"]}
    found.bodies = {(game, place): body for game, place, body in table["events"]}
    # After the last line break there is nothing, or an unfinished line.
    commits = [_opened(head.identity, line) for line in lines if line]
    if commits and commits[-1] is None:
        commits.pop()
        found.torn = True
    for commit in commits:
        if commit is None or commit["serial"] != found.serial + 1:
            found.note("a line is not what was written")
        if commit is not None:
            found.serial = commit["serial"]
            found.bodies |= {(game, place): body for game, place, body in commit["events"]}
    found.check_places()
    return found


def _line(identity: str, table: dict[str, Any]) -> bytes:
    text = json.dumps(table, separators=(",", ":"))
    return f"{seal(identity, [text])} {text}\n".encode()


def _opened(identity: str, line: bytes) -> dict[str, Any] | None:
    """Returns the JSON of a line; None if its seal is wrong."""
    sealed, _, body = line.decode(errors="surrogateescape").partition(" ")
    if seal(identity, [body]) != sealed:
        return None
    table: dict[str, Any] = json.loads(body)
    return table
