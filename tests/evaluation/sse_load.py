"""Trial: delay of the last phone, memory of the page and load of the table with many watchers.

Run it with `python -m tests.evaluation sse_load --watchers 300`. The page is a process of its own,
as at a table; so are the watchers, who read a stream each.
"""

import argparse
import multiprocessing
import os
import re
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from firmware.assembly.simulated import SimulationOptions, simulated
from firmware.settings import Settings
from tests.conftest import ROOT
from tests.support import example_pages
from tests.support.turning_feed import TurningFeed
from web.compression import stored

MARKS: Final = re.compile(rb"id: (\d+)\ndata: |" + re.escape(stored(b"\n\n")))
"""Beginning of a message of a compressed stream, with its revision, and its end."""

ASKS: Final = b"GET /events HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip, deflate\r\n\r\n"
LONGEST_MARK: Final = 40
FIRST: Final = 10_000


@contextmanager
def page_of(folder: Path, streams: int) -> Iterator[tuple[int, int]]:
    """Runs a page in a process of its own; yields its port and its process id."""
    config = folder / "page.toml"
    config.write_text(f"[page]\nport = 0\nhost = '127.0.0.1'\nstreams = {streams}\n")
    words = ["page", "--config", str(config), "--socket", str(folder / "feed.sock"), "--attached"]
    process = subprocess.Popen(
        [sys.executable, "-m", "firmware", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
    )
    assert process.stdout
    found = re.search(rb'"port": (\d+)', process.stdout.readline())
    assert found
    yield int(found[1]), process.pid
    process.communicate()


def memory_mb(pid: int) -> float:
    """Returns the memory of a process in MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", status)
    assert found
    return int(found[1]) / 1024


def busy_s(pid: int) -> float:
    """Returns the processor time of a process, all threads together, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def watch(port: int, watchers: int, pipe: Connection) -> None:
    """Reads streams; reports when all are open and, on request, the arrival times by revision."""
    selector = selectors.DefaultSelector()
    for _ in range(watchers):
        phone = socket.create_connection(("127.0.0.1", port))
        phone.sendall(ASKS)
        selector.register(phone, selectors.EVENT_READ)
    heard: set[object] = set()
    opened = False
    pending: dict[object, int] = {}
    tails: dict[object, bytes] = {}
    reached: dict[int, list[float]] = {}
    while True:
        for key, _ in selector.select(0.2):
            phone = key.fileobj  # type: ignore[assignment]
            data = tails.pop(phone, b"") + phone.recv(1 << 16)
            now = time.monotonic()
            end = 0
            for mark in MARKS.finditer(data):
                end = mark.end()
                if mark[1]:
                    pending[phone] = int(mark[1])
                elif phone in pending:
                    reached.setdefault(pending.pop(phone), []).append(now)
                    heard.add(phone)
            tails[phone] = data[max(end, len(data) - LONGEST_MARK) :]
        if len(heard) == watchers and not opened:
            opened = True
            pipe.send("open")
        if pipe.poll():
            pipe.send(reached)
            return


@contextmanager
def watching(port: int, watchers: int) -> Iterator[Connection]:
    """Runs watchers in a process of their own until all are connected."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(target=watch, args=(port, watchers, theirs))
    process.start()
    assert ours.recv() == "open"
    yield ours
    process.join()


def delays(watchers: int, changes: int) -> None:
    """Measures the delay from the table to the last phone, and the memory of the page."""
    page = example_pages.classic_middle()
    with tempfile.TemporaryDirectory() as name, TurningFeed(Path(name) / "feed.sock") as feed:
        feed.publish(page)
        with page_of(Path(name), watchers) as (port, pid):
            time.sleep(1.0)
            alone = memory_mb(pid)
            with watching(port, watchers) as ears:
                sent: dict[int, float] = {}
                before = busy_s(pid)
                for revision in range(FIRST, FIRST + changes):
                    sent[revision] = time.monotonic()
                    moved = page.pieces[: revision % len(page.pieces)]
                    feed.publish(replace(page, revision=revision, pieces=moved))
                    time.sleep(0.5)
                time.sleep(2.0)
                full, busy = memory_mb(pid), busy_s(pid) - before
                ears.send("enough")
                reached = ears.recv()
    last = sorted(max(reached[r]) - sent[r] for r in sent if len(reached.get(r, ())) == watchers)
    first = sorted(min(reached[r]) - sent[r] for r in sent if r in reached)
    print(  # noqa: T201
        f"{watchers} watchers, {changes} changes: the last phone had {len(last)} of them, after "
        f"{1000 * statistics.median(last):.0f} ms (median), {1000 * last[-1]:.0f} ms (worst); "
        f"the first after {1000 * statistics.median(first):.0f} ms\n"
        f"the page's own processor time for a change: {1000 * busy / changes:.0f} ms\n"
        f"memory of the page: {alone:.0f} MB alone, {full:.0f} MB with all"
    )


def frames(watchers: int, count: int) -> None:
    """Measures the time of a frame at the table with and without watchers, in turns."""
    alone: list[float] = []
    watched: list[float] = []
    with tempfile.TemporaryDirectory() as name:
        acting = SimulationOptions(1, autoplay=True)
        with simulated(Settings(), Path(name), acting, fresh=True) as table:
            table.feed.start()

            def steps() -> list[float]:
                took = []
                for _ in range(count):
                    table.clock.now_s += 0.1
                    if table.people is not None:
                        table.people.step(table.clock.now_s)
                    began = time.thread_time()
                    table.controller.step(time.monotonic())
                    took.append(time.thread_time() - began)
                return took

            steps()
            for _ in range(3):
                alone += steps()
                with page_of(Path(name), watchers) as (port, _), watching(port, watchers) as ears:
                    watched += steps()
                    ears.send("enough")
                    ears.recv()
    print(  # noqa: T201
        f"a frame at the table, its own processor time: {1000 * statistics.median(alone):.1f} ms "
        f"alone, {1000 * statistics.median(watched):.1f} ms with {watchers} watchers (medians)"
    )


def main(words: Sequence[str]) -> None:
    """Runs the trial and prints the results."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation sse_load")
    parser.add_argument("--watchers", type=int, default=300)
    parser.add_argument("--changes", type=int, default=40)
    parser.add_argument("--frames", type=int, default=60)
    chosen = parser.parse_args(words)
    delays(chosen.watchers, chosen.changes)
    frames(chosen.watchers, chosen.frames)
