"""Numbers drawn with few lights: one symbol after another, for two seconds each.

The digits form groups of four. One, two or three bars before a group give its number; one to
four dots below a digit give its place in the group. So a person who starts reading in the middle,
or types a group while the next is shown, finds the place again. The twelve digits of a pairing
number take 32 s with their bars and a pause, and the lights change once a second on average.
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
"""Columns of a symbol: up to four dots."""

HEIGHT: Final = 7
"""Rows of a symbol: five of the digit, a free one, and the dots."""

GROUP: Final = WIDTH
"""Digits of a group: one for each possible dot."""

_MOST_GROUPS: Final = 3
"""Groups of a number: one for each possible bar, in every second of five rows."""

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
    """The symbol before a group.

    Args:
        group: index of the group, 0 to 2; the symbol has `group + 1` bars.

    Raises:
        ValueError: there is no such group.
    """
    if not 0 <= group < _MOST_GROUPS:
        raise ValueError(f"lights can show {_MOST_GROUPS * GROUP} digits, and no more")
    return tuple((2 * bar, column) for bar in range(group + 1) for column in range(3))


def shape(digit: str, place: int) -> Symbol:
    """The symbol of a digit.

    Args:
        digit: one of `0` to `9`.
        place: index in its group, 0 to 3; the symbol has `place + 1` dots.

    Raises:
        ValueError: it is not a digit, or there is no such place.
    """
    if digit not in _SHAPES or not 0 <= place < WIDTH:
        raise ValueError(f"{digit!r} in place {place} is not a digit that lights can show")
    rows = _SHAPES[digit].split()
    lit = [(row, column) for row, text in enumerate(rows) for column in range(3)
           if text[column] == "#"]  # fmt: skip
    return (*lit, *((HEIGHT - 1, dot) for dot in range(place + 1)))
