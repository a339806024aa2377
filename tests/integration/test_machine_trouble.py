"""Heat and a weak supply at a running table: on every screen and in the lights, and gone again."""

from contextlib import closing
from itertools import groupby
from pathlib import Path

import pytest

from firmware.assembly.simulated import SimulationOptions, simulated
from firmware.game.config import GameConfig
from firmware.machine.sysfs import SYSFS_VARIABLE
from firmware.rules.variants import GAMES
from firmware.settings import Settings
from tests.support.fake_table import FakeLedStrip, FakeTable, pages_into
from tests.support.noisy_board import FIRST, SECOND
from tests.support.stand_in_sysfs import StandInSysfs
from web.app import create_app
from web.contract import MachineStatus, Page
from web.table_client import TableClient

DUO = GameConfig(GAMES["duo"])
FINE = MachineStatus(hot=False, undervoltage=False)
CORNERS = frozenset({0, 13, 182, 195})
HOT = {
    "en": "The computer is hot (85 °C) and slows down; give it air.",
    "de": "Der Computer ist heiß (85 °C) und wird langsamer; für Luft sorgen.",
    "ja": "コンピューターが熱くなり（85 °C）、動作が遅くなっています。風通しをよくしてください。",
}


@pytest.fixture
def pi(tmp_path: Path) -> StandInSysfs:
    return StandInSysfs(tmp_path / "sys")


def glowing(table: FakeTable, bulbs: FakeLedStrip, seconds: int) -> set[frozenset[int]]:
    """Returns what the lights show while some seconds pass."""
    shown = set()
    for _ in range(seconds):
        table.look(1)
        shown.add(bulbs.on)
    return shown


def sentences(page: Page, path: str, language: str) -> str:
    """Returns what a screen shows of a page."""
    with closing(TableClient(Path("/nowhere"))) as link:
        link.hear(page)
        return create_app(link).test_client().get(path, headers={"Accept-Language": language}).text


def test_a_table_that_is_hot_and_weakly_supplied_says_so_until_it_is_not(
    tmp_path: Path, pi: StandInSysfs
) -> None:
    bulbs = FakeLedStrip()
    with closing(FakeTable(tmp_path, DUO, bulbs=bulbs)) as table:
        table.lay("purple", FIRST)
        assert table.page.machine == FINE
        assert not any(shown >= CORNERS for shown in glowing(table, bulbs, 10))
        pi.temperature.write_text("85000\n", encoding="ascii")
        pi.alarm.write_text("1\n", encoding="ascii")
        table.look(10)
        assert table.page.machine == MachineStatus(hot=True, celsius=85, undervoltage=True)
        shown = glowing(table, bulbs, 8)
        assert any(lit >= CORNERS for lit in shown)
        assert any(CORNERS.isdisjoint(lit) for lit in shown), "they flash"
        for path in ("/", "/tv"):
            for language, sentence in HOT.items():
                assert sentence in sentences(table.page, path, language)
        table.lay("orange", SECOND)
        table.look(10)
        assert table.state.piece_count == 2, "the game goes on"
        pi.set_celsius(60)
        pi.set_undervoltage(is_low=False)
        table.look(10)
        assert table.page.machine == FINE
        assert all(CORNERS.isdisjoint(lit) for lit in glowing(table, bulbs, 8))
        assert 'class="notice"' not in sentences(table.page, "/tv", "en")


def test_of_a_computer_that_tells_nothing_nothing_is_shown(tmp_path: Path) -> None:
    bulbs = FakeLedStrip()
    with closing(FakeTable(tmp_path, DUO, bulbs=bulbs)) as table:
        table.lay("purple", FIRST)
        assert all(CORNERS.isdisjoint(lit) for lit in glowing(table, bulbs, 20))
        assert table.page.machine == MachineStatus()
        assert 'class="notice"' not in sentences(table.page, "/", "en")


def test_a_steady_trouble_makes_no_further_pages(tmp_path: Path, pi: StandInSysfs) -> None:
    pi.set_celsius(85)
    with closing(FakeTable(tmp_path, DUO)) as table:
        before = len(table.feed.pages)
        table.look(40)
        assert len(table.feed.pages) == before


@pytest.mark.slow
def test_a_simulated_table_reads_the_folder_that_stands_in_for_sysfs(
    tmp_path: Path, pi: StandInSysfs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SYSFS_VARIABLE, str(pi.path))
    pi.set_celsius(85)
    folder = tmp_path / "table"
    folder.mkdir()
    pages: list[Page] = []
    with simulated(Settings(), folder, SimulationOptions()) as table:
        monkeypatch.setattr(table.feed, "publish", pages_into(pages))
        for second in range(12):
            table.step(0.25, float(second))
            if second == 1:
                pi.set_celsius(40)
    assert [hot for hot, _ in groupby(page.machine.hot for page in pages)] == [True, False]
