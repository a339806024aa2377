"""The buttons beside the header in a drawing, and their wires.

Buttons stand in the order of their pins, and each wire has a column of its own, chosen so that
wires do not cross unless the pins of two buttons are mixed.
"""

from typing import Final

from schemdraw import elements

from hardware.wiring.canvas import SMALL, Point
from hardware.wiring.header import PIN_OF_GPIO
from hardware.wiring.header_view import way_left
from hardware.wiring.sheet import Sheet

_TERMINAL: Final = 88.0
"""Place of the terminals of a button in pixels."""

_HALF: Final = 18.0
"""Half the height of a button."""

_STEP: Final = 68.0
"""Least distance of two buttons."""

_TOP, _BOTTOM = 90.0, 520.0
"""Heights between which buttons stand."""

_FIRST, _COLUMN = 130.0, 7.5
"""Place of the first column of wires, and distance of two."""


def draw_buttons(sheet: Sheet) -> None:
    """Draws the buttons and their wires."""
    harness = sheet.harness
    pins = [(PIN_OF_GPIO[gpio], harness.grounds[PIN_OF_GPIO[gpio]]) for gpio in harness.buttons]
    order = sorted(range(len(pins)), key=lambda number: min(pins[number]))
    wanted = [sum(_height(pin) for pin in pins[number]) / 2 for number in order]
    middles: dict[str, float] = {}
    ways: list[tuple[str, str, list[Point], float]] = []
    for number, middle in zip(order, _spread(wanted), strict=True):
        button = f"Button {number + 1}"
        upper, lower = middle - _HALF, middle + _HALF
        middles[button] = middle
        signal, ground = pins[number]
        ends = (upper, lower) if _height(signal) < _height(ground) else (lower, upper)
        for pin, contact, end in ((signal, "a", ends[0]), (ground, "b", ends[1])):
            ways.append((f"J8 {pin}", f"{button} {contact}", way_left(pin), end))
    columns = _columns([(way[-1][1], end) for _, _, way, end in ways])
    for (start, end, way, height), column in zip(ways, columns, strict=True):
        points = [*way, (column, way[-1][1]), (column, height), (_TERMINAL, height)]
        sheet.wire(start, end, points, (_TERMINAL + 8, height - 9))
    for button, middle in middles.items():
        group = sheet.canvas.group(button.replace(" ", "-"), button)
        ends = (_TERMINAL, middle + _HALF), (_TERMINAL, middle - _HALF)
        group.part(elements.Button(), *ends)
        group.text(button, (14, middle), SMALL)


def _height(pin: int) -> float:
    return way_left(pin)[-1][1]


def _spread(wanted: list[float]) -> list[float]:
    """Returns heights near to the wanted ones, in their order and far enough apart."""
    heights: list[float] = []
    for one in wanted:
        heights.append(max(one, _TOP if not heights else heights[-1] + _STEP))
    limit = _BOTTOM
    for place in reversed(range(len(heights))):
        heights[place] = min(heights[place], limit)
        limit = heights[place] - _STEP
    return heights


def _columns(ends: list[tuple[float, float]]) -> list[float]:
    """Returns the column of each wire.

    Args:
        ends: height at the header and at the button of each wire.
    """
    places = [0.0] * len(ends)
    # On the way to the button the upper of two that go down turns last, of two that go up first.
    falling = sorted((k for k, (pin, end) in enumerate(ends) if end > pin), key=lambda k: ends[k])
    rising = sorted(
        (k for k, (pin, end) in enumerate(ends) if end <= pin), key=lambda k: ends[k], reverse=True
    )
    for group in (falling, rising):
        for number, k in enumerate(group):
            places[k] = _FIRST + number * _COLUMN
    return places
