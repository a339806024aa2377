"""Graphs over the course of a game, `WIDTH` by `HEIGHT` in units of the drawing."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from web.presentation.board_view import ColourChip

WIDTH: Final = 320
"""Width of a graph in units of the drawing."""

HEIGHT: Final = 140
"""Height of a graph in units of the drawing."""

_SIGN: Final = 18
"""Height of a letter in the graph."""

_DASHES: Final = ("", "6 4", "2 4", "8 3 2 3")
"""Dash patterns that distinguish the lines without their colours."""


@dataclass(frozen=True, slots=True)
class GraphLine:
    """A line of a side or a colour in a graph.

    Attributes:
        sign_y: height of its letter, apart from the other letters.
    """

    chip: ColourChip
    points: str
    dash: str
    sign_y: float


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph over the placements or rounds of a game.

    Attributes:
        runs: its lines.
        marks: heights and labels of the ticks of the vertical axis.
    """

    runs: tuple[GraphLine, ...]
    marks: tuple[tuple[float, str], ...]


def graph_of(
    series: Sequence[tuple[ColourChip, Sequence[float | None]]],
    marks: Sequence[tuple[float, str]],
) -> Graph:
    """Returns a graph; where a value is unknown its line goes straight on.

    Args:
        series: the sign of each line, and its values at the same distance from each other.
        marks: values and labels of the ticks, the lowest first; the outer ones are the edges.
    """
    low, high = marks[0][0], marks[-1][0]

    def height(value: float) -> float:
        return HEIGHT * (high - value) / (high - low)

    lines = [
        [(x_of(at, len(one)), height(value)) for at, value in enumerate(one) if value is not None]
        for _, one in series
    ]
    ends = _apart([line[-1][1] if line else HEIGHT / 2 for line in lines])
    runs = (
        GraphLine(
            chip,
            " ".join(f"{x:.4g},{y:.4g}" for x, y in line),
            _DASHES[number % len(_DASHES)],
            ends[number],
        )
        for number, ((chip, _), line) in enumerate(zip(series, lines, strict=True))
    )
    return Graph(tuple(runs), tuple((height(value), label) for value, label in marks))


def x_of(at: int, count: int) -> float:
    """Returns the place of one of a number of values."""
    return WIDTH * at / max(count - 1, 1)


def _apart(heights: list[float]) -> list[float]:
    """Returns the heights, moved down where two letters would overlap."""
    moved = list(heights)
    order = sorted(range(len(heights)), key=heights.__getitem__)
    for above, below in pairwise(order):
        moved[below] = max(moved[below], moved[above] + _SIGN)
    return moved
