"""A table is killed at random instants: is a move lost that was shown, or there twice?

`python -m tests.trials kill --times 200` kills a table without pictures, which plays some
hundred times faster; with `--demo` it is `cornerlight demo`, pictures and all.
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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from firmware.journal import Journal
from tests.conftest import ROOT
from web.contract import ContractError, Decoder, Page

_STARTS_S = 60.0

Moves = tuple[str, ...]
"""The placements of a game in order, each its number, colour and squares."""


@dataclass
class Life:
    """One run of a table, from its start until it was killed.

    Attributes:
        shown: for each game, the moves that any page showed of it, at most.
        first_s: seconds until the first page could be heard; None if it was killed before.
        first: the moves of that page.
        pages: how many were heard.
    """

    shown: dict[str, Moves] = field(default_factory=dict)
    first_s: float | None = None
    first: tuple[str, Moves] | None = None
    pages: int = 0


@dataclass
class Outcome:
    """What many lives showed."""

    lives: list[Life] = field(default_factory=list)
    moves: int = 0
    lost: int = 0
    twice: int = 0
    damaged: int = 0


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
            kept, trouble = journal.take_up(), journal.trouble
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


def listen(path: Path, until: float) -> Iterator[Page]:
    """The pages that a table says until a moment, and what was still on the way then."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caller:
        while True:
            try:
                caller.connect(str(path))
                break
            except (FileNotFoundError, ConnectionRefusedError):
                if time.monotonic() > until:
                    return
                time.sleep(0.005)
        decoder = Decoder()
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


def live(words: Sequence[str], folder: Path, seconds: float) -> Life:
    """Starts a table, lets it live so long after its first page, and kills it."""
    life = Life()
    (folder / "feed.sock").unlink(missing_ok=True)
    begun = time.monotonic()
    table = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL)
    try:
        for page in listen(folder / "feed.sock", begun + _STARTS_S):
            moves = moves_of(page)
            number = page.name.partition("-")[0]
            life.pages += 1
            if life.first_s is None:
                life.first_s, life.first = time.monotonic() - begun, (number, moves)
            before = life.shown.get(number, ())
            life.shown[number] = max(before, moves, key=len)
            if time.monotonic() - begun - life.first_s > seconds:
                break
    except ContractError:
        pass  # killed in mid-sentence
    finally:
        table.send_signal(signal.SIGKILL)
        table.wait()
    return life


def trial(folder: Path, times: int, *, demo: bool, seed: int, longest_s: float) -> Outcome:
    """Kills a table so many times, each time going on where it was."""
    chance = random.Random(seed)  # noqa: S311
    outcome = Outcome()
    for number in range(times):
        words = [sys.executable, "-m", "tests.trials.table", str(folder), str(number)]
        if demo:
            play = ["demo", "--autoplay", "--fast", "--folder", str(folder), "--seed", "1"]
            words = [sys.executable, "-m", "firmware", *play]
        before = journalled(folder) if number else ("", (), "")
        life = live(words, folder, chance.random() * longest_s)
        outcome.lives.append(life)
        game, moves, trouble = journalled(folder)
        outcome.damaged += bool(trouble)
        for shown_of, shown in life.shown.items():
            there = moves if shown_of == game else filed(folder, shown_of)
            outcome.lost += there is not None and there[: len(shown)] != shown
        if life.first and life.first[0] == before[0]:
            outcome.lost += life.first[1] != before[1]
        plies = [move.partition(":")[0] for move in moves]
        squares = [move.rpartition(":")[2] for move in moves]
        outcome.twice += len(set(plies)) != len(plies) or len(set(squares)) != len(squares)
        outcome.moves += sum(map(len, life.shown.values())) - len(
            life.first[1] if life.first else ()
        )
        if demo and life.first_s is not None and not life.shown:
            break
    return outcome


def main(words: Sequence[str]) -> None:
    """Kills and prints."""
    parser = argparse.ArgumentParser(prog="python -m tests.trials kill")
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--longest", type=float, default=1.0, help="seconds that a table lives")
    parser.add_argument("--demo", action="store_true", help="kill cornerlight demo")
    arguments = parser.parse_args(words)
    with tempfile.TemporaryDirectory(prefix="cornerlight-") as name:
        outcome = trial(
            Path(name),
            arguments.times,
            demo=arguments.demo,
            seed=arguments.seed,
            longest_s=arguments.longest,
        )
    starts = sorted(life.first_s for life in outcome.lives if life.first_s is not None)
    print(  # noqa: T201
        f"killed {len(outcome.lives)} times, {outcome.moves} moves shown: "
        f"{outcome.lost} lost, {outcome.twice} twice, {outcome.damaged} journals damaged; "
        f"first page {starts[0]:.2f} to {starts[-1]:.2f} s after the start, "
        f"median {starts[len(starts) // 2]:.2f} s"
    )
