"""The terms of a game and of a puzzle."""

import pytest

from firmware.game.clock import TimeControl, Timing
from firmware.game.config import GameConfig, HintAmount, Takeback, from_json, to_json
from firmware.rules.errors import NotationError
from firmware.rules.variants import GAMES, PUZZLES, VARIANTS


@pytest.mark.parametrize("key", VARIANTS)
def test_terms_go_through_json_and_come_back(key: str) -> None:
    game = VARIANTS[key]
    terms = GameConfig(game, takeback=Takeback.usual(game))
    assert from_json(to_json(terms)) == terms


def test_the_amount_of_hints_is_of_each_person_goes_with_them_and_may_be_missing() -> None:
    amounts = (HintAmount.NONE, HintAmount.EVERYTHING)
    terms = GameConfig(GAMES["duo"], hints=3, hint_amount=amounts)
    table = to_json(terms)
    assert from_json(table) == terms
    del table["hint_amount"]
    assert from_json(table).amount_of(0) is HintAmount.EVERYTHING
    assert terms.amount_of(0) is HintAmount.NONE
    assert terms.next_game(None).hint_amount == amounts[::-1]
    with pytest.raises(NotationError, match="Duo has 2 amounts of hints, not 1"):
        GameConfig(GAMES["duo"], hint_amount=amounts[:1])


def test_any_piece_may_be_lifted_in_puzzles_only() -> None:
    assert {Takeback.usual(game) for game in PUZZLES.values()} == {Takeback.ANY}
    assert Takeback.usual(GAMES["duo"]) is Takeback.UNTIL_NEXT_MOVE
    with pytest.raises(NotationError, match="takeback any is for puzzles, not for Duo"):
        GameConfig(GAMES["duo"], takeback=Takeback.ANY)


def test_a_puzzle_has_no_clock_of_turns() -> None:
    with pytest.raises(NotationError, match="no clock of turns"):
        GameConfig(PUZZLES["puzzle-all"], pace=TimeControl(Timing.SUDDEN_DEATH, 60.0))
