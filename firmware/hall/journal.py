"""The journal of a hall: every event of the tournament is on disk before anybody is shown it.

One SQLite file, `hall.sqlite`, see `firmware.hall.sqlite_file`. Each row of an event has a seal
that depends on the row before, so that a row that was changed, lost or exchanged is detected. A
damaged file is refused with one sentence, and left as it is.

    events      the events of the tournament as JSON, in order; ids only
    names       names of players, see `firmware.hall.names`
    exports     files that were given out, for the answer of `forget`
"""

import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from firmware.errors import CornerlightError, UnreadableError
from firmware.hall.names import TABLE, PlayerNames
from firmware.hall.sqlite_file import commit, is_damage, opened_to_write
from firmware.hall.tournament.errors import TournamentError
from firmware.hall.tournament.events import TournamentEvent, from_json, to_json
from firmware.hall.tournament.state import TournamentState, apply_event
from firmware.storage.journal_rows import seal
from firmware.storage.wall_clock import time_of_day

FILE: Final = "hall.sqlite"
"""Name of the journal in the folder of a hall."""

_VERSION: Final = 1
"""Version of the form of the file."""

_TABLES: Final = {
    "events": "CREATE TABLE events (serial INTEGER PRIMARY KEY, body TEXT, seal TEXT)",
    "names": TABLE,
    "exports": "CREATE TABLE exports (file TEXT, made TEXT, has_names INTEGER)",
}
"""Definitions of the tables; their text is compared when the file is opened."""


class NotSavedError(CornerlightError):
    """The disk refused an event; nothing was changed."""


@dataclass(frozen=True, slots=True)
class MadeExport:
    """A file with names of players that was given out.

    Attributes:
        file: name of the file.
        made: time at which it was made, ISO 8601.
    """

    file: str
    made: str


