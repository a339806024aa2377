"""The two files of the journal: opened, compared, kept aside where damaged, written.

    journal.sqlite (-wal, -shm)     the journal, see `firmware.storage.journal_db`
    journal.sqlite-copy             the same as lines of text, see `firmware.storage.journal_copy`
    journal.lock                    held by the table that runs
    journal.damaged-1.sqlite ...    files that were damaged, as they were found

Order of writing. Anew: the copy is replaced, then the SQLite file. Events: commit to the SQLite
file, line in the copy, and then whoever recorded is told; the copy is synced after that. So after
a kill or a power cut the two differ by at most one commit, in one direction, and any greater
difference is damage, even if each file is consistent in itself.

No damage of one file loses anything, since the other has it; of damage to both, what is left of
each is joined. Where nobody can say that this is all, the games are marked as not whole. Only files
that both fell back to one earlier state cannot be told from a journal that ends there.
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

_BESIDE: Final = ("-wal", "-shm", "-journal")
"""Endings of what SQLite keeps beside its file; the first holds the newest commits."""

_MOST_ASIDE: Final = 9
"""Damaged journals that are kept; the next takes the place of the ninth. Without a limit they would
fill a disk that fails again and again."""

_OWN_FOLDER: Final = 0o700
"""Rights of a folder that only its owner may enter."""

_STATE: Final = ("journal.", "paired.", ".paired.", "feed.", "games")
"""Beginnings of the names in a folder that holds nothing but the state of a table."""

_IDENTITY_BYTES: Final = 8


class JournalFiles:
    """Both files, for writing; one thread at a time. `replace` opens them.

    Args:
        path: the SQLite file.
        identity: of the SQLite file that is there; empty if there is none.
        serial: number of the newest commit that is known.
        damaged: whether the files that are there have to be kept aside.
    """

    def __init__(self, path: Path, identity: str, serial: int, *, damaged: bool) -> None:
        self._path: Final = path
        self._identity = identity
        self._serial = serial
        self._damaged = damaged
        self._shelf: JournalDatabase | None = None
        self._copy: JournalCopy | None = None

    @property
    def are_open(self) -> bool:
        """True if events can be appended."""
        return self._shelf is not None and self._copy is not None

    def replace(self, games: Sequence[EncodedGame]) -> None:
        """Writes both files anew; damaged ones are kept aside.

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
        self._shelf = self._shelf or JournalDatabase(self._path)
        self._shelf.replace(head, games)
        self._identity = identity

    def append(self, rows: Sequence[EventRow]) -> None:
        """Adds events in one commit; they are on disk when this returns.

        Raises:
            OSError, sqlite3.Error: nobody can tell whether they are; see `replace`.
        """
        assert self._shelf is not None, "the files are open"
        assert self._copy is not None, "the files are open"
        self._serial += 1
        self._shelf.append(self._identity, self._serial, rows)
        self._copy.append(self._serial, rows)

    def sync(self) -> None:
        """Waits until the copy is on disk too.

        Raises:
            OSError: the disk refuses.
        """
        if self._copy is not None:
            self._copy.sync()

    def give_up(self, error: Exception) -> None:
        """Closes the files after an error; damaged ones will be kept aside."""
        self._damaged = self._damaged or journal_db.is_damage(error)
        self.close()

    def close(self) -> None:
        """Closes both files."""
        self._close_copy()
        shelf, self._shelf = self._shelf, None
        if shelf is not None:
            with suppress(sqlite3.Error):
                shelf.close()

    def _close_copy(self) -> None:
        copy, self._copy = self._copy, None
        if copy is not None:
            copy.close()


@dataclass(frozen=True, slots=True)
class OpenedJournal:
    """A journal as it was found.

    Attributes:
        games: by number, each with the events that could be read.
        last_number: the largest number of a game that is known to have been there.
        whole: False if events may be missing.
        trouble: what was wrong, one sentence; empty if nothing.
        files: to write it on.
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


def locked(path: Path) -> IO[bytes] | None:
    """Claims a journal for this process until the lock is closed or the process ends.

    Returns:
        The lock; None on a disk that takes none, where nobody can write a journal either.

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
        raise UnreadableError(f"another table keeps its journal in {path}; end it first") from error
    except OSError:
        lock.close()
        return None
    return lock


def aside_path(path: Path) -> Path:
    """The name under which a damaged journal is kept next."""
    numbers = range(1, _MOST_ASIDE)
    names = (path.with_name(f"{path.stem}.damaged-{number}{path.suffix}") for number in numbers)
    free = (one for one in names if not (one.exists() or _copy_path(one).exists()))
    return next(free, path.with_name(f"{path.stem}.damaged-{_MOST_ASIDE}{path.suffix}"))


def make_private(path: Path) -> None:
    """Takes from everybody but the owner the rights to a journal and what is beside it.

    An earlier release left them to all. The folder is made private as well, unless it holds
    something else than the state of a table, as a home folder does.
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
    """Why two files cannot be what a kill or a power cut leaves, a phrase; empty if they can."""
    if main.unread and not main.fault and copy.is_sound and copy.serial >= main.serial:
        return ""  # the copy has it all, and whether the disk takes more will be seen
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
    """True if one of two files that differ has all its rows, and the other bears it out."""
    if main.old_form and not main.fault:
        return True  # the copy was left by a later release
    if main.head is None or copy.head is None:
        return False
    if copy.is_sound and copy.serial >= main.serial:
        # Rows that it lacks may be of a newer journal than both heads.
        return main.doubtful <= {*copy.bodies, *map(_first_two, copy.games.values())}
    of_one = main.identity == copy.identity
    return of_one and main.is_sound and copy.torn <= main.serial - copy.serial <= 1


def _first_two(row: GameRow) -> tuple[int, str]:
    return row.number, row.config


def _joined(main: FoundRows, copy: FoundRows) -> FoundRows:
    """The rows of the file that was written anew last, or of both where that was the same time."""
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
        return  # there is none, or none that anybody could read later
    write_whole(aside, content, PRIVATE)


def _move(path: Path, aside: Path) -> None:
    """Gives a file and what belongs to it other names; the log first, which fits no other file."""
    for end in (*_BESIDE, ""):
        beside = path.with_name(path.name + end)
        if beside.exists():
            beside.rename(aside.with_name(aside.name + end))
