"""The journal: on disk before it is shown, whole after a crash, and patient with a bad disk."""

import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from firmware import journal as journal_module
from firmware.clock import Pace, Timing
from firmware.errors import UnreadableError
from firmware.events import Event, Illegal, Moved, Passed
from firmware.game import GameState, fold
from firmware.journal import Journal, Kept
from firmware.rules.games import GAMES
from firmware.rules.position import Position
from firmware.shelf import EventRow, Row, Shelf
from firmware.terms import Takeback, Terms
from firmware.wallclock import TimeOfDay
from tests.rules.strategies import played
from tests.trials import kill, powerloss

DUO = Terms(GAMES["duo"])
EVENING = TimeOfDay("2026-11-21T19:00:00+01:00", trusted=True)


def events_of(position: Position) -> list[Event]:
    """The events of the game that led to a position of two colours."""
    turns = [(colour, move) for moves in zip(*position.laid, strict=False)
             for colour, move in enumerate(moves)]  # fmt: skip
    return [
        Moved(frame=ply, time=ply / 2, ply=ply, colour=colour, move=move, confidence=0.99)
        for ply, (colour, move) in enumerate(turns, 1)
    ]


EVENTS = events_of(played("duo", 3, 30))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal(path) as journal:
        journal.begin(DUO, EVENING)
        yield journal


def taken_up(path: Path) -> Kept:
    """What a table finds that starts again."""
    with Journal(path) as journal:
        taken = journal.take_up()
    assert taken is not None
    return taken


def eventually_saved(journal: Journal) -> None:
    until = time.monotonic() + 10
    while not journal.saved:
        assert time.monotonic() < until, "it was never saved"
        time.sleep(0.01)


def test_a_game_is_taken_up_as_it_was_left(path: Path, journal: Journal) -> None:
    assert journal.record(EVENTS[:5])
    assert journal.record(EVENTS[5:8])
    journal.close()
    state = GameState(Position.start("duo"))
    for event in EVENTS[:8]:
        state = fold(state, event)
    assert taken_up(path) == Kept(1, DUO, EVENING, state, tuple(EVENTS[:8]))
    assert state.plies == 8


def test_a_journal_is_kept_by_one_table_at_a_time(path: Path, journal: Journal) -> None:
    with pytest.raises(UnreadableError, match="another table keeps its journal in"):
        Journal(path)
    journal.close()
    Journal(path).close()


def test_events_that_cannot_follow_are_left_out(path: Path, journal: Journal) -> None:
    journal.record([*EVENTS[:2], EVENTS[3]])
    journal.close()
    assert taken_up(path).events == tuple(EVENTS[:2])


def test_what_was_agreed_is_kept(path: Path, journal: Journal) -> None:
    agreed = Terms(
        GAMES["classic-3"].sharing(1),
        ("blue", "yellow", "red", "green"),
        "blue",
        ("Ada", "Ben", "クレオ"),
        (3, 2, 1),
        takeback=Takeback.ARBITER,
        pace=Pace(Timing.INCREMENT, 600.0, 5.0),
        hints=3,
    )
    journal.begin(agreed, TimeOfDay("2026-11-21T20:00:00+01:00", trusted=False))
    passed = Passed(frame=9, time=4.5, colour=2, after_ply=0, left_s=(1.5, 2.25, -0.5))
    journal.record([passed])
    journal.close()
    taken = taken_up(path)
    assert (taken.number, taken.terms, taken.begun.trusted) == (2, agreed, False)
    assert taken.events == (passed,)


def test_an_empty_journal_has_no_game_to_take_up(path: Path) -> None:
    with Journal(path) as journal:
        assert journal.take_up() is None


def test_a_game_goes_on_after_it_was_taken_up(path: Path, journal: Journal) -> None:
    journal.record(EVENTS[:3])
    journal.close()
    with Journal(path) as later:
        later.take_up()
        later.record(EVENTS[3:6])
    assert taken_up(path).events == tuple(EVENTS[:6])


def test_what_is_recorded_is_safe_at_once(path: Path, journal: Journal) -> None:
    journal.record(EVENTS[:1])
    # Another connection sees what is committed, and only that.
    with closing(sqlite3.connect(path)) as reader:
        assert reader.execute("SELECT count(*) FROM events").fetchone() == (1,)
        assert reader.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert journal._shelf is not None
    assert journal._shelf._file.execute("PRAGMA synchronous").fetchone() == (2,)


