"""Opens, compares and writes the two files of the journal; moves damaged ones aside.

    journal.sqlite (-wal, -shm)     the journal, see `firmware.storage.journal_db`
    journal.sqlite-copy             the same as lines of text, see `firmware.storage.journal_copy`
    journal.lock                    locked by the running table
    journal.damaged-1.sqlite ...    damaged files, unchanged

Order of writing. A rewrite replaces the copy, then the SQLite file. Events are committed to the
SQLite file and added to the copy before `record` returns; the copy is synced afterwards. So after a
kill or a power cut the two differ by at most one commit, in one direction, and any greater
difference is damage, even if each file is consistent in itself.

Damage of one file loses nothing, since the other has it; if both are damaged, their readable rows
are joined. If this may be incomplete, the games are marked as not whole. Two files that both fell
back to the same earlier state cannot be distinguished from a journal that ends there.
"""

import fcntl
import os
import secrets
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Final

from firmware.errors import UnreadableError
from firmware.storage import journal_copy, journal_db
from firmware.storage.atomic_file import PRIVATE, write_whole
from firmware.storage.journal_copy import JournalCopy
from firmware.storage.journal_db import JournalDatabase
from firmware.storage.journal_rows import EncodedGame, EventRow, FoundRows, GameRow, JournalHeader
from firmware.storage.sqlite_file import is_damage

_BESIDE: Final = ("-wal", "-shm", "-journal")
"""Suffixes of further files of SQLite; the first holds the newest commits."""

_MOST_ASIDE: Final = 9
"""Number of damaged journals that are kept; a further one replaces the ninth. Without a limit they
would fill a disk that fails again and again."""

_OWN_FOLDER: Final = 0o700
"""Permissions of a folder that only its owner may enter."""

_STATE: Final = ("journal.", "paired.", ".paired.", "feed.", "games")
"""Prefixes of the names in a folder that contains only the state of a table."""

_IDENTITY_BYTES: Final = 8
"""Random bytes of the identity of a header."""


class JournalFiles:
    """Both files, for writing; one thread at a time. `replace` opens them.

    Args:
        path: the SQLite file.
        identity: identity of the present SQLite file; empty if there is none.
        serial: number of the newest known commit.
        damaged: True if the present files have to be moved aside.
    """

    def __init__(self, path: Path, identity: str, serial: int, *, damaged: bool) -> None:
        self._path: Final = path
        self._identity = identity
        self._serial = serial
        self._damaged = damaged
        self._database: JournalDatabase | None = None
        self._copy: JournalCopy | None = None

    @property
    def are_open(self) -> bool:
        """True if events can be appended."""
        return self._database is not None and self._copy is not None

    def replace(self, games: Sequence[EncodedGame]) -> None:
        """Rewrites both files; moves damaged ones aside.

        Raises:
            OSError, sqlite3.Error: at least one of them is not written.
        """
        self._serial += 1
        events = sum(len(game.bodies) for game in games)
        identity = secrets.token_hex(_IDENTITY_BYTES)
        head = JournalHeader(identity, self._identity, self._serial, len(games), events)
        aside = aside_path(self._path) if self._damaged else None
        if aside is not None:
            _keep_copy(_copy_path(self._path), _copy_path(aside))
        # From here on the copy has everything, whenever this is interrupted.
        self._close_copy()
        self._copy = JournalCopy(_copy_path(self._path), head, games)
        if aside is not None:
            _move(self._path, aside)
            self._damaged = False
        self._database = self._database or JournalDatabase(self._path)
        self._database.replace(head, games)
        self._identity = identity

    def append(self, rows: Sequence[EventRow]) -> None:
        """Adds events in one commit; they are on disk when this returns.

        Raises:
            OSError, sqlite3.Error: they may not be on disk; call `replace`.
        """
        assert self._database is not None, "the files are open"
        assert self._copy is not None, "the files are open"
        self._serial += 1
        self._database.append(self._identity, self._serial, rows)
        self._copy.append(self._serial, rows)

    def sync(self) -> None:
        """Waits until the copy is on disk too.

        Raises:
            OSError: the disk refuses.
        """
        if self._copy is not None:
            self._copy.sync()

    def give_up(self, error: Exception) -> None:
        """Closes the files after an error; damaged ones will be moved aside."""
        self._damaged = self._damaged or is_damage(error)
        self.close()

    def close(self) -> None:
        """Closes both files."""
        self._close_copy()
        database, self._database = self._database, None
        if database is not None:
            with suppress(sqlite3.Error):
                database.close()

    def _close_copy(self) -> None:
        copy, self._copy = self._copy, None
        if copy is not None:
            copy.close()


@dataclass(frozen=True, slots=True)
class OpenedJournal:
    """The readable part of a journal.

    Attributes:
        games: the games by number, each with its readable events.
        last_number: the largest known number of a game.
        whole: False if events may be missing.
        trouble: the faults found, one sentence; empty if there is none.
        files: the files, for writing.
    """

    games: tuple[EncodedGame, ...]
    last_number: int
    whole: bool
    trouble: str
    files: JournalFiles


