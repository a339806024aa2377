"""The file of the journal: rows in, rows out, whatever state the file is in.

Each row carries a checksum, so that a bit that flipped is noticed and not believed. A file that
is damaged is moved aside, never deleted; what can be read of it is taken along.
"""

import fcntl
import shutil
import sqlite3
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from firmware.errors import UnreadableError

_SCHEMA: Final = """
    CREATE TABLE IF NOT EXISTS games (
        number INTEGER PRIMARY KEY, terms TEXT NOT NULL, begun TEXT NOT NULL,
        trusted INTEGER NOT NULL, filed INTEGER NOT NULL, checksum INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS events (
        game INTEGER NOT NULL, place INTEGER NOT NULL, body TEXT NOT NULL,
        checksum INTEGER NOT NULL, PRIMARY KEY (game, place)) WITHOUT ROWID;
    PRAGMA user_version = 2;
"""
_VERSION: Final = 2

_BUSY_S: Final = 0.2
"""How long another process may hold the file before it counts as refused."""

_WAL_PAGES: Final = 250
"""Of 4096 bytes, about two an event: a few games' worth, after which it is written over."""

_SIDES: Final = ("-wal", "-shm")
"""What SQLite keeps beside the file; without the first, the newest commits are lost."""


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game that was begun."""

    number: int
    terms: str
    begun: str
    trusted: bool
    filed: bool = False

    @property
    def checksum(self) -> int:
        """Of all that must not change."""
        return zlib.crc32(f"{self.number} {self.terms} {self.begun} {self.trusted}".encode())


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event; `place` counts from 1 within its game."""

    game: int
    place: int
    body: str

    @property
    def checksum(self) -> int:
        """Of all of it."""
        return zlib.crc32(f"{self.game} {self.place} {self.body}".encode())


Row = GameRow | EventRow


@dataclass(frozen=True, slots=True)
class Volume:
    """A game as it stands in the file.

    Attributes:
        game: what was begun.
        events: in order, up to the first that cannot be read or is not what was written.
        whole: whether that is all of them, as far as anybody can tell.
    """

    game: GameRow
    events: tuple[EventRow, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class Opened:
    """What was found.

    Attributes:
        shelf: the file; None where it cannot be written now.
        volumes: the games in it, oldest first.
        trouble: what was wrong, one sentence; empty if nothing.
    """

    shelf: "Shelf | None"
    volumes: tuple[Volume, ...]
    trouble: str


class Shelf:
    """The file, open for writing; one thread at a time.

    Raises:
        sqlite3.Error: it cannot be opened, or is no journal.
    """

    def __init__(self, path: Path) -> None:
        self._file: Final = sqlite3.connect(
            path, timeout=_BUSY_S, check_same_thread=False, isolation_level=None
        )
        try:
            version = self._file.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, _VERSION):
                raise sqlite3.DatabaseError(f"it is of another release, form {version}")
            self._file.execute("PRAGMA journal_mode=WAL")
            self._file.execute("PRAGMA synchronous=FULL")
            self._file.execute(f"PRAGMA wal_autocheckpoint={_WAL_PAGES}")
            if version == 0:
                self._file.executescript(_SCHEMA)
        except sqlite3.Error:
            self._file.close()
            raise

    def put(self, row: Row) -> None:
        """Writes a row in a commit of its own; once more does no harm.

        Raises:
            sqlite3.Error: it is not on disk.
        """
        if isinstance(row, EventRow):
            self._file.execute(
                "INSERT OR REPLACE INTO events VALUES (?, ?, ?, ?)",
                (row.game, row.place, row.body, row.checksum),
            )
            return
        try:
            self._file.execute("BEGIN IMMEDIATE")
            self._file.execute(
                "INSERT OR REPLACE INTO games VALUES (?, ?, ?, ?, ?, ?)",
                (row.number, row.terms, row.begun, row.trusted, row.filed, row.checksum),
            )
            if not row.filed:
                self._forget_filed(row.number)
            self._file.execute("COMMIT")
        except sqlite3.Error:
            with suppress(sqlite3.Error):
                self._file.execute("ROLLBACK")
            raise

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def _forget_filed(self, newest: int) -> None:
        """Games that have become files make room for the one that begins."""
        gone = "SELECT number FROM games WHERE filed AND number < ?"
        self._file.execute(f"DELETE FROM events WHERE game IN ({gone})", (newest,))  # noqa: S608
        self._file.execute("DELETE FROM games WHERE filed AND number < ?", (newest,))


