"""The terms of a game and of a puzzle."""

import pytest

from firmware.codes import HintAmount, Takeback, Timing
from firmware.game.clock import TimeControl
from firmware.game.config import GameConfig, from_json, to_json, usual_takeback
from firmware.game.levels import LEVELS, MOST_LEVEL
from firmware.rules.errors import NotationError
from firmware.rules.variants import GAMES, PUZZLES, VARIANTS


@pytest.mark.parametrize("key", VARIANTS)
def test_terms_go_through_json_and_come_back(key: str) -> None:
    game = VARIANTS[key]
    terms = GameConfig(game, takeback=usual_takeback(game))
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
    assert {usual_takeback(game) for game in PUZZLES.values()} == {Takeback.ANY}
    assert usual_takeback(GAMES["duo"]) is Takeback.UNTIL_NEXT_MOVE
    with pytest.raises(NotationError, match="takeback any is for puzzles, not for Duo"):
        GameConfig(GAMES["duo"], takeback=Takeback.ANY)


def test_a_puzzle_has_no_clock_of_turns() -> None:
    with pytest.raises(NotationError, match="no clock of turns"):
        GameConfig(PUZZLES["puzzle-all"], pace=TimeControl(Timing.SUDDEN_DEATH, 60.0))


def test_any_seat_but_one_may_be_the_computers() -> None:
    terms = GameConfig(GAMES["classic"], computer=(0, 1, 12, 7), seed=99)
    assert from_json(to_json(terms)) == terms
    for levels, message in (
        ((5, 5), "cannot play everybody"),
        ((0, 13), "from 1 to 12"),
        ((0, 1, 1), "has 2 people, not 3"),
    ):
        with pytest.raises(NotationError, match=message):
            GameConfig(GAMES["duo"], computer=levels)
    with pytest.raises(NotationError, match="which the computer does not play"):
        GameConfig(PUZZLES["puzzle-all"], takeback=Takeback.ANY, computer=(1,))


def test_terms_of_earlier_versions_have_no_computer() -> None:
    stored = to_json(GameConfig(GAMES["duo"]))
    del stored["computer"], stored["seed"]
    assert from_json(stored) == GameConfig(GAMES["duo"])


def test_the_computer_keeps_its_seat_in_the_next_game() -> None:
    terms = GameConfig(GAMES["duo"], names=("Ada", ""), computer=(0, 7), seed=99)
    after = terms.next_game(("purple", "orange"))
    assert (after.names, after.computer, after.seed) == (("", "Ada"), (7, 0), 0)
    assert terms.again(None).computer == (0, 7)


def test_the_highest_level_is_the_last_name() -> None:
    assert len(LEVELS) == MOST_LEVEL
