"""A table is killed at random instants: is a move lost that was shown, or there twice?

`python -m tests.evaluation crash --times 200` kills a table without pictures, which plays some
hundred times faster; with `--demo` it is `cornerlight demo`, pictures and all. With `--harm`
something happens to its disk before some of the starts: the journal or its copy is damaged, or
the disk is full or read-only, on which the table has to play and to say that nothing is saved.
In the table without pictures people ask for hints of a player that cannot run.
"""

import argparse
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from firmware.storage.journal import Journal
from tests.conftest import ROOT
from tests.evaluation.damage import damage
from tests.support import disk
from web.contract import ContractError, FrameDecoder, Page

_STARTS_S = 60.0
_DISK = "40m"
"""More than a few hundred lives take, with nine damaged journals; it is filled when wanted."""

HARMS = ("none", "damage", "full", "read-only")

Moves = tuple[str, ...]
"""The placements of a game in order, each its number, colour and squares."""


@dataclass
class Life:
    """One run of a table, from its start until it was killed.

    Attributes:
        harm: what happened to its disk before the start.
        shown: for each game, the moves that any page showed of it as saved, at most.
        first_s: seconds until the first page could be heard; None if it was killed before.
        first: the moves of that page.
        pages: how many were heard.
        unsaved: how many of these said that something is not saved.
        played: moves that appeared while it lived.
        died: whether it ended before it was killed.
    """

    harm: str = "none"
    shown: dict[str, Moves] = field(default_factory=dict)
    first_s: float | None = None
    first: tuple[str, Moves] | None = None
    pages: int = 0
    unsaved: int = 0
    played: int = 0
    died: bool = False


@dataclass
class CrashReport:
    """What many lives showed."""

    lives: list[Life] = field(default_factory=list)
    lost: int = 0
    twice: int = 0
    damaged: int = 0

    @property
    def moves(self) -> int:
        """Moves that appeared while the table lived."""
        return sum(life.played for life in self.lives)

    @property
    def died(self) -> int:
        """Lives that ended before they were killed."""
        return sum(life.died for life in self.lives)

    @property
    def unsaid(self) -> int:
        """Lives on a disk that refuses in which no page said that nothing is saved."""
        refused = [life for life in self.lives if life.harm in ("full", "read-only")]
        return sum(life.pages > 0 and not life.unsaved for life in refused)


def moves_of(page: Page) -> Moves:
    """What a page shows."""
    return tuple(
        f"{move.ply}:{move.colour}:{','.join(sorted(map(page.square_name, move.squares)))}"
        for move in page.moves
        if move.piece
    )


def journalled(folder: Path) -> tuple[str, Moves, str]:
    """The newest game in a copy of a journal: its number, its moves, and what was wrong."""
    with tempfile.TemporaryDirectory() as name:
        for path in folder.glob("journal.sqlite*"):
            if not path.name.endswith("-shm"):
                shutil.copy(path, name)
        with Journal(Path(name) / "journal.sqlite") as journal:
            kept, trouble = journal.resume(), journal.trouble
    if kept is None:
        return "", (), trouble
    board = kept.state.position.board
    moves = tuple(
        f"{ply}:{one.colour}:{','.join(sorted(map(board.format_square, one.move.squares)))}"
        for ply, one in enumerate(kept.state.history, 1)
    )
    return f"{kept.number:06}", moves, trouble


def filed(folder: Path, number: str) -> Moves | None:
    """The moves of an older game, from its files; None where it has not become any yet."""
    for path in (folder / "games").glob(f"{number}-*/pages.jsonl"):
        return moves_of(Page.from_json(path.read_text().splitlines()[-1]))
    return None


