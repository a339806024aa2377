"""Brightness of lights: gamma, day and night, and the limit of the supply."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.lights.power_budget import FAINTEST, Brightness, Levels, PowerSupply, corrected

FRAMES = st.binary(min_size=196 * 3, max_size=196 * 3)


def frame(data: bytes) -> Levels:
    return np.frombuffer(data, np.uint8).reshape(-1, 3)


def test_what_looks_half_as_bright_takes_a_quarter_of_the_level_or_less() -> None:
    assert corrected(frame(bytes([255, 128, 0])), 1.0).tolist() == [[255, 56, 0]]
    assert not corrected(frame(bytes([255, 255, 255])), 0.0).any()


@given(st.binary(min_size=3, max_size=3), st.floats(0.01, 1.0))
def test_what_is_to_be_seen_lights_every_led(ink: bytes, brightness: float) -> None:
    (level,) = corrected(frame(ink), brightness).tolist()
    assert (max(level) >= FAINTEST) == any(ink)


@given(FRAMES, st.floats(200, 12_000), st.floats(10, 80))
def test_no_frame_draws_more_than_the_supply_gives(data: bytes, limit: float, led: float) -> None:
    supply, levels = PowerSupply(limit, led), frame(data)
    dimmed = supply.limited(levels)
    assert supply.milliamps(dimmed) <= limit
    if supply.milliamps(levels) <= limit:
        assert (dimmed == levels).all()
    assert (dimmed <= levels).all()


def test_a_supply_too_small_for_dark_leds_leaves_them_dark() -> None:
    assert not PowerSupply(150.0).limited(np.full((196, 3), 255, np.uint8)).any()


def test_current_is_that_of_the_data_sheet() -> None:
    assert PowerSupply().milliamps(np.zeros((196, 3), np.uint8)) == 196
    assert PowerSupply(led_ma=60).milliamps(np.full((10, 3), 255, np.uint8)) == pytest.approx(610)
    assert PowerSupply(led_ma=36).milliamps(np.full((10, 3), 255, np.uint8)) == pytest.approx(370)


@pytest.mark.parametrize(
    ("hour", "night"), [(21.9, False), (22.0, True), (0.0, True), (6.9, True), (7.0, False)]
)
def test_night_is_darker(hour: float, night: bool) -> None:  # noqa: FBT001
    assert Brightness(0.6, 0.1).at(hour) == (0.1 if night else 0.6)


def test_there_may_be_no_night() -> None:
    assert Brightness(0.6, 0.1, 5.0, 5.0).at(5.0) == 0.6
