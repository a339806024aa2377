"""Time for which a condition has held on each square."""

import numpy as np

from firmware.referee.steadiness import SquareTimer

FIRST = np.array([True, False, False])
BOTH = np.array([True, True, False])


def test_seconds_run_while_the_condition_holds() -> None:
    timer = SquareTimer()
    timer.update(FIRST, 10.0)
    assert timer.update(BOTH, 12.5).tolist() == [2.5, 0.0, -np.inf]
    assert timer.held(3).tolist() == [True, True, False]


def test_a_break_starts_the_seconds_again() -> None:
    timer = SquareTimer()
    timer.update(FIRST, 1.0)
    timer.update(~FIRST, 2.0)
    assert timer.update(FIRST, 3.0)[0] == 0.0


def test_a_reset_starts_the_seconds_again() -> None:
    timer = SquareTimer()
    timer.update(FIRST, 1.0)
    timer.reset()
    assert not timer.held(3).any()
    assert timer.update(FIRST, 3.0)[0] == 0.0


def test_a_board_of_another_size_starts_again() -> None:
    timer = SquareTimer()
    timer.update(FIRST, 1.0)
    assert not timer.held(4).any()
    assert timer.update(np.ones(4, np.bool_), 3.0).tolist() == [0.0] * 4
