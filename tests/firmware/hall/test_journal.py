"""The journal of a hall: on disk before it returns, read after a kill, refused when damaged."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from firmware.errors import UnreadableError
from firmware.hall.journal import HallJournal, NotSavedError, forget_player
from firmware.hall.tournament.codes import PublicForm
from firmware.hall.tournament.errors import TournamentError
from firmware.hall.tournament.events import (
    PlayerChanged,
    PlayerEntered,
    PlayerWithdrew,
    SettingsChosen,
)
from firmware.hall.tournament.settings import TournamentSettings
from firmware.storage.journal_rows import seal
from firmware.storage.wall_clock import TimeOfDay
from tests.conftest import ROOT

SETTINGS = SettingsChosen(TournamentSettings("Abend für alle", "duo", 3), by="organiser")
ANNA, BERT = PlayerEntered("P1", PublicForm.FULL), PlayerEntered("P2")
NAMES = {"P1": "Anna Kernbeisser", "P2": "Bertold Zaunkoenig"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal with a tournament and two players."""
    path = tmp_path / "hall" / "hall.sqlite"
    with HallJournal(path) as journal:
        journal.record([SETTINGS, ANNA, BERT], NAMES)
    return path


def bytes_of(path: Path) -> bytes:
    return b"".join(one.read_bytes() for one in sorted(path.parent.iterdir()))


def test_what_was_recorded_is_there_after_a_start(path: Path) -> None:
    with HallJournal(path) as journal:
        assert journal.events == (SETTINGS, ANNA, BERT)
        assert [*journal.state.players] == ["P1", "P2"]
        assert journal.names() == NAMES


def test_the_file_is_for_its_owner_alone(path: Path) -> None:
    assert path.stat().st_mode & 0o077 == 0


