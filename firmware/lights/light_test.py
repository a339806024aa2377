"""Pictures by which a person sees whether LEDs are wired as the settings say. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Final

import numpy as np

from firmware.codes import ChainDirection
from firmware.lights.digit_font import shape
from firmware.lights.led_layout import LedLayout
from firmware.lights.power_budget import Levels, PowerSupply, corrected
from vision.plastics import Rgb

COLOURS: Final = ("red", "green", "blue")
"""Steps that show one colour each, in the order of `orders_of`."""

_INKS: Final[Mapping[str, Rgb]] = {
    "red": (255, 0, 0),
    "green": (0, 255, 0),
    "blue": (0, 0, 255),
    "white": (255, 255, 255),
}
"""Red, green and blue of the colours by their names."""

_DARK: Final = "."
"""Letter of a dark LED in a drawing; a lit one has the first letter of its colour, in capital."""

_DIGIT: Final = (5, 3)
"""Rows and columns of a digit, without the dots below it."""

_BRIGHTNESS: Final = 0.48
"""Brightness, 0 to 1, a fifth of the light: in some pictures every LED is lit."""


@dataclass(frozen=True, slots=True)
class LightRemedy:
    """A change of the settings or the wiring, if a step looks wrong.

    Attributes:
        code: key of its sentence: the name of the step, "order", or "order elsewhere".
        value: value of the setting that the sentence names; empty if it names none.
    """

    code: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class LightStep:
    """Pictures and what they have to look like.

    Attributes:
        name: short name of the step, key of the sentence on what a person sees if all is right.
        frames: pictures, each with the name of the colour of each lit LED, by its number.
        value: right value of a setting if it looks otherwise; empty if that is not known.
    """

    name: str
    frames: tuple[Mapping[int, str], ...]
    value: str = ""

    def drawing(self, wiring: LedLayout) -> list[str]:
        """Returns the first picture as it is seen from above, a letter an LED, top row first."""
        rows = [[_DARK] * wiring.columns for _ in range(wiring.rows)]
        for led, colour in self.frames[0].items():
            row, column = wiring.place(led)
            rows[row][column] = colour[0].upper()
        return ["".join(row) for row in rows]


@dataclass(frozen=True, slots=True)
class LightTest:
    """The steps of a test, and the answers so far.

    Attributes:
        wiring: the wiring of the settings.
        steps: the steps, each of which needs those before it to be right.
        supply: supply of the LEDs.
        order: order of the colours of the settings; empty if another device knows it.
        seen: True for each step so far that looked right.
    """

    wiring: LedLayout
    steps: tuple[LightStep, ...]
    supply: PowerSupply
    order: str
    seen: tuple[bool, ...] = ()

    @property
    def step(self) -> LightStep | None:
        """The step to look at; None if all look right, or there is a remedy."""
        is_over = self.remedy is not None or len(self.seen) == len(self.steps)
        return None if is_over else self.steps[len(self.seen)]

    @property
    def remedy(self) -> LightRemedy | None:
        """The change to make; None if nothing looked wrong, or not all colours were seen."""
        if len(self.seen) < len(COLOURS) or all(self.seen):
            return None
        if len(self.seen) > len(COLOURS):
            wrong = self.steps[len(self.seen) - 1]
            return LightRemedy(wrong.name, wrong.value)
        if not self.order:
            return LightRemedy("order elsewhere")
        orders = orders_of(self.order, self.seen)
        return LightRemedy("order", " / ".join(f'"{order}"' for order in orders))

    def answered(self, *, right: bool) -> "LightTest":
        """Returns the test after an answer to the present step."""
        return replace(self, seen=(*self.seen, right))

    def levels(self, frame: Mapping[int, str]) -> Levels:
        """Returns (length, 3) levels of a picture, within the limit of the supply."""
        inks = np.zeros((self.wiring.length, 3), np.uint8)
        for led, colour in frame.items():
            inks[led] = _INKS[colour]
        return self.supply.limited(corrected(inks, _BRIGHTNESS))


def light_steps(wiring: LedLayout, size: int) -> tuple[LightStep, ...]:
    """Returns the steps of the test, each of which needs those before it to be right.

    Args:
        wiring: the wiring of the settings.
        size: squares along a side of the board.
    """
    every = range(wiring.length)
    colours = [LightStep(name, (dict.fromkeys(every, name),)) for name in COLOURS]
    panels = [_panels(wiring)] if wiring.panels_across * wiring.panels_down > 1 else []
    dark = LightStep("dark", ({},))
    return (*colours, *_chain(wiring), *panels, _board(wiring, size), _dot(wiring, size), dark)


def orders_of(order: str, seen: Sequence[bool]) -> list[str]:
    """Returns the orders of colours that LEDs may have, after pictures in red, green and blue.

    Args:
        order: the order of the settings, such as "GRB".
        seen: True for each of the three that had its colour.
    """
    found = []
    for shown in permutations("RGB"):
        if [here == asked for here, asked in zip(shown, "RGB", strict=True)] == list(seen):
            instead = dict(zip("RGB", shown, strict=True))
            found.append("".join(instead[letter] for letter in order))
    return found


def _chain(wiring: LedLayout) -> Iterator[LightStep]:
    by_rows = wiring.along is ChainDirection.ROWS
    other = ChainDirection.COLUMNS if by_rows else ChainDirection.ROWS
    along = wiring.columns // wiring.panels_across if by_rows else wiring.rows // wiring.panels_down
    turned = "false" if wiring.serpentine else "true"
    line, ends = dict.fromkeys(range(along), "green"), {along - 1: "red", along: "blue"}
    yield LightStep("first LED", ({0: "white"},))
    yield LightStep("first line", (line,), f'"{other}"')
    yield LightStep("second line", (ends,), turned)


def _panels(wiring: LedLayout) -> LightStep:
    rows, columns = wiring.rows // wiring.panels_down, wiring.columns // wiring.panels_across
    led_at = {wiring.place(led): led for led in range(wiring.length)}
    lit: dict[int, str] = {}
    for panel in range(wiring.panels_across * wiring.panels_down):
        down, across = divmod(panel, wiring.panels_across)
        top = down * rows + (rows - _DIGIT[0]) // 2
        left = across * columns + (columns - _DIGIT[1]) // 2
        digit = [
            (row, column) for row, column in shape(str((panel + 1) % 10), 0) if row < _DIGIT[0]
        ]
        lit |= {led_at[top + row, left + column]: "white" for row, column in digit}
    return LightStep("panels", (lit,))


def _board(wiring: LedLayout, size: int) -> LightStep:
    led_of = _led_of(wiring, size)
    corners = (
        (0, "red"),
        (size - 1, "green"),
        (size * size - 1, "blue"),
        (size * (size - 1), "white"),
    )
    frame = {led_of[square]: colour for square, colour in corners}
    return LightStep("corners of the board", (frame,))


def _dot(wiring: LedLayout, size: int) -> LightStep:
    led_of = _led_of(wiring, size)
    frames = tuple({led_of[square]: "white"} for square in range(size * size))
    return LightStep("dot", frames)


def _led_of(wiring: LedLayout, size: int) -> dict[int, int]:
    """Returns the LED below each square."""
    pairs = enumerate(wiring.layout(size))
    return {square: led for led, square in pairs if square is not None}
