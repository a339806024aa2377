"""The connections of a table follow its settings."""

from dataclasses import replace
from itertools import combinations

import pytest

from firmware.errors import SettingsError
from firmware.settings import ButtonsSettings, Settings, load, parse
from hardware.wiring.builds import BUILDS, build_of
from hardware.wiring.currents import CARRIED_A, MOST_DROP_V
from hardware.wiring.harness import Harness, Wire, harness_of
from hardware.wiring.header import NAMES
from tests.conftest import ROOT

FILES = sorted((ROOT / "hardware").glob("*/table*.toml"))
BOARD = BUILDS["glowing_board"]


def settings(**lights: object) -> Settings:
    buttons = {"driver": "gpiozero", "pins": [5, 6]}
    return parse({"lights": {"driver": "spi", **lights}, "buttons": buttons})


def harnesses() -> list[Harness]:
    return [harness_of(load(path), build_of(path.parent.name)) for path in FILES]


def ending_at(harness: Harness, place: str) -> list[Wire]:
    return [one for one in harness.connections if place in (one.start, one.end)]


def test_each_build_with_wires_has_settings() -> None:
    assert {path.parent.name for path in FILES} == set(BUILDS)


@pytest.mark.parametrize(
    "harness", harnesses(), ids=[str(path.relative_to(ROOT)) for path in FILES]
)
class TestStoredSettings:
    def test_no_pin_has_two_wires_and_each_is_named_rightly(self, harness: Harness) -> None:
        pins = [wire.pin for wire in harness.connections if wire.pin]
        assert len(pins) == len(set(pins)) == 2 + 2 * len(harness.buttons)
        for wire in harness.connections:
            if wire.pin:
                name = "GND" if wire.gpio is None else f"GPIO{wire.gpio}"
                assert NAMES[wire.pin - 1] == name
                assert wire.start == f"J8 {wire.pin}"

    def test_each_button_is_between_its_pin_and_a_ground(self, harness: Harness) -> None:
        for number, gpio in enumerate(harness.buttons, 1):
            (signal,) = ending_at(harness, f"Button {number} a")
            (ground,) = ending_at(harness, f"Button {number} b")
            assert (signal.gpio, ground.signal) == (gpio, "GND")

    def test_power_enters_with_both_wires_at_every_place(self, harness: Harness) -> None:
        for feed in harness.feeds:
            for signal, clamp in (("5V", "X1 +"), ("GND", "X1 −")):
                wires = ending_at(harness, f"LED {feed.led + 1} {signal}")
                assert any(wire.start == clamp for wire in wires)

    def test_data_go_through_level_shifter_and_resistor(self, harness: Harness) -> None:
        ways = {wire.start: wire for wire in harness.connections if wire.colour == "green"}
        data = next(wire for wire in ways.values() if wire.gpio == harness.data)
        assert (data.end, data.signal) == ("U1 2", "DATA 3.3 V")
        assert ways["U1 3"].end == "R1"
        assert ways["R1"].end == "LED 1 DIN"

    def test_no_gate_of_the_level_shifter_is_left_open(self, harness: Harness) -> None:
        pins = " ".join(f"{wire.start}, {wire.end}" for wire in harness.connections)
        named = {int(one) for one in pins.replace(",", " ").split() if one.isdigit()}
        assert {1, 2, 3, 4, 5, 7, 9, 10, 12, 13, 14} <= named

    def test_wires_of_power_carry_the_fuse(self, harness: Harness) -> None:
        ratings = harness.ratings
        assert CARRIED_A[ratings.section_mm2] >= ratings.fuse_a
        assert ratings.fuse_a * 1000 >= harness.currents.limited * 1.25
        assert ratings.supply_a * 1000 >= ratings.milliamps * 1.25
        assert ratings.drop_v <= MOST_DROP_V
        for wire in harness.connections:
            if wire.section_mm2 is not None and "X1" in wire.start + wire.end:
                assert wire.section_mm2 == ratings.section_mm2

    def test_names_are_given_once(self, harness: Harness) -> None:
        names = [wire.name for wire in harness.connections]
        assert names == [f"W{number}" for number in range(1, len(names) + 1)]
        ends = [{wire.start, wire.end} for wire in harness.connections]
        assert all(one != other for one, other in combinations(ends, 2))


def test_the_pin_of_the_data_follows_the_bus() -> None:
    for bus, gpio, pin in (("spi", 10, 19), ("pwm", 18, 12), ("pcm", 21, 40)):
        harness = harness_of(settings(driver="rpi-ws281x", bus=bus), BOARD)
        assert harness.data == gpio
        assert ending_at(harness, f"J8 {pin}")[0].end == "U1 2"


def test_without_buttons_there_are_no_wires_of_buttons() -> None:
    bare = replace(settings(), buttons=ButtonsSettings())
    assert not any("Button" in wire.end for wire in harness_of(bare, BOARD).connections)


def test_strip_that_does_not_run_back_has_long_joints() -> None:
    (short, *_) = ending_at(harness_of(settings(), BOARD), "LED 14 DOUT")
    (long, *_) = ending_at(harness_of(settings(serpentine=False), BOARD), "LED 14 DOUT")
    assert (short.number, long.number) == (13, 13)
    assert long.length_mm - short.length_mm == 216  # 13 times 16.67, each length rounded


def test_a_panel_of_its_own_has_no_joints() -> None:
    harness = harness_of(settings(columns=16, rows=16), BUILDS["club_table"])
    assert not any("DOUT" in wire.start for wire in harness.connections)


@pytest.mark.parametrize("pins", [[2], [3], [10], [14], [15], [5, 5], [28]])
def test_a_pin_that_a_button_cannot_have_is_refused(pins: list[int]) -> None:
    wrong = replace(settings(), buttons=ButtonsSettings("gpiozero", tuple(pins)))
    with pytest.raises(SettingsError, match=r"^buttons\.pins [^\n]*$"):
        harness_of(wrong, BOARD)


def test_more_buttons_than_grounds_are_refused() -> None:
    pins = (4, 5, 6, 12, 13, 16, 17, 22)
    with pytest.raises(SettingsError, match=r"^buttons\.pins has 8 pins, .* grounds for 7"):
        harness_of(replace(settings(), buttons=ButtonsSettings("gpiozero", pins)), BOARD)
    harness = harness_of(replace(settings(), buttons=ButtonsSettings("gpiozero", pins[:7])), BOARD)
    assert len({wire.colour for wire in harness.connections if wire.gpio}) == 8


@pytest.mark.parametrize(
    ("lights", "sentence"),
    [
        ({"driver": "none"}, r"^lights\.driver is 'none', so there are no LEDs to wire; name "),
        ({"device": "/dev/spidev1.0"}, r"^the pin of /dev/spidev1\.0 is not known; leave "),
        ({"columns": 32, "rows": 32}, r"^1024 LEDs need power at \d+ places"),
        ({"columns": 10, "rows": 10}, r"^a board of 14x14 does not lie over 10x10 LEDs"),
        ({"limit_ma": 150}, r"^lights\.limit_ma is 150, but 196 LEDs draw 196 mA"),
    ],
)
def test_lights_that_cannot_be_wired_are_refused(lights: dict[str, object], sentence: str) -> None:
    with pytest.raises(SettingsError, match=sentence):
        harness_of(settings(**lights), BOARD)


def test_a_folder_without_wiring_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"twenty_minutes has no wiring; .* club_table"):
        build_of("twenty_minutes")
