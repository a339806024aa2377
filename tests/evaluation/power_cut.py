"""Trial: damage to the journal and loss of shown events by power cuts at random times.

strace records a process that journals and shows events. Its writes, renames and syncs are
replayed up to a random time; each sector that was not synced by then is stored or dropped at
random. The resulting journal is opened as a table opens it: it has to contain all shown events,
and no damage may be reported.

`python -m tests.evaluation power_cut --times 200`
"""

import argparse
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from firmware.storage.journal import Journal
from tests.conftest import ROOT

SECTOR = 512
"""Bytes that a disk writes as a whole (sqlite.org/atomiccommit.html, section 2)."""

GAME = 30
"""Events of a game; the first of the second game has this number."""

_WRITER = f"""
import os, sys
from pathlib import Path
from firmware.game.events import Passed
from firmware.storage.journal import Journal
from firmware.rules.variants import GAMES
from firmware.game.config import GameConfig
from firmware.storage.wall_clock import time_of_day
journal = Journal(Path(sys.argv[1]), patience_s=60.0)
number = 0
while number < int(sys.argv[2]):
    if number % {GAME} == 0:
        journal.filed(number // {GAME})
        assert journal.begin(GameConfig(GAMES["duo"]), time_of_day())
    # A decision is one event, or two, such as a move and a pass.
    last = min(number + 1 + number % 2, int(sys.argv[2]), (number // {GAME} + 1) * {GAME})
    events = [Passed(frame=one, time=0.0, colour=0, after_ply=one) for one in range(number, last)]
    assert journal.record(events)
    number = last
    os.write(1, b"shown %d\\n" % (number - 1))
"""
_CALLS = "pwrite64,write,fsync,fdatasync,ftruncate,unlink,unlinkat,rename,renameat,renameat2"
_CALL = re.compile(r"\d+ +(\w+)\((.*)\)\s+= (-?\d+)")
_UNFINISHED = re.compile(r"(\d+) +(.*) <unfinished \.\.\.>")
_RESUMED = re.compile(r"(\d+) +<\.\.\. \w+ resumed>(.*)")
_FILE = re.compile(r"\d+<(.*?)>")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')


@dataclass(frozen=True)
class Write:
    path: str
    offset: int
    data: bytes


@dataclass(frozen=True)
class Cut:
    path: str
    length: int


@dataclass(frozen=True)
class Sync:
    """A sync; `path` is empty for the folder, whose deletions become permanent."""

    path: str


@dataclass(frozen=True)
class Gone:
    path: str


@dataclass(frozen=True)
class Renamed:
    path: str
    to: str


@dataclass(frozen=True)
class Shown:
    number: int


Step = Write | Cut | Sync | Gone | Renamed | Shown


@dataclass
class Disk:
    """The synced content of the disk, and the pending changes."""

    safe: dict[str, bytearray] = field(default_factory=dict)
    pending: list[Write | Cut | Gone | Renamed] = field(default_factory=list)
    shown: int = -1

    def take(self, step: Step) -> None:
        if isinstance(step, Shown):
            self.shown = step.number
        elif isinstance(step, Sync):
            unsynced = []
            for one in self.pending:
                if one.path == step.path or (isinstance(one, Gone | Renamed) and not step.path):
                    self._do(self.safe, one)
                else:
                    unsynced.append(one)
            self.pending = unsynced
        else:
            self.pending.append(step)

    def after_power_cut(self, chance: random.Random) -> dict[str, bytes]:
        """Returns the files after the power is restored."""
        found = {path: bytearray(content) for path, content in self.safe.items()}
        share = chance.random()
        for one in self.pending:
            if isinstance(one, Write):
                for at in range(0, len(one.data), SECTOR):
                    if chance.random() < share:
                        part = one.data[at : at + SECTOR]
                        self._do(found, Write(one.path, one.offset + at, part))
            elif chance.random() < share:
                self._do(found, one)
        return {path: bytes(content) for path, content in found.items()}

    @staticmethod
    def _do(files: dict[str, bytearray], one: Write | Cut | Gone | Renamed) -> None:
        if isinstance(one, Gone):
            files.pop(one.path, None)
            return
        if isinstance(one, Renamed):
            files[one.to] = files.pop(one.path, bytearray())
            return
        content = files.setdefault(one.path, bytearray())
        if isinstance(one, Cut):
            del content[one.length :]
            content.extend(bytes(one.length - len(content)))
            return
        content.extend(bytes(max(0, one.offset - len(content))))
        content[one.offset : one.offset + len(one.data)] = one.data


