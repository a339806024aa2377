"""Currents are those of the program, and what carries them follows named rules."""

import numpy as np
import pytest

from firmware.errors import SettingsError
from firmware.lights.power_budget import PowerSupply
from firmware.settings import LightsSettings
from hardware.wiring.currents import (
    CARRIED_A,
    FUSES_A,
    MOST_DROP_V,
    Stretch,
    currents_of,
    fuse_for,
    section_for,
    supply_for,
)


def test_currents_are_those_that_the_program_computes_and_limits() -> None:
    lights = LightsSettings(limit_ma=2500, led_ma=36)
    found, supply = currents_of(lights, 196), PowerSupply(2500, 36)
    white = np.full((196, 3), 255, np.uint8)
    assert found.unlimited == supply.milliamps(white) == 196 * 37
    assert found.standby == 196
    assert found.limited == supply.milliamps(supply.limited(white))
    assert 2400 < found.limited <= 2500


def test_few_leds_draw_less_than_the_limit() -> None:
    found = currents_of(LightsSettings(limit_ma=2500), 30)
    assert found.limited == found.unlimited == 30 * 61


def test_a_limit_below_dark_leds_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"^lights.limit_ma is 150, but 196 LEDs draw 196 mA"):
        currents_of(LightsSettings(limit_ma=150), 196)


@pytest.mark.parametrize(
    ("milliamps", "fuse"), [(2500, 5.0), (1599, 2.0), (1600, 3.0), (5999, 7.5), (23_000, 30.0)]
)
def test_a_fuse_is_the_next_standard_one_above_the_current_and_a_quarter(
    milliamps: float, fuse: float
) -> None:
    assert fuse_for(milliamps) == fuse


def test_a_supply_is_never_weaker_than_its_fuse() -> None:
    assert supply_for(2500, 5.0) == 5.0
    assert supply_for(5500, 5.0) == 8.0


def test_a_current_above_all_fuses_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"need a fuse above 31.2 A.*lower lights.limit_ma"):
        fuse_for(25_000)


@pytest.mark.parametrize("fuse", FUSES_A)
@pytest.mark.parametrize("length_mm", [100, 800, 1500])
def test_wires_carry_their_fuse_and_lose_little_voltage(fuse: float, length_mm: float) -> None:
    path = Stretch(length_mm, fuse * 800)
    try:
        section = section_for(fuse, path)
    except SettingsError:
        assert path.drop(max(CARRIED_A)) > MOST_DROP_V
        return
    assert CARRIED_A[section] >= fuse
    assert path.drop(section) <= MOST_DROP_V
    thinner = [one for one in CARRIED_A if one < section]
    assert all(CARRIED_A[one] < fuse or path.drop(one) > MOST_DROP_V for one in thinner)


def test_the_voltage_lost_is_that_of_both_wires() -> None:
    assert Stretch(1000, 4000).drop(1.0) == pytest.approx(2 * 4 * 0.02)
