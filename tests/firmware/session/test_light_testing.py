"""A test of the LEDs at a table: pictures, answers, and its end."""

import pytest

from firmware.assembly.hardware import build_led_chain
from firmware.session.light_testing import LightTesting
from firmware.settings import LightsSettings
from firmware.simulator.clock import ManualClock
from tests.support.fake_table import FakeLedStrip
from web.contract import MeasurementCode


@pytest.fixture
def lamps() -> FakeLedStrip:
    return FakeLedStrip()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(100.0)


@pytest.fixture
def testing(lamps: FakeLedStrip, clock: ManualClock) -> LightTesting:
    return LightTesting(build_led_chain(LightsSettings(), lamps, 14), clock)


def answered(testing: LightTesting, answers: str) -> None:
    for letter in answers:
        testing.show()
        testing.answer(right=letter == "y")


def test_each_picture_is_shown_until_it_is_answered(
    testing: LightTesting, lamps: FakeLedStrip, clock: ManualClock
) -> None:
    for _ in range(10):
        testing.show()
        clock.now_s += 0.3
    assert len(lamps.frames) == 3, "it is sent again each second"
    assert len(lamps.on) == 196
    assert (testing.entry.state, testing.entry.name) == (MeasurementCode.RUNNING, "red")
    answered(testing, "yyy")
    testing.show()
    assert lamps.on == {0}
    assert testing.entry.rows[0].startswith("W.")


def test_the_dot_runs_over_every_square_however_slow_the_loop_is(
    testing: LightTesting, lamps: FakeLedStrip, clock: ManualClock
) -> None:
    answered(testing, "y" * 7)
    assert testing.entry.name == "dot"
    places: set[int] = set()
    for _ in range(196):
        testing.show()
        places |= lamps.on
        clock.now_s += 0.4
    assert places == set(range(196))


def test_it_ends_with_all_right_or_with_a_remedy(testing: LightTesting) -> None:
    answered(testing, "y" * testing.entry.count)
    assert not testing.is_running
    assert testing.entry.state is MeasurementCode.DONE


def test_a_wrong_picture_ends_it_with_a_remedy(testing: LightTesting) -> None:
    answered(testing, "yyyyyn")
    assert not testing.is_running
    entry = testing.entry
    assert (entry.state, entry.remedy, entry.value) == (
        MeasurementCode.FAILED,
        "second line",
        "false",
    )


def test_the_lights_go_back_to_the_game_if_nobody_answers_or_they_are_away(
    testing: LightTesting, lamps: FakeLedStrip, clock: ManualClock
) -> None:
    testing.show()
    clock.now_s += 301
    testing.show()
    assert not testing.is_running
    assert testing.entry.state is MeasurementCode.NONE
    again = LightTesting(build_led_chain(LightsSettings(), lamps, 14), clock)
    lamps.broken = "there is no strip; plug it in"
    again.show()
    assert not again.is_running
