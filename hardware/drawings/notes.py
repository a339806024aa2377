"""Numbers, arrows and lengths in a drawing, as lines of SVG; places are in pixels. Pure."""

import math
from typing import Final
from xml.sax.saxutils import escape

from hardware.drawings.visibility import Flat

NOTE: Final = "#0b57d0"
"""Colour of numbers, arrows and lengths."""

_FONT: Final = 'font-family="Helvetica,Arial,sans-serif" font-size="16" font-weight="700"'
"""Font of numbers and lengths as attributes of SVG, with one that every system has."""

_LETTER_PX: Final = 9.2
"""Width of a letter of that font, at the most."""

_DISC_PX: Final = 14
"""Radius of the disc around a number."""


def number_lines(at: Flat, label: Flat, text: str) -> list[str]:
    """Returns a number in a disc, with a line to the point that it names."""
    return [
        stroke(f"M{pair(at)}L{pair(label)}", NOTE, 1.4),
        _disc(at, 3),
        _disc(label, max(_DISC_PX, _LETTER_PX / 2 * len(text) + 3)),
        _text(label, text, "#ffffff"),
    ]


def arrow_lines(start: Flat, end: Flat) -> list[str]:
    """Returns an arrow from one point to another."""
    return [
        stroke(f"M{pair(start)}L{pair(_before(start, end, 14.0))}", NOTE, 4.5),
        f'<path fill="{NOTE}" d="{_head(start, end, 17.0, 8.5)}"/>',
    ]


def length_lines(start: Flat, end: Flat, text: str) -> list[str]:
    """Returns a line with an arrow at each end, and the length that it shows."""
    half = _LETTER_PX / 2 * len(text) + 7
    is_short = math.hypot(end[0] - start[0], end[1] - start[1]) < 2 * half + 40
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2 + 20 * is_short
    heads = _head(start, end, 11.0, 4.0) + _head(end, start, 11.0, 4.0)
    box = f'x="{short(x - half)}" y="{short(y - 12)}" width="{short(2 * half)}" height="24"'
    return [
        stroke(f"M{pair(start)}L{pair(end)}", NOTE, 1.4),
        f'<path fill="{NOTE}" d="{heads}"/>',
        f'<rect {box} rx="6" fill="#ffffff"/>',
        _text((x, y), text, NOTE),
    ]


def stroke(path: str, colour: str, width: float) -> str:
    """Returns a line along a path."""
    return f'<path stroke="{colour}" stroke-width="{width}" d="{path}"/>'


def pair(point: Flat) -> str:
    """Returns a place as text."""
    return f"{short(point[0])} {short(point[1])}"


def short(value: float) -> str:
    """Returns a coordinate as text, to a tenth of a pixel."""
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")


def _disc(at: Flat, radius: float) -> str:
    return f'<circle cx="{short(at[0])}" cy="{short(at[1])}" r="{short(radius)}" fill="{NOTE}"/>'


def _text(at: Flat, text: str, colour: str) -> str:
    place = f'x="{short(at[0])}" y="{short(at[1] + 5.5)}" text-anchor="middle"'
    return f'<text {place} fill="{colour}" {_FONT}>{escape(text)}</text>'


def _before(start: Flat, end: Flat, back: float) -> Flat:
    """Returns the point of a line that lies `back` before its end."""
    share = 1 - back / math.hypot(end[0] - start[0], end[1] - start[1])
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _head(start: Flat, end: Flat, long: float, half: float) -> str:
    """Returns the head of an arrow as a path."""
    neck = _before(start, end, long)
    length = math.hypot(end[0] - start[0], end[1] - start[1])
    x, y = (end[0] - start[0]) / length * half, (end[1] - start[1]) / length * half
    sides = (neck[0] - y, neck[1] + x), (neck[0] + y, neck[1] - x)
    return f"M{pair(end)}L{pair(sides[0])}L{pair(sides[1])}Z"