class HallJournal:
    """The journal of a hall, open for writing; for any number of threads.

    Args:
        path: the file; created if it is missing, readable by its owner only.

    Raises:
        UnreadableError: it is damaged, or cannot be opened.

    Attributes:
        events: the events so far.
        state: the state that they add up to.
    """

    def __init__(self, path: Path) -> None:
        self._path: Final = path
        self._lock: Final = threading.RLock()
        self.events: tuple[TournamentEvent, ...] = ()
        self.state = TournamentState()
        self._serial, self._seal = 0, ""
        self._file: Final = _opened(path)
        try:
            self._read()
        except BaseException:
            self._file.close()
            raise
        self._names: Final = PlayerNames(self._file)

    def record(
        self, events: Sequence[TournamentEvent], names: Mapping[str, str] | None = None
    ) -> TournamentState:
        """Writes events in one commit, and returns the state after them.

        Events that repeat what is known are not written.

        Args:
            events: the events.
            names: names of players by id, that belong to these events.

        Raises:
            TournamentError: one of them cannot follow; nothing is written.
            NotSavedError: the disk refuses; nothing has changed.
        """
        with self._lock:
            state, new = self.state, []
            for event in events:
                after = apply_event(state, event)
                if after is not state:
                    new.append(event)
                state = after
            serial, last = self._serial, self._seal
            with self._saving(), commit(self._file):
                for event in new:
                    serial += 1
                    body = json.dumps(to_json(event), ensure_ascii=False)
                    last = seal(last, (serial, body))
                    self._file.execute("INSERT INTO events VALUES (?, ?, ?)", (serial, body, last))
                if names:
                    self._names.insert(names, time_of_day())
            self.events, self.state = (*self.events, *new), state
            self._serial, self._seal = serial, last
            return state

    def names(self) -> Mapping[str, str]:
        """The names by id of the player; none that was forgotten.

        Raises:
            UnreadableError: they cannot be read now.
        """
        with self._lock:
            try:
                return self._names.all()
            except sqlite3.Error as error:
                raise _unreadable(self._path, error) from error

    def forget(self, player: str) -> bool:
        """Forgets the name of a player; the id stays in journal, results and exports.

        Returns:
            True if there was one.

        Raises:
            NotSavedError: the disk refuses; try again.
        """
        with self._lock, self._saving():
            return bool(self._names.forget([player]))

    def forget_old(self) -> tuple[str, ...]:
        """Forgets the names that were entered more than `RETENTION_DAYS` ago.

        Returns:
            The ids of those who had one.

        Raises:
            NotSavedError: the disk refuses; try again.
        """
        with self._lock, self._saving():
            return self._names.forget_old(time_of_day())

    def note_export(self, file: str) -> None:
        """Notes that a file with names was given out.

        Raises:
            NotSavedError: the disk refuses.
        """
        with self._lock, self._saving(), commit(self._file):
            row = (file, time_of_day().text)
            self._file.execute("INSERT INTO exports VALUES (?, ?, 1)", row)

    def close(self) -> None:
        """Closes the file."""
        with self._lock, suppress(sqlite3.Error):
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _saving(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise NotSavedError(
                f"the journal {self._path} cannot be written: {error}; nothing was changed"
            ) from error

    def _read(self) -> None:
        events: list[TournamentEvent] = []
        try:
            for place, (serial, body, sealed) in enumerate(
                self._file.execute("SELECT serial, body, seal FROM events ORDER BY serial"), 1
            ):
                self._seal = seal(self._seal, (place, body))
                if (serial, sealed) != (place, self._seal):
                    raise _damaged(self._path, f"event {place} is not what was written")
                self._serial = place
                event = from_json(json.loads(body))
                if event is not None:
                    self.state = apply_event(self.state, event)
                    events.append(event)
        except sqlite3.Error as error:
            raise _unreadable(self._path, error) from error
        except (TournamentError, ValueError) as error:
            raise _damaged(self._path, str(error)) from error
        self.events = tuple(events)


def forget_player(path: Path, player: str) -> tuple[bool, tuple[MadeExport, ...]]:
    """Forgets a name in the journal of a hall that may be running in another process.

    Returns:
        True if there was one, and the files with names that were given out before.

    Raises:
        UnreadableError: there is no such journal, or it cannot be written.
    """
    if not path.exists():
        raise UnreadableError(f"there is no journal of a hall at {path}; name its folder")
    file = _opened(path)
    try:
        forgotten = bool(PlayerNames(file).forget([player]))
        query = "SELECT file, made FROM exports WHERE has_names ORDER BY rowid"
        exports = tuple(MadeExport(*row) for row in file.execute(query))
    except sqlite3.Error as error:
        raise _unreadable(path, error) from error
    finally:
        file.close()
    return forgotten, exports


def _opened(path: Path) -> sqlite3.Connection:
    """Opens the file, creating its tables in an empty one."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = opened_to_write(path)
    except (OSError, sqlite3.Error) as error:
        raise _unreadable(path, error) from error
    try:
        _check_form(path, file)
    except sqlite3.Error as error:
        file.close()
        raise _unreadable(path, error) from error
    except BaseException:
        file.close()
        raise
    return file


def _check_form(path: Path, file: sqlite3.Connection) -> None:
    version = file.execute("PRAGMA user_version").fetchone()[0]
    query = "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL"
    tables = dict(file.execute(query))
    if not (version or tables):
        with commit(file):
            for definition in _TABLES.values():
                file.execute(definition)
            file.execute(f"PRAGMA user_version={_VERSION}")
        return
    if version > _VERSION:
        raise UnreadableError(
            f"the journal {path} was written by a later release; use that one, or another folder"
        )
    if version != _VERSION or tables != _TABLES:
        raise _damaged(path, "its tables are not those of a hall")
    complaint = file.execute("PRAGMA quick_check(1)").fetchone()[0]
    if complaint != "ok":
        raise _damaged(path, str(complaint).splitlines()[-1])


def _damaged(path: Path, why: str) -> UnreadableError:
    return UnreadableError(
        f"the journal {path} is damaged ({why}); move it aside and put a copy of it in its place, "
        "or name another folder to begin anew"
    )


def _unreadable(path: Path, error: OSError | sqlite3.Error) -> UnreadableError:
    if isinstance(error, sqlite3.Error) and is_damage(error):
        return _damaged(path, str(error))
    return UnreadableError(
        f"the journal {path} cannot be opened: {error}; check the disk and the rights of its folder"
    )