def opened(path: Path) -> OpenedJournal:
    """Reads both files of a journal and compares them. Nothing is written to them."""
    make_private(path)
    main, copy = journal_db.read(path), journal_copy.read(_copy_path(path))
    why = _difference(main, copy)
    whole = not why or _is_whole(main, copy)
    games = _joined(main, copy).stored()
    if not whole:
        games = tuple(replace(game, row=game.row._replace(whole=False)) for game in games)
    trouble = ""
    if why:
        events = sum(len(game.bodies) for game in games)
        trouble = (
            f"the journal was damaged ({why}); it is kept as {aside_path(path)}, and a new one "
            f"is begun with {events} events of {len(games)} games: "
            f"{'none is known to be missing' if whole else 'more may be missing'}"
        )
    last_number = max(main.last_number, copy.last_number)
    serial = max(main.serial, copy.serial)
    files = JournalFiles(path, main.identity, serial, damaged=bool(why))
    return OpenedJournal(games, last_number, whole, trouble, files)


def locked(path: Path, owner: str = "table") -> IO[bytes] | None:
    """Claims a journal for this process until the lock is closed or the process ends.

    Args:
        path: the journal.
        owner: word for whoever has a journal, for the error message.

    Returns:
        The lock; None on a disk that refuses it, where a journal cannot be written either.

    Raises:
        UnreadableError: another process has claimed it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=_OWN_FOLDER)
        handle = os.open(path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, PRIVATE)
    except OSError:
        return None
    lock = os.fdopen(handle, "wb")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        lock.close()
        raise UnreadableError(
            f"another {owner} keeps its journal in {path}; end it, or name another folder"
        ) from error
    except OSError:
        lock.close()
        return None
    return lock


def aside_path(path: Path) -> Path:
    """Returns the path for the next damaged journal."""
    numbers = range(1, _MOST_ASIDE)
    names = (path.with_name(f"{path.stem}.damaged-{number}{path.suffix}") for number in numbers)
    free = (one for one in names if not (one.exists() or _copy_path(one).exists()))
    return next(free, path.with_name(f"{path.stem}.damaged-{_MOST_ASIDE}{path.suffix}"))


def make_private(path: Path) -> None:
    """Makes a journal and its further files readable by the owner only.

    An earlier release made them readable by all. The folder is made private as well, unless it
    contains something other than the state of a table, as a home folder does.
    """
    with suppress(OSError):
        for pattern in (f"{path.name}*", f"{path.stem}.damaged-*", f"{path.stem}.lock"):
            for file in path.parent.glob(pattern):
                if not file.is_symlink():
                    file.chmod(PRIVATE)
    with suppress(OSError):
        if all(one.name.startswith(_STATE) for one in path.parent.iterdir()):
            path.parent.chmod(_OWN_FOLDER)


def _copy_path(path: Path) -> Path:
    return path.with_name(f"{path.name}-copy")


def _difference(main: FoundRows, copy: FoundRows) -> str:
    """Returns a difference that no kill or power cut explains, a phrase; empty if there is none."""
    if main.unread and not main.fault and copy.is_sound and copy.serial >= main.serial:
        return ""  # the copy is complete, and the next write shows if the disk works
    if trouble := main.fault or main.unread or copy.fault or copy.unread:
        return trouble
    if copy.head is None:
        return "its copy is missing" if main.head else ""
    if copy.identity == main.identity:
        return _difference_of_ends(main, copy)
    fresh = copy.is_sound and copy.serial == copy.head.serial > main.serial
    if fresh and copy.head.previous == main.identity:
        return ""
    return "it and its copy are of two times" if main.head else "it is missing or empty"


def _difference_of_ends(main: FoundRows, copy: FoundRows) -> str:
    if main.serial < copy.serial:
        return "its end is missing"
    return "" if copy.torn <= main.serial - copy.serial <= 1 else "the end of its copy is missing"


def _is_whole(main: FoundRows, copy: FoundRows) -> bool:
    """True if one of two differing files has all its rows, and the other confirms it."""
    if main.old_form and not main.fault:
        return True  # the copy was left by a later release
    if main.head is None or copy.head is None:
        return False
    if copy.is_sound and copy.serial >= main.serial:
        # Rows that it lacks may belong to a newer journal than both headers.
        return main.doubtful <= {*copy.bodies, *map(_first_two, copy.games.values())}
    of_one = main.identity == copy.identity
    return of_one and main.is_sound and copy.torn <= main.serial - copy.serial <= 1


def _first_two(row: GameRow) -> tuple[int, str]:
    return row.number, row.config


def _joined(main: FoundRows, copy: FoundRows) -> FoundRows:
    """Returns the rows of the file that was rewritten last, or of both if at the same time."""
    if copy.head is None or (main.old_form and not main.fault):
        return main
    if main.head is None or main.head.serial < copy.head.serial:
        return copy
    if main.identity != copy.identity:
        return main
    return FoundRows(games=main.games | copy.games, bodies=main.bodies | copy.bodies)


def _keep_copy(copy: Path, aside: Path) -> None:
    try:
        content = copy.read_bytes()
    except OSError:
        return  # it is missing or unreadable
    write_whole(aside, content, PRIVATE)


def _move(path: Path, aside: Path) -> None:
    """Renames a file and its further files; the log first, since it fits no other file."""
    for end in (*_BESIDE, ""):
        beside = path.with_name(path.name + end)
        if beside.exists():
            beside.rename(aside.with_name(aside.name + end))
