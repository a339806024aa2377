"""A file of the journal: lines of text, each with a seal."""

from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.storage import journal_rows
from firmware.storage.journal_rows import JournalGame, first_line, line, read

HEAD = ("0123456789abcdef", "fedcba9876543210", 1)
BODIES = ("one", "zwei\n")
GAME = JournalGame(1, "{}", "2026-11-21T19:00:00+01:00", trusted=True, bodies=BODIES)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with a game of two events, and three commits of one event each."""
    path = tmp_path / "journal.jsonl"
    commits = [{"serial": n, "events": [(1, n + 1, f"event {n + 1}")]} for n in (2, 3, 4)]
    path.write_bytes(first_line(HEAD, [GAME]) + b"".join(line(HEAD[0], one) for one in commits))
    return path


def test_what_was_written_is_read(path: Path) -> None:
    found = read(path)
    assert (found.fault, found.torn) == ("", False)
    assert ((found.identity, found.previous, found.first), found.serial) == (HEAD, 4)
    bodies = (*BODIES, "event 3", "event 4", "event 5")
    assert found.stored() == (GAME._replace(bodies=bodies),)


def test_a_commit_is_one_line_that_a_person_can_read(path: Path) -> None:
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
    found = read(path)
    assert sum(len(game.bodies) for game in found.stored()) == events
    assert fault in found.fault
    assert bool(found.fault) == bool(fault)
    assert found.torn == torn


def test_a_file_of_a_later_release_is_reported_and_not_guessed_at(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_rows, "_FORMS", (5,))
    path.write_bytes(first_line(HEAD, [GAME]))
    monkeypatch.undo()
    found = read(path)
    assert "form 5" in found.fault
    assert not found.identity


def test_a_line_of_another_time_does_not_pass(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first_line(("f" * 16, HEAD[0], 1), [GAME]) + b"".join(lines[1:]))
    found = read(path)
    assert "a line is not" in found.fault
    assert found.stored() == (GAME,)


def test_no_file_is_no_fault(tmp_path: Path) -> None:
    found = read(tmp_path / "none")
    assert (found.identity, found.fault) == ("", "")


def test_a_refusal_of_the_disk_is_a_fault(tmp_path: Path) -> None:
    found = read(tmp_path)
    assert "directory" in found.fault
