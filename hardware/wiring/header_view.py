"""The header of the Raspberry Pi in a drawing, odd pins on the left as on the board."""

from typing import Final

from hardware.wiring.canvas import NORMAL, Align, Point
from hardware.wiring.header import NAMES
from hardware.wiring.sheet import Sheet

LEFT: Final = 190.0
"""Left edge of the Raspberry Pi in pixels."""

RIGHT: Final = 376.0
"""Right edge of the Raspberry Pi in pixels."""

TOP: Final = 56.0
"""Upper edge of the Raspberry Pi in pixels."""

BOTTOM: Final = 532.0
"""Lower edge of the Raspberry Pi in pixels."""

_FIRST: Final = 106.0
"""Height of the first row of pins."""

_ROW: Final = 20.5
"""Distance of two rows of pins."""

_ODD: Final = 273.0
"""Place of the column of odd pins."""

_EVEN: Final = 293.0
"""Place of the column of even pins."""

_ASIDE: Final = 8.0
"""Distance from its row of a wire that passes between two rows."""


def draw_header(sheet: Sheet) -> None:
    """Draws the header, with the pins in use in the colours of their wires."""
    colours = {wire.pin: wire.colour for wire in sheet.harness.connections if wire.pin}
    board = sheet.canvas.group("J8", "Raspberry Pi, header J8")
    board.box((LEFT, TOP), (RIGHT, BOTTOM), "honeydew")
    middle = (_ODD + _EVEN) / 2
    board.text("Raspberry Pi, header J8", (middle, TOP + 18), NORMAL, "center")
    last = height_of(len(NAMES))
    board.box((_ODD - 10, _FIRST - 11), (_EVEN + 10, last + 11), "gainsboro")
    for pin, name in enumerate(NAMES, 1):
        group = sheet.canvas.group(f"J8-{pin}", f"J8 {pin}: {name}")
        text = "black" if pin in colours else "dimgray"
        height, is_odd = height_of(pin), pin % 2 == 1
        group.dots([(_ODD if is_odd else _EVEN, height)], colours.get(pin, "white"), 5.0)
        align: Align = "right" if is_odd else "left"
        for words, aside in ((str(pin), 15), (name, 35)):
            place = _ODD - aside if is_odd else _EVEN + aside
            group.text(words, (place, height), align=align, colour=text)


def height_of(pin: int) -> float:
    """The height of a pin."""
    return _FIRST + (pin - 1) // 2 * _ROW


def way_left(pin: int) -> list[Point]:
    """The way of a wire from its pin to the left edge; an even one passes below its row."""
    height = height_of(pin)
    if pin % 2:
        return [(LEFT, height)]
    return [(_EVEN, height + 5), (_EVEN, height + _ASIDE), (LEFT, height + _ASIDE)]


def way_right(pin: int, *, is_above: bool) -> list[Point]:
    """The way of a wire from its pin to the right edge; an odd one passes beside its row."""
    height = height_of(pin)
    if pin % 2 == 0:
        return [(RIGHT, height)]
    sign = -1 if is_above else 1
    aside = height + sign * _ASIDE
    return [(_ODD, height + sign * 5), (_ODD, aside), (RIGHT, aside)]
