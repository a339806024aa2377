"""The journal: every event of a game, on disk before anybody is shown it.

An append-only SQLite file in WAL mode with `synchronous=FULL`, one commit an event, so that a
power cut loses nothing that was shown (sqlite.org/pragma.html#pragma_synchronous). A thread of
its own writes, in order; whoever records waits for it, but never long. A disk that refuses or
is slow is no reason to stop a game: what is not written yet is kept, and written as soon as the
disk takes it; until then `saved` is False and every screen says so.

The game in progress is kept in memory as well. So when the file turns out to be damaged, it is
moved aside, and the whole game goes into a new one.
"""

import json
import logging
import sqlite3
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Self

from firmware import shelf
from firmware.event_json import from_json, to_json
from firmware.events import Event
from firmware.game import GameState, fold
from firmware.rules.games import default_edition
from firmware.rules.position import Position
from firmware.shelf import EventRow, GameRow, Row, Shelf, Volume
from firmware.terms import Terms
from firmware.terms import from_json as terms_from_json
from firmware.terms import to_json as terms_to_json
from firmware.wallclock import TimeOfDay

PATIENCE_S: Final = 0.6
"""How long whoever records waits for the disk. A stall of half a second, as SD cards have, is
waited for; after a longer one the game goes on and is said not to be saved."""

_RETRY_S: Final = 1.0
_LAST_PATIENCE_S: Final = 10.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Kept:
    """A game of the journal.

    Attributes:
        number: of the game; counts up.
        terms: what was agreed.
        begun: when it began.
        state: what the events add up to.
        events: in the order they happened.
        filed: whether it has become files.
    """

    number: int
    terms: Terms
    begun: TimeOfDay
    state: GameState
    events: tuple[Event, ...]
    filed: bool = False


