"""The two files of the journal, of one form: written, compared, salvaged.

    journal.jsonl                   the journal, a line a commit
    journal.jsonl-copy              the same lines once more
    journal.count                   number of the newest commit
    journal.lock                    locked by the running table
    journal.damaged-1.jsonl ...     damaged files, unchanged
    journal.old-1.sqlite ...        the journal of an earlier release, after it was read

See `firmware.storage.journal_rows` for the lines.

Order of writing. A rewrite replaces the copy, then the journal. A commit is added to the journal
and synced, then added to the copy and counted, before `record` returns; the copy is synced
afterwards. So after a kill or a power cut the two differ by at most one commit, in one direction,
and any greater difference is damage. The count is never ahead; it tells that both files ended
earlier, which no file tells of itself.

Damage of one file loses nothing, since the other has it; if both are damaged, their readable lines
are joined. If this may be incomplete, the games are marked as not whole.
"""

import errno
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from firmware.errors import UnreadableError
from firmware.storage.atomic_file import PRIVATE, sync_folder, write_whole
from firmware.storage.journal_rows import (
    LARGEST,
    FoundRows,
    JournalEvent,
    JournalGame,
    first_line,
    line,
    new_identity,
    read,
    unsealed,
)
from firmware.storage.old_journal import read_old
from firmware.storage.run_folder import lock_file
from vision.errors import read_regular

_MOST_ASIDE: Final = 9
"""Number of damaged journals that are kept; a further one replaces the ninth. Without a limit they
would fill a disk that fails again and again."""

_OWN_FOLDER: Final = 0o700
"""Permissions of a folder that only its owner may enter."""

_STATE: Final = ("journal.", "paired.", ".paired.", "feed.", "games")
"""Prefixes of the names in a folder that contains only the state of a table."""

_OLD: Final = ".sqlite"
"""Suffix of the journal of earlier releases."""

_BESIDE: Final = ("", "-wal", "-shm", "-journal", "-copy")
"""Suffixes of its files, in the order in which they leave: without the first there is none."""


class JournalFiles:
    """Both files; one thread at a time. Reading changes no line; `replace` opens them to write.

    Args:
        path: the journal.

    Attributes:
        games: the games by number, each with its readable events.
        last_number: the largest known number of a game.
        whole: False if events may be missing.
        trouble: the faults found, one sentence; empty if there is none.
    """

    def __init__(self, path: Path) -> None:
        make_private(path)
        self._path: Final = path
        self._handles: list[int] = []
        self._end = 0
        old = path.with_suffix(_OLD)
        if old.exists():
            main, copy = read_old(old)
            counted = 0
        else:
            main, copy = read(path), read(_copy_path(path))
            counted = _counted(path)
        found = _joined(main, copy)
        newest = max(main.serial, copy.serial, counted)
        why = _difference(main, copy) or ("its end is missing" if newest > found.serial else "")
        whole = not why or _is_whole(main, copy, found, newest, is_counted=counted > 0)
        self.games: Final = tuple(
            game if whole else game._replace(whole=False) for game in found.stored()
        )
        self.last_number: Final = max(main.last_number, copy.last_number)
        self.whole: Final = whole
        self.trouble: Final = self._trouble(why) if why else self._double()
        self._identity = "" if old.exists() else main.identity
        self._serial = newest
        self._damaged = bool(why)

    def _trouble(self, why: str) -> str:
        old, events = self._path.with_suffix(_OLD), sum(len(game.bodies) for game in self.games)
        return (
            f"the journal was damaged ({why}); it is kept as "
            f"{aside_path(old if old.exists() else self._path)}, and a new one "
            f"is begun with {events} events of {len(self.games)} games: "
            f"{'none is known to be missing' if self.whole else 'more may be missing'}"
        )

    def _double(self) -> str:
        """Returns a sentence about a journal of each form; empty if there is only one."""
        old, path = self._path.with_suffix(_OLD), self._path
        if not (old.exists() and path.exists()):
            return ""
        return (
            f"an earlier release wrote {old} beside the journal {path}; the former goes on, and "
            f"the latter is kept as {aside_path(path)}"
        )

    @property
    def are_open(self) -> bool:
        """True if events can be appended."""
        return bool(self._handles)

    def replace(self, games: Sequence[JournalGame]) -> None:
        """Rewrites both files; moves damaged ones and those of an earlier release aside.

        Raises:
            OSError: at least one of them is not written.
        """
        self.close()
        self._serial += 1
        identity = new_identity()
        # A damaged file leaves first, and what is missing has no identity.
        head = identity, "" if self._damaged else self._identity, self._serial
        content = first_line(head, games)
        old, copy, aside = self._path.with_suffix(_OLD), _copy_path(self._path), None
        if self._damaged or (old.exists() and self._path.exists()):
            aside = aside_path(self._path)
            with suppress(FileNotFoundError):
                write_whole(_copy_path(aside), read_regular(copy, LARGEST), PRIVATE)
        write_whole(copy, content, PRIVATE)
        sync_folder(self._path.parent)
        # From here on the copy has everything, whenever this is interrupted.
        if old.exists():
            _move(old, aside_path(old, "damaged" if self._damaged else "old"))
        if aside is not None and self._path.exists():
            self._path.rename(aside)
        write_whole(self._path, content, PRIVATE)
        sync_folder(self._path.parent)
        self._damaged, self._identity, self._end = False, identity, len(content)
        count = _count_path(self._path)
        self._handles = [os.open(one, os.O_WRONLY) for one in (self._path, copy)]
        self._handles.append(os.open(count, os.O_WRONLY | os.O_CREAT, PRIVATE))
        self._count()

    def append(self, events: Sequence[JournalEvent]) -> None:
        """Adds the events of one commit; they are on disk when this returns.

        Raises:
            OSError: they may not be on disk; call `replace`.
        """
        journal, copy, _ = self._handles
        if any(os.fstat(one).st_size != self._end for one in (journal, copy)):
            self._damaged = True
            raise OSError(errno.EIO, "another program changed it")
        self._serial += 1
        added = line(self._identity, {"serial": self._serial, "events": events})
        _write_all(journal, added, self._end)
        os.fdatasync(journal)
        _write_all(copy, added, self._end)
        self._end += len(added)
        self._count()

    def sync(self) -> None:
        """Waits until the copy is on disk too.

        Raises:
            OSError: the disk refuses.
        """
        if self._handles:
            os.fdatasync(self._handles[1])

    def close(self) -> None:
        """Closes the files."""
        while self._handles:
            with suppress(OSError):
                os.close(self._handles.pop())

    def _count(self) -> None:
        _write_all(self._handles[-1], line("", {"serial": self._serial}), 0)


