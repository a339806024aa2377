"""The journal: every event of a game is on disk before it is shown.

An append-only file of lines and a copy of it, see `firmware.storage.journal_files`; one commit, a
line, for the events of one decision. A thread of its own writes in order; `record` waits for it,
up to a limit. A refusing or slow disk stops no game: the games are in memory as well, and both
files are rewritten as soon as the disk takes them; until then `saved` is False and every screen
shows a warning.

A damaged file, at a start or later, stops no game either: it is moved aside, the readable part of
both files goes into new ones, and `trouble` and the log report it. If events may be missing,
`whole` is False and every screen shows a warning until the next game begins.
"""

import json
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, Self

from firmware.game.config import GameConfig
from firmware.game.config import from_json as terms_from_json
from firmware.game.config import to_json as terms_to_json
from firmware.game.event_codec import to_json
from firmware.game.events import Event
from firmware.rules.variants import default_edition
from firmware.storage.journal_files import JournalFiles, locked
from firmware.storage.journal_rows import JournalEvent, JournalGame
from firmware.storage.stored_game import StoredGame, readable_events, terms_without
from firmware.storage.wall_clock import TimeOfDay

PATIENCE_S: Final = 0.6
"""Seconds for which `record` waits for the disk. This covers a stall of half a second, as SD cards
have; after a longer one the game goes on and counts as not saved."""

_RETRY_S: Final = 1.0
"""Seconds until a refused write is retried."""

_LAST_PATIENCE_S: Final = 10.0
"""Seconds for which `close` waits for the thread."""

_log = logging.getLogger(__name__)