def locked(path: Path) -> IO[bytes] | None:
    """Claims a journal for this process until the lock is closed or the process ends.

    Returns:
        The lock; None on a disk that takes none, where nobody can write a journal either.

    Raises:
        UnreadableError: another process has claimed it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = path.with_suffix(".lock").open("wb")
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise UnreadableError(f"another table keeps its journal in {path}; end it first") from error
    return lock


def opened(path: Path) -> Opened:
    """Opens a journal, mends what can be mended, and reads it."""
    try:
        shelf = Shelf(path)
    except sqlite3.OperationalError as error:
        trouble = f"the journal {path} cannot be written: {error}; the game goes on unsaved"
        return Opened(None, _salvaged(path), trouble)
    except sqlite3.DatabaseError as error:
        return _anew(path, str(error))
    with closing(sqlite3.connect(path)) as file:
        complaint = _complaint(file)
        found = () if complaint else _volumes(file)
    if not complaint and all(volume.whole for volume in found):
        return Opened(shelf, found, "")
    shelf.close()
    return _anew(path, complaint or "what it holds is not what was written")


def moved_aside(path: Path) -> Path | None:
    """Gives the file and what belongs to it other names; None where that cannot be done."""
    number = 1
    while (aside := path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")).exists():
        number += 1
    try:
        for side in _SIDES:
            beside = path.with_name(path.name + side)
            if beside.exists():
                beside.rename(aside.with_name(aside.name + side))
        if path.exists():
            path.rename(aside)
    except OSError:
        return None
    return aside


def _anew(path: Path, why: str) -> Opened:
    """A new file in place of a damaged one, with all that could be read."""
    found = _salvaged(path)
    aside = moved_aside(path)
    if aside is None:
        trouble = f"the journal {path} is damaged ({why}) and cannot be moved; nothing is saved"
        return Opened(None, found, trouble)
    events = sum(len(volume.events) for volume in found)
    trouble = (
        f"the journal was damaged ({why}) and is now {aside}; a new one was begun, with "
        f"{events} events of {len(found)} games that could be read"
    )
    try:
        shelf = Shelf(path)
        for volume in found:
            shelf.put(volume.game)
            for row in volume.events:
                shelf.put(row)
    except sqlite3.Error as error:
        return Opened(None, found, f"{trouble}; but it cannot be written: {error}")
    return Opened(shelf, found, trouble)


def _complaint(file: sqlite3.Connection) -> str:
    """What SQLite finds wrong with the whole file; empty if nothing."""
    try:
        said = str(file.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if said == "ok" else said


def _salvaged(path: Path) -> tuple[Volume, ...]:
    """All that can be read, from a copy: a file on a read-only disk cannot be opened."""
    if not path.is_file():
        return ()
    with tempfile.TemporaryDirectory(prefix="cornerlight-") as name:
        copy = Path(name) / path.name
        try:
            for side in ("", "-wal"):
                beside = path.with_name(path.name + side)
                if beside.exists():
                    shutil.copy(beside, copy.with_name(copy.name + side))
            with closing(sqlite3.connect(copy)) as file:
                known = file.execute("PRAGMA user_version").fetchone()[0] == _VERSION
                return _volumes(file) if known else ()
        except (OSError, sqlite3.Error):
            return ()


def _volumes(file: sqlite3.Connection) -> tuple[Volume, ...]:
    """Every game that can be read."""
    query = "SELECT number, terms, begun, trusted, filed, checksum FROM games ORDER BY number"
    volumes = []
    for number, terms, begun, trusted, filed, checksum in _read(file, query):
        game = GameRow(number, str(terms), str(begun), bool(trusted), bool(filed))
        if game.checksum == checksum:
            volumes.append(_volume(file, game))
    return tuple(volumes)


def _volume(file: sqlite3.Connection, game: GameRow) -> Volume:
    query = "SELECT game, place, body, checksum FROM events WHERE game = ? ORDER BY place"
    events: list[EventRow] = []
    for number, place, body, checksum in _read(file, query, game.number):
        row = EventRow(number, place, str(body))
        if place != len(events) + 1 or row.checksum != checksum:
            return Volume(game, tuple(events), whole=False)
        events.append(row)
    return Volume(game, tuple(events), whole=True)


def _read(file: sqlite3.Connection, query: str, *values: int) -> Iterator[tuple[Any, ...]]:
    """The rows of a query up to the first that cannot be read."""
    with suppress(sqlite3.DatabaseError):
        yield from file.execute(query, values)
