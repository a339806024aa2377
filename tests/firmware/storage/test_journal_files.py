"""Both files of the journal together: kills, damage, permissions."""

import os
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest

from firmware.storage import journal_files
from firmware.storage.atomic_file import sync_folder, write_whole
from firmware.storage.journal_files import (
    JournalFiles,
    aside_path,
    make_private,
)
from firmware.storage.journal_rows import JournalGame
from tests.support.disk import MountError, fill, small_disk

GAME = JournalGame(1, "{}", "2026-11-21T19:00:00+01:00", trusted=True, bodies=("one", "two"))
WHOLE = ("one", "two", "event 3", "event 4")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.jsonl"


def snapshot(path: Path, name: str) -> Path:
    """Returns the present files, as a kill would leave them."""
    folder = path.parent / name
    folder.mkdir()
    for one in path.parent.glob("journal.*"):
        shutil.copy(one, folder)
    return folder / path.name


def mixed(main: Path, copy: Path, name: str) -> JournalFiles:
    """A journal with the file of one moment and the copy of another; neither is counted."""
    path = main.parent.parent / name / main.name
    path.parent.mkdir()
    shutil.copy(main, path)
    shutil.copy(copy.with_name(f"{copy.name}-copy"), path.parent)
    return JournalFiles(path)


def bodies(found: JournalFiles) -> list[tuple[str, ...]]:
    return [game.bodies for game in found.games]


def moments(path: Path) -> list[Path]:
    """Returns a journal after its begin, after each of two events, and after a rewrite."""
    files = JournalFiles(path)
    files.replace([GAME])
    moments = [snapshot(path, "begun")]
    for place in (3, 4):
        files.append([(1, place, f"event {place}")])
        moments.append(snapshot(path, f"event-{place}"))
    files.replace([GAME._replace(bodies=WHOLE)])
    moments.append(snapshot(path, "anew"))
    files.close()
    return moments