class Journal:
    """The events of the games at one table.

    Args:
        path: the file; created if it is missing, moved aside if it is damaged.
        patience_s: seconds for which `record` waits for the disk.
        numbers_from: the largest number of a game stored elsewhere.

    Raises:
        UnreadableError: another table uses this journal.

    Attributes:
        trouble: faults found when the journal was opened, one sentence; empty if there is none.
    """

    def __init__(
        self, path: Path, *, patience_s: float = PATIENCE_S, numbers_from: int = 0
    ) -> None:
        self._path: Final = path
        self._patience_s: Final = patience_s
        self._lock: Final = locked(path)
        self.trouble = ""
        self._files: Final = JournalFiles(path)
        self._begins_whole = self._files.whole
        self._games = {game.number: game for game in self._files.games}
        self._newest = max(numbers_from, self._files.last_number)
        self._config: GameConfig | None = None
        self._resumed = 0
        self._changed: Final = threading.Condition()
        self._pending: Final[list[JournalEvent]] = []
        self._wanted, self._written = 1, 0
        self._refusal = ""
        self._closing = False
        self._thread: Final = threading.Thread(target=self._write, name="journal", daemon=True)
        self._thread.start()
        if self._files.trouble:
            self._report(self._files.trouble)
        if not self._wait():
            self._report(f"the journal {path} cannot be written now; the game goes on unsaved")

    @property
    def saved(self) -> bool:
        """True if everything recorded is on disk."""
        return not self._pending and self._written == self._wanted

    @property
    def whole(self) -> bool:
        """False if events of the game may have been lost to a damaged journal."""
        game = self._games.get(self._newest)
        return game is None or game.whole

    @property
    def number(self) -> int:
        """Number of the game that was begun or resumed last; 0 before."""
        return self._newest

    def begin(self, config: GameConfig, begun: TimeOfDay) -> bool:
        """Begins a game; removes games that are filed completely.

        Returns:
            True if it is on disk.
        """
        self._config, self._resumed = config, 0
        # The first game after a loss replaces one that is unreadable, and inherits its mark.
        whole, self._begins_whole = self._begins_whole, True
        with self._changed:
            self._newest += 1
            body = json.dumps(terms_to_json(config))
            game = JournalGame(self._newest, body, begun.text, begun.trusted, whole=whole)
            unfiled = {number: one for number, one in self._games.items() if not one.is_filed}
            self._games = {**unfiled, game.number: game}
            self._wanted += 1
        return self._wait()

    def record(self, events: Sequence[Event]) -> bool:
        """Writes events of the present game, in one commit.

        Returns:
            True if they are on disk, together with everything before them.
        """
        assert self._config is not None, "a game is begun before its events"
        # Colours are stored as places in the order of play, so any names serve.
        edition = default_edition(self._config.game)
        size = self._config.game.size
        bodies = tuple(json.dumps(to_json(event, size, edition)) for event in events)
        with self._changed:
            game = self._games[self._newest]
            first = len(game.bodies) + 1
            self._pending.extend((self._newest, *one) for one in enumerate(bodies, first))
            self._games[self._newest] = game._replace(bodies=game.bodies + bodies)
        return self._wait()

    def adopt(self, config: GameConfig, events: Sequence[Event], begun: TimeOfDay) -> StoredGame:
        """Begins a game that was begun elsewhere, and records its events so far.

        Raises:
            ValueError: the events do not follow one another in such a game.
        """
        game = StoredGame(self._newest + 1, config, begun, tuple(events))
        _ = game.states  # checks the events before anything is written
        self.begin(config, begun)
        self.record(events)
        return game

    def resume(self) -> StoredGame | None:
        """Resumes the newest game of the opened journal; None if there is none.

        Its events end before the first unreadable one.
        """
        newest = self._files.games[-1] if self._files.games else None
        if newest is None or newest.number < self._files.last_number:
            return None  # the newest game was lost, and an older one must not replace it
        game = _decoded(newest)
        if game is not None and len(game.events) == len(newest.bodies):
            self._newest, self._config = game.number, game.config
            self._resumed, self._begins_whole = game.number, True
            return game
        self._report(f"the journal {self._path} has an event that cannot be read; it ends before")
        self._begins_whole = False
        if game is None:
            return None
        # The unreadable events must not mix with later ones, so a new game begins.
        self.begin(game.config, game.begun)
        self._resumed = game.number
        self.record(game.events)
        return replace(game, number=self._newest)

    def unfiled(self) -> Iterator[StoredGame]:
        """Yields the games of the opened journal that are not filed completely.

        The resumed game is excluded, and any of which nothing can be read.
        """
        for game in self._files.games:
            if not game.is_filed and game.number != self._resumed:
                stored = _decoded(game)
                if stored is not None:
                    yield stored

    def filed(self, number: int, events: int | None = None) -> None:
        """Marks a game as filed; one that is filed completely is removed when the next begins.

        Args:
            number: number of the game.
            events: number of its events in the files; None for all.
        """
        with self._changed:
            game = self._games.get(number)
            if game is None:
                return
            filed = len(game.bodies) if events is None else events
            self._games[number] = game._replace(filed=filed)
            self._wanted += 1
            self._changed.notify_all()

    def forget(self, person: str) -> bool:
        """Removes the name of a person from all games, and files that were moved aside.

        Returns:
            False if the disk refuses: then the files that were moved aside stay.
        """
        with self._changed:
            self._games = {
                number: game._replace(config=terms_without(game.config, person))
                for number, game in self._games.items()
            }
            self._wanted += 1
        if not self._wait():
            return False
        for word in ("damaged", "old"):
            for path in self._path.parent.glob(f"{self._path.stem}.{word}-[1-9]*"):
                try:
                    path.unlink()
                except OSError as error:
                    _log.error("%s cannot be deleted, and may have names: %s", path, error.strerror)
        return True

    def close(self) -> None:
        """Tries once more to write waiting events, and closes the files."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(_LAST_PATIENCE_S)
        if not self._thread.is_alive():
            self._files.close()
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _report(self, trouble: str) -> None:
        self.trouble = f"{self.trouble}; {trouble}" if self.trouble else trouble
        _log.error("%s", trouble)

    def _wait(self) -> bool:
        """Waits for the disk, but not while it is known to be refusing or slow."""
        with self._changed:
            self._changed.notify_all()
            if not self._refusal and not self._changed.wait_for(self._is_settled, self._patience_s):
                self._refusal = "it is slow"
            return self.saved

    def _is_settled(self) -> bool:
        return self.saved or bool(self._refusal)

    # The writing thread

    def _write(self) -> None:
        while self._await_work():
            with self._changed:
                wanted, rows = self._wanted, tuple(self._pending)
                rewrite = wanted > self._written or not self._files.are_open
                games = tuple(self._games.values())
            if rewrite:
                done = self._try(partial(self._files.replace, games))
            else:
                done = self._try(partial(self._files.append, rows))
            with self._changed:
                if done:
                    del self._pending[: len(rows)]
                    self._written = wanted
                    self._refusal = "" if self.saved else self._refusal
                self._changed.notify_all()
                if not done:
                    if self._closing:
                        return
                    self._changed.wait_for(lambda: self._closing, _RETRY_S)
            # `record` has returned; if the copy fails, everything is rewritten.
            if done and not rewrite and not self._try(self._files.sync):
                with self._changed:
                    self._wanted += 1

    def _await_work(self) -> bool:
        """Waits until there is something to write; returns False at the end."""
        with self._changed:
            self._changed.wait_for(lambda: not self.saved or self._closing)
            return not self.saved

    def _try(self, write: Callable[[], None]) -> bool:
        """Writes; returns True if the disk took it."""
        try:
            write()
        except (OSError, MemoryError) as error:
            why = getattr(error, "strerror", None) or str(error)
            if why != self._refusal:
                _log.error("cannot write to the journal %s: %s; the game goes on", self._path, why)
            self._files.close()
            self._refusal = why
            return False
        return True


def _decoded(game: JournalGame) -> StoredGame | None:
    """Decodes a game up to the first unreadable event; None if its settings are unreadable."""
    try:
        config = terms_from_json(json.loads(game.config))
    except ValueError as error:
        _log.error("game %d of the journal cannot be read: %s", game.number, error)
        return None
    edition = default_edition(config.game)
    events, why = readable_events(map(json.loads, game.bodies), config, edition)
    if why:
        place = len(events) + 1
        _log.error("event %d of game %d cannot be read: %s", place, game.number, why)
    begun = TimeOfDay(game.begun, game.trusted)
    return StoredGame(game.number, config, begun, events, game.filed)
