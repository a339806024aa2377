"""The journal: every event of a game, on disk before anybody is shown it.

An append-only SQLite file in WAL mode with `synchronous=FULL`, one commit an event, so that a
power cut loses nothing that was shown (sqlite.org/pragma.html#pragma_synchronous). A disk that
refuses is no reason to stop a game: what could not be written is kept, in order, and written as
soon as the disk takes it; until then `saved` is False and every screen says so.
"""

import json
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final, Self

from firmware.errors import UnreadableError
from firmware.event_json import from_json, to_json
from firmware.events import Event
from firmware.rules.games import GAMES, Game, default_edition

_SCHEMA: Final = """
    CREATE TABLE IF NOT EXISTS games (
        id INTEGER PRIMARY KEY, game TEXT NOT NULL, shared INTEGER, begun TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS events (
        id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES games(id), body TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS events_by_game ON events (game, id);
"""
_BUSY_S: Final = 0.2
"""How long another process may hold the file before it counts as refused."""

_RETRY_S: Final = 1.0

_log = logging.getLogger(__name__)


class Journal:
    """The events of the games at one table.

    Args:
        path: the file; made if it is not there.

    Raises:
        UnreadableError: the file cannot be opened, or is not a journal.
    """

    def __init__(self, path: Path) -> None:
        self._path: Final = path
        self._waiting: list[tuple[str, tuple[object, ...]]] = []
        self._game_id = 0
        self._game: Game | None = None
        self._tried = float("-inf")
        with ExitStack() as undo:
            try:
                # One thread owns the journal at a time, but not the one that opened it.
                self._file = sqlite3.connect(path, timeout=_BUSY_S, check_same_thread=False)
                undo.callback(self._file.close)
                self._newest = _opened(self._file)
            except sqlite3.Error as error:
                message = f"cannot use the journal {path}: {error}; move it away or name another"
                raise UnreadableError(message) from error
            undo.pop_all()

    @property
    def saved(self) -> bool:
        """Whether everything recorded is on disk."""
        return not self._waiting

    def retry(self, now: float) -> None:
        """Writes what is waiting, if there is anything; tries once in a while.

        Args:
            now: seconds that only go forward.
        """
        if self._waiting and now - self._tried >= _RETRY_S:
            self._tried = now
            self._flush()

    def begin(self, game: Game, begun: str) -> None:
        """Begins a game.

        Args:
            game: what is played.
            begun: when, as text for people; the order of events never depends on it.
        """
        self._newest += 1
        self._game_id, self._game = self._newest, game
        row = (self._game_id, game.key, game.shared, begun)
        self._write("INSERT INTO games (id, game, shared, begun) VALUES (?, ?, ?, ?)", row)

    def record(self, event: Event) -> bool:
        """Writes an event of the game that was begun or taken up.

        Returns:
            Whether it is on disk, together with everything before it.
        """
        assert self._game is not None, "a game is begun before its events"
        # Colours are places in the order of play; any names of the right number serve.
        body = json.dumps(to_json(event, self._game.size, default_edition(self._game)))
        return self._write("INSERT INTO events (game, body) VALUES (?, ?)", (self._game_id, body))

    def take_up(self) -> tuple[Game, tuple[Event, ...]] | None:
        """The newest game and its events, to go on with; None if there is none.

        Raises:
            UnreadableError: the file is damaged.
        """
        try:
            row = self._file.execute(
                "SELECT id, game, shared FROM games ORDER BY id DESC LIMIT 1"
            ).fetchone()
            if row is None:
                return None
            self._game_id, key, shared = row
            game = GAMES[key] if shared is None else GAMES[key].sharing(shared)
            self._game = game
            return game, tuple(self._events(game))
        except (sqlite3.Error, KeyError, TypeError, ValueError) as error:
            message = f"the journal {self._path} is damaged: {error}; move it away to begin anew"
            raise UnreadableError(message) from error

    def close(self) -> None:
        """Tries once more to write what is waiting, and closes the file."""
        self._flush()
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _events(self, game: Game) -> Iterator[Event]:
        edition = default_edition(game)
        rows = self._file.execute(
            "SELECT body FROM events WHERE game = ? ORDER BY id", (self._game_id,)
        )
        for (body,) in rows:
            yield from_json(json.loads(body), game.size, edition)

    def _write(self, statement: str, values: tuple[object, ...]) -> bool:
        self._waiting.append((statement, values))
        return self._flush()

    def _flush(self) -> bool:
        try:
            while self._waiting:
                with self._file:
                    self._file.execute(*self._waiting[0])
                del self._waiting[0]
        except sqlite3.Error as error:
            _log.error(
                "cannot write to the journal %s: %s; the game goes on, %d events wait",
                self._path, error, len(self._waiting),
            )  # fmt: skip
        return self.saved


def _opened(file: sqlite3.Connection) -> int:
    """Makes a file a journal, if it is not one yet; returns the number of its newest game."""
    file.execute("PRAGMA journal_mode=WAL")
    file.execute("PRAGMA synchronous=FULL")
    file.executescript(_SCHEMA)
    newest: int = file.execute("SELECT coalesce(max(id), 0) FROM games").fetchone()[0]
    return newest
