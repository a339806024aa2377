"""The states that overlays of streams show: the newest ones, and those of some time ago.

A delay keeps players from using what a stream says. The server holds back what is newer: a viewer
can ask for a longer delay, never for a shorter one.
"""

import threading
import time
import zlib
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from web.contract import Page

LONGEST_DELAY_S: Final = 3600
"""Seconds of the longest delay."""

STEP_S: Final = 0.5
"""Seconds between two looks at a table whose past is kept.

A delayed overlay is late by this much at most. In an hour a table whose page changes at every look
fills 7,200 entries, which take 17 MB for the last page of a game of Classic.
"""


@dataclass(frozen=True, slots=True)
class OverlayState:
    """All that an overlay shows of a table at one moment; times are those of `time.monotonic`.

    Attributes:
        page: the newest page; None before the first.
        paged_at: time at which it was received.
        lost_at: time at which the table was lost; None while it is connected.
        next: names of the people who meet at this table next; none if that is not known.
    """

    page: Page | None = None
    paged_at: float = 0.0
    lost_at: float | None = None
    next: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownState:
    """The state that an overlay shows now.

    Attributes:
        state: the state at that time; an empty one while nothing is old enough.
        at: time that is shown, which is earlier than now by the delay.
        wait_s: seconds until something is old enough; 0 if something is.
    """

    state: OverlayState
    at: float
    wait_s: float = 0.0

    def age_ms(self) -> int:
        """Milliseconds since the page was received, by which running clocks have advanced."""
        return round(1000 * (self.at - self.state.paged_at)) if self.state.page else 0

    def silent_ms(self) -> int | None:
        """Milliseconds since the table was lost; None while it is connected."""
        lost_at = self.state.lost_at
        return None if lost_at is None else max(0, round(1000 * (self.at - lost_at)))


class StateRecording:
    """The states of one table during the last hour."""

    def __init__(self) -> None:
        self._times: list[float] = []
        self._states: list[tuple[bytes, OverlayState]] = []
        self._newest: OverlayState | None = None
        self._unpacked: tuple[float, OverlayState] | None = None
        self.asked_at: float = 0.0

    def record(self, state: OverlayState, at: float) -> None:
        """Keeps a state that differs from the newest, and drops those that are too old."""
        if state != self._newest:
            packed = b"" if state.page is None else zlib.compress(state.page.to_json().encode())
            self._times.append(at)
            self._states.append((packed, replace(state, page=None)))
            self._newest = state
        # One that is older than the longest delay is still shown until the next one is as old.
        old = max(bisect_right(self._times, at - LONGEST_DELAY_S) - 1, 0)
        del self._times[:old], self._states[:old]

    def shown(self, delay_s: float, now: float) -> ShownState:
        """Returns the state of `delay_s` seconds ago."""
        at = now - delay_s
        found = bisect_right(self._times, at) - 1
        if found < 0:
            first = self._times[0] if self._times else now
            return ShownState(OverlayState(), at, first - at)
        return ShownState(self._unpack(found), at)

    def _unpack(self, index: int) -> OverlayState:
        time_, (packed, state) = self._times[index], self._states[index]
        if self._unpacked is None or self._unpacked[0] != time_:
            page = Page.from_json(zlib.decompress(packed)) if packed else None
            self._unpacked = time_, replace(state, page=page)
        return self._unpacked[1]


class OverlayHistory:
    """Reads the states of tables, and keeps the past of those that are shown with a delay.

    Args:
        newest: returns the newest state of a table by its key; None if there is no such table.
        is_closed: True once the server ends, which ends the thread that keeps the past.
    """

    def __init__(
        self, newest: Callable[[str], OverlayState | None], is_closed: Callable[[], bool]
    ) -> None:
        self._newest: Final = newest
        self._is_closed: Final = is_closed
        self._lock: Final = threading.Lock()
        self._recordings: Final[dict[str, StateRecording]] = {}
        self._thread: threading.Thread | None = None

    def shown(self, table: str, delay_s: int) -> ShownState | None:
        """Returns what an overlay of a table shows now; None if there is no such table.

        The past of a table is kept from the first time that somebody asks for a delay.
        """
        newest, now = self._newest(table), time.monotonic()
        if newest is None:
            return None
        if delay_s <= 0:
            return ShownState(newest, now)
        with self._lock:
            recording = self._recordings.get(table)
            if recording is None:
                recording = self._recordings[table] = StateRecording()
                recording.record(newest, now)
                self._start()
            recording.asked_at = now
            return recording.shown(delay_s, now)

    def _start(self) -> None:
        """Starts the thread, unless it runs; needs the lock."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._keep, name="overlay", daemon=True)
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
