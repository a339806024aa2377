"""Currents are those of the program, and what carries them follows named rules."""

from dataclasses import replace
from math import ceil
from pathlib import Path

import numpy as np
import pytest

from firmware.assembly.game_config import variant_from
from firmware.assembly.led_strip import build_led_layout
from firmware.codes import LightPlace
from firmware.errors import SettingsError
from firmware.game.events import ArbiterCalled
from firmware.game.state import apply_event
from firmware.lights.power_budget import PowerSupply, corrected
from firmware.lights.scene import FRAME, Scene, SceneContext, at, scene
from firmware.rules.variants import default_edition
from firmware.settings import LightsSettings, Settings, load
from hardware.makers import FOLDER
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
from tests.support.led_scenes import showings
from tests.support.random_games import played

SETTINGS = sorted(FOLDER.glob("*/table*.toml"))
"""Settings files of the builds."""


def scenes_of(settings: Settings) -> list[Scene]:
    """Returns each kind of scene, early and late in a game, also while somebody calls."""
    names, found = default_edition(variant_from(settings)), []
    aside = SceneContext(settings.lights.pieces, place=settings.lights.place)
    for plies in (4, 24):
        position = played(settings.game.game, 0, plies)
        if position.is_over:
            break
        for title, (state, glows) in showings(position, names, settings.lights.pieces).items():
            shown = replace(aside, digits="8" * 12) if title == "digits" else aside
            calls = apply_event(state, ArbiterCalled(1, 0.5))
            found += [glows, scene(state, names, shown), scene(calls, names, shown)]
    return found


@pytest.mark.parametrize("path", SETTINGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_no_scene_of_a_build_is_dimmed_and_its_limit_fits(path: Path) -> None:
    settings = load(path)
    lights, size = settings.lights, variant_from(settings).size
    layout = build_led_layout(lights, size)
    supply = PowerSupply(lights.limit_ma, lights.led_ma)
    squares = np.array([-1 if one is None else one for one in layout.layout(size)])
    greatest = 0.0
    for glows in scenes_of(settings):
        for half in range(8):
            inks = np.zeros((size**2 + 1, 3), np.uint8)
            for square, ink in at(glows, half / 2).items():
                inks[square] = ink
            frame = inks[squares]
            if lights.place is LightPlace.BESIDE:
                frame[layout.around(size)] = FRAME
            levels = corrected(frame, lights.brightness)
            assert (supply.limited(levels) == levels).all()
            greatest = max(greatest, supply.milliamps(levels))
    assert lights.limit_ma / 2.5 <= greatest <= lights.limit_ma / 1.25
    assert f"{100 * ceil(greatest / 100)} mA" in (path.parent / "README.md").read_text("utf-8")


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
