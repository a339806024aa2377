"""The layout found by itself: a few LEDs are lit in turn, and the camera sees which squares glow.

Of all ways to lay a chain under a board, each LED that was seen leaves those that have it there.
The next one lit is always the one that leaves fewest, so four or five tell a wiring from all
others; some more, spread over the chain, then show whether it is whole.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.lights.led_layout import ChainCorner, ChainDirection, Layout, LedLayout

Look = Callable[[int], int | None]
"""Lights one LED and says which square glows, in the markers' frame; None if none is seen to."""

_CHECKED: Final = 12
"""LEDs lit to see whether a chain is whole, spread evenly with the last among them."""

_MOST: Final = 30
"""LEDs lit to tell wirings apart; a chain of which so few are seen is not to be told."""

_NONE: Final = -1


@dataclass(frozen=True, slots=True)
class InferredLayout:
    """What was found out about a chain.

    Attributes:
        wiring: how it was laid; None where no wiring agrees with what was seen.
        seen: for each LED that was lit the square that glowed, in the order they were lit.
        dark: LEDs that should have been seen and were not, in the order of the chain.
    """

    wiring: LedLayout | None
    seen: tuple[tuple[int, int | None], ...]
    dark: tuple[int, ...] = ()


def wirings(size: int, length: int) -> tuple[LedLayout, ...]:
    """Every way to lay so many LEDs under a board.

    Args:
        size: squares along a side of the board.
        length: how many LEDs there are.
    """
    panels = [
        (columns, length // columns)
        for columns in range(size, length // size + 1)
        if length % columns == 0
    ]
    return tuple(
        LedLayout(columns, rows, first, along, serpentine, left, top)
        for columns, rows in panels
        for first, along, serpentine in product(ChainCorner, ChainDirection, (True, False))
        for left in range(columns - size + 1)
        for top in range(rows - size + 1)
    )


def find(look: Look, size: int, length: int) -> InferredLayout:
    """How a chain was laid.

    Args:
        look: lights an LED and looks.
        size: squares along a side of the board.
        length: how many LEDs the chain has.
    """
    ways = wirings(size, length)
    layouts = np.array([_numbers(wiring.layout(size)) for wiring in ways], np.int16)
    left = np.arange(len(ways))
    seen: list[tuple[int, int | None]] = []
    while len(seen) < _MOST:
        led = _most_telling(layouts[left], [led for led, _ in seen])
        if led is None:
            break
        square = look(led)
        seen.append((led, square))
        if square is not None:
            # One that is not seen may only be dead, and tells nothing.
            left = left[layouts[left, led] == square]
    if not len(left) or (layouts[left] != layouts[left[0]]).any():
        return InferredLayout(None, tuple(seen))
    # Wirings that light the same squares in the same order are one; the plainest names it.
    wiring, layout = ways[left[0]], layouts[left[0]]
    checks = {round(n * (length - 1) / (_CHECKED - 1)) for n in range(_CHECKED)}
    seen += [(led, look(led)) for led in sorted(checks - {led for led, _ in seen})]
    wrong = [led for led, square in seen if square is not None and layout[led] != square]
    dark = tuple(sorted(led for led, square in seen if square is None and layout[led] != _NONE))
    return InferredLayout(None if wrong else wiring, tuple(seen), dark)


def _numbers(layout: Layout) -> list[int]:
    return [_NONE if square is None else square for square in layout]


def _most_telling(layouts: NDArray[np.int16], known: Sequence[int]) -> int | None:
    """The LED that leaves the fewest layouts in the worst case; None where none tells more."""
    if not len(layouts):
        return None
    left = np.array([np.bincount(column - _NONE).max() for column in layouts.T])
    # Not seen leaves all of them, so an LED that may be beside the board comes last.
    left[(layouts == _NONE).any(axis=0)] += len(layouts)
    left[list(known)] = 2 * len(layouts)
    best = int(left.argmin())
    return best if left[best] < len(layouts) else None
