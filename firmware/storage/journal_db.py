"""SQLite storage of the journal: written in commits, read without being changed.

`firmware.storage.sqlite_file` writes it. SQLite does not detect all damage: the log ends at the
first frame whose checksum is wrong, the rest is lost without an error, and pages have no checksum.
So every row has a seal, the header has the numbers of rows, commits count up without a gap, and
schema and structure are compared with the expected ones: `read` detects any damage but a log that
lost its end, which is consistent in itself. `firmware.storage.journal_copy` reveals that.
"""

import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote
from zlib import crc32

from firmware.errors import UnreadableError
from firmware.storage.journal_rows import (
    EncodedGame,
    EventRow,
    FoundRows,
    GameRow,
    JournalHeader,
    seal,
)
from firmware.storage.run_folder import run_folder
from firmware.storage.sqlite_file import BUSY_S, commit, is_damage, opened_to_write

_VERSION: Final = 3
"""Version of the format that is written, the file's `user_version`."""

_OLD_VERSION: Final = 2
"""Version of the previous release's format, which is read but not written."""

_TABLES: Final = {
    "head": "CREATE TABLE head (identity TEXT, previous TEXT, serial INTEGER, games INTEGER, "
    "events INTEGER, seal TEXT)",
    "games": "CREATE TABLE games (number INTEGER PRIMARY KEY, terms TEXT, begun TEXT, "
    "trusted INTEGER, filed INTEGER, whole INTEGER, seal TEXT)",
    "events": "CREATE TABLE events (game INTEGER, place INTEGER, body TEXT, serial INTEGER, "
    "seal TEXT, PRIMARY KEY (game, place)) WITHOUT ROWID",
}
"""Definitions of the tables; their text is compared when the file is read."""

_LOGS: Final = ("-wal", "-journal")
"""Suffixes of the logs of SQLite; the second exists only while the file is created."""

_MISREAD: Final = (sqlite3.Error, ValueError, OverflowError, MemoryError)
"""Errors that SQLite and its Python module raise for a damaged file."""


