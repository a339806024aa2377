"""The journal: order of disk and screen, crashes, and disks that refuse."""

import errno
import os
import random
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from firmware.codes import Takeback, Timing
from firmware.errors import UnreadableError
from firmware.game.clock import TimeControl
from firmware.game.config import GameConfig
from firmware.game.events import Event, MoveAccepted, MoveRefused, Passed
from firmware.rules.position import Position
from firmware.rules.variants import GAMES
from firmware.storage import journal as journal_module
from firmware.storage.journal import Journal
from firmware.storage.journal_files import JournalFiles
from firmware.storage.journal_rows import JournalEvent, read
from firmware.storage.stored_game import StoredGame
from firmware.storage.wall_clock import TimeOfDay
from tests.evaluation import crash, damage, power_cut
from tests.support.disk import MountError, empty, fill, remount, small_disk
from tests.support.random_games import played
from tests.support.wall_clock import WALL_CLOCK

pytestmark = pytest.mark.slow

DUO = GameConfig(GAMES["duo"])
EVENING = TimeOfDay("2026-11-21T19:00:00+01:00", trusted=True)


def events_of(position: Position) -> list[Event]:
    """Returns the events of a game that lead to a position of two colours."""
    turns = [(colour, move) for moves in zip(*position.laid, strict=False)
             for colour, move in enumerate(moves)]  # fmt: skip
    return [
        MoveAccepted(frame=ply, time=ply / 2, ply=ply, colour=colour, move=move, confidence=0.99)
        for ply, (colour, move) in enumerate(turns, 1)
    ]