def locked(path: Path) -> IO[bytes] | None:
    """Claims a journal for this process until the lock is closed or the process ends.

    Returns:
        The lock; None on a disk that refuses it, where a journal cannot be written either.

    Raises:
        UnreadableError: another process has claimed it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=_OWN_FOLDER)
        handle = lock_file(path.with_suffix(".lock"))
    except OSError:
        return None
    if handle is None:
        raise UnreadableError(
            f"another table keeps its journal in {path}; end it, or name another folder"
        )
    return os.fdopen(handle, "wb")


def aside_path(path: Path, word: str = "damaged") -> Path:
    """Returns the path for the next journal that is moved aside."""
    numbers = range(1, _MOST_ASIDE)
    names = (path.with_name(f"{path.stem}.{word}-{number}{path.suffix}") for number in numbers)
    free = (one for one in names if not (one.exists() or _copy_path(one).exists()))
    return next(free, path.with_name(f"{path.stem}.{word}-{_MOST_ASIDE}{path.suffix}"))


def make_private(path: Path) -> None:
    """Makes a journal and its further files readable by the owner only.

    An earlier release made them readable by all. The folder is made private as well, unless it
    contains something other than the state of a table, as a home folder does.
    """
    with suppress(OSError):
        for end in (f"{path.suffix}*", f"{_OLD}*", ".damaged-*", ".old-*", ".lock", ".count"):
            for file in path.parent.glob(f"{path.stem}{end}"):
                if not file.is_symlink():
                    file.chmod(PRIVATE)
    with suppress(OSError):
        if all(one.name.startswith(_STATE) for one in path.parent.iterdir()):
            path.parent.chmod(_OWN_FOLDER)


def _copy_path(path: Path) -> Path:
    return path.with_name(f"{path.name}-copy")


def _count_path(path: Path) -> Path:
    return path.with_suffix(".count")


def _counted(path: Path) -> int:
    """Returns the number of the newest commit that was counted; 0 if it is unknown."""
    try:
        table = unsealed("", read_regular(_count_path(path), LARGEST).partition(b"\n")[0])
    except OSError:
        return 0
    return 0 if table is None else int(table["serial"])


def _difference(main: FoundRows, copy: FoundRows) -> str:
    """Returns a difference that no kill or power cut explains, a phrase; empty if there is none."""
    if main.fault or copy.fault:
        return main.fault or copy.fault
    is_same, behind = main.identity == copy.identity, main.serial - copy.serial
    if is_same and behind < 0:
        return "its end is missing"
    is_rewritten = copy.previous == main.identity and copy.serial == copy.first > main.serial
    is_followed = is_same and copy.torn <= behind <= 1
    return "" if is_followed or (is_rewritten and not copy.torn) else "it and its copy differ"


def _is_whole(
    main: FoundRows, copy: FoundRows, found: FoundRows, newest: int, *, is_counted: bool
) -> bool:
    """True if two differing files together have every commit, and the newest is known.

    Without a count it is known if the copy is readable to its end, which the journal confirms.
    """
    covered = {*range(found.first, newest + 1)} <= found.commits.keys()
    confirmed = main.identity == copy.identity and main.serial <= copy.serial
    ends = is_counted or (confirmed and not (main.fault or copy.fault))
    return bool(main.identity) and covered and ends


def _joined(main: FoundRows, copy: FoundRows) -> FoundRows:
    """Returns the rows of the file that was rewritten last, or of both if at the same time."""
    if main.identity != copy.identity:
        return max(main, copy, key=lambda one: one.first)
    commits = {
        serial: [*main.commits.get(serial, ()), *copy.commits.get(serial, ())]
        for serial in main.commits | copy.commits
    }
    return FoundRows(main.identity, "", main.first, main.games | copy.games, commits)


def _move(path: Path, aside: Path) -> None:
    """Renames the journal of an earlier release, and its further files."""
    for end in _BESIDE:
        beside = path.with_name(path.name + end)
        if beside.exists():
            beside.rename(aside.with_name(aside.name + end))


def _write_all(handle: int, content: bytes, place: int) -> None:
    if os.pwrite(handle, content, place) < len(content):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
