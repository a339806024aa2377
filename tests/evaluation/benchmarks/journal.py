"""Time that the table waits for its journal, and bytes of its files.

The time of a commit is that of the disk: an SD card takes ten times that of a good SSD.
"""

import time
from statistics import median
from typing import Final

from firmware.commands.bench import Rows, median_s
from firmware.game.config import GameConfig
from firmware.game.events import Event, MoveAccepted
from firmware.rules.position import Position
from firmware.rules.variants import GAMES
from firmware.storage.game_files import export_files
from firmware.storage.journal import Journal
from firmware.storage.run_folder import run_folder
from firmware.storage.stored_game import StoredGame
from firmware.storage.wall_clock import time_of_day

_COMMITS: Final = 60
"""Commits that are timed."""

_PAUSE_S: Final = 0.1
"""Seconds of pause, more than a disk takes to sync the journal's copy after each event."""


def measure() -> Rows:
    """Times and bytes of a whole game of Duo in the journal and as files."""
    config, begun = GameConfig(GAMES["duo"]), time_of_day()
    events = _game()
    with run_folder() as folder:
        path = folder / "journal.jsonl"
        with Journal(path, patience_s=60.0) as journal:
            journal.begin(config, begun)
            without_pause = median_s(lambda: journal.record(events[:1]), runs=_COMMITS)
            journal.begin(config, begun)
            commit = _with_pauses_s(journal, events[0])
            journal.begin(config, begun)
            for event in events:
                journal.record([event])
        started = time.perf_counter()
        with Journal(path) as journal:
            journal.resume()
            taken = time.perf_counter() - started
        game = StoredGame(1, config, begun, tuple(events))
        files = export_files(game, game.name)
        filing = median_s(lambda: export_files(game, game.name), runs=5)
        return {
            "journal: an event, on disk": {"ms": 1000 * commit},
            "journal: an event right after another": {"ms": 1000 * without_pause},
            "journal: a game, taken up": {"ms": 1000 * taken, "moves": len(events)},
            "journal: file after it": {"kilobytes": path.stat().st_size / 1000},
            "a game, as files": {
                "ms": 1000 * filing,
                "kilobytes": sum(map(len, files.values())) / 1000,
            },
        }


def _with_pauses_s(journal: Journal, event: Event) -> float:
    """Median seconds of an event after a pause of the disk, as between two moves."""
    times = []
    for _ in range(_COMMITS):
        time.sleep(_PAUSE_S)
        begun = time.perf_counter()
        journal.record([event])
        times.append(time.perf_counter() - begun)
    return median(times)


def _game() -> list[Event]:
    """The moves of a game in which every colour lays the largest piece that fits."""
    position = Position.start("duo")
    events: list[Event] = []
    while position.to_move is not None:
        move = max(position.legal_moves, key=lambda one: one.piece.size)
        ply = len(events) + 1
        events.append(MoveAccepted(ply, ply / 2, ply, position.to_move, move, 0.99))
        position = position.play(move)
    return events
