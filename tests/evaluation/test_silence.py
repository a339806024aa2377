"""A sample of what happens unseen by a light: people are told of every case."""

import random

import pytest

from firmware.lights.scene import Translucency
from firmware.rules.variants import GAMES, default_edition
from tests.evaluation.silence import Waiting, scenes, sweep
from tests.support.random_games import played

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("game", "pieces", "scene", "late", "every"),
    [
        ("duo", Translucency.OPAQUE, "refused", 0, 40),
        ("duo", Translucency.TRANSLUCENT, "turn", 2, 40),
    ],
)
def test_nothing_beside_a_light_or_over_the_rim_is_passed_over_in_silence(
    game: str, pieces: Translucency, scene: str, late: int, every: int
) -> None:
    state = scenes(played(game, 11, 12))[scene]
    waiting = Waiting(state, default_edition(GAMES[game]), pieces, late=late)
    told = [(str(case), told_s) for case, told_s in sweep(waiting, random.Random(3), every)]  # noqa: S311
    assert len(told) >= 4
    assert [case for case, told_s in told if told_s is None] == []