EVENTS = events_of(played("duo", 3, 30))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.jsonl"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal(path) as journal:
        journal.begin(DUO, EVENING)
        yield journal


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk of its own."""
    try:
        with small_disk(tmp_path / "disk", "300k") as disk:
            yield disk
    except MountError as error:
        pytest.skip(str(error))


def taken_up(path: Path) -> StoredGame:
    """Returns the game that a restarted table finds."""
    with Journal(path) as journal:
        taken = journal.resume()
    assert taken is not None
    return taken


def eventually_saved(journal: Journal) -> None:
    until = time.monotonic() + 10
    while not journal.saved:
        assert time.monotonic() < until, "it was never saved"
        time.sleep(0.01)


def refused(*_: object) -> int:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


def test_a_game_is_taken_up_as_it_was_left(path: Path, journal: Journal) -> None:
    assert journal.record(EVENTS[:5])
    assert journal.record(EVENTS[5:8])
    journal.close()
    taken = taken_up(path)
    assert taken.state.piece_count == 8
    assert taken == StoredGame(1, DUO, EVENING, tuple(EVENTS[:8]))


def test_a_journal_is_used_by_one_table_at_a_time(path: Path, journal: Journal) -> None:
    with pytest.raises(UnreadableError, match="another table keeps its journal in"):
        Journal(path)
    journal.close()
    Journal(path).close()


def test_events_that_cannot_follow_are_left_out(path: Path, journal: Journal) -> None:
    journal.record([*EVENTS[:2], EVENTS[3]])
    journal.close()
    assert taken_up(path).events == tuple(EVENTS[:2])


def test_what_was_agreed_is_stored(path: Path, journal: Journal) -> None:
    agreed = GameConfig(
        GAMES["classic-3"].sharing(1),
        ("blue", "yellow", "red", "green"),
        "blue",
        ("Ada", "Ben", "クレオ"),
        (3, 2, 1),
        takeback=Takeback.ARBITER,
        pace=TimeControl(Timing.INCREMENT, 600.0, 5.0),
        hints=3,
    )
    journal.begin(agreed, TimeOfDay("2026-11-21T20:00:00+01:00", trusted=False))
    passed = Passed(frame=9, time=4.5, colour=2, after_ply=0, left_s=(1.5, 2.25, -0.5))
    journal.record([passed])
    journal.close()
    taken = taken_up(path)
    assert (taken.number, taken.config, taken.begun.trusted) == (2, agreed, False)
    assert taken.events == (passed,)


def test_an_empty_journal_has_no_game_to_take_up(path: Path) -> None:
    with Journal(path) as journal:
        assert journal.resume() is None
        assert journal.whole
    with Journal(path) as journal:
        assert journal.trouble == ""


def test_a_game_continues_after_it_was_taken_up(path: Path, journal: Journal) -> None:
    journal.record(EVENTS[:3])
    journal.close()
    with Journal(path) as later:
        later.resume()
        later.record(EVENTS[3:6])
    assert taken_up(path).events == tuple(EVENTS[:6])


def test_the_events_of_one_decision_are_one_line_of_both_files_at_once(
    path: Path, journal: Journal
) -> None:
    journal.record(EVENTS[:1])
    journal.record(EVENTS[1:4])
    content = path.read_text()
    assert path.with_name("journal.jsonl-copy").read_text() == content
    assert [line.count('\\"ply\\"') for line in content.splitlines()] == [0, 1, 3]


def test_games_that_have_become_files_leave_when_the_next_begins(
    path: Path, journal: Journal
) -> None:
    for number in range(1, 5):
        journal.record(EVENTS)
        if number != 2:
            journal.filed(number)
        journal.begin(DUO, EVENING)
    journal.close()
    found = read(path)
    assert sorted(found.games) == [2, 5]
    assert {game for game, _ in found.bodies} == {2}
    with Journal(path) as later:
        later.resume()
        assert [game.number for game in later.unfiled()] == [2]
        later.begin(DUO, EVENING)
        assert [game.number for game in later.unfiled()] == [2]


def test_a_game_that_continues_after_it_was_filed_is_to_be_filed_again(
    path: Path, journal: Journal
) -> None:
    journal.record(EVENTS[:2])
    journal.filed(1)
    journal.record(EVENTS[2:3])
    journal.close()
    taken = taken_up(path)
    assert (len(taken.events), taken.filed) == (3, 2)
    with Journal(path) as later:
        later.begin(DUO, EVENING)
        assert [game.number for game in later.unfiled()] == [1]


def test_an_event_recorded_while_a_game_becomes_files_keeps_it_in_the_journal(
    path: Path, journal: Journal
) -> None:
    journal.record(EVENTS[:3])
    journal.filed(1, 2)  # the archive began before the third
    journal.begin(DUO, EVENING)
    journal.close()
    with Journal(path) as later:
        assert [len(game.events) for game in later.unfiled()] == [3]


# A disk that refuses


def test_a_disk_that_refuses_stops_no_game_and_loses_nothing(
    path: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert journal.record(EVENTS[:1])
    with monkeypatch.context() as refusing:
        refusing.setattr(os, "pwrite", refused)
        refusing.setattr(os, "fsync", refused)
        assert not journal.record(EVENTS[1:2])
        assert not journal.saved
    eventually_saved(journal)
    assert journal.record(EVENTS[2:3])
    journal.close()
    assert taken_up(path).events == tuple(EVENTS[:3])


@WALL_CLOCK
def test_a_stall_of_half_a_second_is_waited_for_and_a_longer_one_is_not(
    path: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    stall_s = [0.5, 3.0, 0.0, 0.0]
    append = JournalFiles.append

    def slowly(files: JournalFiles, rows: Sequence[JournalEvent]) -> None:
        time.sleep(stall_s.pop(0))
        append(files, rows)

    monkeypatch.setattr(JournalFiles, "append", slowly)
    assert journal.record(EVENTS[:1])
    began = time.monotonic()
    assert not journal.record(EVENTS[1:2])
    assert not journal.record(EVENTS[2:3])
    assert not journal.record(EVENTS[3:4])
    assert time.monotonic() - began < 2, "only the first waits, and not to the end"
    eventually_saved(journal)
    journal.close()
    assert taken_up(path).events == tuple(EVENTS[:4])


def test_a_full_disk_stops_no_game_and_is_caught_up_with(disk: Path) -> None:
    with Journal(disk / "journal.jsonl") as journal:
        journal.begin(DUO, EVENING)
        assert journal.record(EVENTS[:2])
        fill(disk)
        assert False in [journal.record([event]) for event in EVENTS[2:]]
        empty(disk)
        eventually_saved(journal)
    assert taken_up(disk / "journal.jsonl").events == tuple(EVENTS)


@pytest.mark.parametrize("how", ["full", "ro"])
@pytest.mark.parametrize("end", ["killed", "closed"])
def test_a_start_on_a_disk_that_refuses_gives_back_the_game_and_takes_no_more(
    disk: Path, how: str, end: str
) -> None:
    first = Journal(disk / "journal.jsonl")
    first.begin(DUO, EVENING)
    first.record(EVENTS[:3])
    if end == "killed":
        # The newest line is not complete, and the next one would have been.
        content = (disk / "journal.jsonl-copy").read_bytes()
        (disk / "journal.jsonl-copy").write_bytes(content[:-9])
    first.close()
    if how == "full":
        fill(disk)
    else:
        remount(disk, "ro")
    with Journal(disk / "journal.jsonl") as journal:
        assert not journal.saved, "reported before anything is recorded"
        assert "the game goes on unsaved" in journal.trouble
        taken = journal.resume()
        assert taken is not None
        assert taken.events == tuple(EVENTS[:3])
        assert not journal.record(EVENTS[3:4])
        if how == "full":
            empty(disk)
        else:
            remount(disk, "rw")
        eventually_saved(journal)
        assert journal.whole
    assert taken_up(disk / "journal.jsonl").events == tuple(EVENTS[:4])


def test_after_a_power_cut_a_read_only_disk_costs_no_event(path: Path, disk: Path) -> None:
    with Journal(path) as journal:
        journal.begin(DUO, EVENING)
        for event in EVENTS[:3]:
            journal.record([event])
        journal._files.sync()
        for name in ("journal.jsonl", "journal.jsonl-copy", "journal.count"):
            shutil.copy(path.with_name(name), disk)
    # The copy was not yet synced after the third.
    copy = disk / "journal.jsonl-copy"
    copy.write_bytes(b"".join(copy.read_bytes().splitlines(keepends=True)[:-1]))
    remount(disk, "ro")
    assert taken_up(disk / "journal.jsonl").events == tuple(EVENTS[:3])


def test_a_folder_that_is_not_there_is_made(tmp_path: Path) -> None:
    path = tmp_path / "none" / "at" / "all" / "journal.jsonl"
    with Journal(path) as journal:
        assert journal.begin(DUO, EVENING)
        assert journal.trouble == ""


# A file that is damaged


def killed_journal(path: Path) -> None:
    """Writes a journal of two lives, the second of which has a line for each event."""
    with Journal(path) as journal:
        journal.begin(DUO, EVENING)
        journal.record(EVENTS[:10])
    with Journal(path) as journal:
        journal.resume()
        for event in EVENTS[10:]:
            journal.record([event])


def test_a_file_that_is_no_journal_is_set_aside(path: Path) -> None:
    text = "this is no database, and long enough to be told from an empty one" * 20
    path.write_text(text)
    with Journal(path) as journal:
        assert "it is kept as" in journal.trouble
        assert journal.resume() is None
        assert journal.begin(DUO, EVENING)
        assert not journal.whole, "there may have been a game"
        journal.begin(DUO, EVENING)
        assert journal.whole
    assert (path.parent / "journal.damaged-1.jsonl").read_text() == text


@pytest.mark.parametrize("name", ["journal.jsonl", "journal.jsonl-copy", "journal.count"])
@pytest.mark.parametrize("how", damage.KINDS)
def test_whatever_happens_to_one_file_nothing_is_lost(path: Path, name: str, how: str) -> None:
    killed_journal(path)
    file = path.with_name(name)
    damaged = bytearray(file.read_bytes())
    damage.KINDS[how](damaged, random.Random(5), bytes(len(damaged)))  # noqa: S311
    file.write_bytes(damaged)
    with Journal(path) as journal:
        taken = journal.resume()
        assert taken is not None
        assert taken.events == tuple(EVENTS)
        aside = path.with_name(name.replace("journal.", "journal.damaged-1."))
        assert bool(journal.trouble) == aside.exists()
        assert not journal.trouble or aside.read_bytes() == damaged
        assert journal.record([Passed(frame=99, time=0.0, colour=0, after_ply=30)])
    assert len(taken_up(path).events) == len(EVENTS) + 1


@pytest.mark.parametrize("name", ["journal.jsonl", "journal.jsonl-copy"])
def test_a_file_that_lost_its_end_is_noticed(path: Path, name: str) -> None:
    killed_journal(path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.with_name(name).write_bytes(b"".join(lines[:-3]))
    with Journal(path) as journal:
        assert re.search("its end is missing|it and its copy differ", journal.trouble)
        assert "none is known to be missing" in journal.trouble
        assert journal.whole


def test_what_both_files_lost_is_reported_and_old_events_do_not_come_back(path: Path) -> None:
    killed_journal(path)
    copy = path.with_name("journal.jsonl-copy")
    lines = path.read_bytes().splitlines(keepends=True)
    for file in (path, copy):
        file.write_bytes(b"".join(lines[:3]))
    with Journal(path) as journal:
        taken = journal.resume()
        assert taken is not None
        assert taken.events == tuple(EVENTS[:12])
        assert "its end is missing" in journal.trouble, "as the count says"
        assert "more may be missing" in journal.trouble
        assert not journal.whole
        other = Passed(frame=99, time=0.0, colour=0, after_ply=12)
        journal.record([other])
    # Lines of the earlier files return, as from a disk that lost its last writes.
    for file in (path, copy):
        file.write_bytes(file.read_bytes() + b"".join(lines[3:]))
    with Journal(path) as journal:
        taken = journal.resume()
        assert taken is not None
        assert taken.events == (*EVENTS[:12], other)
        assert not journal.whole, "and it is reported until the next game"
        journal.begin(DUO, EVENING)
        assert journal.whole


def test_files_that_are_gone_are_missed(path: Path) -> None:
    killed_journal(path)
    path.unlink()
    path.with_name("journal.jsonl-copy").unlink()
    with Journal(path) as journal:
        assert journal.resume() is None
        assert "its end is missing" in journal.trouble
        journal.begin(DUO, EVENING)
        assert not journal.whole


@pytest.mark.parametrize("name", ["journal.jsonl", "journal.jsonl-copy"])
def test_a_file_that_is_damaged_in_mid_game_is_written_again(
    path: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(journal_module, "_RETRY_S", 0.05)
    journal.record(EVENTS[:4])
    path.with_name(name).write_bytes(b"\xa5" * 99)
    assert not journal.record(EVENTS[4:5])
    eventually_saved(journal)
    assert journal.record(EVENTS[5:6])
    journal.close()
    assert path.with_name(name.replace("jsonl", "damaged-1.jsonl")).exists()
    assert taken_up(path).events == tuple(EVENTS[:6])
    with Journal(path) as later:
        assert later.trouble == ""


@pytest.mark.parametrize("place", range(3))
def test_one_file_that_cannot_be_written_is_caught_up_with(
    path: Path, journal: Journal, place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "_RETRY_S", 0.05)
    write: Callable[[int, bytes, int], int] = os.pwrite
    faults = [False] * place + [True]

    def once(handle: int, content: bytes, at: int) -> int:
        # Half of a line is written before the disk refuses.
        return write(handle, content[:5] if faults and faults.pop(0) else content, at)

    monkeypatch.setattr(os, "pwrite", once)
    assert not journal.record(EVENTS[:1])
    eventually_saved(journal)
    assert journal.record(EVENTS[1:2])
    journal.close()
    with Journal(path) as later:
        assert later.trouble == ""
        assert later.resume() is not None
    assert taken_up(path).events == tuple(EVENTS[:2])


def test_an_event_of_another_release_ends_the_game_before_it(path: Path, journal: Journal) -> None:
    journal.record(EVENTS[:2])
    with journal._changed:
        game = journal._games[1]
        journal._games[1] = game._replace(bodies=(*game.bodies, '{"event": "earthquake"}'))
        journal._wanted += 1
        journal._changed.notify_all()
    eventually_saved(journal)
    journal.record(EVENTS[3:4])
    journal.close()
    with Journal(path) as later:
        taken = later.resume()
        assert taken is not None
        assert taken.events == tuple(EVENTS[:2])
        assert "cannot be read" in later.trouble
        assert not later.whole
        later.record(EVENTS[2:4])
    assert taken_up(path).events == tuple(EVENTS[:4])


def test_a_game_of_another_release_stops_no_start(path: Path, journal: Journal) -> None:
    journal.record(EVENTS[:2])
    with journal._changed:
        game = journal._games[1]
        journal._games[1] = game._replace(config='{"game": "chess"}')
        journal._wanted += 1
        journal._changed.notify_all()
    journal.close()
    with Journal(path) as later:
        assert later.resume() is None
        assert "cannot be read" in later.trouble
        assert list(later.unfiled()) == []
        later.begin(DUO, EVENING)
        assert not later.whole
        later.record(EVENTS[:1])
    assert taken_up(path).number == 2


def test_a_refused_piece_is_stored_with_its_reasons(path: Path, journal: Journal) -> None:
    position = Position.start("duo")
    violations = position.examine([0, 1], 1)
    refused = MoveRefused(frame=7, time=3.5, colour=1, squares=(0, 1), violations=violations)
    journal.record([refused])
    journal.close()
    assert taken_up(path).events == (refused,)


# Accidents


def test_killed_at_random_instants_it_has_every_move_that_was_shown(tmp_path: Path) -> None:
    harms = ("none", "none", "damage")
    outcome = crash.trial(tmp_path, 6, demo=False, seed=1, longest_s=0.5, harms=harms)
    assert sum(life.pages for life in outcome.lives) > 6
    assert outcome.moves > 0
    assert (outcome.lost, outcome.twice, outcome.damaged, outcome.died) == (0, 0, 0, 0)


def test_damaged_at_random_it_loses_nothing_in_silence(tmp_path: Path) -> None:
    outcome = damage.trial(tmp_path, 24, seed=3, victims=2)
    assert outcome.faultless, outcome
    assert outcome.reported > 6
    assert outcome.missing == 0


def test_after_a_power_cut_it_is_whole_and_has_all_that_was_shown(tmp_path: Path) -> None:
    try:
        steps = power_cut.traced(tmp_path, 40)
    except (FileNotFoundError, subprocess.CalledProcessError) as error:
        pytest.skip(f"the calls of a process cannot be watched here: {error}")
    assert power_cut.Shown(39) in steps
    assert any(isinstance(step, power_cut.Renamed) for step in steps)
    outcome = power_cut.trial(steps, 40, seed=2)
    assert (outcome.damaged, outcome.missing) == (0, 0)


def test_without_syncs_a_power_cut_would_be_noticed(tmp_path: Path) -> None:
    page = power_cut.Write("journal.jsonl", 0, bytes(4096))
    steps: list[power_cut.Step] = [page, power_cut.Shown(0), power_cut.Shown(1)]
    assert power_cut.trial(steps, 20, seed=3).missing >= 5
