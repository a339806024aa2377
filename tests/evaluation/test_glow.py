"""With dark windows no light changes a reading; without them it does. See the trial `glow`."""

import pytest

from tests.evaluation.glow import sweep

pytestmark = pytest.mark.slow


def test_the_camera_is_not_fooled_by_lights() -> None:
    fooled = 0
    for case, found in sweep([("duo", "purple-orange")], [5], [0.8], every=4):
        assert found.dark == 0, case
        assert not found.hand, case
        fooled += found.unaware > 0
    assert fooled >= 2, "without dark windows some lights are taken for pieces"
