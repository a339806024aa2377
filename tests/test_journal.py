"""The journal: on disk before it is shown, whole after a crash, and patient with a bad disk."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from firmware.errors import UnreadableError
from firmware.events import (
    Event,
    Illegal,
    Moved,
    Passed,
)
from firmware.game import GameState, fold
from firmware.journal import Journal
from firmware.rules.games import GAMES, Game
from firmware.rules.position import Position
from tests.conftest import ROOT
from tests.rules.strategies import played


def events_of(position: Position) -> list[Event]:
    """The events of the game that led to a position of two colours."""
    turns = [(colour, move) for moves in zip(*position.laid, strict=False)
             for colour, move in enumerate(moves)]  # fmt: skip
    return [
        Moved(frame=ply, time=ply / 2, ply=ply, colour=colour, move=move, confidence=0.99)
        for ply, (colour, move) in enumerate(turns, 1)
    ]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.sqlite") as journal:
        journal.begin(GAMES["duo"], "2026-11-21 19:00")
        yield journal


def taken_up(path: Path) -> tuple[Game, tuple[Event, ...]]:
    """What a table finds that starts again."""
    with Journal(path) as journal:
        taken = journal.take_up()
    assert taken is not None
    return taken


def test_a_game_is_taken_up_as_it_was_left(tmp_path: Path, journal: Journal) -> None:
    events = events_of(played("duo", 3, 8))
    for event in events:
        assert journal.record(event)
    journal.close()
    taken = taken_up(tmp_path / "journal.sqlite")
    assert taken == (GAMES["duo"], tuple(events))
    state = GameState(Position.start("duo"))
    for event in taken[1]:
        state = fold(state, event)
    assert state.plies == 8


def test_the_newest_game_is_the_one_taken_up(tmp_path: Path, journal: Journal) -> None:
    journal.record(events_of(played("duo", 3, 4))[0])
    journal.begin(GAMES["classic-3"].sharing(1), "2026-11-21 20:00")
    passed = Passed(frame=9, time=4.5, colour=2, after_ply=0)
    journal.record(passed)
    journal.close()
    assert taken_up(tmp_path / "journal.sqlite") == (GAMES["classic-3"].sharing(1), (passed,))


def test_an_empty_journal_has_no_game_to_take_up(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite") as journal:
        assert journal.take_up() is None


def test_what_is_recorded_is_safe_at_once(tmp_path: Path, journal: Journal) -> None:
    events = events_of(played("duo", 3, 2))
    journal.record(events[0])
    # Another connection sees what is committed, and only that.
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as reader:
        assert reader.execute("SELECT count(*) FROM events").fetchone() == (1,)
        assert reader.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_disk_that_refuses_stops_no_game_and_loses_nothing(
    tmp_path: Path, journal: Journal
) -> None:
    events = events_of(played("duo", 3, 6))
    assert journal.record(events[0])
    blocker = sqlite3.connect(tmp_path / "journal.sqlite", isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    assert not journal.record(events[1])
    assert not journal.saved
    blocker.execute("ROLLBACK")
    blocker.close()
    journal.retry(0.0)
    assert journal.saved
    assert journal.record(events[2])
    journal.close()
    taken = taken_up(tmp_path / "journal.sqlite")
    assert taken[1] == tuple(events[:3])


def test_a_refused_piece_is_kept_with_its_reasons(tmp_path: Path, journal: Journal) -> None:
    position = Position.start("duo")
    refused = Illegal(
        frame=7, time=3.5, colour=1, squares=(0, 1), breaches=position.examine([0, 1], 1)
    )
    journal.record(refused)
    journal.close()
    taken = taken_up(tmp_path / "journal.sqlite")
    assert taken[1] == (refused,)


def test_a_file_that_is_no_journal_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    path.write_text("this is no database, and long enough to be told from an empty one" * 20)
    with pytest.raises(UnreadableError, match=r"cannot use the journal .* move it away"):
        Journal(path)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="cannot use the journal"):
        Journal(tmp_path / "none" / "journal.sqlite")


@pytest.mark.parametrize("body", ['{"event": "move"}', "[]", "null", '{"event": []}', "{"])
def test_an_event_that_cannot_be_read_is_told(tmp_path: Path, journal: Journal, body: str) -> None:
    journal.close()
    file = sqlite3.connect(tmp_path / "journal.sqlite")
    with file:
        file.execute('INSERT INTO events (game, body) VALUES (1, \'{"event": "move"}\')')
    file.close()
    with pytest.raises(UnreadableError, match="is damaged"):
        taken_up(tmp_path / "journal.sqlite")


_WRITER = """
import sys
from pathlib import Path
from firmware.events import Passed
from firmware.journal import Journal
from firmware.rules.games import GAMES, Game
journal = Journal(Path(sys.argv[1]))
journal.begin(GAMES["duo"], "now")
for number in range(100_000):
    journal.record(Passed(frame=number, time=0.0, colour=0, after_ply=number))
    print(number, flush=True)
"""


@pytest.mark.parametrize("after", [1, 3, 20, 77])
def test_killed_in_mid_write_it_has_everything_that_was_shown(tmp_path: Path, after: int) -> None:
    path = tmp_path / "journal.sqlite"
    writer = subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(path)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert writer.stdout is not None
    shown = -1
    for line in writer.stdout:
        shown = int(line)
        if shown >= after:
            break
    time.sleep(0.001 * after)
    os.kill(writer.pid, signal.SIGKILL)
    shown = max([shown, *map(int, writer.stdout)])
    writer.wait()
    writer.stdout.close()
    taken = taken_up(path)
    numbers = [event.frame for event in taken[1]]
    assert numbers == list(range(len(numbers)))
    assert len(numbers) > shown
