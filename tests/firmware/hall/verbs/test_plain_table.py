"""A scripted table without pictures: whole games of a real session."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from firmware.codes import GameKey
from firmware.hall.verbs.plain_table import PlainTable
from firmware.settings import GameSettings, Settings
from web.contract import Undo


@pytest.fixture
def table(tmp_path: Path) -> Iterator[PlainTable]:
    settings = Settings(game=replace(GameSettings(), game=GameKey.DUO))
    with PlainTable(settings, tmp_path / "table", seed=3) as made:
        yield made


def play(table: PlainTable, seconds: float, begun_s: float = 0.0) -> None:
    """Lets some time of the table pass."""
    for half in range(int(2 * seconds)):
        now_s = begun_s + half / 2
        table.step(now_s, now_s / 20)


def test_a_game_is_played_stored_and_followed_by_the_next(table: PlainTable) -> None:
    now_s = 0.0
    while not table.state.over:
        play(table, 10, begun_s=now_s)
        now_s += 10
        assert now_s < 3600
    assert table.state.piece_count > 20
    assert not table.state.refused
    play(table, 120, begun_s=now_s)
    assert not table.state.over
    table.services.archive.close()
    assert list(table.services.archive.folder.glob("*/*.blksgf"))


def test_a_table_that_is_closed_goes_on_with_its_game(tmp_path: Path) -> None:
    settings = Settings(game=replace(GameSettings(), game=GameKey.DUO))
    with PlainTable(settings, tmp_path / "table", seed=3) as table:
        play(table, 120)
        before = table.state.position
        assert table.state.piece_count > 2
    with PlainTable(settings, tmp_path / "table", seed=4) as table:
        assert table.state.position == before
        play(table, 120)
        assert table.state.piece_count > len([move for laid in before.laid for move in laid])


def test_people_of_a_table_without_pictures_lift_it(tmp_path: Path) -> None:
    with PlainTable(Settings(), tmp_path / "table", seed=3) as table:
        now_s = 0.0
        while table.state.piece_count < 2:
            now_s += 0.5
            table.step(now_s, now_s)
        table.controller.session.do(Undo())
        assert table.state.to_lift
        for _ in range(240):
            now_s += 0.5
            table.step(now_s, now_s)
        assert not table.state.to_lift
        assert table.state.piece_count > 2
