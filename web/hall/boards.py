"""The games at the tables of a hall, for spectators and for overlays, late by the hall's delay."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from flask import abort

from firmware.hall.tournament.codes import MatchState, RoundStage
from web.hall.backend import HallBackend
from web.hall.page import HallPage, HallTable
from web.i18n.languages import wording_of
from web.overlay_history import OverlayHistory, OverlayState
from web.presentation.fragments import Screens
from web.presentation.overlay_options import FEATURED
from web.table_client import TableSnapshot

_GLANCE_S: Final = 0.3
"""Seconds between two looks at a table whose board somebody watches."""


class HallTables:
    """The newest state of each table, as an overlay shows it.

    Args:
        backend: the hall's process.
    """

    def __init__(self, backend: HallBackend) -> None:
        self._backend: Final = backend
        self._lock: Final = threading.Lock()
        self._states: Final[dict[int, OverlayState]] = {}

    def newest(self, key: str) -> OverlayState | None:
        """Returns the state of a table.

        Args:
            key: number of a table, or `FEATURED`; without a choice of the organiser that is empty.
        """
        page = self._backend.news.page
        if key == FEATURED:
            return self._state(page, page.featured) or OverlayState()
        return self._state(page, int(key))

    def _state(self, page: HallPage, number: int) -> OverlayState | None:
        table = page.table(number)
        if table is None:
            return None
        game, now = self._backend.table_page(number), time.monotonic()
        with self._lock:
            old = self._states.get(number, OverlayState())
            paged_at = old.paged_at if game == old.page else now
            lost_at = None if table.is_online else old.lost_at or now
            state = OverlayState(game, paged_at, lost_at, following(page, table))
            self._states[number] = state
            return state


def following(page: HallPage, table: HallTable) -> tuple[str, ...]:
    """Returns the public names of those who meet next at a table; none if that is not known."""
    for one in page.rounds:
        if one.stage is not RoundStage.PUBLISHED:
            continue
        for match in one.played:
            waits = page.match_state(match) is MatchState.OPEN and match.id != table.match
            if waits and match.table == table.number:
                return tuple(page.public_name(player) for player in match.players)
    return ()


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
        history: the past of its tables.
    """

    def __init__(self, backend: HallBackend, history: OverlayHistory) -> None:
        self._backend: Final = backend
        self._history: Final = history
        self._lock: Final = threading.Lock()
        self._shown: Final[dict[int, tuple[OverlayState, TableSnapshot]]] = {}
        self._screens: Final[dict[tuple[int, str], Screens]] = {}

    def source(self, number: int) -> BoardSource:
        """Returns the game of a table; ends the request if there is no such table."""
        if self._backend.news.page.table(number) is None:
            abort(404)
        return BoardSource(lambda: self._snapshot(number), lambda: self._backend.closed)

    def screens(self, number: int, language: str) -> Screens:
        """Returns the renderer of a table's game in a language."""
        with self._lock:
            key = number, language
            if key not in self._screens:
                self._screens[key] = Screens(language, wording_of(language))
            return self._screens[key]

    def _snapshot(self, number: int) -> TableSnapshot:
        delay = self._backend.news.page.delay_s
        shown = self._history.shown(str(number), delay)
        state = OverlayState() if shown is None else shown.state
        with self._lock:
            old_state, old = self._shown.get(number, (None, TableSnapshot()))
            if state == old_state:
                return old
            new = replace(
                old,
                serial=old.serial + 1,
                page=state.page,
                connected=shown is not None and state.lost_at is None,
                paged_at=state.paged_at + delay,
                lost_at=None if state.lost_at is None else state.lost_at + delay,
            )
            self._shown[number] = state, new
            return new
