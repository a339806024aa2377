"""Appearance of a virtual table: its lights have the hue of their inks in a picture."""

from colorsys import rgb_to_hsv

import numpy as np
import pytest

from firmware.lights.power_budget import corrected
from firmware.rules.variants import EDITIONS, GAMES
from firmware.simulator.appearance import table_look
from firmware.simulator.table import VirtualTable
from vision.plastics import PLASTICS


@pytest.mark.parametrize("name", PLASTICS)
@pytest.mark.parametrize("brightness", [1.0, 0.6, 0.2])
def test_a_light_has_the_hue_of_its_ink_in_the_picture(name: str, brightness: float) -> None:
    ink = PLASTICS[name].led
    table = VirtualTable(GAMES["duo"])
    (levels,) = corrected(np.array([ink], np.uint8), brightness).tolist()
    table.light((tuple(levels), *[(0, 0, 0)] * 195))
    (glow,) = table_look(table.scene, EDITIONS["purple-orange"]).glows
    hue, fullness, _ = rgb_to_hsv(*ink)
    seen, full, strength = rgb_to_hsv(*glow.colour)
    assert strength == max(levels)
    if fullness > 0.3:
        assert min(abs(seen - hue), 1 - abs(seen - hue)) < 14 / 360
        assert full > 0.3
