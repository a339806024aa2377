"""A sample of the trial `silence`: every case is reported as what it is, or asked about."""

import random

import pytest

from firmware.codes import Translucency
from firmware.rules.variants import GAMES, default_edition
from tests.evaluation.silence import SilenceVerdict, Waiting, scenes, sweep
from tests.support.random_games import played

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("game", "pieces", "scene", "late", "every"),
    [
        ("duo", Translucency.OPAQUE, "refused", 0, 36),
        ("duo", Translucency.TRANSLUCENT, "turn", 2, 40),
    ],
)
def test_nothing_beside_a_light_or_over_the_rim_is_passed_over_in_silence(
    game: str, pieces: Translucency, scene: str, late: int, every: int
) -> None:
    state = scenes(played(game, 11, 12))[scene]
    waiting = Waiting(state, default_edition(GAMES[game]), pieces, late=late)
    answers = [(str(case), found) for case, (found, _) in sweep(waiting, random.Random(3), every)]  # noqa: S311
    assert len(answers) >= 4
    named = (SilenceVerdict.TOLD, SilenceVerdict.ASKED)
    assert [(case, found) for case, found in answers if found not in named] == []
    assert any(found is SilenceVerdict.TOLD for _, found in answers)
