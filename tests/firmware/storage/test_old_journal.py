"""Journals of earlier releases: read once, and continued in the present form."""

import os
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from firmware.game.events import MoveAccepted, Passed
from firmware.storage.journal import Journal
from firmware.storage.old_journal import read_old
from firmware.storage.stored_game import StoredGame
from tests.conftest import ROOT
from tests.evaluation.damage import KINDS
from tests.support.disk import MountError, remount, small_disk

MOVES = ["j5,h6,i6,j6,i7", "e8,f8,f9,e10,f10", "k1,k2,j3,k3,k4", "g11,g12,f13,g13"]
FORMS = ("form-2", "form-3")


def left(form: str, folder: Path) -> Path:
    """Returns the journal that a release left after a kill: game 3 is only in the log."""
    shutil.copytree(ROOT / "tests" / "journals" / form, folder, dirs_exist_ok=True)
    return folder / "journal.jsonl"


def moves(game: StoredGame) -> list[str]:
    return [str(event.move) for event in game.events if isinstance(event, MoveAccepted)]


@pytest.mark.parametrize("form", FORMS)
def test_it_is_taken_up_and_goes_on_in_the_present_form(tmp_path: Path, form: str) -> None:
    path = left(form, tmp_path)
    names = sorted(one.name for one in tmp_path.iterdir())
    for start in range(3):
        with Journal(path) as journal:
            assert journal.trouble == ""
            game = journal.resume()
            assert game is not None
            assert (game.number, len(game.events), moves(game)) == (3, 3 + start, MOVES[:3])
            (older,) = journal.unfiled()
            assert (older.number, moves(older)) == (2, MOVES)
            assert journal.whole
            journal.record([Passed(frame=9, time=9.0, colour=0, after_ply=3)])
    aside = sorted(one.name for one in tmp_path.glob("*.sqlite*"))
    assert aside == [name.replace("journal.", "journal.old-1.") for name in names]


def test_a_view_without_an_end_in_place_of_a_table_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.storage.old_journal._LONGEST_S", 0.2)
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x, x FROM c"
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as file:
        file.execute(f"CREATE VIEW head AS {endless}")
        file.execute("PRAGMA user_version=3")
    main, _ = read_old(tmp_path / "journal.sqlite")
    assert (main.games, bool(main.fault)) == ({}, True)


def test_of_a_file_without_an_end_no_copy_is_made(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").touch()
    os.truncate(tmp_path / "journal.sqlite", 20_000_000_000)
    main, _ = read_old(tmp_path / "journal.sqlite")
    assert "it is larger than" in main.fault


@pytest.mark.parametrize("name", ["journal.sqlite", "journal.sqlite-wal", "journal.sqlite-copy"])
@pytest.mark.parametrize("how", KINDS)
def test_damage_to_one_of_its_files_loses_nothing(tmp_path: Path, name: str, how: str) -> None:
    path = left("form-3", tmp_path)
    content = bytearray((tmp_path / name).read_bytes())
    KINDS[how](content, random.Random(5), bytes(len(content)))  # noqa: S311
    (tmp_path / name).write_bytes(content)
    with Journal(path) as journal:
        game = journal.resume()
        assert game is not None
        assert (game.number, moves(game)) == (3, MOVES[:3])
        aside = tmp_path / name.replace("journal.", "journal.damaged-1.")
        assert bool(journal.trouble) == aside.exists()
    with Journal(path) as journal:
        assert journal.trouble == ""


@pytest.mark.parametrize(("right", "wrong"), [(b'"ply": 2,', b'"ply": 3,'), (b"duo", b"dua")])
@pytest.mark.parametrize("form", FORMS)
def test_damage_that_no_copy_mends_is_reported(
    tmp_path: Path, form: str, right: bytes, wrong: bytes
) -> None:
    path = left(form, tmp_path)
    old = tmp_path / "journal.sqlite"
    with closing(sqlite3.connect(old)) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    old.write_bytes(old.read_bytes().replace(right, wrong))
    (tmp_path / "journal.sqlite-copy").unlink(missing_ok=True)
    with Journal(path) as journal:
        assert "more may be missing" in journal.trouble
        game = journal.resume()
        assert game is None or moves(game) == MOVES[:1]
        assert game is None or not journal.whole
    assert (tmp_path / "journal.damaged-1.sqlite").exists()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("UPDATE events SET body = 'other' WHERE place = 2", "not what was written"),
        ("UPDATE events SET place = 5 WHERE place = 3", "not what was written"),
        ("UPDATE games SET filed = 4", "not what was written"),
        ("UPDATE head SET serial = 0", "not what was written"),
        ("DELETE FROM events WHERE place = 1", "rows are missing"),
        ("DELETE FROM games", "rows are missing"),
        ("DELETE FROM head", "its head is missing"),
        ("DROP TABLE events", "no such table"),
        ("PRAGMA user_version = 7", "form 7"),
        ("PRAGMA user_version = 2", "no such column"),
    ],
)
def test_any_change_that_nobody_wrote_is_noticed(tmp_path: Path, change: str, says: str) -> None:
    old = left("form-3", tmp_path).with_suffix(".sqlite")
    with closing(sqlite3.connect(old)) as file:
        file.execute(change)
        file.commit()
    assert says in read_old(old)[0].fault


def test_a_newest_game_that_is_lost_is_not_replaced_by_an_older_one(tmp_path: Path) -> None:
    path = left("form-3", tmp_path)
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as file:
        file.execute("UPDATE games SET terms = 'x' WHERE number = 3")
        file.commit()
    (tmp_path / "journal.sqlite-copy").unlink()
    with Journal(path) as journal:
        assert journal.resume() is None
        (older,) = journal.unfiled()
        assert older.number == 2
        journal.begin(older.config, older.begun)
        assert journal.number == 4
        assert not journal.whole


def test_it_is_read_from_a_disk_that_takes_no_file_and_again_when_it_does(tmp_path: Path) -> None:
    try:
        with small_disk(tmp_path / "disk", "400k") as disk:
            path = left("form-3", disk)
            remount(disk, "ro")
            with Journal(path) as journal:
                assert "the game goes on unsaved" in journal.trouble
                game = journal.resume()
                assert game is not None
                assert moves(game) == MOVES[:3]
            remount(disk, "rw")
            with Journal(path) as journal:
                assert journal.trouble == ""
                assert journal.resume() == game
    except MountError as error:
        pytest.skip(str(error))


def test_what_an_earlier_release_wrote_after_this_one_goes_on_and_is_reported(
    tmp_path: Path,
) -> None:
    path = left("form-3", tmp_path)
    with Journal(path) as journal:
        journal.resume()
        journal.record([Passed(frame=9, time=9.0, colour=0, after_ply=3)])
    mine = path.read_bytes()
    left("form-3", tmp_path)
    with Journal(path) as journal:
        assert "an earlier release wrote" in journal.trouble
        game = journal.resume()
        assert game is not None
        assert len(game.events) == 3
    assert (tmp_path / "journal.damaged-1.jsonl").read_bytes() == mine
    with Journal(path) as journal:
        assert journal.trouble == ""
