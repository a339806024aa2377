"""Numbers drawn with few lights: one digit after another, each with dots that say its place."""

from typing import Final

_SHAPES: Final = {
    "0": "### #.# #.# #.# ###",
    "1": ".#. ##. .#. .#. ###",
    "2": "### ..# ### #.. ###",
    "3": "### ..# .## ..# ###",
    "4": "#.# #.# ### ..# ..#",
    "5": "### #.. ### ..# ###",
    "6": "### #.. ### #.# ###",
    "7": "### ..# .#. .#. .#.",
    "8": "### #.# ### #.# ###",
    "9": "### #.# ### ..# ###",
}
"""Five rows of three lights for each digit."""

WIDTH: Final = 4
HEIGHT: Final = 7
"""Squares that a digit and its dots need: five rows, one free, and the dots of up to four."""


def shape(digit: str, place: int) -> tuple[tuple[int, int], ...]:
    """The lights of a digit.

    Args:
        digit: one of `0` to `9`.
        place: which digit of the number it is, 0 to 3; so many dots and one more lie below.

    Returns:
        Row and column of each light, within `HEIGHT` by `WIDTH`.

    Raises:
        ValueError: it is no digit, or there is no such place.
    """
    if digit not in _SHAPES or not 0 <= place < WIDTH:
        raise ValueError(f"{digit!r} in place {place} is not a digit that lights can show")
    rows = _SHAPES[digit].split()
    lit = [(row, column) for row, text in enumerate(rows) for column in range(3)
           if text[column] == "#"]  # fmt: skip
    return (*lit, *((HEIGHT - 1, dot) for dot in range(place + 1)))