def test_events_are_on_disk_before_they_count(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = JournalFiles(path)
    files.replace([GAME])
    count = path.with_suffix(".count")
    synced: list[tuple[bool, ...]] = []
    counted = count.read_bytes()

    def note(handle: int) -> None:
        is_journal = os.path.sameopenfile(handle, journal.fileno())
        synced.append((is_journal, b"event 3" in path.read_bytes(), count.read_bytes() == counted))

    monkeypatch.setattr(os, "fdatasync", note)
    with path.open("rb") as journal:
        files.append([(1, 3, "event 3")])
        files.close()
    assert synced == [(True, True, True)]


def test_what_a_kill_leaves_between_the_two_files_is_no_damage(path: Path) -> None:
    begun, third, fourth, anew = moments(path)
    # A copy that was just rewritten is complete, whatever remains of the other file.
    cases = ((third, begun, 3), (fourth, third, 4), (fourth, anew, 4), (begun, anew, 4))
    for main, copy, count in cases:
        found = mixed(main, copy, f"{main.parent.name}-{copy.parent.name}")
        assert (found.trouble, found.whole) == ("", True)
        assert len(bodies(found)[0]) == count


def test_a_greater_difference_is_damage_and_loses_nothing_that_is_left(path: Path) -> None:
    begun, third, fourth, anew = moments(path)
    cases = (
        (begun, third, 3, "its end is missing", True),
        (fourth, begun, 4, "it and its copy differ", False),
        (anew, fourth, 4, "it and its copy differ", False),
    )
    for main, copy, count, says, whole in cases:
        found = mixed(main, copy, f"{main.parent.name}-{copy.parent.name}")
        assert says in found.trouble
        assert found.whole == whole
        assert len(bodies(found)[0]) == count
        assert found.games[0].whole == whole


def test_without_its_copy_and_its_count_a_journal_may_lack_its_end(path: Path) -> None:
    *_, anew = moments(path)
    anew.with_name("journal.jsonl-copy").unlink()
    found = JournalFiles(anew)
    assert "it and its copy differ" in found.trouble
    assert found.whole
    anew.with_name("journal.count").unlink()
    assert not JournalFiles(anew).whole


def test_a_copy_alone_gives_everything_back(path: Path) -> None:
    _, _, fourth, _ = moments(path)
    fourth.unlink()
    found = JournalFiles(fourth)
    assert "it and its copy differ" in found.trouble
    assert bodies(found) == [WHOLE]
    assert not found.whole, "the copy may lack one commit after a power cut"


def test_lines_of_each_file_are_joined(path: Path) -> None:
    _, _, fourth, _ = moments(path)
    first, third, last = fourth.read_bytes().splitlines(keepends=True)
    fourth.write_bytes(first + b"spoilt" + third + last)
    fourth.with_name("journal.jsonl-copy").write_bytes(first + third + b"spoilt" + last)
    found = JournalFiles(fourth)
    assert bodies(found) == [WHOLE]
    assert found.whole, "the count says that there was no fifth"
    fourth.with_name("journal.count").unlink()
    assert not JournalFiles(fourth).whole


def test_a_count_beyond_the_end_of_both_files_is_reported(path: Path) -> None:
    begun, _, fourth, _ = moments(path)
    shutil.copy(fourth.with_name("journal.count"), begun.parent)
    found = JournalFiles(begun)
    assert "its end is missing" in found.trouble
    assert not found.whole
    found.replace(found.games)
    found.close()
    again = JournalFiles(begun)
    assert (again.trouble, again.games[0].whole) == ("", False)


def test_a_full_disk_refuses_a_line_and_what_was_there_can_be_read(tmp_path: Path) -> None:
    try:
        with small_disk(tmp_path / "disk", "40k") as disk:
            files = JournalFiles(disk / "journal.jsonl")
            files.replace([GAME])
            fill(disk)
            with pytest.raises(OSError, match="No space left"):
                files.append([(1, 3, "x" * 9000)])
            with pytest.raises(OSError, match="No space left"):
                files.replace([GAME] * 50)
            found = JournalFiles(disk / "journal.jsonl")
            assert (found.trouble, bodies(found)) == ("", [GAME.bodies])
    except MountError as error:
        pytest.skip(str(error))


def test_damaged_files_are_retained_and_no_more_than_nine_of_them(path: Path) -> None:
    for number in range(1, 12):
        path.write_text(f"damaged, number {number}")
        found = JournalFiles(path)
        assert found.trouble
        found.replace([])
        found.close()
    damaged = sorted(one.name for one in path.parent.glob("journal.damaged-*.jsonl"))
    assert damaged == [f"journal.damaged-{number}.jsonl" for number in range(1, 10)]
    assert aside_path(path).read_text() == "damaged, number 11"
    assert JournalFiles(path).trouble == ""


@pytest.mark.parametrize("calls", range(5))
def test_interrupted_while_damaged_files_are_replaced_nothing_is_lost(
    path: Path, monkeypatch: pytest.MonkeyPatch, calls: int
) -> None:
    *_, anew = moments(path)
    anew.write_bytes(b"garbage" * 1000)
    found = JournalFiles(anew)
    steps = [calls]

    def interrupted(path: Path, *words: Any) -> None:
        steps[0] -= 1
        if steps[0] < 0:
            raise ZeroDivisionError
        if words:
            write_whole(path, *words)
        else:
            sync_folder(path)

    with monkeypatch.context() as patched:
        patched.setattr(journal_files, "write_whole", interrupted)
        patched.setattr(journal_files, "sync_folder", interrupted)
        with pytest.raises(ZeroDivisionError):
            found.replace(found.games)
    again = JournalFiles(anew)
    assert bodies(again) == [WHOLE]
    again.replace(again.games)
    again.close()
    assert JournalFiles(anew).trouble == ""


# Permissions


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_everything_is_private_to_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "state" / "journal.jsonl"
    lock = journal_files.locked(path)
    assert lock is not None
    files = JournalFiles(path)
    files.replace([GAME])
    files.append([(1, 3, "three")])
    names = {one.name: mode(one) for one in path.parent.iterdir()}
    assert set(names.values()) == {0o600}
    expected = {"journal.jsonl", "journal.jsonl-copy", "journal.count", "journal.lock"}
    assert set(names) == expected
    assert mode(path.parent) == 0o700
    files.close()
    lock.close()


def test_what_an_earlier_release_left_for_all_to_read_becomes_private(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    (folder / "games").mkdir(parents=True)
    names = ("journal.sqlite", "journal.sqlite-wal", "journal.damaged-1.sqlite", "paired.json")
    for name in names:
        (folder / name).write_bytes(b"")
        (folder / name).chmod(0o644)
    folder.chmod(0o755)
    make_private(folder / "journal.jsonl")
    assert [mode(folder / name) for name in names] == [0o600, 0o600, 0o600, 0o644]
    assert mode(folder) == 0o700
    assert mode(folder / "games") != 0o600


def test_a_folder_with_other_things_in_it_keeps_its_rights(tmp_path: Path) -> None:
    others = [tmp_path / "holiday.jpg", tmp_path / "journal.txt"]
    for other in others:
        other.write_bytes(b"")
        other.chmod(0o644)
    tmp_path.chmod(0o755)
    files = JournalFiles(tmp_path / "journal.jsonl")
    files.replace([])
    files.close()
    assert mode(tmp_path) == 0o755
    assert [mode(other) for other in others] == [0o644, 0o644]
    assert mode(tmp_path / "journal.jsonl") == 0o600


def test_nothing_can_be_appended_before_it_is_written_again(path: Path) -> None:
    files = JournalFiles(path)
    assert not files.are_open
    files.replace([])
    assert files.are_open
    files.close()
    assert not files.are_open
