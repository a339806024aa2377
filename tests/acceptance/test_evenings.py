"""Evenings: several games at one table, and a demo that a phone watches."""

import random
from pathlib import Path

import pytest

from firmware.game.config import GameConfig
from firmware.rules.variants import GAMES
from tests.evaluation.endurance import judged, look, table
from tests.evaluation.many_games import play
from tests.support.fake_table import house
from web.contract import NewGame

MINUTES = 3.0


@pytest.mark.parametrize("game", GAMES)
def test_games_follow_one_another_and_are_all_kept(tmp_path: Path, game: str) -> None:
    chance = random.Random(f"{game} 3")  # noqa: S311
    with house(tmp_path, GameConfig(GAMES[game])) as made:
        # Pictures are not read here: small ones are faster.
        made.table_factory.camera.image = made.table_factory.camera.image[::8, ::8].copy()
        plies = 0
        for _ in range(4):
            plies += play(made, chance)
            key = made.state.position.game.key
            assert made.asks(NewGame(game=key)) == [None]  # type: ignore[arg-type]
    counts = judged(tmp_path / "games")
    assert (counts["games"], counts["games against the rules"]) == (4, 0)
    assert counts["event move"] == plies


def test_a_demo_plays_on_a_busy_machine_and_answers_its_phone(tmp_path: Path) -> None:
    with table(tmp_path, 1) as (pid, page):
        measured = look(pid, page, MINUTES)
    counts = judged(tmp_path / "kept" / "games")
    assert measured.missed == 0
    assert sum(measured.states.values()) > 10
    assert counts["games against the rules"] == 0
    assert [name for name in counts if name.startswith("odd ")] == []
    assert "Traceback" not in (tmp_path / "log.txt").read_text()