def test_games_that_have_become_files_leave_when_the_next_begins(
    path: Path, journal: Journal
) -> None:
    for number in range(1, 5):
        journal.record(EVENTS)
        if number != 2:
            journal.filed(number)
        journal.begin(DUO, EVENING)
    journal.close()
    with closing(sqlite3.connect(path)) as reader:
        assert reader.execute("SELECT number FROM games").fetchall() == [(2,), (5,)]
        assert reader.execute("SELECT DISTINCT game FROM events").fetchall() == [(2,)]
    with Journal(path) as later:
        later.take_up()
        assert [kept.number for kept in later.unfiled()] == [2]
        later.begin(DUO, EVENING)
        assert [kept.number for kept in later.unfiled()] == [2, 5], "nobody goes on with it"


def test_a_game_that_goes_on_after_it_was_filed_is_to_be_filed_again(
    path: Path, journal: Journal
) -> None:
    journal.record(EVENTS[:2])
    journal.filed(1)
    journal.record(EVENTS[2:3])
    journal.close()
    taken = taken_up(path)
    assert (len(taken.events), taken.filed) == (3, False)


# A disk that refuses


def test_a_disk_that_refuses_stops_no_game_and_loses_nothing(path: Path, journal: Journal) -> None:
    assert journal.record(EVENTS[:1])
    with closing(sqlite3.connect(path, isolation_level=None)) as blocker:
        blocker.execute("BEGIN IMMEDIATE")
        assert not journal.record(EVENTS[1:2])
        assert not journal.saved
        blocker.execute("ROLLBACK")
    eventually_saved(journal)
    assert journal.record(EVENTS[2:3])
    journal.close()
    assert taken_up(path).events == tuple(EVENTS[:3])


