from collections import Counter

import pytest

from firmware.rules.variants import GAMES
from tests.evaluation.gaps import FAULTS, PICTURED, gaps, pictured_game

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("game", GAMES)
def test_no_gap_costs_a_move_and_one_question_settles_a_score(game: str) -> None:
    total = sum(gaps(game, 4, every=7), Counter())
    assert total["gaps"] > 50
    assert total["order not seen"] > 10
    assert {fault: total[fault] for fault in FAULTS if total[fault]} == {}


def test_a_rendered_game_loses_no_move_with_its_pictures() -> None:
    tally = pictured_game(PICTURED[0], plies=10)
    assert tally["accepted"] == tally["moves"] == 10
    assert tally["accepted after the gap"] > 3
    assert {tally[count] for count in ("asked", "wrong accepts", "wrong refusals")} == {0}
