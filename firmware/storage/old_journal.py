"""Reads the journal of earlier releases, a file of SQLite, from a copy in another folder.

SQLite does not detect all damage, so each row has a seal, the header has the numbers of rows, and
commits count up without a gap. In form 2 each row has a CRC-32, and there is no header.
"""

import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from firmware.errors import UnreadableError
from firmware.storage.journal_rows import LARGEST, FoundRows, JournalGame, read, seal
from firmware.storage.run_folder import run_folder
from vision.errors import read_regular

_LONGEST_S: Final = 5.0
"""Seconds for which a file is read at most; one of a long evening takes 0.1."""

_STEPS: Final = 10_000
"""Steps of SQLite between two looks at the clock, a millisecond or so."""

_LOGS: Final = ("", "-wal", "-journal")
"""Suffixes of the file and of the logs of SQLite, which hold what is newest."""

_MISREAD: Final = (sqlite3.Error, ValueError, OverflowError, MemoryError)
"""Errors that SQLite and its Python module raise for a damaged file."""


_NO_COPY: Final = "form 2"
"""Identity of a journal of form 2, which has neither identity nor copy."""


def read_old(path: Path) -> tuple[FoundRows, FoundRows]:
    """Reads the readable rows of a file and of its copy; changes neither.

    A file without a copy stands for its copy, too.
    """
    main = _read_file(path)
    return main, main if main.identity == _NO_COPY else read(path.with_name(f"{path.name}-copy"))


def _read_file(path: Path) -> FoundRows:
    found = FoundRows()
    try:
        with run_folder() as folder:
            for end in _LOGS:
                beside = path.with_name(path.name + end)
                if beside.exists():
                    (folder / beside.name).write_bytes(read_regular(beside, LARGEST))
            with closing(sqlite3.connect(folder / path.name)) as file:
                file.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST)
                # What is called a table may be a view without an end.
                until = time.monotonic() + _LONGEST_S
                file.set_progress_handler(lambda: time.monotonic() > until, _STEPS)
                # A damaged character must not prevent the reading of later rows.
                file.text_factory = lambda text: text.decode(errors="surrogateescape")
                _read(file, found)
    except (*_MISREAD, OSError, UnreadableError) as error:
        found.note(str(error))
    return found


def _read(file: sqlite3.Connection, found: FoundRows) -> None:
    version = file.execute("PRAGMA user_version").fetchone()[0]
    tables = file.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if not (version or tables):
        return  # it was created, and nothing was written yet
    if version == 3:
        _read_form_3(file, found)
    elif version == 2:
        _read_form_2(file, found)
    else:
        found.note(f"it is of form {version}, which this release does not know")
    found.check_places()
    complaint = file.execute("PRAGMA quick_check(1)").fetchone()[0]
    if complaint != "ok":
        found.note(str(complaint).splitlines()[-1])


def _read_form_3(file: sqlite3.Connection, found: FoundRows) -> None:
    heads = [*_sealed(file, "head", "", found)]
    if len(heads) != 1:
        found.note("its head is missing")
        return
    found.identity, found.previous, found.first, games, events = heads[0]
    for number, config, begun, trusted, filed, whole in _sealed(
        file, "games", found.identity, found
    ):
        game = JournalGame(number, config, begun, bool(trusted), filed, bool(whole))
        found.games[number] = game
    found.commits[found.first] = []
    for game, place, body, serial in _sealed(file, "events", found.identity, found):
        found.commits.setdefault(serial, []).append((game, place, body))
    serials = [*range(found.first, found.serial + 1)]
    counts = len(found.games), len(found.commits[found.first])
    if sorted(found.commits) != serials or counts != (games, events):
        found.note("rows are missing")


def _read_form_2(file: sqlite3.Connection, found: FoundRows) -> None:
    found.identity = _NO_COPY
    found.commits[found.first] = []
    filed_games = set()
    query = "SELECT number, terms, begun, trusted, filed, checksum FROM games"
    for number, config, begun, trusted, filed, checksum in _rows(file, query, found):
        if _crc32(f"{number} {config} {begun} {bool(trusted)}") != checksum:
            found.note("a game is not what was written")
            continue
        found.games[number] = JournalGame(number, config, begun, bool(trusted))
        filed_games |= {number} if filed else set()
    query = "SELECT game, place, body, checksum FROM events ORDER BY game, place"
    for game, place, body, checksum in _rows(file, query, found):
        if _crc32(f"{game} {place} {body}") != checksum:
            found.note("an event is not what was written")
            continue
        found.commits[found.first].append((game, place, body))
    counts = Counter(game for game, _ in found.bodies)
    for number in filed_games:
        found.games[number] = found.games[number]._replace(filed=counts[number])


def _sealed(
    file: sqlite3.Connection, table: str, identity: str, found: FoundRows
) -> Iterator[tuple[Any, ...]]:
    """Yields the rows of a table whose seals are right, without the seals."""
    for *values, sealed in _rows(file, f"SELECT * FROM {table}", found):  # noqa: S608
        if seal(identity, values) == sealed:
            yield tuple(values)
        else:
            found.note("what it holds is not what was written")


def _rows(file: sqlite3.Connection, query: str, found: FoundRows) -> Iterator[tuple[Any, ...]]:
    """Yields the rows of a query up to the first unreadable one."""
    try:
        yield from file.execute(query)
    except _MISREAD as error:
        found.note(str(error))


def _crc32(text: str) -> int:
    return crc32(text.encode(errors="surrogatepass"))
