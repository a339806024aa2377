"""Names that are too old are forgotten when a hall begins."""

from pathlib import Path

import pytest

from firmware.hall.journal import FILE, HallJournal
from firmware.hall.organiser import Organiser
from firmware.hall.roster import Roster
from firmware.hall.tournament.events import PlayerEntered, SettingsChosen
from firmware.hall.tournament.settings import TournamentSettings
from firmware.storage.wall_clock import TimeOfDay
from tests.support.waiting import eventually

NEW_YEAR = TimeOfDay("2026-01-01T20:00:00+01:00", trusted=True)


@pytest.mark.parametrize(("month", "left"), [(5, ""), (3, "Anna Kern")])
def test_old_names_are_forgotten_when_the_hall_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, month: int, left: str
) -> None:
    monkeypatch.setattr("firmware.hall.journal.time_of_day", lambda: NEW_YEAR)
    chosen = SettingsChosen(TournamentSettings("Evening", "duo", 3))
    with HallJournal(tmp_path / FILE) as journal:
        journal.record([chosen, PlayerEntered("P1")], {"P1": "Anna Kern"})
        later = TimeOfDay(f"2026-0{month}-01T20:00:00+01:00", trusted=True)
        monkeypatch.setattr("firmware.hall.journal.time_of_day", lambda: later)
        organiser = Organiser(tmp_path, "Club", journal, Roster(tmp_path))
        assert organiser.news.page.names == {"P1": "Anna Kern"}
        organiser.start()
        try:
            eventually(lambda: organiser.news.page.names.get("P1", "") == left)
        finally:
            organiser.close()
        assert [*journal.names().values()] == ([left] if left else [])
