"""The roster: tables keep number and password, whatever happens to the hall."""

import json
import stat
from pathlib import Path

import pytest

from firmware.errors import CornerlightError, UnreadableError
from firmware.hall.roster import FILE, Roster


def test_tables_get_the_lowest_free_number_and_passwords_of_their_own(tmp_path: Path) -> None:
    changes: list[dict[str, str]] = []
    roster = Roster(tmp_path, changes.append)
    made = [roster.add(), roster.add(), roster.add()]
    assert [one.number for one in made] == [1, 2, 3]
    assert len({one.secret for one in made} | {roster.secret}) == 4
    assert roster.remove(2)
    assert not roster.remove(2)
    assert roster.add().number == 2
    assert sorted(changes[-1]) == ["01", "02", "03", "hall"]
    assert changes[-1] == roster.passwords
    assert sorted(changes[-2]) == ["01", "03", "hall"]


def test_a_removed_table_has_another_password_when_it_is_added_again(tmp_path: Path) -> None:
    roster = Roster(tmp_path)
    before = roster.add().secret
    roster.remove(1)
    assert roster.add().secret != before


def test_a_second_start_has_the_same_hall_and_tables(tmp_path: Path) -> None:
    first = Roster(tmp_path)
    first.add()
    first.use_port(8884)
    second = Roster(tmp_path)
    assert second.topics == first.topics
    assert second.passwords == first.passwords
    assert second.tables == first.tables
    assert second.port == 8884
    table = json.loads((tmp_path / FILE).read_text())
    table["tables"][0]["label"] = "of an earlier release"
    (tmp_path / FILE).write_text(json.dumps(table))
    assert Roster(tmp_path).tables == first.tables


def test_the_file_is_for_its_owner_alone_and_no_text_shows_a_password(tmp_path: Path) -> None:
    roster = Roster(tmp_path)
    table = roster.add()
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    assert table.secret not in repr(table)


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"v": 2}', '{"v":1,"hall":"A B","secret":"x","port":1,"tables":[]}',
     '{"v":1,"hall":"ab","secret":"x","port":1,"tables":[{"number":0,"label":"","secret":"x"}]}',
     '{"v":1,"hall":"ab","secret":"x","port":"1","tables":[]}'],
)  # fmt: skip
def test_a_damaged_file_is_one_sentence_and_stays(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    with pytest.raises(UnreadableError, match=r"roster\.json is damaged; restore it"):
        Roster(tmp_path)
    assert (tmp_path / FILE).read_text() == content


def test_a_full_roster_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.hall.roster.MOST_TABLES", 2)
    roster = Roster(tmp_path)
    roster.add()
    roster.add()
    with pytest.raises(CornerlightError, match="at most 2 tables; remove one"):
        roster.add()
