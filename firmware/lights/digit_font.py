"""Numbers drawn with few lights: one symbol after another, for two seconds each.

The digits come in groups of four. Before each group come one, two or three bars, which say the
group; below each digit are one to four dots, which say its place in the group. So who looks at
the board in the middle of a number, or types a group while the next is shown, finds the place
again. The twelve digits of a number for pairing take 32 s with their bars and a pause, and the
lights change once a second on average.
"""

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

GROUP: Final = WIDTH
"""Digits of a group: as many as there is room for dots."""

_MOST_GROUPS: Final = 3
"""As many as there is room for bars: in every second of five rows."""

Symbol = tuple[tuple[int, int], ...]
"""Row and column of each light, within `HEIGHT` by `WIDTH`."""


def symbols(number: str) -> list[Symbol]:
    """The symbols of a number, in the order in which they are shown.

    Args:
        number: up to 12 digits.

    Raises:
        ValueError: it has other characters, or too many.
    """
    found: list[Symbol] = []
    for at, digit in enumerate(number):
        if at % GROUP == 0:
            found.append(bars(at // GROUP))
        found.append(shape(digit, at % GROUP))
    return found


def bars(group: int) -> Symbol:
    """The lights that say a group.

    Args:
        group: 0 to 2; so many bars and one more.

    Raises:
        ValueError: there is no such group.
    """
    if not 0 <= group < _MOST_GROUPS:
        raise ValueError(f"lights can show {_MOST_GROUPS * GROUP} digits, and no more")
    return tuple((2 * bar, column) for bar in range(group + 1) for column in range(3))


def shape(digit: str, place: int) -> Symbol:
    """The lights of a digit.

    Args:
        digit: one of `0` to `9`.
        place: which digit of its group it is, 0 to 3; so many dots and one more lie below.

    Raises:
        ValueError: it is no digit, or there is no such place.
    """
    if digit not in _SHAPES or not 0 <= place < WIDTH:
        raise ValueError(f"{digit!r} in place {place} is not a digit that lights can show")
    rows = _SHAPES[digit].split()
    lit = [(row, column) for row, text in enumerate(rows) for column in range(3)
           if text[column] == "#"]  # fmt: skip
    return (*lit, *((HEIGHT - 1, dot) for dot in range(place + 1)))
