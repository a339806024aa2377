"""The display as a whole: frames written to the strip, their times, and the limit of changes."""

import random
from itertools import pairwise

import pytest

from firmware.codes import LightPlace
from firmware.drivers.interfaces import DeviceError, LedStrip
from firmware.drivers.reopened_strip import ReopenedStrip
from firmware.drivers.ws2812_spi import Ws2812Spi
from firmware.lights.blink_pattern import BLINK, COUNTER, SLOW, STEADY, WINK
from firmware.lights.led_display import RAMP_S, LedDisplay
from firmware.lights.led_layout import LedLayout
from firmware.lights.power_budget import GAMMA, PowerSupply
from firmware.lights.scene import LitSquares
from firmware.simulator.clock import ManualClock
from firmware.simulator.spi_line import SpiLine
from firmware.simulator.ws2812_chain import ChainFaults, Ws2812Chain

RED = (255, 0, 0)
ALL = LitSquares(tuple(range(196)), (255, 255, 255))


class DisplayBench:
    """A display on simulated LEDs with a manual clock."""

    def __init__(
        self,
        faults: ChainFaults | None = None,
        supply: PowerSupply | None = None,
        brightness: float = 1.0,
    ) -> None:
        self.clock = ManualClock(100.0)
        self.chain = Ws2812Chain(196, self.clock, faults=faults)
        self.strip = Ws2812Spi(SpiLine(self.chain), 196)
        self.lights = LedDisplay(
            self.strip,
            LedLayout(14, 14),
            14,
            self.clock,
            supply=supply,
            brightness=lambda: brightness,
        )

    @property
    def on(self) -> frozenset[int]:
        layout = LedLayout(14, 14).layout(14)
        lit = zip(layout, self.chain.shown, strict=True)
        return frozenset(s for s, shown in lit if s is not None and any(shown))

    def show(self, *glows: LitSquares, dark: bool = False, after_s: float = 0.1) -> frozenset[int]:
        self.clock.now_s += after_s
        self.lights.show(glows, dark=dark)
        return self.on


@pytest.fixture
def setting() -> DisplayBench:
    return DisplayBench()


def test_squares_that_are_meant_are_lit(setting: DisplayBench) -> None:
    setting.show(LitSquares((0, 27, 14), RED))
    assert setting.show(LitSquares((0, 27, 14), RED)) == {0, 27, 14}


def test_a_board_laid_the_other_way_is_lit_where_it_lies() -> None:
    setting = DisplayBench()
    # The game's frame is the reader's turned clockwise by a quarter: a14 of the game is a1 there.
    for _ in range(2):
        setting.clock.now_s += 0.1
        setting.lights.show((LitSquares((0,), RED),), turned=90)
    assert setting.on == {13 * 14}


def test_lights_are_as_bright_as_the_settings_say() -> None:
    shown = []
    for brightness in (1.0, 0.5, 0.0):
        setting = DisplayBench(brightness=brightness)
        for _ in range(2):
            setting.show(LitSquares((0,), RED), after_s=2 * RAMP_S)
        shown.append(max(setting.chain.shown[0]))
    assert shown == [255, round(255 * 0.5**GAMMA), 0]


def test_it_is_dark_at_once_and_at_the_end(setting: DisplayBench) -> None:
    assert not any(setting.chain.written[0][1])
    setting.show(ALL)
    assert setting.show(ALL)
    setting.lights.close()
    assert setting.on == frozenset()
    setting.lights.close()
    with pytest.raises(DeviceError, match="closed"):
        setting.show(dark=True, after_s=10.0)


def test_the_first_light_rises(setting: DisplayBench) -> None:
    sums = []
    for _ in range(15):
        setting.show(LitSquares(tuple(range(20)), RED))
        sums.append(setting.lights.milliamps())
    assert sums == sorted(sums)
    steps = round(RAMP_S / 0.1)
    assert len(set(sums[:steps])) == steps
    assert len(set(sums[steps + 1 :])) == 1


def test_the_supply_never_dips_unless_the_limit_is_a_lie() -> None:
    supplied = DisplayBench(ChainFaults(supply_ma=2500.0), PowerSupply(2500.0))
    for _ in range(20):
        supplied.show(ALL)
    assert supplied.chain.dips == 0
    assert supplied.lights.milliamps() > 2400
    overloaded = DisplayBench(ChainFaults(supply_ma=1000.0), PowerSupply(2500.0))
    for _ in range(20):
        overloaded.show(ALL)
    assert overloaded.chain.dips > 0


def changes(setting: DisplayBench) -> list[float]:
    """Times at which any LED was turned on or off, in seconds."""
    written = [(at, [any(p[i : i + 3]) for i in range(0, 588, 3)]) for at, p in
               setting.chain.written]  # fmt: skip
    return [at for (_, before), (at, after) in pairwise(written) if before != after]


