"""Sheets that measure the pitch of bought pieces.

The shortest slot into which the straight piece of five squares falls has their pitch. The origin is
a corner of a sheet, which lies on z = 0.

Numbers are drawn of straight strokes, as clocks show them: a printer makes them at any size.
"""

from typing import Final

from build123d import Align, Box, Part, Pos

from hardware.parts.dimensions import (
    LETTER,
    LETTER_DEEP,
    LETTER_LINE,
    LETTER_STEP,
    SHEET_BAR,
    SHEET_HIGH,
    SLOT_GAP,
    TESTED_LARGE,
    TESTED_SMALL,
    TESTED_SQUARES,
)
from hardware.parts.solids import CORNER, rounded

_STROKES: Final = {
    "a": ((-1, 1), (1, 1)),
    "b": ((1, 0), (1, 1)),
    "c": ((1, -1), (1, 0)),
    "d": ((-1, -1), (1, -1)),
    "e": ((-1, -1), (-1, 0)),
    "f": ((-1, 0), (-1, 1)),
    "g": ((-1, 0), (1, 0)),
    "dot": ((0, -1), (0, -1)),
}
"""Ends (x, y) of each stroke, in halves of the width and the height of a number."""

_NUMBERS: Final = {
    "0": "abcdef",
    "1": "bc",
    "2": "abged",
    "3": "abgcd",
    "4": "fgbc",
    "5": "afgcd",
    "6": "afgecd",
    "7": "abc",
    "8": "abcdefg",
    "9": "abcdfg",
    ".": ("dot",),
}
"""Strokes of each sign."""


def small_sheet() -> Part:
    """Returns the sheet of the smaller pitches."""
    return _sheet(TESTED_SMALL)


def large_sheet() -> Part:
    """Returns the sheet of the larger pitches."""
    return _sheet(TESTED_LARGE)


def _sheet(pitches: tuple[float, ...]) -> Part:
    """Returns a sheet with a slot for each pitch."""
    bar, end = SHEET_BAR
    wide = sum(pitches) + len(pitches) * (SLOT_GAP + bar) + bar
    long = TESTED_SQUARES * max(pitches) + SLOT_GAP + bar + end
    sheet = rounded(Box(wide, long, SHEET_HIGH, align=CORNER), 2)
    cuts, x = [], bar
    for pitch in pitches:
        cuts.append(Pos(x, end) * _slot(pitch))
        cuts.extend(Pos(x + pitch / 2, end / 2, SHEET_HIGH) * one for one in _number(f"{pitch:g}"))
        x += pitch + SLOT_GAP + bar
    return sheet - cuts


def _slot(pitch: float) -> Part:
    """Returns what is cut for one pitch."""
    long = TESTED_SQUARES * pitch + SLOT_GAP
    return Box(pitch + SLOT_GAP, long, 4 * SHEET_HIGH, align=(Align.MIN, Align.MIN, Align.CENTER))


def _number(signs: str) -> list[Part]:
    """Returns the strokes of a number around the origin, from z = 0 down."""
    start = -LETTER_STEP * (len(signs) - 1) / 2
    return [
        Pos(start + k * LETTER_STEP) * _stroke(name)
        for k, sign in enumerate(signs)
        for name in _NUMBERS[sign]
    ]


def _stroke(name: str) -> Part:
    """Returns one stroke of a sign."""
    wide, high = LETTER[0] / 2, LETTER[1] / 2
    (left, low), (right, top) = _STROKES[name]
    sides = ((right - left) * wide + LETTER_LINE, (top - low) * high + LETTER_LINE)
    middle = Pos((left + right) / 2 * wide, (low + top) / 2 * high)
    return middle * Box(*sides, 2 * LETTER_DEEP)
