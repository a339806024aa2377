"""The light of LEDs falls on the squares above them."""

import pytest

from firmware.lights.led_layout import LedLayout
from firmware.rules.variants import GAMES
from firmware.simulator.led_strip import SimulatedStrip, under
from firmware.simulator.table import VirtualTable


def test_leds_glow_under_their_squares() -> None:
    table = VirtualTable(GAMES["duo"])
    layout = LedLayout(14, 14).layout(14)
    frame = bytearray(3 * 196)
    frame[3 * 14 : 3 * 15] = 255, 0, 7
    frame[3 * 195 :] = 1, 2, 3
    SimulatedStrip(196, under(table, layout)).write(bytes(frame))
    # The second row runs backwards: n13 is the LED after n14, and a1 the last of all.
    assert table.scene.lights[27] == (255, 0, 7)
    assert table.scene.lights[182] == (1, 2, 3)
    assert sum(map(any, table.scene.lights)) == 2


@pytest.mark.parametrize("layout", [(0, 0), (196,), (-1,)])
def test_a_layout_off_the_board_is_refused(layout: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="layout"):
        under(VirtualTable(GAMES["duo"]), layout)
