"""The wires between pieces of strip, or between panels, in a drawing."""

from typing import Final

from hardware.wiring.canvas import Point

PADS: Final = (("5V", "5V"), ("DOUT", "DIN"), ("GND", "GND"))
"""Contacts at the end of a piece and at the beginning of the next, from the upper edge of strip."""

_OUT: Final = 10.0
"""Distance of the outermost wire from the LED, in pixels."""

_BESIDE: Final = 3.0
"""Distance of two wires, in pixels."""


def joint(end: Point, start: Point, pad: int, centre: float, gap: float) -> list[Point]:
    """Returns the way of a wire from the end of a horizontal piece to the beginning of the next.

    Args:
        end: the last LED of a piece.
        start: the first LED of the next.
        pad: 0 for the outermost wire, 2 for the innermost.
        centre: place of the middle of all LEDs from the left.
        gap: distance of two lines.
    """
    (x, y), (to_x, to_y) = end, start
    aside, down = _BESIDE * (pad - 1), 1.0 if to_y > y else -1.0
    upper, far = y + aside * down, _OUT - _BESIDE * pad
    if abs(x - to_x) < 1:
        out = 1.0 if x > centre else -1.0
        lower = to_y - aside * down
        near, away = x + _BESIDE * out, x + far * out
        return [(near, upper), (away, upper), (away, lower), (near, lower)]
    out = 1.0 if x > to_x else -1.0
    lower, lane = to_y + aside * down, to_y - (gap / 2 + aside * 0.8) * down
    back = to_x - (_OUT - _BESIDE * (2 - pad)) * out
    return [
        (x + _BESIDE * out, upper),
        (x + far * out, upper),
        (x + far * out, lane),
        (back, lane),
        (back, lower),
        (to_x - _BESIDE * out, lower),
    ]
