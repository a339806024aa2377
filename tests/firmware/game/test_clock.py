"""The clock of the players, with given times in seconds."""

import pytest

from firmware.codes import Timing
from firmware.game.clock import GameClock, TimeControl

SUDDEN = TimeControl(Timing.SUDDEN_DEATH, 60.0)
FISCHER = TimeControl(Timing.INCREMENT, 60.0, 5.0)
DELAY = TimeControl(Timing.DELAY, 60.0, 5.0)


def after_moves(pace: TimeControl, *seconds: float) -> GameClock:
    """The clock of two people after alternating turns of these lengths."""
    clock, now = GameClock.of(pace, 2), 100.0
    for ply, taken in enumerate(seconds):
        clock = clock.run(ply % 2, now)
        now += taken
        clock = clock.press(ply % 2, now)
    return clock


@pytest.mark.parametrize(
    ("pace", "left"),
    [
        (TimeControl(), (-10.0, -20.0)),
        (SUDDEN, (50.0, 40.0)),
        (FISCHER, (55.0, 45.0)),
        (DELAY, (55.0, 45.0)),
    ],
)
def test_each_pace_charges_a_turn_in_its_own_way(
    pace: TimeControl, left: tuple[float, float]
) -> None:
    assert after_moves(pace, 10.0, 20.0).left_s(1000.0) == left


def test_a_turn_within_the_delay_costs_nothing_and_gains_nothing() -> None:
    assert after_moves(DELAY, 3.0, 5.0, 4.9).left_s(1000.0) == (60.0, 60.0)
    assert after_moves(FISCHER, 3.0, 5.0).left_s(1000.0) == (62.0, 60.0)


def test_time_runs_only_for_whose_turn_it_is() -> None:
    clock = GameClock.of(SUDDEN, 3).run(1, 10.0)
    assert clock.left_s(25.0) == (60.0, 45.0, 60.0)


def test_time_stands_still_between_stop_and_run() -> None:
    clock = GameClock.of(SUDDEN, 2).run(0, 10.0).stop(20.0)
    assert clock.left_s(500.0) == (50.0, 60.0)
    assert clock.run(0, 500.0).left_s(510.0) == (40.0, 60.0)


def test_the_delay_is_given_once_a_turn_however_often_it_is_interrupted() -> None:
    clock = GameClock.of(DELAY, 2).run(0, 10.0).stop(13.0).run(0, 50.0)
    assert clock.free_s(50.0) == 2.0
    assert clock.left_s(52.0) == (60.0, 60.0)
    assert clock.left_s(55.0) == (57.0, 60.0)


def test_a_move_is_charged_until_it_was_seen_and_the_next_turn_begins_there() -> None:
    clock = GameClock.of(SUDDEN, 2).run(0, 10.0)
    # Visible at 30, accepted at 31: the second in between is charged to the other player.
    clock = clock.press(0, 30.0).run(1, 30.0)
    assert clock.left_s(31.0) == (40.0, 59.0)


def test_two_moves_seen_at_once_cost_the_first_of_them() -> None:
    clock = GameClock.of(FISCHER, 2).run(0, 10.0).press(0, 20.0).press(1, 20.0)
    assert clock.left_s(20.0) == (55.0, 65.0)


def test_what_a_move_brought_is_given_back_when_it_is_undone() -> None:
    clock = after_moves(FISCHER, 10.0).run(1, 110.0).take_back(0, 115.0)
    assert clock.left_s(115.0) == (50.0, 55.0)


def test_time_that_ran_out_is_less_than_nothing() -> None:
    assert after_moves(SUDDEN, 70.0).left_s(0.0) == (-10.0, 60.0)


def test_time_never_runs_backwards() -> None:
    clock = GameClock.of(SUDDEN, 2).run(0, 10.0).stop(20.0)
    assert clock.run(0, 5.0).left_s(5.0) == (50.0, 60.0)
    assert clock.run(0, 5.0).press(0, 7.0).left_s(7.0) == (50.0, 60.0)


def test_running_on_changes_nothing() -> None:
    clock = GameClock.of(SUDDEN, 2).run(0, 10.0)
    assert clock.run(0, 20.0) is clock
    stopped = clock.stop(30.0)
    assert stopped.stop(40.0) is stopped


def test_a_clock_is_restored_as_it_was() -> None:
    clock = GameClock.of(FISCHER, 2).restored((12.5, 47.25))
    assert clock.left_s(0.0) == (12.5, 47.25)
    assert clock.run(1, 1000.0).left_s(1002.0) == (12.5, 45.25)
