"""The journal: every event of a game, on disk before anybody is shown it.

An append-only SQLite file and a copy of it as text, see `firmware.storage.journal_files`; one
commit for the events of one decision. A thread of its own writes, in order; whoever records waits
for it, but never long. A disk that refuses or is slow is no reason to stop a game: the games are
kept in memory as well, and both files are written anew as soon as the disk takes them; until then
`saved` is False and every screen says so.

Nor is a damaged file, at a start or later: it is kept aside, what can be read of both files goes
into new ones, and that is said, in `trouble` and in the log. Where events may be missing, `whole`
is False and every screen says so until the next game begins.
"""

import json
import logging
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final, Self

from firmware.game.config import GameConfig
from firmware.game.config import from_json as terms_from_json
from firmware.game.config import to_json as terms_to_json
from firmware.game.event_codec import from_json, to_json
from firmware.game.events import Event
from firmware.game.state import GameState, apply_event
from firmware.rules.position import Position
from firmware.rules.variants import default_edition
from firmware.storage import journal_files
from firmware.storage.journal_rows import EncodedGame, EventRow, GameRow
from firmware.storage.wall_clock import TimeOfDay

PATIENCE_S: Final = 0.6
"""How long whoever records waits for the disk. A stall of half a second, as SD cards have, is
waited for; after a longer one the game goes on and is said not to be saved."""