def test_events_have_ids_and_no_names(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file:
        bodies = "".join(body for (body,) in file.execute("SELECT body FROM events"))
    assert "P1" in bodies
    assert not any(word in bodies for name in NAMES.values() for word in name.split())


def test_an_event_that_says_nothing_new_is_not_written(path: Path) -> None:
    with HallJournal(path) as journal:
        journal.record([PlayerWithdrew("P1"), PlayerWithdrew("P1", "again")])
        journal.record([PlayerWithdrew("P1")])
        assert len(journal.events) == 4


def test_a_journal_goes_on_after_an_event_that_means_nothing_any_more(path: Path) -> None:
    with HallJournal(path) as journal:
        last, serial = journal._seal, len(journal.events) + 1
    body = '{"event": "bye-asked", "player": "P1", "round": 1}'
    with closing(sqlite3.connect(path)) as file, file:
        row = (serial, body, seal(last, (serial, body)))
        file.execute("INSERT INTO events VALUES (?, ?, ?)", row)
    with HallJournal(path) as journal:
        assert journal.events == (SETTINGS, ANNA, BERT)
        journal.record([PlayerWithdrew("P1")])
    with HallJournal(path) as journal:
        assert journal.events[3:] == (PlayerWithdrew("P1"),)


def test_nothing_of_a_refused_batch_is_written(path: Path) -> None:
    with HallJournal(path) as journal:
        with pytest.raises(TournamentError):
            journal.record([PlayerWithdrew("P1"), PlayerWithdrew("P9")], {"P1": "Other"})
        assert len(journal.events) == 3
    with HallJournal(path) as journal:
        assert journal.events == (SETTINGS, ANNA, BERT)
        assert journal.names() == NAMES


def test_a_disk_that_refuses_leaves_state_and_names_as_they_were(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with HallJournal(path) as journal, closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(NotSavedError):
            journal.record([PlayerWithdrew("P1")], {"P1": "Other"})
        other.execute("ROLLBACK")
        assert journal.state.player("P1").withdrawn_from is None
        assert journal.names() == NAMES
        journal.record([PlayerWithdrew("P1")])
    with HallJournal(path) as journal:
        assert journal.state.player("P1").withdrawn_from == 1


def test_a_forgotten_name_is_gone_from_every_file(path: Path) -> None:
    with HallJournal(path) as journal:
        assert journal.forget("P1")
        assert not journal.forget("P1")
        assert journal.names() == {"P2": NAMES["P2"]}
        assert b"Kernbeisser" not in bytes_of(path)
        assert b"Zaunkoenig" in bytes_of(path)
        assert journal.events == (SETTINGS, ANNA, BERT)
    assert b"Kernbeisser" not in bytes_of(path)


def test_a_name_is_forgotten_while_the_hall_runs(path: Path) -> None:
    with HallJournal(path) as journal:
        journal.note_export("standings.pdf")
        assert journal.names() == NAMES
        forgotten, exports = forget_player(path, "P1")
        assert forgotten
        assert [one.file for one in exports] == ["standings.pdf"]
        assert journal.names() == {"P2": NAMES["P2"]}
        assert b"Kernbeisser" not in bytes_of(path)


def test_forgetting_where_there_is_no_journal_creates_none(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="no journal"):
        forget_player(tmp_path / "hall.sqlite", "P1")
    assert not [*tmp_path.iterdir()]


def test_a_new_name_replaces_the_old_one(path: Path) -> None:
    with HallJournal(path) as journal:
        journal.record([PlayerChanged("P1", PublicForm.ID)], {"P1": "Anna Specht"})
        assert journal.names()["P1"] == "Anna Specht"
        with pytest.raises(TournamentError):
            journal.record([PlayerChanged("P9", PublicForm.ID)], {"P9": "Nobody"})
        assert "P9" not in journal.names()


@pytest.mark.parametrize(
    ("day", "trusted", "left"),
    [
        ("2026-02-28", True, {"P1", "P2"}),
        ("2026-04-01", True, {"P1", "P2"}),
        ("2026-04-03", True, set()),
        ("2031-01-01", False, {"P1", "P2"}),
    ],
)
def test_names_are_forgotten_after_90_days(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, day: str, left: set[str], *, trusted: bool
) -> None:
    times = iter([TimeOfDay("2026-01-02T20:00:00+01:00", trusted=True)])
    now = TimeOfDay(f"{day}T10:00:00+01:00", trusted)
    monkeypatch.setattr("firmware.hall.journal.time_of_day", lambda: next(times, now))
    with HallJournal(tmp_path / "hall.sqlite") as journal:
        journal.record([SETTINGS, ANNA, BERT], NAMES)
        assert {*journal.forget_old()} == {"P1", "P2"} - left
        assert journal.names().keys() == left


def test_a_name_entered_under_a_wrong_clock_counts_from_the_first_right_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    days = iter(["1970-01-01", "2026-05-01", "2026-07-30", "2026-07-31"])

    def now() -> TimeOfDay:
        day = next(days)
        return TimeOfDay(f"{day}T10:00:00+01:00", day > "2000")

    monkeypatch.setattr("firmware.hall.journal.time_of_day", now)
    with HallJournal(tmp_path / "hall.sqlite") as journal:
        journal.record([SETTINGS, ANNA], {"P1": "Anna Kern"})
        assert [journal.forget_old() for _ in range(3)] == [(), (), ("P1",)]


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def _noise(path: Path) -> None:
    path.write_bytes(b"no database at all" * 1000)


def _sql(statement: str) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        with closing(sqlite3.connect(path)) as file, file:
            file.execute(statement)

    return change


@pytest.mark.parametrize(
    "damage",
    [
        _cut,
        _noise,
        _sql("UPDATE events SET body = replace(body, 'P1', 'P7') WHERE serial = 2"),
        _sql("UPDATE events SET body = NULL WHERE serial = 2"),
        _sql("DELETE FROM events WHERE serial = 2"),
        _sql("UPDATE events SET serial = 9 WHERE serial = 3"),
        _sql("DROP TABLE names"),
        _sql("PRAGMA user_version=2"),
    ],
)
def test_a_damaged_file_is_refused_with_one_sentence_and_stays(
    path: Path, damage: Callable[[Path], None]
) -> None:
    damage(path)
    before = path.read_bytes()
    with pytest.raises(UnreadableError) as caught:
        HallJournal(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == before


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UnreadableError):
        HallJournal(tmp_path / "file" / "hall.sqlite")


WRITER = """
import sys
from pathlib import Path
from firmware.hall.journal import HallJournal
from firmware.hall.tournament.events import PlayerEntered
with HallJournal(Path(sys.argv[1])) as journal:
    number = len(journal.state.players)
    while True:
        number += 1
        journal.record([PlayerEntered(f"P{number}")], {f"P{number}": f"Name {number}"})
        print(number, flush=True)
"""


@pytest.mark.slow
def test_a_kill_while_it_writes_loses_nothing_that_was_acknowledged(path: Path) -> None:
    acknowledged = 2
    for kill in range(4):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        ) as writer:
            assert writer.stdout is not None
            for _ in range(5 + 7 * kill):
                acknowledged = int(writer.stdout.readline())
            writer.send_signal(signal.SIGKILL)
            # What was acknowledged before the signal arrived counts as well.
            for line in writer.stdout:
                acknowledged = int(line) if line.endswith("\n") else acknowledged
        with HallJournal(path) as journal:
            assert acknowledged <= len(journal.state.players) <= acknowledged + 1
            assert journal.names().keys() == journal.state.players.keys()
            acknowledged = len(journal.state.players)
