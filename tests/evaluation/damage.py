"""Trial: starts of a table on damaged journals, and reports of lost events.

A process that journals several games is killed, or ends. Its files are damaged in one of the
ways of `KINDS`, and opened as a table opens them. The restored events are compared with the
acknowledged ones; then the table records more, dies, and starts once more. One of journal, copy and
count is damaged; with `--both` two of them.

`python -m tests.evaluation damage --times 1000`
"""

import argparse
import logging
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from firmware.game.config import GameConfig
from firmware.game.events import Event, Passed
from firmware.rules.variants import GAMES
from firmware.storage.journal import Journal
from firmware.storage.stored_game import StoredGame
from firmware.storage.wall_clock import TimeOfDay
from tests.conftest import ROOT

PAGE = 4096
"""Bytes of a page of SQLite."""

SECTOR = 512
"""Bytes of a sector of the disk."""

DUO = GameConfig(GAMES["duo"])
EVENING = TimeOfDay("2026-11-21T19:00:00+01:00", trusted=True)

_GAMES = 4
_MOST_EVENTS = 60
_LATER = 1_000_000
"""Frame of the first event that is recorded after a damage."""

_WRITER = """
import os, random, sys
from pathlib import Path
from firmware.storage.journal import Journal
from tests.evaluation.damage import DUO, EVENING, games_of, event
chance = random.Random(int(sys.argv[2]))
with Journal(Path(sys.argv[1]), patience_s=60.0) as journal:
    for game, (events, leaves) in enumerate(games_of(chance), 1):
        assert journal.begin(DUO, EVENING)
        os.write(1, b"began %d\\n" % game)
        place = 0
        while place < events:
            most = min(chance.choice((1, 1, 1, 2, 3)), events - place)
            assert journal.record([event(game, place + k) for k in range(1, most + 1)])
            place += most
            os.write(1, b"recorded %d %d\\n" % (game, place))
        if leaves:
            journal.filed(game)
            os.write(1, b"filed %d\\n" % game)
    os.write(1, b"done\\n")
    sys.stdin.read(1)
"""


def games_of(chance: random.Random) -> list[tuple[int, bool]]:
    """Returns for each game of a writer its number of events, and True if it becomes files."""
    return [(chance.randint(1, _MOST_EVENTS), chance.random() < 0.5) for _ in range(_GAMES)]


def event(game: int, place: int) -> Event:
    """Returns the event that a writer records at a place; all are different."""
    return Passed(frame=1000 * game + place, time=place / 2, colour=place % 2, after_ply=place)


@dataclass(frozen=True)
class Victim:
    """A journal with known acknowledged events.

    Attributes:
        folder: its files at the end.
        before: its files at an earlier time.
        recorded: number of acknowledged events of each game.
        filed: games that have become files.
    """

    folder: Path
    before: Path
    recorded: dict[int, int]
    filed: frozenset[int]


