"""A person who is forgotten at a table: the game on the table, the page, all files."""

from pathlib import Path

from firmware.game.config import GameConfig
from firmware.rules.variants import GAMES
from tests.firmware.storage.test_archive_forgetting import files_with
from tests.support.fake_table import house
from tests.support.waiting import eventually
from web.contract import EndGame, EndReason, Forget, NewGame, RefusalReason

NAMED = GameConfig(GAMES["duo"], names=("Ada", "Ben"))


def test_the_game_that_goes_on_forgets_and_goes_on(tmp_path: Path) -> None:
    with house(tmp_path, NAMED) as table:
        table.lay("purple", "e10,f10,f9,g9,g8")
        assert files_with(tmp_path, "Ada")
        assert [colour.player for colour in table.page.colours] == ["Ada", "Ben"]
        assert table.asks(Forget("ADA")) == [None]
        assert [colour.player for colour in table.page.colours] == ["", "Ben"]
        assert table.state.piece_count == 1
        eventually(lambda: not files_with(tmp_path, "Ada"))
        table.lay("orange", "j5,j6,j7")
    with house(tmp_path) as table:
        assert table.state.piece_count == 2, "it goes on from the journal"
        assert [colour.player for colour in table.page.colours] == ["", "Ben"]
        table.asks(EndGame(EndReason.SCORE))
        eventually(lambda: list((tmp_path / "games").rglob("pages.jsonl")))
        assert files_with(tmp_path, "Ada") == []
        assert len(files_with(tmp_path, "Ben")) >= 4
        table.table_factory.board.contents.clear()
        table.look(30)
        assert [colour.player for colour in table.page.colours] == ["Ben", ""]


def test_a_kept_game_and_its_pictures_are_forgotten(tmp_path: Path) -> None:
    with house(tmp_path, NAMED) as table:
        table.lay("purple", "e10,f10,f9,g9,g8")
        table.asks(NewGame(names=("Clara", "Ben")))
        games = tmp_path / "games"
        eventually(lambda: list(games.rglob("pages.jsonl")))
        assert list(games.rglob("*.jpg"))
        assert table.asks(Forget("Ada")) == [None]
        eventually(lambda: not files_with(tmp_path, "Ada"))
        assert not list(games.rglob("*.jpg"))
        assert [colour.player for colour in table.page.colours] == ["Clara", "Ben"]


def test_a_phone_that_is_not_paired_cannot_have_anybody_forgotten(tmp_path: Path) -> None:
    with house(tmp_path, NAMED) as table:
        before = files_with(tmp_path, "Ada")
        stranger = table.command(Forget("Ada"), token="made-up")  # noqa: S106
        assert table.asks(stranger) == [RefusalReason.NOT_PAIRED]
        assert files_with(tmp_path, "Ada") == before != []
