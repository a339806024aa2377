"""Pictures of the test of the LEDs: each shows one fault of the wiring, and names its remedy."""

from dataclasses import replace
from itertools import permutations

import pytest

from firmware.lights.led_layout import ChainCorner, ChainDirection, LedLayout
from firmware.lights.light_test import COLOURS, LightStep, inks_of, light_steps, orders_of

PANELS = LedLayout(16, 16, left=1, top=1, panels_across=2, panels_down=2)


def step(name: str, wiring: LedLayout = PANELS) -> LightStep:
    return next(one for one in light_steps(wiring, 14) if one.name == name)


def test_every_step_has_a_sentence_and_a_remedy_but_for_colours() -> None:
    steps = light_steps(PANELS, 14)
    assert [one.name for one in steps] == [
        *COLOURS, "first LED", "first line", "second line", "panels", "corners of the board", "dot",
        "dark",
    ]  # fmt: skip
    assert all(one.expected and (one.remedy or one.name in COLOURS) for one in steps)
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
    assert inks_of({1: "blue"}, 2).tolist() == [[0, 0, 0], [0, 0, 255]]


@pytest.mark.parametrize("order", ["GRB", "RGB", "BGR"])
@pytest.mark.parametrize("true", ["".join(one) for one in permutations("RGB")])
def test_the_order_is_found_by_three_answers(order: str, true: str) -> None:
    # An LED takes the byte that was meant for one colour as another.
    shown = ["RGB"["RGB".index(true[order.index(asked)])] for asked in "RGB"]
    found = orders_of(order, [here == asked for here, asked in zip(shown, "RGB", strict=True)])
    assert true in found
    assert len(found) <= 2
