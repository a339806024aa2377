"""Shapes of pieces as SVG paths. Pure geometry.

Lengths are in units of the drawing: a square of the board is `CELL` wide. x goes right, y down,
and the top left corner of the board is 0, 0.
"""

import math
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Final

from web.contract import Square

CELL: Final = 20
"""Width of a square in units of the drawing."""

_CACHE_SIZE: Final = 1024
"""Shapes that are cached: a page of Classic has about 300, and the next nearly the same."""

Point = tuple[int, int]
_Loop = list[Point]


def outline(squares: Iterable[Square], inset: float = 0.0, radius: float = 0.0) -> str:
    """Returns the outline of a set of squares as the `d` of an SVG path, holes included.

    Args:
        squares: any squares; groups that meet only at a corner get separate outlines. None give
            an empty path.
        inset: distance from the border inwards.
        radius: radius of the corners; at most half of `CELL` less `inset`.
    """
    return _outline(frozenset(squares), inset, radius)


@lru_cache(maxsize=_CACHE_SIZE)
def _outline(squares: frozenset[Square], inset: float, radius: float) -> str:
    return "".join(_path(loop, inset, radius) for loop in borders(squares))


def seams(squares: Iterable[Square], inset: float = 0.0) -> str:
    """Returns the lines between the squares of a piece, as the `d` of an SVG path.

    Args:
        squares: squares of the piece.
        inset: length by which each line is shortened at both ends.
    """
    return _seams(frozenset(squares), inset)


@lru_cache(maxsize=_CACHE_SIZE)
def _seams(covered: frozenset[Square], inset: float) -> str:
    path = ""
    length = _number(CELL - 2 * inset)
    for row, column in sorted(covered):
        if (row, column + 1) in covered:
            path += f"M{(column + 1) * CELL} {_number(row * CELL + inset)}v{length}"
        if (row + 1, column) in covered:
            path += f"M{_number(column * CELL + inset)} {(row + 1) * CELL}h{length}"
    return path


def heart(squares: Iterable[Square]) -> Square:
    """Returns the square of a piece nearest to its middle, where its letter is drawn."""
    places = sorted(squares)
    row = sum(place[0] for place in places) / len(places)
    column = sum(place[1] for place in places) / len(places)
    return min(places, key=lambda place: (place[0] - row) ** 2 + (place[1] - column) ** 2)


def shade(ink: str, towards: str, share: float) -> str:
    """Returns a mix of two colours.

    Args:
        ink: first colour, `#rrggbb`.
        towards: second colour, `#rrggbb`.
        share: share of the second colour, from 0 to 1.
    """
    mixed = (
        round(a + (b - a) * share) for a, b in zip(_channels(ink), _channels(towards), strict=True)
    )
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def is_light(ink: str) -> bool:
    """True if black text is more readable on it than white (luminance of WCAG 2, 1.4.3)."""
    # An exponent of 2.2 approximates that of 2.4 with a linear part; the difference is invisible.
    linear = [math.pow(channel / 255, 2.2) for channel in _channels(ink)]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return (luminance + 0.05) ** 2 > 1.05 * 0.05


def _channels(ink: str) -> tuple[int, int, int]:
    return int(ink[1:3], 16), int(ink[3:5], 16), int(ink[5:7], 16)


def borders(squares: Collection[Square]) -> list[_Loop]:
    """Returns the borders of squares as loops of corners (column, row), in squares.

    The inside is on the right.
    """
    ways: dict[Point, list[Point]] = {}
    for row, column in sorted(squares):
        for (down, right), start, end in (
            ((-1, 0), (column, row), (column + 1, row)),
            ((0, 1), (column + 1, row), (column + 1, row + 1)),
            ((1, 0), (column + 1, row + 1), (column, row + 1)),
            ((0, -1), (column, row + 1), (column, row)),
        ):
            if (row + down, column + right) not in squares:
                ways.setdefault(start, []).append(end)
    loops = []
    while ways:
        loops.append(_loop(ways, min(ways)))
    return loops


def _loop(ways: dict[Point, list[Point]], start: Point) -> _Loop:
    points = [start]
    heading = (0, 0)
    while True:
        here = points[-1]
        end = _turn(ways[here], here, heading)
        ways[here].remove(end)
        if not ways[here]:
            del ways[here]
        if end == start:
            break
        heading = (end[0] - here[0], end[1] - here[1])
        points.append(end)
    return [
        point
        for before, point, after in zip(
            [points[-1], *points], points, [*points[1:], points[0]], strict=False
        )
        if _heading(before, point) != _heading(point, after)
    ]


def _turn(ends: list[Point], here: Point, heading: Point) -> Point:
    """Returns the next point; where two borders meet, the right turn keeps them separate."""
    right = (here[0] - heading[1], here[1] + heading[0])
    return right if right in ends else ends[0]


def _heading(start: Point, end: Point) -> Point:
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = abs(dx + dy)
    return dx // length, dy // length


def _path(loop: _Loop, inset: float, radius: float) -> str:
    path = ""
    for before, point, after in zip([loop[-1], *loop], loop, [*loop[1:], loop[0]], strict=False):
        (ax, ay), (bx, by) = _heading(before, point), _heading(point, after)
        # Each border moves to its right, (-dy, dx); a corner moves with both.
        x = point[0] * CELL + inset * (-ay - by)
        y = point[1] * CELL + inset * (ax + bx)
        begin = f"{_number(x - ax * radius)} {_number(y - ay * radius)}"
        path += ("L" if path else "M") + begin
        if radius:
            path += f"Q{_number(x)} {_number(y)} "
            path += f"{_number(x + bx * radius)} {_number(y + by * radius)}"
    return path + "Z"


def _number(value: float) -> str:
    return f"{value:.4g}"
