"""Trial: resources and progress of a table that plays for long on an overloaded machine.

`python -m tests.evaluation endurance --minutes 20 --loops 4` starts `cornerlight demo --autoplay`
with its page, loads the processors with endless loops, and measures memory, descriptors and
threads of all its processes. A phone polls the page meanwhile. At the end each stored game is
replayed by the rules, and every refused piece must have been taken back.
"""

import argparse
import json
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final
from urllib.error import URLError
from urllib.request import urlopen

from tests.conftest import ROOT
from tests.evaluation.sse_load import memory_mb
from tests.support.process_tree import descendants

_EVERY_S: Final = 2.0
"""Seconds between two measurements."""

_BUSY: Final = "while True: pass"
_ODD: Final = frozenset(
    {"undone", "disturbed", "restored", "unsure", "resolved", "pending", "board-lost"}
)
"""Events without a cause in the demo."""


@dataclass
class EnduranceReport:
    """Measurements of the processes and of the page.

    Attributes:
        memory_mb: memory of all processes of the table together, at each measurement.
        files: number of their open descriptors.
        threads: number of their threads.
        states: number of times that the page showed each state.
        unchanged_s: the longest time without a change of the page, in seconds.
        missed: number of requests that the page did not answer within 5 s.
    """

    memory_mb: list[float] = field(default_factory=list)
    files: list[int] = field(default_factory=list)
    threads: list[int] = field(default_factory=list)
    states: Counter[str] = field(default_factory=Counter)
    unchanged_s: float = 0.0
    missed: int = 0


def count(folder: str, pids: Sequence[int]) -> int:
    """Returns the number of entries in a /proc folder of all these processes."""
    return sum(1 for pid in pids for _ in Path(f"/proc/{pid}/{folder}").iterdir())


@contextmanager
def table(folder: Path, loops: int) -> Iterator[tuple[int, str]]:
    """Runs a table and `loops` endless loops; yields its process id and the page's address."""
    words = ["demo", "--autoplay", "--port", "0", "--folder", str(folder / "kept")]
    with (folder / "log.txt").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "firmware", *words],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=log,
        )
        busy = [subprocess.Popen([sys.executable, "-c", _BUSY]) for _ in range(loops)]
        try:
            assert process.stdout
            lines = iter(process.stdout.readline, b"")
            found = next(f for line in lines if (f := re.search(rb"http://\S+:(\d+)", line)))
            yield process.pid, f"http://127.0.0.1:{int(found[1])}/"
        finally:
            for one in busy:
                one.kill()
                one.wait()
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)


def look(pid: int, page: str, minutes: float) -> EnduranceReport:
    """Measures table and page repeatedly."""
    measured, since = EnduranceReport(), time.monotonic()
    before: dict[str, str] = {}
    end = since + 60 * minutes
    while (now := time.monotonic()) < end:
        pids = [pid, *descendants(pid)]
        measured.memory_mb.append(sum(map(memory_mb, pids)))
        measured.files.append(count("fd", pids))
        measured.threads.append(count("task", pids))
        try:
            with urlopen(page, timeout=5.0) as answer:  # noqa: S310
                body = answer.read().decode()
        except (TimeoutError, URLError):
            measured.missed += 1
        else:
            facts = dict(re.findall(r'data-(state|ply|revision)="([^"]*)"', body))
            measured.states[facts.get("state", "none")] += 1
            if facts != before:
                before, since = facts, now
        measured.unchanged_s = max(measured.unchanged_s, now - since)
        time.sleep(_EVERY_S)
    return measured


def judged(games: Path) -> Counter[str]:
    """Returns counts of the results of the stored games."""
    tally: Counter[str] = Counter()
    for folder in sorted(games.iterdir()) if games.is_dir() else ():
        for record in folder.glob("*.blksgf"):
            words = [sys.executable, "-m", "firmware", "replay", str(record)]
            done = subprocess.run(words, cwd=ROOT, capture_output=True, check=False)
            tally["games"] += 1
            tally["games against the rules"] += done.returncode != 0
        for events in folder.glob("events*.jsonl"):
            names = Counter(json.loads(line)["event"] for line in events.read_text().splitlines())
            tally.update({f"{'odd ' * (name in _ODD)}event {name}": n for name, n in names.items()})
    return tally


def grown(values: Sequence[float]) -> str:
    """Returns the medians of the second quarter and of the last."""
    quarter = max(1, len(values) // 4)
    return (
        f"{median(values[quarter : 2 * quarter] or values):.1f} -> {median(values[-quarter:]):.1f}"
    )


def main(words: Sequence[str]) -> None:
    """Runs the trial and prints the results."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation endurance")
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--loops", type=int, default=4, help="processes in endless loops")
    chosen = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with table(folder, chosen.loops) as (pid, page):
            measured = look(pid, page, chosen.minutes)
        tally = judged(folder / "kept" / "games")
        log = (folder / "log.txt").read_text()
    print("memory, MB:", grown(measured.memory_mb))  # noqa: T201
    print("descriptors:", grown(measured.files))  # noqa: T201
    print("threads:", grown(measured.threads))  # noqa: T201
    print("states of the page:", dict(measured.states))  # noqa: T201
    print(f"longest without a change: {measured.unchanged_s:.0f} s")  # noqa: T201
    print(f"looks without an answer: {measured.missed}")  # noqa: T201
    print(*(f"{name}: {n}" for name, n in sorted(tally.items())), sep="\n")  # noqa: T201
    print(f"lines in the log: {log.count(chr(10))}", log[-500:])  # noqa: T201
