"""The tiles from which the trees of the border learn."""

import pytest

from tests.evaluation.rim_scenes import scene
from tests.training.border import SEED, rendered

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("number", [0, 1, 2])
def test_the_tiles_that_go_on_are_those_of_the_piece_over_the_rim(number: int) -> None:
    found = rendered(number, hangs=True)
    one = scene(SEED, number, hangs=True)
    going_on = sum(goes_on for _, goes_on in found)
    assert 1 <= going_on <= len(one.squares)
    assert len(found) > going_on
    assert {features.shape for features, _ in found} == {(31,)}


def test_of_right_moves_no_tile_goes_on() -> None:
    found = [tile for number in range(12) for tile in rendered(number, hangs=False)]
    assert found
    assert not any(goes_on for _, goes_on in found)
