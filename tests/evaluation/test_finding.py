"""Boards in pictures of every kind; see the trial `finding`."""

from collections import Counter

import numpy as np
import pytest

from tests.evaluation.finding import KINDS, REFUSED, judged, nothing, rendered_bare
from tests.evaluation.variations import VariationSample

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("kind", KINDS)
def test_boards_are_found_or_refused_and_never_misplaced(kind: str) -> None:
    chance, total = np.random.default_rng(3), Counter[str]()
    for seed in range(50, 53):
        total += judged(kind, KINDS[kind](rendered_bare(seed), chance))
    assert total["misplaced"] + total["false"] + total["wrong"] == 0
    assert total["refused" if kind in REFUSED else "found"] >= 2


def test_a_picture_without_a_board_is_refused() -> None:
    none = np.empty((0, 0), "U1")
    for number in range(6):
        image = nothing(np.random.default_rng([1, number]))
        picture = VariationSample("nothing", image, np.empty((0, 2)), none, none == "")
        assert judged("nothing", picture)["false"] == 0