class Journal:
    """The events of the games at one table.

    Args:
        path: the file; made if it is not there, moved aside if it is damaged.
        patience_s: how long `record` waits for the disk.
        numbers_from: the largest number that a game has already, if not here then elsewhere.

    Raises:
        UnreadableError: another table keeps its journal there.

    Attributes:
        trouble: what was wrong with the file when it was opened, one sentence; empty if nothing.
    """

    def __init__(
        self, path: Path, *, patience_s: float = PATIENCE_S, numbers_from: int = 0
    ) -> None:
        self._path: Final = path
        self._patience_s: Final = patience_s
        self._changed: Final = threading.Condition()
        self._waiting: deque[Row] = deque()
        self._rows: list[EventRow] = []
        self._refused = False
        self._closing = False
        self._lock: Final = shelf.locked(path)
        opened = shelf.opened(path)
        self.trouble = opened.trouble
        self._shelf: Shelf | None = opened.shelf
        self._found: Final = opened.volumes
        self._games = {volume.game.number: volume.game for volume in opened.volumes}
        self._newest = max(numbers_from, *self._games, 0)
        self._terms: Terms | None = None
        self._taken_up = 0
        self._thread: Final = threading.Thread(target=self._write, name="journal", daemon=True)
        self._thread.start()

    @property
    def saved(self) -> bool:
        """Whether everything recorded is on disk."""
        return not self._waiting

    @property
    def number(self) -> int:
        """Of the game that was begun or taken up; 0 before."""
        return self._newest

    def begin(self, terms: Terms, begun: TimeOfDay) -> bool:
        """Begins a game; games that have become files leave the journal.

        Returns:
            Whether it is on disk.
        """
        self._newest += 1
        self._terms = terms
        self._taken_up = 0
        body = json.dumps(terms_to_json(terms))
        row = GameRow(self._newest, body, begun.text, begun.trusted)
        self._games = {number: game for number, game in self._games.items() if not game.filed} | {
            row.number: row
        }
        self._rows = []
        return self._record([row])

    def record(self, events: Sequence[Event]) -> bool:
        """Writes events of the game that was begun or taken up, one commit each.

        Returns:
            Whether they are on disk, together with everything before them.
        """
        first = len(self._rows) + 1
        rows = [
            EventRow(self._newest, place, self._body(event))
            for place, event in enumerate(events, first)
        ]
        self._rows += rows
        game = self._games[self._newest]
        if not game.filed:
            return self._record(rows)
        # Its files lack what happens now.
        self._games[self._newest] = replace(game, filed=False)
        return self._record([self._games[self._newest], *rows])

    def take_up(self) -> Kept | None:
        """The newest game that was there when the journal was opened; None if there was none.

        What cannot be read of it, and all after that, is left out.
        """
        if not self._found:
            return None
        newest = self._found[-1]
        kept = _kept(newest)
        self._newest, self._terms = kept.number, kept.terms
        self._rows = list(newest.events[: len(kept.events)])
        self._taken_up = kept.number
        if len(kept.events) == len(newest.events):
            return kept
        self.trouble = f"the journal {self._path} has an event that cannot be read; it ends before"
        # What follows it must not be taken for what follows now.
        self._newest = max(self._games)
        self.begin(kept.terms, kept.begun)
        self._taken_up = kept.number
        self.record(kept.events)
        return replace(kept, number=self._newest)

    def unfiled(self) -> Iterator[Kept]:
        """The games that were there when the journal was opened and are no files yet.

        The one that was taken up and goes on is left out.
        """
        for volume in self._found:
            if not volume.game.filed and volume.game.number != self._taken_up:
                yield _kept(volume)

    def filed(self, number: int) -> bool:
        """A game has become files: it leaves the journal when the next begins."""
        game = self._games.get(number)
        if game is None:
            return self.saved
        self._games[number] = replace(game, filed=True)
        return self._record([self._games[number]])

    def close(self) -> None:
        """Tries once more to write what is waiting, and closes the file."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(_LAST_PATIENCE_S)
        if self._shelf is not None and not self._thread.is_alive():
            self._shelf.close()
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _body(self, event: Event) -> str:
        assert self._terms is not None, "a game is begun before its events"
        # Colours are places in the order of play; any names of the right number serve.
        edition = default_edition(self._terms.game)
        return json.dumps(to_json(event, self._terms.game.size, edition))

    def _record(self, rows: Iterable[Row]) -> bool:
        with self._changed:
            self._waiting.extend(rows)
            self._changed.notify_all()
            if not self._refused:
                self._changed.wait_for(self._told, self._patience_s)
                # Whoever records next does not wait for a disk that is known to be slow.
                self._refused = bool(self._waiting)
            return not self._waiting

    def _told(self) -> bool:
        return not self._waiting or self._refused

    # The thread that writes

    def _write(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closing)
                if not self._waiting:
                    return
                row = self._waiting[0]
            done = self._put(row)
            with self._changed:
                if done:
                    self._waiting.popleft()
                    self._refused = self._refused and bool(self._waiting)
                else:
                    self._refused = True
                self._changed.notify_all()
                if not done:
                    if self._closing:
                        return
                    self._changed.wait_for(lambda: self._closing, _RETRY_S)

    def _put(self, row: Row) -> bool:
        """Writes one row; whether it is on disk."""
        try:
            if self._shelf is None:
                self._shelf = Shelf(self._path)
            self._shelf.put(row)
        except sqlite3.OperationalError as error:
            self._give_up(error)
            return False
        except sqlite3.DatabaseError as error:
            self._give_up(error)
            self._begin_anew(error)
            return False
        return True

    def _give_up(self, error: sqlite3.Error) -> None:
        if not self._refused:
            _log.error("cannot write to the journal %s: %s; the game goes on", self._path, error)
        if self._shelf is not None:
            self._shelf.close()
            self._shelf = None

    def _begin_anew(self, error: sqlite3.Error) -> None:
        """The file is damaged: what is in memory goes into a new one."""
        aside = shelf.moved_aside(self._path)
        if aside is None:
            return
        _log.error("the journal was damaged (%s) and is now %s; a new one is begun", error, aside)
        with self._changed:
            self._waiting = deque([*self._games.values(), *self._rows])


def _kept(volume: Volume) -> Kept:
    """A game as far as its events can be read."""
    game = volume.game
    terms = terms_from_json(json.loads(game.terms))
    edition = default_edition(terms.game)
    events: list[Event] = []
    state = GameState(Position.start(terms.game))
    for row in volume.events:
        try:
            event = from_json(json.loads(row.body), terms.game.size, edition)
            state = fold(state, event)
        except ValueError as error:
            _log.error("event %d of game %d cannot be read: %s", row.place, game.number, error)
            break
        events.append(event)
    begun = TimeOfDay(game.begun, game.trusted)
    return Kept(game.number, terms, begun, state, tuple(events), game.filed)
