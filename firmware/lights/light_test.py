"""Pictures by which a person sees whether LEDs are wired as the settings say. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.lights.digit_font import shape
from firmware.lights.led_layout import ChainDirection, LedLayout
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


@dataclass(frozen=True, slots=True)
class LightStep:
    """Pictures and what they have to look like.

    Attributes:
        name: short name of the step.
        expected: what a person sees if all is right, as a sentence.
        remedy: what to change if it looks otherwise.
        frames: pictures, each with the name of the colour of each lit LED, by its number.
    """

    name: str
    expected: str
    remedy: str
    frames: tuple[Mapping[int, str], ...]

    def drawing(self, wiring: LedLayout) -> list[str]:
        """Returns the first picture as it is seen from above, a letter an LED, top row first."""
        rows = [[_DARK] * wiring.columns for _ in range(wiring.rows)]
        for led, colour in self.frames[0].items():
            row, column = wiring.place(led)
            rows[row][column] = colour[0].upper()
        return ["".join(row) for row in rows]


def inks_of(frame: Mapping[int, str], length: int) -> NDArray[np.uint8]:
    """Returns (length, 3) uint8, red, green and blue of each LED of a picture."""
    inks = np.zeros((length, 3), np.uint8)
    for led, colour in frame.items():
        inks[led] = _INKS[colour]
    return inks


def light_steps(wiring: LedLayout, size: int) -> list[LightStep]:
    """Returns the steps of the test, each of which needs those before it to be right.

    Args:
        wiring: the wiring of the settings.
        size: squares along a side of the board.
    """
    every = range(wiring.length)
    colours = [
        LightStep(name, f"every LED is {name}", "", (dict.fromkeys(every, name),))
        for name in COLOURS
    ]
    panels = [_panels(wiring)] if wiring.panels_across * wiring.panels_down > 1 else []
    return [*colours, *_chain(wiring), *panels, _board(wiring, size), _dot(wiring, size), _dark()]


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
    line, other = ("row", "columns") if by_rows else ("column", "rows")
    along = wiring.columns // wiring.panels_across if by_rows else wiring.rows // wiring.panels_down
    where = " of the first panel" if wiring.panels_across * wiring.panels_down > 1 else ""
    yield LightStep(
        "first LED",
        f"one LED is white, at the {wiring.first.value.replace('-', ' ')}{where}",
        "set lights.first to the corner where it is, seen from above",
        ({0: "white"},),
    )
    yield LightStep(
        "first line",
        f"a whole {line} is green, from that corner on",
        f"set lights.along to '{other}'; if it is too long or too short, set lights.columns and "
        "lights.rows",
        (dict.fromkeys(range(along), "green"),),
    )
    turn = "beside the red one" if wiring.serpentine else "at the other end of its line"
    yield LightStep(
        "second line",
        f"the end of the first line is red, and the begin of the second is blue, {turn}",
        f"set lights.serpentine to {'false' if wiring.serpentine else 'true'}",
        ({along - 1: "red", along: "blue"},),
    )


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
    return LightStep(
        "panels",
        "each panel shows its number, row by row from the top left",
        "wire the panels in this order and all the same way up, or change lights.panels_across and "
        "lights.panels_down",
        (lit,),
    )


def _board(wiring: LedLayout, size: int) -> LightStep:
    led_of = _led_of(wiring, size)
    corners = (
        (0, "red"),
        (size - 1, "green"),
        (size * size - 1, "blue"),
        (size * (size - 1), "white"),
    )
    return LightStep(
        "corners of the board",
        "the corner squares of the board are red at the top left, then clockwise green, blue and "
        "white",
        "set lights.left and lights.top to the columns and rows of LEDs outside the board",
        ({led_of[square]: colour for square, colour in corners},),
    )


def _dot(wiring: LedLayout, size: int) -> LightStep:
    led_of = _led_of(wiring, size)
    return LightStep(
        "dot",
        "a white dot runs over every square, row by row from the top left",
        "an LED that stays dark is broken, or the joint before it; behind it all others stay dark",
        tuple({led_of[square]: "white"} for square in range(size * size)),
    )


def _dark() -> LightStep:
    return LightStep(
        "dark",
        "every LED is dark",
        "connect the ground of the supply with that of the computer, and shift the data to 5 V",
        ({},),
    )


def _led_of(wiring: LedLayout, size: int) -> dict[int, int]:
    """Returns the LED below each square."""
    pairs = enumerate(wiring.layout(size))
    return {square: led for led, square in pairs if square is not None}
