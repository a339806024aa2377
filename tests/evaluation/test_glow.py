"""With dark windows no light changes a reading; without them it does. See the trial `glow`."""

import pytest

from firmware.codes import Translucency
from firmware.lights.scene import ever
from firmware.rules.variants import EDITIONS
from firmware.simulator.appearance import PieceMaterial
from tests.evaluation.glow import GlowSetup, outcome, sweep
from tests.support.led_scenes import showings
from tests.support.random_games import played

pytestmark = pytest.mark.slow


def test_the_camera_is_not_fooled_by_lights() -> None:
    fooled = 0
    for case, found in sweep([("duo", "purple-orange")], [5], [0.8], every=9):
        assert found.dark == 0, case
        assert not found.hand, case
        fooled += found.unaware > 0
    assert fooled, "without dark windows some lights are taken for pieces"


def test_squares_beside_lights_are_not_read_otherwise() -> None:
    position, edition = played("duo", 11, 3), EDITIONS["black-white"]
    setting = GlowSetup.of(position, edition, PieceMaterial())
    _, glows = showings(position, edition, Translucency.OPAQUE)["unsure"]
    assert outcome(setting, setting.picture({}, 1.0, 1), ever(glows), 0.6).masked == 0
