"""Trial: growth of memory and journal, and bytes written, over many games in one process.

`python -m tests.evaluation many_games --games 1000`; a table without pictures, otherwise real.
With `--journal` the same game is journalled repeatedly, about twenty times as fast.
"""

import argparse
import os
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from firmware.game.config import GameConfig
from firmware.game.events import Event, MoveAccepted
from firmware.rules.position import Position
from firmware.rules.variants import GAMES
from firmware.storage.journal import Journal
from firmware.storage.wall_clock import time_of_day
from tests.support.fake_table import FakeTable
from tests.support.random_games import played
from web.contract import NewGame


def play(house: FakeTable, chance: random.Random) -> int:
    """Plays a whole game of random moves; returns their number."""
    while not house.state.over:
        position = house.state.position
        colour = position.to_move
        assert colour is not None, "a game that is not over has somebody to move"
        move = position.board.move(int(chance.choice(position.legal_moves.indices)))
        house.lay(house.controller.devices.tracker.referee.edition[colour], str(move))
        assert len(house.state.history) == sum(map(len, position.laid)) + 1, "it was not accepted"
    return house.state.piece_count


def events_of(position: Position) -> list[Event]:
    """Returns the events of a game of two colours, as long as they alternate."""
    turns = [(colour, move) for moves in zip(*position.laid, strict=False)
             for colour, move in enumerate(moves)]  # fmt: skip
    return [MoveAccepted(ply, ply / 2, ply, *turn, 0.99) for ply, turn in enumerate(turns, 1)]


def resident() -> int:
    """Returns the bytes of memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def written() -> int:
    """Returns the bytes that this process has written to files and disks so far."""
    lines = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(lines["wchar"])


def size(folder: Path) -> int:
    """Returns the bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def journal_alone(folder: Path, games: int) -> None:
    """Journals one game many times, and prints the sizes of file and memory."""
    terms = GameConfig(GAMES["duo"])
    events = events_of(played("duo", 1, 99))
    before = written()
    with Journal(folder / "journal.jsonl", patience_s=60.0) as journal:
        for number in range(1, games + 1):
            journal.begin(terms, time_of_day())
            for event in events:
                assert journal.record([event]), "the disk refused"
            journal.filed(journal.number)
            if number in (1, 10) or number % 100 == 0:
                size_bytes = sum(path.stat().st_size for path in folder.glob("journal.*"))
                print(  # noqa: T201
                    f"after {number:5} games of {len(events)} events: {resident() / 1e6:6.1f} MB "
                    f"of memory, journal {size_bytes / 1e3:6.0f} kB, written a game "
                    f"{(written() - before) / number / 1e3:4.0f} kB",
                    flush=True,
                )


def main(words: Sequence[str]) -> None:
    """Runs the trial and prints the results."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation many_games")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--game", choices=GAMES, default="duo")
    parser.add_argument("--journal", action="store_true", help="only the journal")
    arguments = parser.parse_args(words)
    chance = random.Random(1)  # noqa: S311
    with tempfile.TemporaryDirectory(prefix="cornerlight-") as name:
        folder = Path(name)
        if arguments.journal:
            journal_alone(folder, arguments.games)
            return
        house = FakeTable(folder, GameConfig(GAMES[arguments.game], names=()))
        # Pictures do not matter here: small ones are faster.
        house.table_factory.camera.image = house.table_factory.camera.image[::8, ::8].copy()
        before, start = written(), time.perf_counter()
        for number in range(1, arguments.games + 1):
            plies = play(house, chance)
            house.asks(NewGame(game=house.state.position.game.key))  # type: ignore[arg-type]
            house.feed.pages = house.feed.pages[-1:]
            house.events.clear()
            if number in (1, 10) or number % 100 == 0:
                journal = sum(path.stat().st_size for path in folder.glob("journal.*"))
                print(  # noqa: T201
                    f"after {number:5} games: {resident() / 1e6:6.1f} MB of memory, journal "
                    f"{journal / 1e3:6.0f} kB, files {size(folder / 'games') / 1e6:7.1f} MB, "
                    f"written a game {(written() - before) / number / 1e6:5.2f} MB; the last "
                    f"had {plies} moves; {(time.perf_counter() - start) / number:5.2f} s a game",
                    flush=True,
                )
        house.close()
