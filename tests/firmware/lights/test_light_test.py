"""Pictures of the test of the LEDs: each shows one fault of the wiring, and names its remedy."""

from dataclasses import replace
from itertools import permutations

import pytest

from firmware.codes import ChainCorner, ChainDirection
from firmware.lights.led_layout import LedLayout
from firmware.lights.light_test import LightStep, LightTest, light_steps, orders_of
from firmware.lights.power_budget import PowerSupply
from web.i18n.texts import section_of

PANELS = LedLayout(16, 16, left=1, top=1, panels_across=2, panels_down=2)


def step(name: str, wiring: LedLayout = PANELS) -> LightStep:
    return next(one for one in light_steps(wiring, 14) if one.name == name)


def new_test() -> LightTest:
    return LightTest(PANELS, light_steps(PANELS, 14), PowerSupply(), "GRB")


def test_every_step_has_a_sentence_and_a_remedy() -> None:
    names = [one.name for one in light_steps(PANELS, 14)]
    assert names == list(section_of("lights-seen"))
    assert {*names[3:], "order", "order elsewhere"} == section_of("light-remedies").keys()
    assert "panels" not in [one.name for one in light_steps(LedLayout(14, 14), 14)]


@pytest.mark.parametrize(
    ("name", "true"),
    [
        ("first LED", replace(PANELS, first=ChainCorner.BOTTOM_LEFT)),
        ("first line", replace(PANELS, along=ChainDirection.COLUMNS)),
        ("second line", replace(PANELS, serpentine=False)),
        ("panels", replace(PANELS, panels_across=1, panels_down=1)),
        ("corners of the board", replace(PANELS, first=ChainCorner.TOP_RIGHT)),
    ],
)
def test_another_wiring_looks_otherwise_in_the_step_that_is_about_it(
    name: str, true: LedLayout
) -> None:
    one = step(name)
    assert true.length == PANELS.length
    assert one.drawing(true) != one.drawing(PANELS)


def test_what_is_to_be_seen_is_drawn() -> None:
    rows = step("corners of the board").drawing(PANELS)
    assert (rows[1], rows[14]) == (".R............G.", ".W............B.")
    assert set("".join(rows)) == set(".RGBW")
    assert step("second line").drawing(PANELS)[:2] == [".......R........", ".......B........"]
    straight = replace(PANELS, serpentine=False)
    assert step("second line", straight).drawing(straight)[:2] == [
        "." * 7 + "R" + "." * 8,
        "B" + "." * 15,
    ]
    numbers = step("panels").drawing(PANELS)
    assert [row[2:5] for row in numbers[1:6]] == [".W.", "WW.", ".W.", ".W.", "WWW"]
    assert [row[10:13] for row in numbers[9:14]] == ["W.W", "W.W", "WWW", "..W", "..W"]


def test_the_dot_is_on_every_square_once() -> None:
    frames = step("dot").frames
    layout = PANELS.layout(14)
    assert [layout[led] for frame in frames for led in frame] == list(range(196))
    levels = new_test().levels({1: "blue"})
    assert levels.shape == (256, 3)
    assert levels.any(axis=1).tolist() == [False, True, *[False] * 254]
    assert levels[1].argmax() == 2


def test_the_current_of_a_full_picture_is_limited() -> None:
    supply = PowerSupply(limit_ma=600)
    test = replace(new_test(), supply=supply)
    assert supply.milliamps(test.levels(dict.fromkeys(range(256), "white"))) <= 600


def test_a_test_ends_well_or_with_the_first_remedy() -> None:
    test = new_test()
    for step in test.steps:
        assert test.step is step
        test = test.answered(right=True)
    assert (test.step, test.remedy) == (None, None)
    test = new_test().answered(right=False)
    assert test.step is not None, "all colours are seen first"
    test = test.answered(right=False).answered(right=True)
    assert test.step is None
    assert test.remedy is not None
    assert (test.remedy.code, test.remedy.value) == ("order", '"RGB"')
    assert replace(test, order="").remedy != test.remedy
    fourth = replace(new_test(), seen=(True, True, True, True, False))
    assert fourth.remedy is not None
    assert (fourth.remedy.code, fourth.remedy.value) == ("first line", '"columns"')


@pytest.mark.parametrize("order", ["GRB", "RGB", "BGR"])
@pytest.mark.parametrize("true", ["".join(one) for one in permutations("RGB")])
def test_the_order_is_found_by_three_answers(order: str, true: str) -> None:
    # An LED takes the byte that was meant for one colour as another.
    shown = ["RGB"["RGB".index(true[order.index(asked)])] for asked in "RGB"]
    found = orders_of(order, [here == asked for here, asked in zip(shown, "RGB", strict=True)])
    assert true in found
    assert len(found) <= 2
