"""How long the table waits for its journal, and how much it writes.

The time of a commit is that of the disk: an SD card takes ten times that of a good SSD.
"""

import tempfile
import time
from pathlib import Path
from typing import Final

from firmware.benchmarks.timing import Rows, median_s
from firmware.events import Event, Moved
from firmware.filing import Told, files_of
from firmware.journal import Journal
from firmware.rules.games import GAMES
from firmware.rules.position import Position
from firmware.terms import Terms
from firmware.wallclock import time_of_day

_COMMITS: Final = 60


def measure() -> Rows:
    """Times and bytes of a whole game of Duo in the journal and as files."""
    terms, begun = Terms(GAMES["duo"]), time_of_day()
    events = _game()
    with tempfile.TemporaryDirectory(prefix="cornerlight-") as name:
        path = Path(name) / "journal.sqlite"
        with Journal(path, patience_s=60.0) as journal:
            journal.begin(terms, begun)
            commit = median_s(lambda: journal.record(events[:1]), runs=_COMMITS)
            journal.begin(terms, begun)
            for event in events:
                journal.record([event])
        started = time.perf_counter()
        with Journal(path) as journal:
            journal.take_up()
            taken = time.perf_counter() - started
        files = files_of(Told("000001-duo", terms, begun, tuple(events)))
        filing = median_s(lambda: files_of(Told("000001-duo", terms, begun, tuple(events))), runs=5)
        return {
            "journal: an event, on disk": {"ms": 1000 * commit},
            "journal: a game, taken up": {"ms": 1000 * taken, "moves": len(events)},
            "journal: file after it": {"kilobytes": path.stat().st_size / 1000},
            "a game, as files": {
                "ms": 1000 * filing,
                "kilobytes": sum(map(len, files.values())) / 1000,
            },
        }


def _game() -> list[Event]:
    """The moves of a game in which everybody lays the largest piece that fits."""
    position = Position.start("duo")
    events: list[Event] = []
    while position.to_move is not None:
        move = max(position.legal_moves, key=lambda one: one.piece.size)
        ply = len(events) + 1
        events.append(Moved(ply, ply / 2, ply, position.to_move, move, 0.99))
        position = position.play(move)
    return events
