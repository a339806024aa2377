"""The SQLite file of the journal: written in commits, read without being changed.

The file is in WAL mode with `synchronous=FULL`: a commit is appended to the write-ahead log and
synced before `append` returns, so a power cut loses nothing that was committed
(sqlite.org/pragma.html#pragma_synchronous). A damaged file is another matter. The log ends for
SQLite at the first frame whose checksum is wrong, and what follows is gone without an error;
pages carry no checksum at all. So every row has a seal, the head counts what follows it, commits
count up without a gap, and the schema and the structure are compared with what they have to be:
`read` notices any damage but a log that lost its end, which is consistent in itself. For that
there is `firmware.storage.journal_copy`.
"""

import os
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote
from zlib import crc32

from firmware.errors import UnreadableError
from firmware.storage.atomic_file import PRIVATE
from firmware.storage.journal_rows import (
    EncodedGame,
    EventRow,
    FoundRows,
    GameRow,
    JournalHeader,
    seal,
)
from firmware.storage.run_folder import run_folder

_VERSION: Final = 3
_OLD_VERSION: Final = 2

_TABLES: Final = {
    "head": "CREATE TABLE head (identity TEXT, previous TEXT, serial INTEGER, games INTEGER, "
    "events INTEGER, seal TEXT)",
    "games": "CREATE TABLE games (number INTEGER PRIMARY KEY, terms TEXT, begun TEXT, "
    "trusted INTEGER, filed INTEGER, whole INTEGER, seal TEXT)",
    "events": "CREATE TABLE events (game INTEGER, place INTEGER, body TEXT, serial INTEGER, "
    "seal TEXT, PRIMARY KEY (game, place)) WITHOUT ROWID",
}
"""Tables as SQLite stores their text, which is compared when the file is read."""

_LOGS: Final = ("-wal", "-journal")
"""Endings of the logs that SQLite keeps beside the file; the second only while it is made."""

_BUSY_S: Final = 0.2
"""How long another process may hold the file before it counts as refused."""

_WAL_PAGES: Final = 250
"""Of 4096 bytes, about two an event: a few games' worth, after which it is written over."""

_REFUSALS: Final = frozenset({3, 5, 6, 7, 8, 9, 10, 13, 14, 15, 22, 23})
"""Primary result codes (sqlite.org/rescode.html) of a disk that is full, read-only, busy or out
of reach: PERM, BUSY, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, FULL, CANTOPEN, PROTOCOL, NOLFS
and AUTH. Any other error means that the file is damaged."""

_UNREADABLE: Final = frozenset({266, 522, 8458})
"""Extended codes IOERR_READ, IOERR_SHORT_READ and IOERR_CORRUPTFS: damaged all the same."""

_MISREAD: Final = (sqlite3.Error, ValueError, OverflowError, MemoryError)
"""Raised by SQLite and its Python module while a damaged file is read."""


def is_damage(error: Exception) -> bool:
    """True if an error of SQLite tells of a damaged file, not of a disk that refuses for now."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and (code in _UNREADABLE or code & 0xFF not in _REFUSALS)


class JournalDatabase:
    """The file, open for writing; one thread at a time.

    Args:
        path: the file; made if it is not there, readable by its owner only.

    Raises:
        OSError, sqlite3.Error: it cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        # SQLite gives its log and its shared memory the rights of the file.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE))
        self._file: Final = sqlite3.connect(
            path, timeout=_BUSY_S, check_same_thread=False, isolation_level=None
        )
        try:
            self._file.execute("PRAGMA journal_mode=WAL")
            self._file.execute("PRAGMA synchronous=FULL")
            self._file.execute(f"PRAGMA wal_autocheckpoint={_WAL_PAGES}")
        except sqlite3.Error:
            self._file.close()
            raise

    def replace(self, head: JournalHeader, games: Sequence[EncodedGame]) -> None:
        """Writes a head and games in place of everything, in one commit.

        Raises:
            sqlite3.Error: nothing has changed on disk.
        """
        with self._commit():
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
            identity: of the head.
            serial: number of the commit.
            rows: the events.

        Raises:
            sqlite3.Error: they are not on disk, as far as anybody can tell.
        """
        with self._commit():
            for row in rows:
                self._insert("events", (*row, serial), identity)

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    @contextmanager
    def _commit(self) -> Iterator[None]:
        try:
            self._file.execute("BEGIN IMMEDIATE")
            yield
            self._file.execute("COMMIT")
        except sqlite3.Error:
            with suppress(sqlite3.Error):
                self._file.execute("ROLLBACK")
            raise

    def _insert(self, table: str, values: tuple[Any, ...], identity: str) -> None:
        marks = ", ".join("?" * (len(values) + 1))
        row = (*values, seal(identity, values))
        self._file.execute(f"INSERT INTO {table} VALUES ({marks})", row)  # noqa: S608


def read(path: Path) -> FoundRows:
    """All rows that can be read of a file, which stays as it is.

    A file that is missing, or empty as it is made, has none and no fault. To read the log SQLite
    makes a file beside it, so on a disk that takes none a copy elsewhere is read.
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
    """Bytes of a file, 0 where there is none."""
    return path.stat().st_size if path.exists() else 0


def _note(error: Exception, found: FoundRows) -> None:
    """Notes why a file cannot be read: it is damaged, or the disk refuses."""
    if isinstance(error, OSError) or (isinstance(error, sqlite3.Error) and not is_damage(error)):
        found.unread = found.unread or str(error)
    else:
        found.note(str(error))


def _open_to_read(path: Path) -> sqlite3.Connection:
    if _size(path.with_name(f"{path.name}-journal")):
        # The power failed while the file was made, before there was a log: SQLite undoes it.
        mode = "rw"
    elif _size(path.with_name(f"{path.name}-wal")):
        mode = "ro"
    else:
        # Nothing beside the file is needed, so a disk that is full or read-only will do.
        mode = "ro&immutable=1"
    address = f"file:{quote(str(path.absolute()))}?mode={mode}"
    file = sqlite3.connect(address, uri=True, timeout=_BUSY_S, isolation_level=None)
    # A damaged letter spoils its row, not the rows behind it.
    file.text_factory = lambda text: text.decode(errors="surrogateescape")
    return file


def _read_form(file: sqlite3.Connection, found: FoundRows) -> None:
    version = file.execute("PRAGMA user_version").fetchone()[0]
    schema = dict(file.execute("SELECT name, sql FROM sqlite_schema"))
    if not (version or schema):
        return  # it was made, and nothing was written yet
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
    """The rows of a table that are as they were written, without their seals."""
    for *values, sealed in _rows(file, f"SELECT * FROM {table}", found):  # noqa: S608
        if seal(identity, values) == sealed:
            yield tuple(values)
        else:
            found.note("what it holds is not what was written")
            found.doubtful.add(tuple(values[:2]))


def _rows(file: sqlite3.Connection, query: str, found: FoundRows) -> Iterator[tuple[Any, ...]]:
    """The rows of a query up to the first that cannot be read."""
    try:
        yield from file.execute(query)
    except _MISREAD as error:
        _note(error, found)


def _read_old_form(file: sqlite3.Connection, found: FoundRows) -> None:
    """The form of the release before: a CRC-32 for each row, and no head."""
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
    """A value as it is read back: SQLite knows no bool."""
    return int(value) if isinstance(value, bool) else value
