"""Trial: load of a hall's pages and delay of changes with many spectators.

Run it with `python -m tests.evaluation hall_watchers --watchers 300`. The pages are a process of
their own, with 50 tables and 100 players in memory: a result each 0.5 s, and each second a newer
page of every table. A third of the watchers reads the round, a third the screen on the wall, and a
third boards. The time of each change is in its score or its revision.
"""

import argparse
import multiprocessing
import re
import selectors
import socket
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from multiprocessing.connection import Connection
from typing import Final

from firmware.hall.tournament.codes import RoundStage
from firmware.hall.tournament.matches import DrawnMatch, DrawnRound, MatchOutcome, Ruling
from firmware.hall.tournament.standings import RankedPlayer
from tests.evaluation.sse_load import busy_s, memory_mb
from tests.support import example_pages
from tests.support.fake_hall import FakeHall, example_page, with_players, with_rounds
from web.contract import Page
from web.hall.app import create_hall_app
from web.hall.page import HallPage, HallTable, TableState
from web.server import Server

TABLES: Final = 50
CHANGE_S: Final = 0.5
PAGE_S: Final = 1.0

STAMP: Final = re.compile(rb"\b1(\d{9})\b")
"""Milliseconds of a change, after a leading 1."""

WARM_S: Final = 3.0
"""Seconds at the beginning whose changes do not count: all watchers load everything."""


def stamp() -> int:
    return 10**9 + round(1000 * time.monotonic()) % 10**9


class BusyHall(FakeHall):
    """A hall in which results and games change all the time."""

    def __init__(self) -> None:
        super().__init__(busy_page())
        self.games = [example_pages.classic_middle(), example_pages.duo_refused()]
        self._newest = self.games

    def table_page(self, number: int) -> Page | None:
        return self._newest[number % 2]

    def run(self) -> None:
        for turn in range(10**6):
            time.sleep(CHANGE_S)
            now, at = stamp(), turn % TABLES
            if turn % round(PAGE_S / CHANGE_S) == 0:
                self._newest = [replace(game, revision=now) for game in self.games]
            [one] = self.page.rounds
            ruling = Ruling(MatchOutcome.by_scores((now, -30)))
            matches = [*one.matches]
            matches[at] = replace(matches[at], ruling=ruling)
            self.show(with_rounds(self.page, replace(one, matches=tuple(matches))))


def busy_page() -> HallPage:
    players = [(f"P{k:03}", f"Player {k}", f"Player {k}") for k in range(2 * TABLES)]
    matches = tuple(
        DrawnMatch(f"2-{k + 1:02}", (f"P{2 * k:03}", f"P{2 * k + 1:03}"), k + 1)
        for k in range(TABLES)
    )
    tables = (HallTable(k + 1, TableState.PLAYING, is_online=True) for k in range(TABLES))
    standings = (RankedPlayer(k + 1, one[0], Fraction(2), (), 0) for k, one in enumerate(players))
    page = replace(
        example_page(),
        playing=frozenset(match.id for match in matches),
        tables=tuple(tables),
        standings=tuple(standings),
    )
    page = with_rounds(page, DrawnRound(2, matches, RoundStage.PUBLISHED))
    return with_players(page, *players)


def serve(watchers: int, pipe: Connection) -> None:
    hall = BusyHall()
    app = create_hall_app(hall, limit=watchers)
    server = Server(app, "127.0.0.1", 0)
    threading.Thread(target=hall.run, daemon=True).start()
    pipe.send(server.port)
    server.run()


def path_of(watcher: int) -> str:
    kinds = ("/events?for=front", "/events?for=wall", f"/board/{watcher // 3 % TABLES + 1}/events")
    return kinds[watcher % 3]


def measure(watchers: int, seconds: float) -> None:
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(target=serve, args=(watchers, theirs), daemon=True)
    process.start()
    port = ours.recv()
    selector = selectors.DefaultSelector()
    for watcher in range(watchers):
        phone = socket.create_connection(("127.0.0.1", port))
        phone.sendall(f"GET {path_of(watcher)} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        selector.register(phone, selectors.EVENT_READ, watcher)
    assert process.pid is not None
    began, busy = time.monotonic(), 0.0
    heard: set[int] = set()
    delays: list[int] = []
    tails = [b""] * watchers
    newest = [0] * watchers
    while (past := time.monotonic() - began) < WARM_S + seconds:
        busy = busy or (busy_s(process.pid) if past > WARM_S else 0.0)
        for key, _ in selector.select(0.2):
            phone_at: int = key.data
            data = tails[phone_at] + key.fileobj.recv(1 << 16)  # type: ignore[union-attr]
            tails[phone_at] = data[-12:]
            stamps = [int(found[1]) for found in STAMP.finditer(data)]
            now = stamp() - 10**9
            if stamps and max(stamps) > newest[phone_at]:
                newest[phone_at] = max(stamps)
                heard.add(phone_at)
                if time.monotonic() - began > WARM_S:
                    delays.append(now - newest[phone_at])
    used = busy_s(process.pid) - busy
    delays.sort()
    p50, p95 = (delays[int(share * len(delays))] for share in (0.5, 0.95))
    print(  # noqa: T201
        f"{len(heard)} of {watchers} watchers of {TABLES} tables, {seconds:g} s: {used:.1f} s of "
        f"processor ({100 * used / seconds:.0f} % of a core), {memory_mb(process.pid):.0f} MB; "
        f"{len(delays)} changes after {p50} ms (median), {p95} ms (95 %)"
    )
    process.kill()
    process.join()


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation hall_watchers")
    parser.add_argument("--watchers", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=30.0)
    chosen = parser.parse_args(words)
    measure(chosen.watchers, chosen.seconds)
