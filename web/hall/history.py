"""The games of a hall's tables as they were some time ago.

A delay keeps players from using what spectators and streams see. The server holds back what is
newer.
"""

import threading
import time
import zlib
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from web.contract import Page
from web.hall.commands import LONGEST_DELAY_S
from web.table_client import TableSnapshot

STEP_S: Final = 0.5
"""Seconds between two looks at a table whose past is kept.

What is shown is late by this much more at most. In an hour a table whose page changes at every look
fills 7,200 entries, which take 17 MB for the last page of a game of Classic.
"""


class GameRecording:
    """The states of one table during the last hour."""

    def __init__(self) -> None:
        self._times: list[float] = []
        self._states: list[tuple[bytes, TableSnapshot]] = []
        self._newest: TableSnapshot | None = None
        self._unpacked: tuple[float, TableSnapshot] | None = None
        self.asked_at: float = 0.0

    def record(self, state: TableSnapshot, at: float) -> None:
        """Keeps a state that differs from the newest, and drops those that are too old."""
        if state != self._newest:
            packed = b"" if state.page is None else zlib.compress(state.page.to_json().encode())
            self._times.append(at)
            self._states.append((packed, replace(state, page=None)))
            self._newest = state
        # One that is older than the longest delay is still shown until the next one is as old.
        old = max(bisect_right(self._times, at - LONGEST_DELAY_S) - 1, 0)
        del self._times[:old], self._states[:old]

    def shown(self, at: float) -> TableSnapshot:
        """Returns the state at a time; an empty one before the first."""
        found = bisect_right(self._times, at) - 1
        return TableSnapshot() if found < 0 else self._unpack(found)

    def _unpack(self, index: int) -> TableSnapshot:
        time_, (packed, state) = self._times[index], self._states[index]
        if self._unpacked is None or self._unpacked[0] != time_:
            page = Page.from_json(zlib.decompress(packed)) if packed else None
            self._unpacked = time_, replace(state, page=page)
        return self._unpacked[1]


class GameHistory:
    """Reads the states of tables, and keeps the past of those that are shown with a delay.

    Args:
        newest: returns the newest state of a table by its key; None if there is no such table.
        is_closed: True once the server ends, which ends the thread that keeps the past.
    """

    def __init__(
        self, newest: Callable[[str], TableSnapshot | None], is_closed: Callable[[], bool]
    ) -> None:
        self._newest: Final = newest
        self._is_closed: Final = is_closed
        self._lock: Final = threading.Lock()
        self._recordings: Final[dict[str, GameRecording]] = {}
        self._thread: threading.Thread | None = None

    def shown(self, table: str, delay_s: int) -> TableSnapshot | None:
        """Returns the state of a table some seconds ago; None if there is no such table.

        The past of a table is kept from the first time that somebody looks with a delay.
        """
        newest, now = self._newest(table), time.monotonic()
        if newest is None or delay_s <= 0:
            return newest
        with self._lock:
            recording = self._recordings.get(table)
            if recording is None:
                recording = self._recordings[table] = GameRecording()
                recording.record(newest, now)
                self._start()
            recording.asked_at = now
            return recording.shown(now - delay_s)

    def _start(self) -> None:
        """Starts the thread, unless it runs; needs the lock."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._keep, name="delay", daemon=True)
            self._thread.start()

    def _keep(self) -> None:
        while not self._is_closed():
            time.sleep(STEP_S)
            self.look()

    def look(self) -> None:
        """Records the newest state of each table whose past is kept."""
        with self._lock:
            now = time.monotonic()
            for table, recording in [*self._recordings.items()]:
                newest = self._newest(table)
                if newest is None or now - recording.asked_at > LONGEST_DELAY_S:
                    del self._recordings[table]
                else:
                    recording.record(newest, now)
