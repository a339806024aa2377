"""The SQLite file of the journal: damage that it detects by itself, and the old format."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from firmware.game.events import MoveAccepted
from firmware.storage import journal_db
from firmware.storage.journal import Journal, StoredGame
from firmware.storage.journal_db import JournalDatabase
from firmware.storage.journal_rows import EncodedGame, EventRow, GameRow, JournalHeader
from tests.conftest import ROOT
from tests.support.disk import MountError, remount, small_disk

HEAD = JournalHeader("0123456789abcdef", "", 1, 1, 2)
GAME = EncodedGame(GameRow(1, "{}", "2026-11-21T19:00:00+01:00", trusted=True), ("one", "two"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with a game of two events, and two more that were appended in a commit each."""
    path = tmp_path / "journal.sqlite"
    made = JournalDatabase(path)
    made.replace(HEAD, [GAME])
    for place in (3, 4):
        made.append(HEAD.identity, place - 1, [EventRow(1, place, f"event {place}")])
    made.close()
    return path


def test_what_was_written_is_read(path: Path) -> None:
    found = journal_db.read(path)
    assert found.is_sound
    assert (found.head, found.serial) == (HEAD, 3)
    assert found.stored() == (EncodedGame(GAME.row, ("one", "two", "event 3", "event 4")),)


def test_a_file_is_read_without_a_change_to_it(path: Path) -> None:
    made = JournalDatabase(path)
    made.append(HEAD.identity, 4, [EventRow(1, 5, "event 5")])
    left = {one: one.read_bytes() for one in path.parent.glob("*") if "shm" not in one.name}
    assert len(left) == 2, "the newest commit is in the log"
    assert len(journal_db.read(path).bodies) == 5
    assert {one: one.read_bytes() for one in left} == left
    made.close()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("UPDATE events SET body = 'other' WHERE place = 2", "not what was written"),
        ("UPDATE events SET body = NULL WHERE place = 2", "not what was written"),
        ("UPDATE events SET serial = 9 WHERE place = 4", "not what was written"),
        ("UPDATE events SET place = 5 WHERE place = 4", "not what was written"),
        ("UPDATE games SET filed = 4", "not what was written"),
        ("UPDATE head SET serial = 0", "not what was written"),
        ("DELETE FROM events WHERE place = 1", "rows are missing"),
        ("DELETE FROM events WHERE place = 3", "rows are missing"),
        ("DELETE FROM games", "rows are missing"),
        ("DELETE FROM head", "its head is missing"),
        ("ALTER TABLE games RENAME COLUMN terms TO names", "its tables are not what they were"),
        ("DROP TABLE events", "its tables are not what they were"),
        ("CREATE TABLE more (a)", "its tables are not what they were"),
        ("PRAGMA user_version = 7", "form 7"),
        ("PRAGMA user_version = 0", "form 0"),
        ("PRAGMA user_version = 2", "no such column"),
    ],
)
def test_any_change_that_nobody_wrote_is_noticed(path: Path, change: str, says: str) -> None:
    with closing(sqlite3.connect(path)) as file:
        file.execute(change)
        file.commit()
    assert says in journal_db.read(path).fault


def test_a_row_of_another_time_does_not_pass(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    made = JournalDatabase(other)
    made.replace(JournalHeader("f" * 16, HEAD.identity, 4, 1, 2), [GAME])
    made.close()
    with closing(sqlite3.connect(other)) as file:
        file.execute("ATTACH ? AS older", (str(path),))
        file.execute("INSERT INTO events SELECT * FROM older.events WHERE place > 2")
        file.commit()
    found = journal_db.read(other)
    assert "not what was written" in found.fault
    assert [len(game.bodies) for game in found.stored()] == [2]


def overwritten(at: int, content: bytes) -> Callable[[Path], object]:
    def change(path: Path) -> None:
        whole = path.read_bytes()
        path.write_bytes(whole[:at] + content + whole[at + len(content) :])

    return change


@pytest.mark.parametrize(
    "change",
    [
        overwritten(0, b"SQLite format 4"),
        overwritten(4096, bytes(4096)),
        overwritten(24, b"\xff" * 60),
        lambda path: path.write_bytes(path.read_bytes()[:5000]),
        lambda path: path.write_bytes(b"no database" * 900),
    ],
)
def test_a_damaged_structure_is_noticed_and_raises_nothing(
    path: Path, change: Callable[[Path], object]
) -> None:
    change(path)
    assert journal_db.read(path).fault


@pytest.mark.parametrize("content", [None, b""])
def test_a_file_that_is_missing_or_empty_is_no_fault(path: Path, content: bytes | None) -> None:
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    found = journal_db.read(path)
    assert (found.head, found.fault, found.unread) == (None, "", "")


def test_the_log_is_read_on_a_disk_that_takes_no_file(path: Path, tmp_path: Path) -> None:
    made = JournalDatabase(path)
    made.append(HEAD.identity, 4, [EventRow(1, 5, "event 5")])
    try:
        with small_disk(tmp_path / "disk", "200k") as disk:
            for name in ("journal.sqlite", "journal.sqlite-wal"):
                shutil.copy(tmp_path / name, disk)
            remount(disk, "ro")
            found = journal_db.read(disk / "journal.sqlite")
    except MountError as error:
        pytest.skip(str(error))
    finally:
        made.close()
    assert found.is_sound
    assert len(found.bodies) == 5, "the newest commit too, which is in the log alone"


def test_a_refusal_of_the_disk_is_no_damage(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(journal_db, "_open_to_read", refuse)
    found = journal_db.read(path)
    assert "Permission denied" in found.unread
    assert not found.fault


# The format of the previous release


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Returns a journal of the previous release after a kill: game 3 is only in the log."""
    for name in ("journal.sqlite", "journal.sqlite-wal"):
        shutil.copy(ROOT / "tests" / "journals" / "form-2" / name, tmp_path)
    return tmp_path / "journal.sqlite"


def moves(game: StoredGame) -> list[str]:
    return [str(event.move) for event in game.events if isinstance(event, MoveAccepted)]


OLD_MOVES = ["j5,h6,i6,j6,i7", "e8,f8,f9,e10,f10", "k1,k2,j3,k3,k4", "g11,g12,f13,g13"]


def test_a_journal_of_the_release_before_is_taken_up_and_continues(old: Path) -> None:
    for _ in range(2):
        with Journal(old) as journal:
            assert journal.trouble == ""
            game = journal.resume()
            assert game is not None
            assert (game.number, len(game.events), moves(game)) == (3, 3, OLD_MOVES[:3])
            (older,) = journal.unfiled()
            assert (older.number, moves(older)) == (2, OLD_MOVES)
            assert journal.whole
    assert not list(old.parent.glob("journal.damaged*"))


@pytest.mark.parametrize(("right", "wrong"), [(b'"ply": 2,', b'"ply": 3,'), (b"duo", b"dua")])
def test_damage_to_a_journal_of_the_release_before_is_reported(
    old: Path, right: bytes, wrong: bytes
) -> None:
    with closing(sqlite3.connect(old)) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    old.write_bytes(old.read_bytes().replace(right, wrong))
    with Journal(old) as journal:
        assert "more may be missing" in journal.trouble
        game = journal.resume()
        assert game is None or moves(game) == OLD_MOVES[:1]
        assert game is None or not journal.whole
    assert old.with_name("journal.damaged-1.sqlite").exists()