def victim(folder: Path, seed: int) -> Victim:
    """Runs a process that journals until it ends or is killed at a random time."""
    chance = random.Random(seed)  # noqa: S311
    live, before = folder / "live", folder / "before"
    live.mkdir(parents=True)
    acknowledgements = chance.randint(2, _GAMES * _MOST_EVENTS // 2)
    middle = chance.randrange(acknowledgements)
    recorded: dict[int, int] = {}
    filed = set()
    words = [sys.executable, "-c", _WRITER, str(live / "journal.jsonl"), str(seed)]
    with subprocess.Popen(words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        for number, line in enumerate(writer.stdout):
            fields = line.split()
            if fields[0] == b"began":
                recorded[int(fields[1])] = 0
            elif fields[0] == b"recorded":
                recorded[int(fields[1])] = int(fields[2])
            elif fields[0] == b"filed":
                filed.add(int(fields[1]))
            if number == middle:
                writer.send_signal(signal.SIGSTOP)
                shutil.copytree(live, before)
                writer.send_signal(signal.SIGCONT)
            if fields[0] == b"done":
                break
            if number == acknowledgements and chance.random() < 0.8:
                writer.kill()
                break
        if writer.poll() is None and chance.random() < 0.3:
            writer.kill()
        else:
            writer.communicate(b"\n")
    return Victim(live, before, recorded, frozenset(filed))


# Damages


def _flip(content: bytearray, chance: random.Random, _: bytes) -> None:
    if content:
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)


def _zero_page(content: bytearray, chance: random.Random, _: bytes) -> None:
    at = PAGE * chance.randrange(max(1, len(content) // PAGE))
    content[at : at + PAGE] = bytes(len(content[at : at + PAGE]))


def _spoil_sector(content: bytearray, chance: random.Random, _: bytes) -> None:
    at = SECTOR * chance.randrange(max(1, len(content) // SECTOR))
    content[at : at + SECTOR] = chance.randbytes(len(content[at : at + SECTOR]))


def _truncate(content: bytearray, chance: random.Random, _: bytes) -> None:
    del content[chance.randrange(len(content) + 1) :]


def _empty(content: bytearray, _: random.Random, __: bytes) -> None:
    content.clear()


def _append(content: bytearray, chance: random.Random, _: bytes) -> None:
    content += chance.randbytes(chance.choice((1, 100, PAGE, 3 * PAGE)))


def _swap_pages(content: bytearray, chance: random.Random, _: bytes) -> None:
    if len(content) < 2 * PAGE:
        return
    one, two = (PAGE * k for k in sorted(chance.sample(range(len(content) // PAGE), 2)))
    first, second = bytes(content[one : one + PAGE]), bytes(content[two : two + PAGE])
    content[one : one + PAGE], content[two : two + PAGE] = second, first


def _old_page(content: bytearray, chance: random.Random, before: bytes) -> None:
    at = PAGE * chance.randrange(max(1, min(len(content), len(before)) // PAGE))
    content[at : at + PAGE] = before[at : at + PAGE]


def _old(content: bytearray, _: random.Random, before: bytes) -> None:
    content[:] = before


KINDS: dict[str, Callable[[bytearray, random.Random, bytes], None]] = {
    "a bit flipped": _flip,
    "a page of zeros": _zero_page,
    "a sector of garbage": _spoil_sector,
    "cut off": _truncate,
    "empty": _empty,
    "garbage at the end": _append,
    "two pages swapped": _swap_pages,
    "an old page": _old_page,
    "an old file": _old,
}


def damage(folder: Path, before: Path, chance: random.Random, *, both: bool) -> list[str]:
    """Damages a journal and returns the names of the damages.

    Args:
        folder: folder of its files.
        before: folder of its earlier files.
        chance: random choices.
        both: True to damage two of journal, copy and count, False for one.
    """
    names = [path.name for path in folder.glob("journal.*") if path.suffix != ".lock"]
    chosen = chance.sample(sorted(names), min(len(names), 1 + both))
    done = []
    for name in chosen:
        kind = chance.choice(list(KINDS))
        content = bytearray((folder / name).read_bytes())
        older = before / name
        KINDS[kind](content, chance, older.read_bytes() if older.exists() else b"")
        (folder / name).write_bytes(content)
        done.append(f"{name}: {kind}")
    return done


# Results


@dataclass
class DamageReport:
    """Results of many damages; for each fault, the damages that caused it.

    Attributes:
        times: number of damages.
        reported: number of damages that were reported.
        lossy: number of damages that lost events, reported or not.
        missing: number of lost events in all.
        silent: lost events were not reported.
        resurrected: events were restored at a wrong place.
        outdated: an older game was continued, with a report that events may be missing.
        failed: a start raised an exception.
        loops: two starts in a row raised an exception.
    """

    times: int = 0
    reported: int = 0
    lossy: int = 0
    missing: int = 0
    silent: list[str] = field(default_factory=list)
    resurrected: list[str] = field(default_factory=list)
    outdated: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    loops: list[str] = field(default_factory=list)

    @property
    def faultless(self) -> bool:
        """True if no forbidden result occurred."""
        return not (self.silent or self.resurrected or self.failed or self.loops)


@dataclass(frozen=True)
class Start:
    """The games that a table restores from a journal.

    Attributes:
        newest: game that is continued; None if there is none.
        older: games that are not files yet.
        trouble: message on damage; empty if there is none.
        whole: False if screens show that events may be missing.
    """

    newest: StoredGame | None
    older: tuple[StoredGame, ...]
    trouble: str
    whole: bool


def started(path: Path, more: Sequence[Event] = ()) -> Start:
    """Starts a table on a journal and records more events."""
    with Journal(path, patience_s=60.0) as journal:
        newest = journal.resume()
        older = tuple(journal.unfiled())
        if newest is None:
            journal.begin(DUO, EVENING)
        found = Start(newest, older, journal.trouble, journal.whole)
        assert journal.record(more)
        return found


def wrong_places(games: Iterator[StoredGame]) -> int:
    """Returns the number of restored events at a wrong place."""
    return sum(
        one != event(game.number, place)
        for game in games
        for place, one in enumerate(game.events, 1)
    )


def lost(one: Victim, found: Start) -> int:
    """Returns the number of acknowledged events that are missing, plus one for a missing game."""
    restored = {game.number: len(game.events) for game in found.older}
    if found.newest is not None:
        restored[found.newest.number] = len(found.newest.events)
    expected = {number: count for number, count in one.recorded.items() if number not in one.filed}
    newest = max(one.recorded)
    expected[newest] = one.recorded[newest]
    return sum(
        max(0, count - restored[number]) if number in restored else count + 1
        for number, count in expected.items()
    )


def trial(
    folder: Path, times: int, seed: int, victims: int = 20, *, both: bool = False
) -> DamageReport:
    """Damages `times` journals, each once, and starts a table on each three times."""
    chance = random.Random(seed)  # noqa: S311
    outcome = DamageReport()
    for number in range(victims):
        one = victim(folder / f"victim-{number}", seed * 1000 + number)
        for _ in range(times * number // victims, times * (number + 1) // victims):
            with tempfile.TemporaryDirectory(dir=folder) as name:
                _try(one, Path(name), chance, outcome, both=both)
    return outcome


def _try(
    one: Victim, folder: Path, chance: random.Random, outcome: DamageReport, *, both: bool
) -> None:
    live = folder / "live"
    shutil.copytree(one.folder, live)
    how = f"{one.folder.parent.name}, {'; '.join(damage(live, one.before, chance, both=both))}"
    path = live / "journal.jsonl"
    outcome.times += 1
    more = [event(_LATER // 1000, place) for place in range(1, 4)]
    for _ in range(2):
        try:
            found = started(path, more)
            break
        except Exception as error:  # noqa: BLE001 - any exception is a failed start
            outcome.failed.append(f"{how}: {error!r}")
    else:
        outcome.loops.append(how)
        return
    missing = lost(one, found)
    outcome.reported += bool(found.trouble)
    outcome.lossy += bool(missing)
    outcome.missing += missing
    if missing and (found.whole or not found.trouble):
        outcome.silent.append(f"{how}: {missing} lost, {found.trouble or 'nothing reported'}")
    games = (*found.older, *([found.newest] if found.newest else []))
    if wrong_places(iter(games)):
        outcome.resurrected.append(how)
    if found.newest is not None and found.newest.number < max(one.recorded):
        (outcome.resurrected if found.whole else outcome.outdated).append(how)
    _goes_on(live, found, more, how, outcome, killed=chance.random() < 0.5)


def _goes_on(
    live: Path, found: Start, more: list[Event], how: str, outcome: DamageReport, *, killed: bool
) -> None:
    """Checks that the next start restores the same events and those recorded since."""
    before = list(found.newest.events) if found.newest else []
    before += more
    if killed:
        # The files as after a kill: nothing was closed.
        with Journal(live / "journal.jsonl", patience_s=60.0) as journal:
            journal.resume()
            last = event(_LATER // 1000, 4)
            journal.record([last])
            before.append(last)
            shutil.copytree(live, live.with_name("killed"))
        live = live.with_name("killed")
    again = started(live / "journal.jsonl")
    restored = list(again.newest.events) if again.newest else []
    if restored[: len(before)] != before:
        (outcome.resurrected if len(restored) >= len(before) else outcome.silent).append(
            f"{how}, at the next start: {again.trouble or 'nothing reported'}"
        )
    elif len(restored) > len(before):
        outcome.resurrected.append(f"{how}: old events behind new ones")


def main(words: Sequence[str]) -> None:
    """Runs the trial and prints the results."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation damage")
    parser.add_argument("--times", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--victims", type=int, default=20, help="number of different journals")
    words_both = "damage two of journal, copy and count"
    parser.add_argument("--both", action="store_true", help=words_both)
    arguments = parser.parse_args(words)
    # The journal logs each damage as well.
    logging.disable()
    with tempfile.TemporaryDirectory(prefix="cornerlight-") as name:
        outcome = trial(
            Path(name), arguments.times, arguments.seed, arguments.victims, both=arguments.both
        )
    for what in ("silent", "resurrected", "failed", "loops"):
        for how in getattr(outcome, what)[:5]:
            print(f"{what}: {how}")  # noqa: T201
    silent_in = Counter(
        how.split(", ", 1)[1].split(":")[0].removeprefix("journal.") for how in outcome.silent
    )
    print(  # noqa: T201
        f"{outcome.times} damages: {outcome.reported} reported, {outcome.lossy} cost events, "
        f"{outcome.missing} in all; "
        f"{len(outcome.silent)} lost in silence {dict(silent_in)}, "
        f"{len(outcome.resurrected)} with events out of their place, "
        f"{len(outcome.outdated)} with an older game and a word, "
        f"{len(outcome.failed)} starts failed, {len(outcome.loops)} twice in a row"
    )
