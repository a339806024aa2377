"""The games at the tables of a hall, for spectators and for overlays, late by the hall's delay."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from web.hall.backend import HallBackend
from web.hall.history import GameHistory
from web.i18n.languages import wording_of
from web.presentation.fragments import Screens
from web.table_client import TableSnapshot

_DIGITS: Final = 5
"""Digits of a table's number in an address, with zeros before it."""

_GLANCE_S: Final = 0.3
"""Seconds between two looks at a table whose board somebody watches."""


class HallTables:
    """The newest state of the game at each table.

    Args:
        backend: the hall's process.
    """

    def __init__(self, backend: HallBackend) -> None:
        self._backend: Final = backend
        self._lock: Final = threading.Lock()
        self._states: Final[dict[int, TableSnapshot]] = {}

    def newest(self, key: str) -> TableSnapshot | None:
        """Returns the state of a table, by its number as text; None if there is no such table."""
        number = int(key)
        table = self._backend.news.page.table(number)
        if table is None:
            return None
        game, now = self._backend.table_page(number), time.monotonic()
        with self._lock:
            old = self._states.get(number, TableSnapshot())
            paged_at = old.paged_at if game == old.page else now
            lost_at = None if table.is_online else old.lost_at or now
            state = TableSnapshot(page=game, paged_at=paged_at, lost_at=lost_at)
            self._states[number] = state
            return state


class BoardSource:
    """The game of one table as the source of changes that `web.views` expects.

    Args:
        shown: returns the newest snapshot.
        is_closed: returns True if no change will follow.
    """

    def __init__(self, shown: Callable[[], TableSnapshot], is_closed: Callable[[], bool]) -> None:
        self._shown: Final = shown
        self._is_closed: Final = is_closed

    @property
    def news(self) -> TableSnapshot:
        """The newest snapshot."""
        return self._shown()

    @property
    def closed(self) -> bool:
        """True if no change will follow."""
        return self._is_closed()

    def wait(self, serial: int, timeout: float) -> TableSnapshot:
        """Returns the snapshot as soon as its serial differs, or after `timeout` seconds."""
        until = time.monotonic() + timeout
        while True:
            news = self._shown()
            left = until - time.monotonic()
            if news.serial != serial or left <= 0 or self.closed:
                return news
            time.sleep(min(_GLANCE_S, left))


class HallBoards:
    """The games that spectators see.

    Args:
        backend: the hall's process.
    """

    def __init__(self, backend: HallBackend) -> None:
        self._backend: Final = backend
        self._history: Final = GameHistory(HallTables(backend).newest, lambda: backend.closed)
        self._lock: Final = threading.Lock()
        self._shown: Final[dict[str, tuple[TableSnapshot, TableSnapshot]]] = {}
        self._screens: Final[dict[tuple[int, str], Screens]] = {}

    def game(self, key: str) -> BoardSource | None:
        """Returns the game of a table, by its number as text; None if there is no such table."""
        is_number = key.isascii() and key.isdigit() and len(key) <= _DIGITS
        if not is_number or self._backend.news.page.table(int(key)) is None:
            return None
        key = str(int(key))
        return BoardSource(lambda: self._snapshot(key), lambda: self._backend.closed)

    def screens(self, number: int, language: str) -> Screens:
        """Returns the renderer of a table's game in a language."""
        with self._lock:
            key = number, language
            if key not in self._screens:
                self._screens[key] = Screens(language, wording_of(language))
            return self._screens[key]

    def _snapshot(self, key: str) -> TableSnapshot:
        delay = self._backend.news.page.delay_s
        shown = self._history.shown(key, delay)
        state = shown or TableSnapshot()
        with self._lock:
            old_state, old = self._shown.get(key, (None, TableSnapshot()))
            if state == old_state:
                return old
            new = replace(
                state,
                serial=old.serial + 1,
                # Connected also while nothing is old enough.
                connected=shown is not None and state.lost_at is None,
                paged_at=state.paged_at + delay,
                lost_at=None if state.lost_at is None else state.lost_at + delay,
            )
            self._shown[key] = state, new
            return new
