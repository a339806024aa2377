"""LEDs on a bus: the bits they take and refuse, and the effects of faults."""

import numpy as np
import pytest

from firmware.drivers.interfaces import DeviceError
from firmware.drivers.ws2812_spi import SILENCE, Ws2812Spi, encode
from firmware.lights.led_layout import LedLayout
from firmware.rules.variants import GAMES
from firmware.simulator.spi_line import V1, V5, SpiLine, decoded
from firmware.simulator.table import VirtualTable
from firmware.simulator.ws2812_chain import ChainFaults, Ws2812Chain, under

LENGTH = 20


def chain(faults: ChainFaults | None = None, length: int = LENGTH) -> Ws2812Chain:
    return Ws2812Chain(length, lambda: 7.0, faults=faults)


def frame(lit: dict[int, tuple[int, int, int]], length: int = LENGTH) -> bytes:
    return b"".join(bytes(lit.get(led, (0, 0, 0))) for led in range(length))


def test_what_was_sent_is_shown_and_kept_with_its_time() -> None:
    leds = chain()
    Ws2812Spi(SpiLine(leds), LENGTH).write(frame({3: (1, 2, 255)}))
    assert leds.shown[3] == (1, 2, 255)
    assert list(leds.written) == [(7.0, frame({3: (1, 2, 255)}))]


def test_leds_glow_under_their_squares() -> None:
    table = VirtualTable(GAMES["duo"])
    layout = LedLayout(14, 14).layout(14)
    leds = Ws2812Chain(196, lambda: 0.0, under(table, layout))
    Ws2812Spi(SpiLine(leds), 196).write(frame({14: (255, 0, 7), 195: (1, 2, 3)}, 196))
    # The second row runs backwards: n13 is the LED after n14, and a1 the last of all.
    assert table.scene.lights[27] == (255, 0, 7)
    assert table.scene.lights[182] == (1, 2, 3)
    assert sum(map(any, table.scene.lights)) == 2


@pytest.mark.parametrize("layout", [(0, 0), (196,), (-1,)])
def test_a_layout_off_the_board_is_refused(layout: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="layout"):
        under(VirtualTable(GAMES["duo"]), layout)


def test_a_dead_led_cuts_the_chain() -> None:
    leds = chain(ChainFaults(dead=5))
    Ws2812Spi(SpiLine(leds), LENGTH).write(bytes([9] * 3 * LENGTH))
    assert [any(one) for one in leds.shown] == [True] * 5 + [False] * 15


def test_a_wrong_order_shows_other_colours() -> None:
    leds = chain(ChainFaults(order="RGB"))
    Ws2812Spi(SpiLine(leds), LENGTH).write(frame({0: (255, 0, 0)}))
    assert leds.shown[0] == (0, 255, 0)
    Ws2812Spi(SpiLine(leds), LENGTH, "RGB").write(frame({0: (255, 0, 0)}))
    assert leds.shown[0] == (255, 0, 0)


def test_too_much_current_makes_the_voltage_dip_and_the_chain_dark() -> None:
    leds = chain(ChainFaults(supply_ma=LENGTH * 30.0))
    strip = Ws2812Spi(SpiLine(leds), LENGTH)
    strip.write(bytes([100] * 3 * LENGTH))
    assert (leds.dips, any(map(any, leds.shown))) == (0, True)
    strip.write(bytes([200] * 3 * LENGTH))
    assert (leds.dips, any(map(any, leds.shown))) == (1, False)


def test_a_frame_without_the_silence_that_shows_it_is_refused() -> None:
    wire = SpiLine(chain())
    wire.open(3_050_000)
    whole = encode(frame({0: (1, 1, 1)}), LENGTH, "GRB")
    with pytest.raises(DeviceError, match=r"us after a frame"):
        wire.send(whole.removesuffix(SILENCE))
    wire.send(whole)


def test_bits_that_are_no_leds_worth_before_a_reset_are_forgotten() -> None:
    phantom = np.concatenate([np.ones(9, np.uint8), np.zeros(2000, np.uint8)])
    assert decoded(phantom, 330.0, V5) == []
    assert decoded(np.zeros(10, np.uint8), 330.0, V5) == []


def test_pulses_outside_the_windows_are_refused() -> None:
    bit = np.array([1, 1, 1, 0], np.uint8)
    line = np.concatenate([np.tile(bit, 24), np.zeros(2000, np.uint8)])
    with pytest.raises(DeviceError, match="a high of 420 ns is neither"):
        decoded(line, 140.0, V5)
    with pytest.raises(DeviceError, match="a low of 330 ns does not follow a 1"):
        decoded(line, 330.0, V5)
    with pytest.raises(DeviceError, match="a high of 990 ns is neither"):
        decoded(line, 330.0, V1)
