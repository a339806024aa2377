"""A sample of the trial of the first steps of hints."""

import pytest

from tests.evaluation.first_steps import first_steps
from tests.evaluation.reason_positions import STORED_POSITIONS, read_positions

SIMULATIONS = 2400
"""A tenth of those of 2 s on a PC, as on a small computer."""


@pytest.mark.slow
def test_the_first_step_is_seldom_apart_from_the_best_move_and_costs_little() -> None:
    positions = [one.position for one in read_positions(STORED_POSITIONS)][::10]
    steps = list(first_steps(positions, SIMULATIONS))
    assert len(steps) >= 20
    assert max(one.place for one in steps) < 10, "the answer has ten choices"
    assert sum(one.place > 0 for one in steps) <= len(steps) / 3
    assert sum(one.lost for one in steps) / len(steps) < 0.02