def test_a_stall_of_half_a_second_is_waited_for_and_a_longer_one_is_not(
    path: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    stall_s = [0.5, 3.0, 0.0, 0.0]
    put = Shelf.put

    def slowly(shelf: Shelf, row: Row) -> None:
        time.sleep(stall_s.pop(0))
        put(shelf, row)

    monkeypatch.setattr(Shelf, "put", slowly)
    assert journal.record(EVENTS[:1])
    began = time.monotonic()
    assert not journal.record(EVENTS[1:2])
    assert not journal.record(EVENTS[2:3])
    assert not journal.record(EVENTS[3:4])
    assert time.monotonic() - began < 2, "only the first waits, and not to the end"
    eventually_saved(journal)
    journal.close()
    assert taken_up(path).events == tuple(EVENTS[:4])


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """A disk of its own; skips where nobody may mount one."""
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size={size}", "cornerlight", str(folder)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)  # noqa: S607


def fill(ballast: Path) -> None:
    with suppress(OSError), ballast.open("wb", 0) as file:
        while True:
            file.write(bytes(1024))


def test_a_full_disk_stops_no_game_and_is_caught_up_with(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "200k") as disk:
        ballast = disk / "ballast"
        with Journal(disk / "journal.sqlite") as journal:
            journal.begin(DUO, EVENING)
            assert journal.record(EVENTS[:2])
            fill(ballast)
            assert False in [journal.record([event]) for event in EVENTS[2:]]
            ballast.unlink()
            eventually_saved(journal)
        assert taken_up(disk / "journal.sqlite").events == tuple(EVENTS)


def test_a_disk_that_became_read_only_gives_back_the_game_and_takes_no_more(
    tmp_path: Path,
) -> None:
    with small_disk(tmp_path / "disk", "1m") as disk:
        first = Journal(disk / "journal.sqlite")
        first.begin(DUO, EVENING)
        first.record(EVENTS[:3])
        # As after a power cut: the newest commits are beside the file, not in it.
        kept = {path.name: path.read_bytes() for path in disk.iterdir() if "shm" not in path.name}
        first.close()
        for name, content in kept.items():
            (disk / name).write_bytes(content)
        words = ["mount", "-o", "remount,ro", str(disk)]
        subprocess.run(words, check=True)
        with Journal(disk / "journal.sqlite") as journal:
            assert "the game goes on unsaved" in journal.trouble
            taken = journal.take_up()
            assert taken is not None
            assert taken.events == tuple(EVENTS[:3])
            assert not journal.record(EVENTS[3:4])
            words[2] = "remount,rw"
            subprocess.run(words, check=True)
            eventually_saved(journal)
        assert taken_up(disk / "journal.sqlite").events == tuple(EVENTS[:4])


def test_a_folder_that_is_not_there_is_made(tmp_path: Path) -> None:
    path = tmp_path / "none" / "at" / "all" / "journal.sqlite"
    with Journal(path) as journal:
        assert journal.begin(DUO, EVENING)
        assert journal.trouble == ""


# A file that is damaged


def whole_journal(path: Path) -> None:
    with Journal(path) as journal:
        journal.begin(DUO, EVENING)
        journal.record(EVENTS)


def test_a_file_that_is_no_journal_is_moved_aside(path: Path) -> None:
    text = "this is no database, and long enough to be told from an empty one" * 20
    path.write_text(text)
    with Journal(path) as journal:
        assert "is now" in journal.trouble
        assert journal.take_up() is None
        assert journal.begin(DUO, EVENING)
    assert (path.parent / "journal.damaged-1.sqlite").read_text() == text


def test_of_a_damaged_page_what_can_be_read_is_kept(path: Path) -> None:
    whole_journal(path)
    damaged = bytearray(path.read_bytes())
    assert len(damaged) > 3 * 4096
    damaged[-4096:] = b"\xa5" * 4096
    path.write_bytes(damaged)
    with Journal(path) as journal:
        assert "the journal was damaged" in journal.trouble
        taken = journal.take_up()
        assert taken is not None
        assert taken.events == tuple(EVENTS[: len(taken.events)])
        assert journal.record(EVENTS[len(taken.events) :][:1])
    assert len(taken_up(path).events) == len(taken.events) + 1


def test_a_bit_that_flipped_is_noticed_and_not_believed(path: Path) -> None:
    whole_journal(path)
    content = path.read_bytes()
    at = content.index(b'"ply": 9,')
    path.write_bytes(content[: at + 7] + b"8" + content[at + 8 :])
    with Journal(path) as journal:
        assert "not what was written" in journal.trouble
        taken = journal.take_up()
    assert taken is not None
    assert taken.events == tuple(EVENTS[:8])


def test_a_file_that_is_damaged_in_mid_game_is_written_anew(
    path: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.record(EVENTS[:4])
    put = Shelf.put
    faults = [sqlite3.DatabaseError("database disk image is malformed")]

    def once(shelf: Shelf, row: Row) -> None:
        if faults:
            raise faults.pop()
        put(shelf, row)

    monkeypatch.setattr(Shelf, "put", once)
    monkeypatch.setattr(journal_module, "_RETRY_S", 0.05)
    journal.record(EVENTS[4:5])
    eventually_saved(journal)
    journal.close()
    assert (path.parent / "journal.damaged-1.sqlite").exists()
    assert taken_up(path).events == tuple(EVENTS[:5])


def test_an_event_of_another_release_ends_the_game_before_it(path: Path, journal: Journal) -> None:
    journal.record(EVENTS[:2])
    unknown = EventRow(1, 3, '{"event": "earthquake"}')
    with journal._changed:
        journal._rows.append(unknown)
    journal._record([unknown])
    journal.record(EVENTS[3:4])
    journal.close()
    with Journal(path) as later:
        taken = later.take_up()
        assert taken is not None
        assert taken.events == tuple(EVENTS[:2])
        assert "cannot be read" in later.trouble
        later.record(EVENTS[2:4])
    assert taken_up(path).events == tuple(EVENTS[:4])


def test_a_refused_piece_is_kept_with_its_reasons(path: Path, journal: Journal) -> None:
    position = Position.start("duo")
    breaches = position.examine([0, 1], 1)
    refused = Illegal(frame=7, time=3.5, colour=1, squares=(0, 1), breaches=breaches)
    journal.record([refused])
    journal.close()
    assert taken_up(path).events == (refused,)


# Accidents


def test_killed_at_ten_random_instants_it_has_every_move_that_was_shown(tmp_path: Path) -> None:
    outcome = kill.trial(tmp_path, 10, demo=False, seed=1, longest_s=0.5)
    assert sum(life.pages for life in outcome.lives) > 10
    assert outcome.moves > 0
    assert (outcome.lost, outcome.twice, outcome.damaged) == (0, 0, 0)


def test_after_a_power_cut_it_is_whole_and_has_all_that_was_shown(tmp_path: Path) -> None:
    try:
        steps = powerloss.traced(tmp_path, 40)
    except (FileNotFoundError, subprocess.CalledProcessError) as error:
        pytest.skip(f"the calls of a process cannot be watched here: {error}")
    assert sum(isinstance(step, powerloss.Shown) for step in steps) == 40
    outcome = powerloss.trial(steps, 40, seed=2)
    assert (outcome.damaged, outcome.missing) == (0, 0)


def test_without_syncs_a_power_cut_would_be_noticed(tmp_path: Path) -> None:
    page = powerloss.Write("journal.sqlite", 0, bytes(4096))
    steps: list[powerloss.Step] = [page, powerloss.Shown(0), powerloss.Shown(1)]
    assert powerloss.trial(steps, 20, seed=3).missing >= 5