_RETRY_S: Final = 1.0
_LAST_PATIENCE_S: Final = 10.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game of the journal.

    Attributes:
        number: of the game; counts up.
        config: what was agreed.
        begun: when it began.
        state: what the events add up to.
        events: in the order they happened.
        filed: how many of them its files tell.
    """

    number: int
    config: GameConfig
    begun: TimeOfDay
    state: GameState
    events: tuple[Event, ...]
    filed: int = 0


class Journal:
    """The events of the games at one table.

    Args:
        path: the SQLite file; made if it is not there, kept aside if it is damaged.
        patience_s: how long `record` waits for the disk.
        numbers_from: the largest number that a game has already, if not here then elsewhere.

    Raises:
        UnreadableError: another table keeps its journal there.

    Attributes:
        trouble: what was wrong when the journal was opened, a sentence; empty if nothing.
    """

    def __init__(
        self, path: Path, *, patience_s: float = PATIENCE_S, numbers_from: int = 0
    ) -> None:
        self._path: Final = path
        self._patience_s: Final = patience_s
        self._lock: Final = journal_files.locked(path)
        found = journal_files.opened(path)
        self.trouble = ""
        self._files: Final = found.files
        self._found: Final = found.games
        self._last_number: Final = found.last_number
        self._begins_whole = found.whole
        self._games = {game.row.number: game for game in found.games}
        self._newest = max(numbers_from, found.last_number)
        self._config: GameConfig | None = None
        self._taken_up = 0
        self._changed: Final = threading.Condition()
        self._pending: Final[list[EventRow]] = []
        self._wanted, self._written = 1, 0
        self._refusal = ""
        self._closing = False
        self._thread: Final = threading.Thread(target=self._write, name="journal", daemon=True)
        self._thread.start()
        if found.trouble:
            self._tell(found.trouble)
        if not self._wait():
            self._tell(f"the journal {path} cannot be written now; the game goes on unsaved")

    @property
    def saved(self) -> bool:
        """Whether everything recorded is on disk."""
        return not self._pending and self._written == self._wanted

    @property
    def whole(self) -> bool:
        """False if events of the game may have been lost to a damaged journal."""
        game = self._games.get(self._newest)
        return game is None or game.row.whole

    @property
    def number(self) -> int:
        """Of the game that was begun or taken up; 0 before."""
        return self._newest

    def begin(self, config: GameConfig, begun: TimeOfDay) -> bool:
        """Begins a game; games that have become files leave the journal.

        Returns:
            Whether it is on disk.
        """
        self._config, self._taken_up = config, 0
        # The first game after a loss stands in for one that nobody can read any more.
        whole, self._begins_whole = self._begins_whole, True
        with self._changed:
            self._newest += 1
            body = json.dumps(terms_to_json(config))
            row = GameRow(self._newest, body, begun.text, begun.trusted, whole=whole)
            left = {number: game for number, game in self._games.items() if not game.is_filed}
            self._games = {**left, row.number: EncodedGame(row, ())}
            self._wanted += 1
        return self._wait()

    def record(self, events: Sequence[Event]) -> bool:
        """Writes events of the game that was begun or taken up, in one commit.

        Returns:
            Whether they are on disk, together with everything before them.
        """
        assert self._config is not None, "a game is begun before its events"
        # Colours are places in the order of play; any names of the right number serve.
        edition = default_edition(self._config.game)
        size = self._config.game.size
        bodies = tuple(json.dumps(to_json(event, size, edition)) for event in events)
        with self._changed:
            game = self._games[self._newest]
            first = len(game.bodies) + 1
            self._pending.extend(EventRow(self._newest, *one) for one in enumerate(bodies, first))
            self._games[self._newest] = replace(game, bodies=game.bodies + bodies)
        return self._wait()

    def resume(self) -> StoredGame | None:
        """The newest game that was there when the journal was opened; None if there was none.

        What cannot be read of it, and all after that, is left out.
        """
        newest = self._found[-1] if self._found else None
        if newest is None or newest.row.number < self._last_number:
            return None  # an older one must not be taken for a newest that was lost
        kept = _decoded(newest)
        if kept is not None and len(kept.events) == len(newest.bodies):
            self._newest, self._config = kept.number, kept.config
            self._taken_up, self._begins_whole = kept.number, True
            return kept
        self._tell(f"the journal {self._path} has an event that cannot be read; it ends before")
        self._begins_whole = False
        if kept is None:
            return None
        # What follows it must not be taken for what follows now.
        self.begin(kept.config, kept.begun)
        self._taken_up = kept.number
        self.record(kept.events)
        return replace(kept, number=self._newest)

    def unfiled(self) -> Iterator[StoredGame]:
        """The games that were there when the journal was opened and are no files yet.

        The one that was taken up and goes on is left out, and any of which nothing can be read.
        """
        for game in self._found:
            if not game.is_filed and game.row.number != self._taken_up:
                kept = _decoded(game)
                if kept is not None:
                    yield kept

    def filed(self, number: int, events: int | None = None) -> None:
        """A game has become files: if they tell all of it, it leaves when the next begins.

        Args:
            number: of the game.
            events: how many of its events they tell; None for all.
        """
        with self._changed:
            game = self._games.get(number)
            if game is None:
                return
            filed = len(game.bodies) if events is None else events
            self._games[number] = replace(game, row=game.row._replace(filed=filed))
            self._wanted += 1
            self._changed.notify_all()

    def close(self) -> None:
        """Tries once more to write what is waiting, and closes the files."""
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

    def _tell(self, trouble: str) -> None:
        self.trouble = f"{self.trouble}; {trouble}" if self.trouble else trouble
        _log.error("%s", trouble)

    def _wait(self) -> bool:
        """Waits for the disk; whoever comes after one that refuses or is slow does not."""
        with self._changed:
            self._changed.notify_all()
            if not self._refusal and not self._changed.wait_for(self._is_settled, self._patience_s):
                self._refusal = "it is slow"
            return self.saved

    def _is_settled(self) -> bool:
        return self.saved or bool(self._refusal)

    # The thread that writes

    def _write(self) -> None:
        while self._await_work():
            with self._changed:
                wanted, rows = self._wanted, tuple(self._pending)
                anew = wanted > self._written or not self._files.are_open
                games = tuple(self._games.values())
            if anew:
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
            # Nobody waits any more; a copy that fails is written anew with everything.
            if done and not anew and not self._try(self._files.sync):
                with self._changed:
                    self._wanted += 1

    def _await_work(self) -> bool:
        """Waits until there is something to write; False at the end."""
        with self._changed:
            self._changed.wait_for(lambda: not self.saved or self._closing)
            return not self.saved

    def _try(self, write: Callable[[], None]) -> bool:
        """Writes; whether the disk took it."""
        try:
            write()
        except (OSError, sqlite3.Error, MemoryError) as error:
            why = getattr(error, "strerror", None) or str(error)
            if why != self._refusal:
                _log.error("cannot write to the journal %s: %s; the game goes on", self._path, why)
            self._files.give_up(error)
            self._refusal = why
            return False
        return True


def _decoded(game: EncodedGame) -> StoredGame | None:
    """A game as far as its events can be read; None if what was agreed cannot be."""
    row = game.row
    try:
        config = terms_from_json(json.loads(row.config))
    except ValueError as error:
        _log.error("game %d of the journal cannot be read: %s", row.number, error)
        return None
    edition = default_edition(config.game)
    events: list[Event] = []
    state = GameState(Position.start(config.game))
    for place, body in enumerate(game.bodies, 1):
        try:
            event = from_json(json.loads(body), config.game.size, edition)
            state = apply_event(state, event)
        except ValueError as error:
            _log.error("event %d of game %d cannot be read: %s", place, row.number, error)
            break
        events.append(event)
    begun = TimeOfDay(row.begun, row.trusted)
    return StoredGame(row.number, config, begun, state, tuple(events), row.filed)
