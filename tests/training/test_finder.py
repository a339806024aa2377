"""Lessons of the network that finds boards."""

import numpy as np
import pytest

from tests.training.finder.boards import FIRST_SEED, FinderSample, simulated
from tests.training.finder.lessons import lesson, outputs_of, seen_at
from tests.training.finder.tables import false_grid, texture
from vision.detection.board_network import CORNER, LARGER, MIDDLE, NEAR, SQUARES, STRIDE, VIEW_PX

pytestmark = pytest.mark.slow

PLACE = np.array([[40.0, 60.0], [190.0, 50.0], [200.0, 210.0], [50.0, 190.0]])
MIDDLE_PX = np.array([112.26, 127.74])
"""Where its diagonals cross."""

SIDE = VIEW_PX // STRIDE


@pytest.fixture(scope="module")
def boards() -> list[FinderSample]:
    return [simulated(FIRST_SEED + number) for number in range(2)]


def test_outputs_tell_the_corners_of_a_field_and_its_middle() -> None:
    outputs = outputs_of([(PLACE, 20)])
    for corner in PLACE:
        x, y = ((corner + 0.5) / STRIDE - 0.5).round().astype(int)
        assert outputs[CORNER, y, x] > 0.7
        seen = (np.array([x, y]) + outputs[NEAR, y, x] + 0.5) * STRIDE - 0.5
        assert np.allclose(seen, corner, atol=1e-3)
        middle = corner + outputs[MIDDLE, y, x] * VIEW_PX
        assert np.allclose(middle, MIDDLE_PX, atol=0.05)
    assert outputs[SQUARES, SIDE // 2, SIDE // 2] == outputs[LARGER, SIDE // 2, SIDE // 2] == 1
    assert outputs[SQUARES, 0, 0] == outputs[LARGER, 0, 0] == 0
    assert (outputs[CORNER] > 0.5).sum() <= 4 * 9


def test_lessons_are_many_and_true(boards: list[FinderSample]) -> None:
    chance = np.random.default_rng(5)
    lessons = [lesson(boards, chance) for _ in range(60)]
    again = lesson(boards, np.random.default_rng(5))
    assert np.array_equal(again.view, lessons[0].view)
    outside = [one for one in lessons if not one.within.all()]
    assert len(outside) > 15
    for one in lessons:
        parts = one.within.reshape(SIDE, STRIDE, SIDE, STRIDE).max(axis=(1, 3))
        assert not one.outputs[SQUARES][parts == 0].any()
        assert 0 <= one.outputs[CORNER].min() <= one.outputs[CORNER].max() <= 1
    bare = [one for one in lessons if not one.outputs[SQUARES].any()]
    whole = [one for one in lessons if (one.outputs[CORNER] > 0.7).sum() >= 4]
    assert bare
    assert len(whole) > 20


def test_a_board_is_seen_within_the_picture_at_any_tilt() -> None:
    chance = np.random.default_rng(6)
    for tilt in np.radians([0, 30, 50]):
        for _ in range(20):
            corners = seen_at(tilt, 0.4, chance)
            assert (corners > -0.01).all()
            assert (corners < 1.01).all()


def test_tables_and_other_grids_differ() -> None:
    chance = np.random.default_rng(7)
    for draw in (texture, false_grid):
        pictures = [draw(64, chance) for _ in range(12)]
        assert all(picture.shape == (64, 64, 3) for picture in pictures)
        assert len({picture.tobytes() for picture in pictures}) == len(pictures)