def traced(folder: Path, events: int) -> list[Step]:
    """Returns the disk operations of a process that journals `events` events, in order.

    Raises:
        FileNotFoundError: strace is not installed.
        CalledProcessError: strace may not trace processes here.
    """
    log, path = folder / "strace.log", folder / "journal.jsonl"
    strace = shutil.which("strace")
    if strace is None:
        raise FileNotFoundError("strace is not installed")
    watch = [strace, "-f", "-y", "-xx", "-s", "9999999", "-e", f"trace={_CALLS}", "-o", str(log)]
    writer = [sys.executable, "-c", _WRITER, str(path), str(events)]
    subprocess.run([*watch, *writer], check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
    ends: dict[str, int] = {}
    with log.open() as lines:
        found = [_step(call, str(folder), ends) for call in _calls(lines)]
    return [step for step in found if step is not None]


def _calls(lines: Iterator[str]) -> Iterator[re.Match[str]]:
    """Yields every successful call, in the order of return."""
    waiting: dict[str, str] = {}
    for line in lines:
        if started := _UNFINISHED.match(line):
            waiting[started[1]] = started[2]
            continue
        if ended := _RESUMED.match(line):
            line = f"{ended[1]} {waiting.pop(ended[1])}{ended[2]}"  # noqa: PLW2901
        call = _CALL.match(line)
        if call is not None and int(call[3]) >= 0:
            yield call


def _step(call: re.Match[str], folder: str, ends: dict[str, int]) -> Step | None:
    """Returns a call as a step.

    Args:
        call: match of its name and arguments.
        folder: folder of the journal.
        ends: number of bytes written to each new file.
    """
    name, arguments = call[1], call[2]
    texts = [_bytes(text) for text in _TEXT.findall(arguments)]
    handle = _FILE.match(arguments)
    path = _plain(handle[1]) if handle else ""
    if texts and texts[0].startswith(b"shown "):
        return Shown(int(texts[0].split()[1]))
    if name.startswith(("unlink", "rename")):
        return _named([text.decode() for text in texts], ends)
    if not _is_ours(path):
        return Sync("") if name in ("fsync", "fdatasync") and path == folder else None
    file, last = Path(path).name, arguments.rpartition(", ")[2]
    if name == "write":
        ends[file] = ends.get(file, 0) + len(texts[0])
        return Write(file, ends[file] - len(texts[0]), texts[0])
    if name == "pwrite64":
        return Write(file, int(last), texts[0])
    return Cut(file, int(last)) if name == "ftruncate" else Sync(file)


def _named(paths: list[str], ends: dict[str, int]) -> Step | None:
    """Returns the step of a file that was removed or renamed."""
    if not _is_ours(paths[0]):
        return None
    names = [Path(path).name for path in paths]
    ends.pop(names[0], None)
    return Gone(names[0]) if len(names) == 1 else Renamed(*names)


def _is_ours(path: str) -> bool:
    name = Path(path).name
    return name.lstrip(".").startswith("journal.") and not name.endswith(("-shm", ".lock"))


def _bytes(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", ""))


def _plain(path: str) -> str:
    return _bytes(path).decode() if path.startswith("\\x") else path


@dataclass
class PowerCutReport:
    """Results of many power cuts."""

    cuts: int = 0
    damaged: int = 0
    missing: int = 0
    more: int = 0


def trial(steps: Sequence[Step], times: int, seed: int) -> PowerCutReport:
    """Simulates `times` power cuts, and opens the resulting journals."""
    chance = random.Random(seed)  # noqa: S311
    outcome = PowerCutReport()
    moments = sorted(chance.randrange(len(steps) + 1) for _ in range(times))
    disk, done = Disk(), 0
    for moment in moments:
        for step in steps[done:moment]:
            disk.take(step)
        done = moment
        outcome.cuts += 1
        with tempfile.TemporaryDirectory(prefix="cornerlight-") as name:
            for path, content in disk.after_power_cut(chance).items():
                (Path(name) / path).write_bytes(content)
            with Journal(Path(name) / "journal.jsonl") as journal:
                stored = journal.resume()
            numbers = [event.frame for event in stored.events] if stored else []
            first = GAME * (stored.number - 1) if stored else 0
            expected = list(range(first, first + len(numbers)))
            outcome.damaged += bool(journal.trouble) or numbers != expected
            outcome.missing += first + len(numbers) <= disk.shown
            outcome.more += first + len(numbers) > disk.shown + 1
    return outcome


def main(words: Sequence[str]) -> None:
    """Runs the trial and prints the results."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation power_cut")
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--events", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(words)
    with tempfile.TemporaryDirectory(prefix="cornerlight-") as name:
        steps = traced(Path(name), arguments.events)
    outcome = trial(steps, arguments.times, arguments.seed)
    counted = (Write, Sync, Renamed)
    kinds = {kind.__name__: sum(isinstance(s, kind) for s in steps) for kind in counted}
    print(  # noqa: T201
        f"{arguments.events} events, {kinds['Write']} writes, {kinds['Sync']} syncs, "
        f"{kinds['Renamed']} files renamed; "
        f"the power failed {outcome.cuts} times: {outcome.damaged} journals damaged, "
        f"{outcome.missing} lack what was shown, {outcome.more} have an event that was not yet"
    )
