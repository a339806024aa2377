"""Five quick presses of one button call the arbiter; nothing less does."""

import pytest

from firmware.hall.link.hall_service import PRESSES, WITHIN_S, CallGesture


def pressed(times: list[float], person: int = 0) -> list[bool]:
    gesture = CallGesture()
    return [gesture.pressed(person, at) for at in times]


def test_five_presses_within_three_seconds_call_once() -> None:
    step = WITHIN_S / (PRESSES - 1)
    assert pressed([step * at for at in range(PRESSES)]) == [False] * 4 + [True]
    assert pressed([0.1 * at for at in range(9)]) == [False] * 4 + [True] + [False] * 4
    assert pressed([0.1 * at for at in range(10)]) == ([False] * 4 + [True]) * 2


@pytest.mark.parametrize("step", [0.76, 1.0, 10.0])
def test_slower_presses_as_at_the_end_of_turns_never_call(step: float) -> None:
    assert not any(pressed([step * at for at in range(200)]))


def test_presses_of_several_players_do_not_add_up() -> None:
    gesture = CallGesture()
    assert not any(gesture.pressed(at % 2, 0.1 * at) for at in range(8))
    assert gesture.pressed(0, 0.8)
