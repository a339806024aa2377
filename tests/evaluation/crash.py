"""Trial: moves lost or doubled by a table that is killed at random times.

`python -m tests.evaluation crash --times 200` kills a table without pictures, which plays about
a hundred times faster; with `--demo` it kills a simulated one, with pictures. With `--harm`
its disk is harmed before some of the starts: the journal or its copy is damaged, or the disk is
full or read-only, in which case the table has to play and to report that nothing is saved. In
the table without pictures people request hints of a player that cannot run.
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
"""Seconds within which a table starts."""

_DISK = "40m"
"""Size of the disk: more than a few hundred runs need, with nine damaged journals."""

HARMS = ("none", "damage", "full", "read-only")

Moves = tuple[str, ...]
"""The placements of a game in order, each its number, colour and squares."""


@dataclass
class Life:
    """One run of a table, from its start until it was killed.

    Attributes:
        harm: harm to its disk before the start.
        shown: for each game, the longest list of moves that a page showed as saved.
        first_s: seconds until the first page; None if it was killed before.
        first: moves of that page.
        pages: number of pages received.
        unsaved: number of these that reported unsaved moves.
        played: number of moves that appeared during the run.
        died: True if it ended before it was killed.
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
    """Results of many runs."""

    lives: list[Life] = field(default_factory=list)
    lost: int = 0
    twice: int = 0
    damaged: int = 0

    @property
    def moves(self) -> int:
        """Number of moves that appeared in all runs."""
        return sum(life.played for life in self.lives)

    @property
    def died(self) -> int:
        """Number of runs that ended before they were killed."""
        return sum(life.died for life in self.lives)

    @property
    def unsaid(self) -> int:
        """Number of runs on a failing disk in which no page reported that nothing is saved."""
        refused = [life for life in self.lives if life.harm in ("full", "read-only")]
        return sum(life.pages > 0 and not life.unsaved for life in refused)


def moves_of(page: Page) -> Moves:
    """Returns the moves of a page."""
    return tuple(
        f"{move.ply}:{move.colour}:{','.join(sorted(map(page.square_name, move.squares)))}"
        for move in page.moves
        if move.piece
    )


def journalled(folder: Path) -> tuple[str, Moves, str]:
    """Reads the newest game from a copy of a journal: its number, its moves, and the faults."""
    with tempfile.TemporaryDirectory() as name:
        for path in folder.glob("journal.*"):
            if not path.name.endswith("-shm"):
                shutil.copy(path, name)
        with Journal(Path(name) / "journal.jsonl") as journal:
            stored, trouble = journal.resume(), journal.trouble
    if stored is None:
        return "", (), trouble
    board = stored.state.position.board
    moves = tuple(
        f"{ply}:{one.colour}:{','.join(sorted(map(board.format_square, one.move.squares)))}"
        for ply, one in enumerate(stored.state.history, 1)
    )
    return f"{stored.number:06}", moves, trouble


def filed(folder: Path, number: str) -> Moves | None:
    """Returns the moves of an older game from its files; None if they do not exist yet."""
    for path in (folder / "games").glob(f"{number}-*/pages.jsonl"):
        return moves_of(Page.from_json(path.read_text().splitlines()[-1]))
    return None


def listen(path: Path, until: float, table: subprocess.Popen[bytes]) -> Iterator[Page]:
    """Yields the pages that a table sends until a time, and those still in transit then."""
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
    """Starts a table, and kills it `seconds` after its first page."""
    life = Life(harm)
    socket_path.unlink(missing_ok=True)
    counts: dict[str, int] = {}
    start = time.monotonic()
    table = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL)
    try:
        for page in listen(socket_path, start + _STARTS_S, table):
            moves = moves_of(page)
            number = page.name.partition("-")[0]
            life.pages += 1
            life.unsaved += not page.saved
            if life.first_s is None:
                life.first_s, life.first = time.monotonic() - start, (number, moves)
            life.played += max(0, len(moves) - counts.get(number, len(moves)))
            counts[number] = max(len(moves), counts.get(number, 0))
            if page.saved:
                life.shown[number] = max(life.shown.get(number, ()), moves, key=len)
            if time.monotonic() - start - life.first_s > seconds:
                break
    except ContractError:
        pass  # killed in the middle of a message
    finally:
        life.died = table.poll() is not None
        table.send_signal(signal.SIGKILL)
        table.wait()
    return life


@contextmanager
def harmed(folder: Path, harm: str, chance: random.Random) -> Iterator[None]:
    """Harms the disk of a table, and repairs it at the end, except damaged files."""
    if harm == "damage" and (folder / "journal.jsonl").exists():
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
    """Kills a table repeatedly; each run continues the game of the one before.

    Args:
        folder: folder of the table.
        times: number of runs.
        demo: True for a simulated table, with pictures.
        seed: seed of all random choices.
        longest_s: seconds that a run lasts at most after its first page.
        harms: harms that may happen before a start, see `HARMS`; some need a separate disk for
            the folder.
    """
    chance = random.Random(seed)  # noqa: S311
    outcome = CrashReport()
    with tempfile.TemporaryDirectory() as name:
        socket_path = folder / "feed.sock" if demo else Path(name) / "feed.sock"
        for number in range(times):
            words = ["tests.support.fast_game", str(folder)]
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
    """Compares the moves shown in the newest run with the journal before and after it."""
    life = outcome.lives[-1]
    game, moves, trouble = journalled(folder)
    outcome.damaged += bool(trouble)
    for number, visible in life.shown.items():
        stored = moves if number == game else filed(folder, number)
        outcome.lost += stored is not None and stored[: len(visible)] != visible
    if life.first and before[0]:
        # On a busy machine the first page that is heard may have a further move already, or be one
        # of the next game.
        first_game, first_moves = life.first
        kept = first_moves if first_game == before[0] else filed(folder, before[0]) or ()
        outcome.lost += kept[: len(before[1])] != before[1]
    plies = [move.partition(":")[0] for move in moves]
    squares = [move.rpartition(":")[2] for move in moves]
    outcome.twice += len(set(plies)) != len(plies) or len(set(squares)) != len(squares)


def main(words: Sequence[str]) -> None:
    """Runs the trial and prints the results."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation crash")
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--longest", type=float, default=1.0, help="seconds of a run at most")
    parser.add_argument("--demo", action="store_true", help="kill a simulated table")
    parser.add_argument("--harm", action="store_true", help="also harm its disk, which needs root")
    arguments = parser.parse_args(words)
    with ExitStack() as stack:
        name = stack.enter_context(tempfile.TemporaryDirectory(prefix="cornerlight-"))
        folder, harms = Path(name), list(HARMS[:1])
        if arguments.harm:
            # With a full or read-only disk the socket of a demo is at an unknown path.
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
