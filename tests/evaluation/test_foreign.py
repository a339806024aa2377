"""Paper and tiles of another set on a board; see the trial `foreign`."""

from collections import Counter

import pytest

from tests.evaluation.foreign import judged

pytestmark = pytest.mark.slow


def test_foreign_things_are_not_empty_squares() -> None:
    total = sum((judged(seed)[1] for seed in range(70, 76)), Counter[str]())
    assert total["foreign"] > 20
    assert total["empty"] == 0
    assert total["named"] > total["foreign"] / 2
    assert total["misnamed"] < total["others"] / 100
