"""The buttons beside the header in a drawing, and their wires.

Buttons stand in the order of their pins, and each wire has a column of its own, chosen so that
wires do not cross unless the pins of two buttons are mixed.
"""

from dataclasses import dataclass
from typing import Final

from schemdraw import elements

from hardware.wiring.canvas import SMALL
from hardware.wiring.header import PIN_OF_GPIO
from hardware.wiring.header_view import way_left
from hardware.wiring.sheet import Sheet

_TERMINAL: Final = 88.0
"""Place of the terminals of a button in pixels."""

_HALF: Final = 18.0
"""Half the height of a button."""

_STEP: Final = 68.0
"""Least distance of two buttons."""

_TOP: Final = 90.0
"""Highest place of a button, in pixels from the top."""

_BOTTOM: Final = 520.0
"""Lowest place of a button, in pixels from the top."""

_FIRST: Final = 130.0
"""Place of the first column of wires."""

_COLUMN: Final = 7.5
"""Distance of two columns at most, in pixels."""

_ROOM: Final = 54.0
"""Width in pixels within which all columns are."""


@dataclass(frozen=True, slots=True)
class _Contact:
    """A contact of a button.

    Attributes:
        pin: the pin of the header to which it is wired.
        name: its name.
        height: its height in pixels.
    """

    pin: int
    name: str
    height: float


def draw_buttons(sheet: Sheet) -> None:
    """Draws the buttons and their wires."""
    harness = sheet.harness
    signals = [PIN_OF_GPIO[gpio] for gpio in harness.buttons]
    pins = [(pin, harness.grounds[pin]) for pin in signals]
    order = sorted(range(len(pins)), key=lambda number: min(pins[number]))
    heights = _spread([(_height(pins[one][0]) + _height(pins[one][1])) / 2 for one in order])
    buttons = [(f"Button {one + 1}", pins[one], at) for one, at in zip(order, heights, strict=True)]
    contacts = [contact for button in buttons for contact in _contacts(*button)]
    columns = _columns([(_height(contact.pin), contact.height) for contact in contacts])
    for contact, column in zip(contacts, columns, strict=True):
        way, height = way_left(contact.pin), contact.height
        points = [*way, (column, way[-1][1]), (column, height), (_TERMINAL, height)]
        sheet.wire(f"J8 {contact.pin}", contact.name, points, (_TERMINAL + 8, height - 9))
    for name, _, middle in buttons:
        group = sheet.canvas.group(name.replace(" ", "-"), name)
        lower, upper = (_TERMINAL, middle + _HALF), (_TERMINAL, middle - _HALF)
        group.part(elements.Button(), lower, upper)
        group.text(name, (14, middle), SMALL)


def _contacts(name: str, pins: tuple[int, int], middle: float) -> tuple[_Contact, _Contact]:
    """Returns both contacts of a button, above that whose pin is above."""
    (signal, ground), half = pins, _HALF
    if _height(signal) > _height(ground):
        half = -half
    return (
        _Contact(signal, f"{name} a", middle - half),
        _Contact(ground, f"{name} b", middle + half),
    )


def _height(pin: int) -> float:
    """The height at which the wire of a pin leaves the header."""
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
            step = min(_COLUMN, _ROOM / max(len(group) - 1, 1))
            places[k] = _FIRST + number * step
    return places