def listen(path: Path, until: float, table: subprocess.Popen[bytes]) -> Iterator[Page]:
    """The pages that a table says until a moment, and what was still on the way then."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caller:
        while True:
            try:
                caller.connect(str(path))
                break
            except (FileNotFoundError, ConnectionRefusedError):
                if time.monotonic() > until or table.poll() is not None:
                    return
                time.sleep(0.005)
        decoder = FrameDecoder()
        while True:
            caller.settimeout(max(0.001, until - time.monotonic()))
            try:
                data = caller.recv(1 << 20)
            except TimeoutError:
                return
            except ConnectionResetError:
                return
            if not data:
                return
            for message in decoder.feed(data):
                if isinstance(message, Page):
                    yield message


def live(words: Sequence[str], socket_path: Path, seconds: float, harm: str = "none") -> Life:
    """Starts a table, lets it live so long after its first page, and kills it."""
    life = Life(harm)
    socket_path.unlink(missing_ok=True)
    seen: dict[str, int] = {}
    begun = time.monotonic()
    table = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL)
    try:
        for page in listen(socket_path, begun + _STARTS_S, table):
            moves = moves_of(page)
            number = page.name.partition("-")[0]
            life.pages += 1
            life.unsaved += not page.saved
            if life.first_s is None:
                life.first_s, life.first = time.monotonic() - begun, (number, moves)
            life.played += max(0, len(moves) - seen.get(number, len(moves)))
            seen[number] = max(len(moves), seen.get(number, 0))
            if page.saved:
                life.shown[number] = max(life.shown.get(number, ()), moves, key=len)
            if time.monotonic() - begun - life.first_s > seconds:
                break
    except ContractError:
        pass  # killed in mid-sentence
    finally:
        life.died = table.poll() is not None
        table.send_signal(signal.SIGKILL)
        table.wait()
    return life


@contextmanager
def harmed(folder: Path, harm: str, chance: random.Random) -> Iterator[None]:
    """Does something to the disk of a table, and undoes it in the end; damage stays."""
    if harm == "damage" and (folder / "journal.sqlite").exists():
        damage(folder, folder, chance, both=False)
    elif harm == "full":
        disk.fill(folder)
    elif harm == "read-only":
        disk.remount(folder, "ro")
    yield
    if harm == "full":
        disk.empty(folder)
    elif harm == "read-only":
        disk.remount(folder, "rw")


def trial(
    folder: Path,
    times: int,
    *,
    demo: bool,
    seed: int,
    longest_s: float,
    harms: Sequence[str] = HARMS[:1],
) -> CrashReport:
    """Kills a table so many times, each time going on where it was.

    Args:
        folder: of the table.
        times: how often.
        demo: whether it is `cornerlight demo`.
        seed: of all that is left to chance.
        longest_s: seconds that a life lasts at most after its first page.
        harms: what may happen before a start, see `HARMS`; the disk of the folder has to be one
            of its own for some.
    """
    chance = random.Random(seed)  # noqa: S311
    outcome = CrashReport()
    with tempfile.TemporaryDirectory() as name:
        socket_path = folder / "feed.sock" if demo else Path(name) / "feed.sock"
        for number in range(times):
            words = ["firmware", "demo", "--autoplay", "--fast", "--folder", str(folder)]
            if not demo:
                words = [
                    "tests.evaluation.table_process",
                    str(folder),
                    str(number),
                    str(socket_path),
                ]
            before = journalled(folder) if number else ("", (), "")
            harm = chance.choice(harms) if number else "none"
            seconds = chance.random() * longest_s
            with harmed(folder, harm, chance):
                life = live([sys.executable, "-m", *words], socket_path, seconds, harm)
            outcome.lives.append(life)
            _compare(folder, before, outcome)
            if demo and life.first_s is not None and not life.shown:
                break
    return outcome


def _compare(folder: Path, before: tuple[str, Moves, str], outcome: CrashReport) -> None:
    """Holds what the newest life showed against the journal before and after it."""
    life = outcome.lives[-1]
    game, moves, trouble = journalled(folder)
    outcome.damaged += bool(trouble)
    for shown_of, shown in life.shown.items():
        there = moves if shown_of == game else filed(folder, shown_of)
        outcome.lost += there is not None and there[: len(shown)] != shown
    if life.first and before[0]:
        outcome.lost += life.first != before[:2]
    plies = [move.partition(":")[0] for move in moves]
    squares = [move.rpartition(":")[2] for move in moves]
    outcome.twice += len(set(plies)) != len(plies) or len(set(squares)) != len(squares)


def main(words: Sequence[str]) -> None:
    """Kills and prints."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation crash")
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--longest", type=float, default=1.0, help="seconds that a table lives")
    parser.add_argument("--demo", action="store_true", help="kill cornerlight demo")
    parser.add_argument("--harm", action="store_true", help="harm its disk too, which needs root")
    arguments = parser.parse_args(words)
    with ExitStack() as stack:
        name = stack.enter_context(tempfile.TemporaryDirectory(prefix="cornerlight-"))
        folder, harms = Path(name), list(HARMS[:1])
        if arguments.harm:
            # Where the socket of a demo is then, nobody outside knows.
            harms = list(HARMS[:2] if arguments.demo else HARMS)
            folder = stack.enter_context(disk.small_disk(folder / "disk", _DISK))
        outcome = trial(
            folder,
            arguments.times,
            demo=arguments.demo,
            seed=arguments.seed,
            longest_s=arguments.longest,
            harms=harms,
        )
    starts = sorted(life.first_s for life in outcome.lives if life.first_s is not None)
    counts = Counter(life.harm for life in outcome.lives)
    silent = sum(life.first_s is None for life in outcome.lives)
    print(  # noqa: T201
        f"killed {len(outcome.lives)} times {dict(counts)}, {outcome.moves} moves shown: "
        f"{outcome.lost} lost, {outcome.twice} twice, {outcome.damaged} journals damaged; "
        f"{outcome.died} ended by themselves, {silent} showed no page, "
        f"{outcome.unsaid} kept silent about a disk that refused; "
        f"first page {starts[0]:.2f} to {starts[-1]:.2f} s after the start, "
        f"median {starts[len(starts) // 2]:.2f} s"
    )