class JournalDatabase:
    """The file, open for writing; one thread at a time.

    Args:
        path: the file; created if it is missing, readable by its owner only.

    Raises:
        OSError, sqlite3.Error: it cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self._file: Final = opened_to_write(path)

    def replace(self, head: JournalHeader, games: Sequence[EncodedGame]) -> None:
        """Replaces all rows by a header and games, in one commit.

        Raises:
            sqlite3.Error: nothing has changed on disk.
        """
        with commit(self._file):
            for name, table in _TABLES.items():
                self._file.execute(f"DROP TABLE IF EXISTS {name}")
                self._file.execute(table)
            self._insert("head", head, "")
            for game in games:
                self._insert("games", tuple(map(_column, game.row)), head.identity)
                for row in game.events:
                    self._insert("events", (*row, head.serial), head.identity)
            self._file.execute(f"PRAGMA user_version={_VERSION}")

    def append(self, identity: str, serial: int, rows: Sequence[EventRow]) -> None:
        """Adds events in one commit.

        Args:
            identity: identity of the header.
            serial: number of the commit.
            rows: the events.

        Raises:
            sqlite3.Error: they may not be on disk.
        """
        with commit(self._file):
            for row in rows:
                self._insert("events", (*row, serial), identity)

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def _insert(self, table: str, values: tuple[Any, ...], identity: str) -> None:
        marks = ", ".join("?" * (len(values) + 1))
        row = (*values, seal(identity, values))
        self._file.execute(f"INSERT INTO {table} VALUES ({marks})", row)  # noqa: S608


def read(path: Path) -> FoundRows:
    """Reads all readable rows of a file without changing it.

    A missing or empty file has none and no fault. To read the log, SQLite creates a file beside it;
    on a read-only or full disk a copy in another folder is read.
    """
    found = _read(path)
    if found.unread and not found.fault:
        with suppress(OSError, UnreadableError), run_folder() as folder:
            for end in ("", *_LOGS):
                beside = path.with_name(path.name + end)
                if beside.exists():
                    shutil.copyfile(beside, folder / beside.name)
            return _read(folder / path.name)
    return found


def _read(path: Path) -> FoundRows:
    found = FoundRows()
    try:
        if not _size(path):
            if _size(path.with_name(f"{path.name}-wal")):
                found.note("it is missing, and its log is not")
            return found
        with closing(_open_to_read(path)) as file:
            _read_form(file, found)
    except (*_MISREAD, OSError) as error:
        _note(error, found)
    return found


def _size(path: Path) -> int:
    """Returns the size of a file in bytes, 0 if it is missing."""
    return path.stat().st_size if path.exists() else 0


def _note(error: Exception, found: FoundRows) -> None:
    """Notes the reason why a file cannot be read: damage, or a refusing disk."""
    if isinstance(error, OSError) or (isinstance(error, sqlite3.Error) and not is_damage(error)):
        found.unread = found.unread or str(error)
    else:
        found.note(str(error))


def _open_to_read(path: Path) -> sqlite3.Connection:
    if _size(path.with_name(f"{path.name}-journal")):
        # The power failed while the file was created, before it had a log: SQLite undoes it.
        mode = "rw"
    elif _size(path.with_name(f"{path.name}-wal")):
        mode = "ro"
    else:
        # No other file is needed, so this works on a full or read-only disk.
        mode = "ro&immutable=1"
    address = f"file:{quote(str(path.absolute()))}?mode={mode}"
    file = sqlite3.connect(address, uri=True, timeout=BUSY_S, isolation_level=None)
    # A damaged character must not prevent the reading of later rows.
    file.text_factory = lambda text: text.decode(errors="surrogateescape")
    return file


def _read_form(file: sqlite3.Connection, found: FoundRows) -> None:
    version = file.execute("PRAGMA user_version").fetchone()[0]
    schema = dict(file.execute("SELECT name, sql FROM sqlite_schema"))
    if not (version or schema):
        return  # it was created, and nothing was written yet
    if version not in (_VERSION, _OLD_VERSION):
        found.fault = f"it is of form {version}, which this release does not know"
        return
    found.old_form = version == _OLD_VERSION
    if found.old_form:
        _read_old_form(file, found)
    else:
        if schema != _TABLES:
            found.note("its tables are not what they were")
        _read_sealed(file, found)
    found.check_places()
    complaint = file.execute("PRAGMA quick_check(1)").fetchone()[0]
    if complaint != "ok":
        found.note(str(complaint).splitlines()[-1])


def _read_sealed(file: sqlite3.Connection, found: FoundRows) -> None:
    for values in _sealed(file, "head", "", found):
        found.head = JournalHeader(*values)
    if found.head is None:
        found.note("its head is missing")
        return
    head = found.head
    for number, config, begun, trusted, filed, whole in _sealed(
        file, "games", head.identity, found
    ):
        row = GameRow(number, config, begun, bool(trusted), filed, bool(whole))
        found.games[number] = row
    commits = Counter({head.serial: 0})
    for game, place, body, serial in _sealed(file, "events", head.identity, found):
        found.bodies[game, place] = body
        commits[serial] += 1
    found.serial = max(commits)
    expected = range(head.serial, found.serial + 1)
    counts = len(found.games), commits[head.serial]
    if sorted(commits) != [*expected] or counts != (head.games, head.events):
        found.note("rows are missing")


def _sealed(
    file: sqlite3.Connection, table: str, identity: str, found: FoundRows
) -> Iterator[tuple[Any, ...]]:
    """Yields the rows of a table whose seals are right, without the seals."""
    for *values, sealed in _rows(file, f"SELECT * FROM {table}", found):  # noqa: S608
        if seal(identity, values) == sealed:
            yield tuple(values)
        else:
            found.note("what it holds is not what was written")
            found.doubtful.add(tuple(values[:2]))


def _rows(file: sqlite3.Connection, query: str, found: FoundRows) -> Iterator[tuple[Any, ...]]:
    """Yields the rows of a query up to the first unreadable one."""
    try:
        yield from file.execute(query)
    except _MISREAD as error:
        _note(error, found)


def _read_old_form(file: sqlite3.Connection, found: FoundRows) -> None:
    """Reads the format of the previous release: a CRC-32 for each row, and no header."""
    filed_games = []
    query = "SELECT number, terms, begun, trusted, filed, checksum FROM games"
    for number, config, begun, trusted, filed, checksum in _rows(file, query, found):
        if _crc32(f"{number} {config} {begun} {bool(trusted)}") != checksum:
            found.note("a game is not what was written")
            continue
        found.games[number] = GameRow(number, config, begun, bool(trusted))
        filed_games += [number] if filed else []
    query = "SELECT game, place, body, checksum FROM events ORDER BY game, place"
    for game, place, body, checksum in _rows(file, query, found):
        if _crc32(f"{game} {place} {body}") != checksum:
            found.note("an event is not what was written")
            continue
        found.bodies[game, place] = body
    counts = Counter(game for game, _ in found.bodies)
    for number in filed_games:
        found.games[number] = found.games[number]._replace(filed=counts[number])


def _crc32(text: str) -> int:
    return crc32(text.encode(errors="surrogatepass"))


def _column(value: object) -> object:
    """Returns a value as SQLite returns it, which has no bool."""
    return int(value) if isinstance(value, bool) else value
