"""Every reason that is given passes a slow recount by the rules: 500 positions of all games."""

import random

import pytest

from firmware.player.search.reasons import wish_of
from firmware.rules.variants import GAMES
from tests.evaluation.reason_positions import STORED_POSITIONS, read_positions
from tests.support.checked_reasons import check_reasons, games

OTHERS = 35
"""Positions of each game, besides the 300 stored ones."""


def test_reasons_in_strong_games_pass_a_recount() -> None:
    chance = random.Random(1)  # noqa: S311
    positions = read_positions(STORED_POSITIONS)
    assert len(positions) == 300
    assert sum(check_reasons(one.position, one.wish, chance, 2) for one in positions) > 500


@pytest.mark.parametrize("game", GAMES)
def test_reasons_in_random_games_pass_a_recount(game: str) -> None:
    chance = random.Random(2)  # noqa: S311
    few = chance.sample(list(games(game, 3)), OTHERS)
    assert sum(check_reasons(one, wish_of(one), chance, 1) for one in few) > 10
