"""The second copy of the journal: lines of text, each with a seal."""

import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.storage import journal_copy
from firmware.storage.journal_copy import JournalCopy
from firmware.storage.journal_rows import EncodedGame, EventRow, GameRow, JournalHeader
from tests.support.disk import MountError, fill, small_disk

HEAD = JournalHeader("0123456789abcdef", "", 1, 1, 2)
GAME = EncodedGame(GameRow(1, "{}", "2026-11-21T19:00:00+01:00", trusted=True), ("one", "zwei\n"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A copy with a game of two events, and three commits of one event each."""
    path = tmp_path / "journal.sqlite-copy"
    copy = JournalCopy(path, HEAD, [GAME])
    for place in (3, 4, 5):
        copy.append(place - 1, [EventRow(1, place, f"event {place}")])
    copy.sync()
    copy.close()
    return path


def test_what_was_written_is_read(path: Path) -> None:
    found = journal_copy.read(path)
    assert found.is_sound
    assert (found.head, found.serial) == (HEAD, 4)
    bodies = ("one", "zwei\n", "event 3", "event 4", "event 5")
    assert found.stored() == (EncodedGame(GAME.row, bodies),)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_copy_is_one_line_a_commit_that_a_person_can_read(path: Path) -> None:
    lines = path.read_text().splitlines()
    assert len(lines) == 4
    assert lines[-1].endswith('{"serial":4,"events":[[1,5,"event 5"]]}')


def spoilt(number: int) -> Callable[[list[bytes]], list[bytes]]:
    return lambda lines: [*lines[:number], lines[number][:-3] + b"!}\n", *lines[number + 1 :]]


@pytest.mark.parametrize(
    ("change", "events", "fault", "torn"),
    [
        (spoilt(0), 0, "its beginning", False),
        (spoilt(1), 2, "a line", False),
        (spoilt(3), 4, "", True),
        (lambda lines: [*lines[:3], lines[3][:20]], 4, "", True),
        (lambda lines: [*lines[:3], bytes(512)], 4, "", True),
        (lambda lines: [*lines[:2], b"\xff\n\xff\n"], 3, "a line", True),
        (lambda lines: lines[:3], 4, "", False),
        (lambda lines: [lines[0], *lines[2:]], 2, "a line", False),
        (lambda lines: [lines[0], lines[2], lines[1], lines[3]], 5, "a line", False),
        (lambda lines: [*lines, lines[1]], 5, "a line", False),
        (lambda lines: [], 0, "its beginning", False),
    ],
)
def test_a_line_that_is_not_what_was_written_is_noticed(
    path: Path,
    change: Callable[[list[bytes]], list[bytes]],
    events: int,
    fault: str,
    torn: bool,  # noqa: FBT001
) -> None:
    path.write_bytes(b"".join(change(path.read_bytes().splitlines(keepends=True))))
    found = journal_copy.read(path)
    assert sum(len(game.bodies) for game in found.stored()) == events
    assert fault in found.fault
    assert bool(found.fault) == bool(fault)
    assert found.torn == torn


def test_a_copy_of_a_later_release_is_reported_and_not_guessed_at(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_copy, "_FORM", 4)
    JournalCopy(path, HEAD, [GAME]).close()
    monkeypatch.undo()
    found = journal_copy.read(path)
    assert "form 4" in found.fault
    assert found.head is None


def test_no_copy_is_no_fault(tmp_path: Path) -> None:
    found = journal_copy.read(tmp_path / "none")
    assert (found.head, found.fault, found.unread) == (None, "", "")


def test_a_full_disk_refuses_a_line_and_what_was_there_can_be_read(tmp_path: Path) -> None:
    try:
        with small_disk(tmp_path / "disk", "40k") as disk:
            path = disk / "journal.sqlite-copy"
            copy = JournalCopy(path, HEAD, [GAME])
            fill(disk)
            with pytest.raises(OSError, match="No space left"):
                copy.append(2, [EventRow(1, 3, "x" * 9000)])
            copy.close()
            found = journal_copy.read(path)
            assert found.torn
            assert found.stored() == (GAME,)
            with pytest.raises(OSError, match="No space left"):
                JournalCopy(path, HEAD, [GAME] * 50)
            assert journal_copy.read(path).serial == found.serial, "the one before is still there"
    except MountError as error:
        pytest.skip(str(error))
