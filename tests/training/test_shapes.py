"""Training data of the network of shapes."""

import numpy as np
import pytest

from tests.training.shapes.dataset import turned
from tests.training.shapes.worsening import Lesson
from vision.shape.network import BARE

SIDE = 6


def seen_at(lesson: Lesson) -> set[tuple[float, float]]:
    """Returns the places of the lesson's squares in its view."""
    row, column = np.mgrid[0:SIDE, 0:SIDE] + 0.5
    across, down = column + lesson.away[..., 0], row + lesson.away[..., 1]
    return {
        (round(float(x), 3), round(float(y), 3))
        for x, y in zip(across.flat, down.flat, strict=True)
    }


def turned_left(place: tuple[float, float]) -> tuple[float, float]:
    return place[1], round(SIDE - place[0], 3)


@pytest.mark.parametrize("quarters", range(4))
@pytest.mark.parametrize("mirror", [1, -1])
def test_squares_that_are_off_are_turned_with_the_view(quarters: int, mirror: int) -> None:
    away = np.random.default_rng(4).normal(0, 0.1, (SIDE, SIDE, 2)).astype(np.float32)
    view = np.zeros((SIDE, SIDE, 3), np.uint8)
    none = np.zeros((SIDE, SIDE), np.intp)
    lesson = Lesson(view, np.full((SIDE, SIDE), BARE), none, none, away)
    places = seen_at(lesson)
    for _ in range(quarters):
        places = {turned_left(place) for place in places}
    if mirror < 0:
        places = {(round(SIDE - x, 3), y) for x, y in places}
    assert seen_at(turned(lesson, quarters, mirror)) == places
