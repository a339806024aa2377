"""The terms of a game and of a puzzle."""

import pytest

from firmware.game.clock import TimeControl, Timing
from firmware.game.config import GameConfig, Takeback, from_json, to_json
from firmware.rules.errors import NotationError
from firmware.rules.variants import GAMES, PUZZLES, VARIANTS


@pytest.mark.parametrize("key", VARIANTS)
def test_terms_go_through_json_and_come_back(key: str) -> None:
    game = VARIANTS[key]
    terms = GameConfig(game, takeback=Takeback.usual(game))
    assert from_json(to_json(terms)) == terms


def test_any_piece_may_be_lifted_in_puzzles_only() -> None:
    assert {Takeback.usual(game) for game in PUZZLES.values()} == {Takeback.ANY}
    assert Takeback.usual(GAMES["duo"]) is Takeback.UNTIL_NEXT_MOVE
    with pytest.raises(NotationError, match="takeback any is for puzzles, not for Duo"):
        GameConfig(GAMES["duo"], takeback=Takeback.ANY)


def test_a_puzzle_has_no_clock_of_turns() -> None:
    with pytest.raises(NotationError, match="no clock of turns"):
        GameConfig(PUZZLES["puzzle-all"], pace=TimeControl(Timing.SUDDEN_DEATH, 60.0))
