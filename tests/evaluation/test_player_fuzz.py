"""A few positions of the trial `player_fuzz`."""

import random

import pytest

from firmware.player.search.player import SearchLimits, SearchPlayer
from firmware.rules.position import Position
from firmware.rules.variants import GAMES
from tests.evaluation.player_fuzz import PositionTally, examine, is_alike, positions

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("game", GAMES)
def test_compiled_lists_are_those_of_the_rules(game: str) -> None:
    chance = random.Random(game)  # noqa: S311
    assert all(is_alike(position) for position in positions(game, 24, chance))


def test_a_position_is_examined_under_time_and_when_stopped() -> None:
    tally = PositionTally()
    SearchPlayer(memory_mb=1).think(Position.start("duo"), SearchLimits(simulations=2))
    (position,) = positions("duo", 1, random.Random(4))  # noqa: S311
    for stop in (False, True):
        examine(position, 2, stop=stop, tally=tally)
    assert tally.faults() == 0
    assert (tally.positions, len(tally.late_ms), len(tally.stop_ms)) == (2, 1, 1)