def test_nothing_makes_the_board_change_more_than_three_times_a_second(
    setting: DisplayBench,
) -> None:
    chance = random.Random(1)  # noqa: S311
    dark = False
    glows: tuple[LitSquares, ...] = (ALL,)
    for _ in range(700):
        if chance.random() < 0.2:
            squares = tuple(chance.sample(range(196), 5))
            rhythm = chance.choice([STEADY, BLINK, COUNTER, WINK, SLOW])
            glows = (LitSquares(squares, RED, rhythm), LitSquares(squares[:2], (0, 0, 255), BLINK))
        dark = chance.random() < 0.5 if chance.random() < 0.1 else dark
        setting.show(*glows, dark=dark, after_s=chance.choice([0.03, 0.1]))
    times = changes(setting)
    assert len(times) > 50
    assert all(later - first >= 1.0 for first, later in zip(times, times[3:], strict=False))


def test_the_dark_comes_at_once_even_while_lights_blink(setting: DisplayBench) -> None:
    glow = LitSquares((5,), RED, BLINK)
    for dark_after in (12, 13, 15, 17, 20):
        for _ in range(dark_after):
            setting.show(glow)
        assert setting.show(glow, dark=True) == frozenset()
        for _ in range(5):
            assert setting.show(glow, dark=True) == frozenset()


def test_after_the_dark_the_lights_come_back(setting: DisplayBench) -> None:
    glow = LitSquares((5,), RED)
    for _ in range(20):
        setting.show(glow)
    setting.show(glow, dark=True)
    back = next(n for n in range(20) if setting.show(glow))
    assert back <= 10


def test_what_is_shown_is_sent_again_now_and_then(setting: DisplayBench) -> None:
    for _ in range(30):
        setting.show(LitSquares((5,), RED))
    before = len(setting.chain.written)
    for _ in range(50):
        setting.show(LitSquares((5,), RED))
    assert 2 <= len(setting.chain.written) - before <= 3


def test_a_strip_that_is_away_at_the_start_is_lit_once_it_is_there() -> None:
    clock = ManualClock(100.0)
    chain = Ws2812Chain(196, clock)
    is_there = False

    def opened() -> LedStrip:
        if not is_there:
            raise DeviceError("there is no strip; plug it in")
        return Ws2812Spi(SpiLine(chain), 196)

    wiring = LedLayout(14, 14)
    lights = LedDisplay(ReopenedStrip(opened, 196), wiring, 14, clock)
    for _ in range(50):
        clock.now_s += 0.1
        lights.show((LitSquares((5,), RED),))
        assert lights.trouble == "there is no strip; plug it in"
        assert lights.stuck == frozenset()
    is_there = True
    for _ in range(30):
        clock.now_s += 0.1
        lights.show((LitSquares((5,), RED),))
    assert not lights.trouble
    layout = wiring.layout(14)
    assert {layout[led] for led, shown in enumerate(chain.shown) if any(shown)} == {5}
    lights.close()
    assert not any(map(any, chain.shown))


def test_each_fault_of_a_strip_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    clock, faults = ManualClock(100.0), ["it has not answered yet", "it has too few LEDs"]

    def opened() -> LedStrip:
        raise DeviceError(faults[0])

    lights = LedDisplay(ReopenedStrip(opened, 196), LedLayout(14, 14), 14, clock)
    for count in range(100):
        clock.now_s += 0.1
        lights.show(())
        if count == 50:
            faults.pop(0)
    logged = [record.message for record in caplog.records if "do not work" in record.message]
    assert [text.split(": ")[1] for text in logged] == [
        "it has not answered yet; the game goes on",
        "it has too few LEDs; the game goes on",
    ]


def test_the_leds_of_a_panel_next_to_the_board_frame_it() -> None:
    clock = ManualClock(100.0)
    chain = Ws2812Chain(18 * 18, clock)
    wiring = LedLayout(18, 18, left=2, top=1)
    strip = Ws2812Spi(SpiLine(chain, largest=1 << 16), chain.length)
    lights = LedDisplay(strip, wiring, 14, clock, place=LightPlace.BESIDE)

    def lit(*glows: LitSquares) -> set[tuple[int, int]]:
        for _ in range(2):
            clock.now_s += RAMP_S
            lights.show(glows)
        return {wiring.place(led) for led, shown in enumerate(chain.shown) if any(shown)}

    frame = {(row, col) for row in range(16) for col in range(1, 17)}
    frame -= {(row, col) for row in range(1, 15) for col in range(2, 16)}
    assert lit(LitSquares((0,), RED)) == {*frame, (1, 2)}
    assert lit() == set()
