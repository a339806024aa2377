"""SQLite files whose commits are on disk when they return.

A file is in WAL mode with `synchronous=FULL`: a commit is appended to the write-ahead log and
synced before it returns, so a power cut loses nothing that was committed
(sqlite.org/pragma.html#pragma_synchronous).
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from firmware.storage.atomic_file import PRIVATE

BUSY_S: Final = 0.2
"""Seconds to wait for a lock of another process until an access counts as refused."""

_WAL_PAGES: Final = 250
"""Length of the log, in pages of 4096 bytes, from which it is overwritten; a few games at about two
pages an event."""

_REFUSALS: Final = frozenset({3, 5, 6, 7, 8, 9, 10, 13, 14, 15, 22, 23})
"""Primary result codes (sqlite.org/rescode.html) of a disk that is full, read-only, busy or out
of reach: PERM, BUSY, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, FULL, CANTOPEN, PROTOCOL, NOLFS
and AUTH. Any other error means that the file is damaged."""

_UNREADABLE: Final = frozenset({266, 522, 8458})
"""Extended codes IOERR_READ, IOERR_SHORT_READ and IOERR_CORRUPTFS, which mean damage after all."""


def is_damage(error: Exception) -> bool:
    """True if an error of SQLite means a damaged file, not a disk that refuses for now."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and (code in _UNREADABLE or code & 0xFF not in _REFUSALS)


def opened_to_write(path: Path) -> sqlite3.Connection:
    """Opens a file for writing; one thread at a time.

    Args:
        path: the file; created if it is missing, readable by its owner only.

    Raises:
        OSError, sqlite3.Error: it cannot be opened.
    """
    # SQLite gives its log and its shared memory the permissions of the file.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE))
    file = sqlite3.connect(path, timeout=BUSY_S, check_same_thread=False, isolation_level=None)
    try:
        file.execute("PRAGMA journal_mode=WAL")
        file.execute("PRAGMA synchronous=FULL")
        file.execute(f"PRAGMA wal_autocheckpoint={_WAL_PAGES}")
    except sqlite3.Error:
        file.close()
        raise
    return file


@contextmanager
def commit(file: sqlite3.Connection) -> Iterator[None]:
    """Makes all writes of the block one commit, or none of them.

    Raises:
        sqlite3.Error: they may not be on disk.
    """
    try:
        file.execute("BEGIN IMMEDIATE")
        yield
        file.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            file.execute("ROLLBACK")
        raise
