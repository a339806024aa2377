"""The newest state of each table of the hall, from its messages.

The broker keeps the order of a topic, and a table repeats all that counts after each connection.
So the last message to arrive is the newest state, whatever its numbers say; ages count from
arrival, since no machine knows the time of another one.
"""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from firmware.hall.link.messages import (
    ClubMessage,
    Status,
    Summary,
    TablePage,
    TableResults,
    decode,
)
from firmware.hall.link.topics import TableTopic
from firmware.hall.roster import Roster
from web.contract import ContractError, Page, RefereeState
from web.hall.page import TableState

_LONG_REFUSED_S: Final = 30.0
"""Seconds after which a refused piece concerns the organiser: people need some to see why, and to
take it back."""

_KINDS: Final[dict[TableTopic, type[ClubMessage]]] = {
    TableTopic.STATUS: Status,
    TableTopic.SUMMARY: Summary,
    TableTopic.PAGE: TablePage,
    TableTopic.RESULTS: TableResults,
}
"""Kind of message of each topic."""

_UNSURE: Final = frozenset(
    {
        RefereeState.UNSURE,
        RefereeState.ANEW_ASKED,
        RefereeState.TO_LIFT,
        RefereeState.DISTURBED,
    }
)
"""States in which a table waits for an answer of its people."""

_AT_REST: Final = frozenset({RefereeState.NEW_GAME, RefereeState.SEARCHING})
"""States in which no game goes on, unless pieces were laid."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WatchedTable:
    """All that is known of a table.

    Attributes:
        number: number of the table.
        state: its place in the list of tables.
        since_s: monotonic seconds at which `state` began.
        status: its connection; None before its first message.
        summary: its game in short; None before the first.
        page: its public page; None before the first.
        results: results of its matches.
        refused_s: monotonic seconds since which a refused piece lies there; None without one.
    """

    number: int
    state: TableState = TableState.WAITING
    since_s: float = 0.0
    status: Status | None = None
    summary: Summary | None = None
    page: Page | None = None
    results: TableResults | None = None
    refused_s: float | None = None

    @property
    def is_online(self) -> bool:
        """True if the table is connected."""
        return self.status is not None and self.status.online


class TableMonitor:
    """The newest state of the tables on the roster; every method may be called from any thread.

    Args:
        roster: tables of the hall; messages of all others are ignored.
        clock: returns monotonic seconds.
        on_change: called with the number of a table after its state, or what is known of it, has
            changed; never while a lock is held.
    """

    def __init__(
        self,
        roster: Roster,
        clock: Callable[[], float],
        on_change: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._roster: Final = roster
        self._clock: Final = clock
        self._on_change: Final = on_change
        self._lock: Final = threading.Lock()
        self._tables: dict[int, WatchedTable] = {}

    def receive(self, topic: str, payload: bytes) -> None:
        """Takes a message of the broker; one that is not of a table of the hall is ignored."""
        parts = self._roster.topics.parse_table(topic)
        if parts is None or self._roster.table(parts[0]) is None:
            return
        number, kind = parts
        try:
            message = decode(_KINDS[kind], payload) if payload else None
        except ContractError as error:
            _log.warning("a message of table %d is ignored: %s", number, error)
            return
        now_s = self._clock()
        with self._lock:
            before = self._tables.get(number) or WatchedTable(number, since_s=now_s)
            after = _with(before, kind, message, now_s)
            self._tables[number] = _judged(after, now_s)
        self._on_change(number)

    def tables(self) -> tuple[WatchedTable, ...]:
        """Returns all tables of the roster by number."""
        now_s = self._clock()
        found = []
        with self._lock:
            for one in self._roster.tables:
                known = self._tables.get(one.number) or WatchedTable(one.number, since_s=now_s)
                judged = _judged(known, now_s)
                self._tables[one.number] = judged
                found.append(judged)
            on_roster = {one.number for one in found}
            self._tables = {n: one for n, one in self._tables.items() if n in on_roster}
        return tuple(found)

    def table(self, number: int) -> WatchedTable | None:
        """Returns a table; None if it is not on the roster."""
        return next((one for one in self.tables() if one.number == number), None)


def _with(
    table: WatchedTable, kind: TableTopic, message: ClubMessage | None, now_s: float
) -> WatchedTable:
    """Returns a table after a message; None for one that was cleared."""
    content = message.page if isinstance(message, TablePage) else message
    # The field of each of these topics has its name.
    after = replace(table, **{kind.value: content})  # type: ignore[arg-type]
    if isinstance(message, Summary):
        after = replace(after, refused_s=_refused(table, message, now_s))
    return after


def _refused(table: WatchedTable, summary: Summary, now_s: float) -> float | None:
    """Returns the time since which a refused piece lies on the board; None if none does."""
    if summary.state is not RefereeState.REFUSED:
        return None
    return now_s if table.refused_s is None else table.refused_s


def _judged(table: WatchedTable, now_s: float) -> WatchedTable:
    """Returns a table with its state at this time."""
    state = _state(table, now_s)
    return table if state is table.state else replace(table, state=state, since_s=now_s)


def _state(table: WatchedTable, now_s: float) -> TableState:
    if table.status is None or (table.is_online and table.summary is None):
        return TableState.WAITING
    if table.summary is None or not table.is_online:
        return TableState.OFFLINE
    summary = table.summary
    refused = table.refused_s is not None and now_s - table.refused_s >= _LONG_REFUSED_S
    over = summary.result is not None or summary.state is RefereeState.GAME_OVER
    holds = {
        TableState.FAULT: bool(summary.faults),
        TableState.CALL: summary.calls,
        TableState.UNSURE: summary.state in _UNSURE,
        TableState.REFUSED: refused,
        TableState.FINISHED: over,
        TableState.PLAYING: bool(summary.ply) or summary.state not in _AT_REST,
    }
    return next((state for state, it_does in holds.items() if it_does), TableState.WAITING)
