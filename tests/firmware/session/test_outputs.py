"""Those to whom a table offers the pictures of its camera."""

from dataclasses import replace
from pathlib import Path

import pytest

from firmware.assembly.services import ComposedTable
from firmware.assembly.simulated import SimulationOptions, simulated
from firmware.assembly.table_places import TablePlaces
from firmware.game.config import GameConfig
from firmware.rules.variants import GAMES
from firmware.session.feed_server import FeedServer
from firmware.settings import Settings
from tests.support.fake_table import FakeTableFactory, house, pages_into
from web.contract import Page, PictureAudience

DUO = GameConfig(GAMES["duo"])


def audience(folder: Path, settings: Settings) -> PictureAudience:
    """Returns the audience that the first page of a real table names."""
    pages: list[Page] = []
    table = ComposedTable(settings, TablePlaces.within(folder), FakeTableFactory())
    table.feed.publish = pages_into(pages)  # type: ignore[assignment, method-assign]
    table.begin(DUO, None, fresh=True).close()
    table.close()
    return pages[-1].pictures


@pytest.mark.parametrize("setting", ["paired", "everybody"])
def test_a_real_table_offers_pictures_as_the_setting_says(tmp_path: Path, setting: str) -> None:
    page = replace(Settings().page, camera=setting)  # type: ignore[arg-type]
    settings = replace(Settings(), page=page)
    assert audience(tmp_path, settings) == setting


def test_pictures_are_for_paired_phones_unless_a_setting_says_otherwise(tmp_path: Path) -> None:
    assert audience(tmp_path, Settings()) is PictureAudience.PAIRED


def test_a_simulated_table_shows_its_pictures_to_everybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages: list[Page] = []
    monkeypatch.setattr(FeedServer, "publish", lambda _, message: pages_into(pages)(message))
    with simulated(Settings(), tmp_path, SimulationOptions()):
        assert pages[-1].pictures is PictureAudience.EVERYBODY


def test_a_table_with_a_camera_publishes_its_pictures(tmp_path: Path) -> None:
    with house(tmp_path, DUO) as table:
        before = len(table.feed.pictures)
        table.look(3)
        assert len(table.feed.pictures) == before + 3
