"""A drawing of things on a table as SVG: filled shapes, lines, numbers, arrows and lengths.

The same drawing made again is equal byte for byte.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final
from xml.sax.saxutils import escape

import numpy as np

from hardware.drawings.notes import arrow_lines, length_lines, number_lines, pair, stroke
from hardware.drawings.solids import Point, Solid
from hardware.drawings.view import Edge, Seen, View, edges, faces_viewer, normals
from hardware.drawings.visibility import Flat, Raster
from web.presentation.svg import shade

PLAIN: Final = "#eef1f5"
"""Light colour of what is there already."""

DARK: Final = "#5b6675"
"""Dark colour of what is there already."""

NEW: Final = "#ffb347"
"""Colour of what a step adds."""

NEW_PAPER: Final = "#ffe6c0"
"""Colour of paper that a step adds."""

INK: Final = "#1f2a37"
"""Colour of lines."""

FAINT: Final = "#9aa5b1"
"""Colour of fine lines on a surface."""

WIDTH: Final = 800
"""Width of a drawing in pixels."""

_MARGIN: Final = 34.0
"""Space around what is drawn, in pixels."""

_LEVELS: Final = 7
"""Brightnesses of a colour."""

_LIGHT: Final = (-0.35, -0.55, 0.76)
"""Direction (x, y, z) of the light."""

_FINE: Final = 3.0
"""Samples a pixel along a side."""


@dataclass(frozen=True, slots=True)
class _Thing:
    solid: Solid
    colour: str
    has_lines: bool


@dataclass(frozen=True, slots=True)
class _Mark:
    """A number (`at` and `text`), an arrow or a length (`at` to `end`)."""

    kind: str
    at: Point
    end: Point
    text: str


@dataclass(slots=True)
class Drawing:
    """Things, and notes beside them; `title` is for those who cannot see the drawing."""

    title: str
    view: View = field(default_factory=View)
    _things: list[_Thing] = field(default_factory=list)
    _lines: list[tuple[Sequence[Point], str]] = field(default_factory=list)
    _marks: list[_Mark] = field(default_factory=list)

    def add(self, solid: Solid, colour: str = PLAIN, *, has_lines: bool = True) -> None:
        """Adds a shape."""
        self._things.append(_Thing(solid, colour, has_lines))

    def line(self, points: Sequence[Point], colour: str) -> None:
        """Adds a thin line on the surface of a shape."""
        self._lines.append((points, colour))

    def number(self, number: int, at: Point, label: Point) -> None:
        """Adds a number at `label`, with a line to the point that it names."""
        self._marks.append(_Mark("number", at, label, str(number)))

    def arrow(self, start: Point, end: Point) -> None:
        """Adds an arrow."""
        self._marks.append(_Mark("arrow", start, end, ""))

    def length(self, start: Point, end: Point, text: str) -> None:
        """Adds a length between two points."""
        self._marks.append(_Mark("length", start, end, text))

    @property
    def bodies(self) -> list[tuple[Solid, str]]:
        """The shapes and their colours."""
        return [(thing.solid, thing.colour) for thing in self._things]

    @property
    def strokes(self) -> list[tuple[Point, Point, str]]:
        """The straight parts of thin lines on surfaces, and their colours."""
        return [
            (start, end, colour)
            for points, colour in self._lines
            for start, end in pairwise(points)
        ]

    def svg(self) -> str:
        """Returns the drawing."""
        low, high = self._extent()
        scale = (WIDTH - 2 * _MARGIN) / (high[0] - low[0])
        height = round((high[1] - low[1]) * scale + 2 * _MARGIN)
        raster = Raster.of(low, high, _FINE * scale)
        paints = self._paint(raster)
        page = _Page(scale, _MARGIN - low[0] * scale, _MARGIN - low[1] * scale)
        found = self._edges()
        body = [
            *page.areas(raster, paints),
            *(page.strokes(raster, self._surface(colour), colour, 0.8) for colour in self._inks()),
            page.strokes(raster, _ends(found, is_outline=False), INK, 0.9),
            page.strokes(raster, _ends(found, is_outline=True), INK, 1.7),
            *(line for mark in self._marks for line in page.mark(mark, self.view)),
        ]
        return _framed(self.title, height, [line for line in body if line])

    def _extent(self) -> tuple[Flat, Flat]:
        """Corners of all that is drawn, in millimetres as seen."""
        shapes = [self.view.seen(thing.solid.triangles).reshape(-1, 3) for thing in self._things]
        ends = [point for mark in self._marks for point in (mark.at, mark.end)]
        if ends:
            shapes.append(self.view.seen(np.array(ends)))
        points = np.concatenate(shapes)
        (left, top, _), (right, bottom, _) = points.min(axis=0), points.max(axis=0)
        return (float(left), float(top)), (float(right), float(bottom))

    def _paint(self, raster: Raster) -> list[str]:
        """Fills the raster; returns the colours by their numbers."""
        paints: list[str] = []
        for thing in self._things:
            seen = self.view.seen(thing.solid.triangles)
            upright = normals(thing.solid.triangles)
            for k in np.flatnonzero(faces_viewer(seen)):
                colour = _lit(thing.colour, upright[k])
                if colour not in paints:
                    paints.append(colour)
                raster.cover(seen[k], paints.index(colour))
        return paints

    def _edges(self) -> list[Edge]:
        things = [thing for thing in self._things if thing.has_lines]
        return [edge for thing in things for edge in edges(thing.solid, self.view)]

    def _inks(self) -> list[str]:
        return sorted({colour for _, colour in self._lines})

    def _surface(self, colour: str) -> list[tuple[Seen, Seen]]:
        found = []
        for points, ink in self._lines:
            if ink == colour:
                seen = self.view.seen(np.array(points))
                found += list(pairwise(seen))
        return found


@dataclass(frozen=True, slots=True)
class _Page:
    """Places in the drawing, in pixels."""

    scale: float
    left: float
    top: float

    def areas(self, raster: Raster, paints: list[str]) -> list[str]:
        lines = []
        for number, colour in enumerate(paints):
            path = "".join(f"M{self._path(loop)}Z" for loop in raster.areas(number))
            # The line closes the gap of one sample between two areas.
            style = f'fill="{colour}" fill-rule="evenodd" stroke="{colour}" stroke-width=".5"'
            lines.append(f'<path {style} d="{path}"/>' if path else "")
        return lines

    def strokes(
        self, raster: Raster, lines: list[tuple[Seen, Seen]], colour: str, width: float
    ) -> str:
        parts = {self._path(part) for start, end in lines for part in raster.in_sight(start, end)}
        path = "".join(f"M{part}" for part in sorted(parts))
        return stroke(path, colour, width) if path else ""

    def mark(self, mark: _Mark, view: View) -> list[str]:
        start, end = self._at(view.place(mark.at)), self._at(view.place(mark.end))
        if mark.kind == "number":
            return number_lines(start, end, mark.text)
        if mark.kind == "arrow":
            return arrow_lines(start, end)
        return length_lines(start, end, mark.text)

    def _at(self, place: Flat) -> Flat:
        return place[0] * self.scale + self.left, place[1] * self.scale + self.top

    def _path(self, points: Sequence[Flat]) -> str:
        return "L".join(pair(self._at(point)) for point in points)


def _ends(found: list[Edge], *, is_outline: bool) -> list[tuple[Seen, Seen]]:
    """Returns the ends of the edges that are outlines, or of the others."""
    return [(edge.start, edge.end) for edge in found if edge.is_outline == is_outline]


def _lit(colour: str, upright: Seen) -> str:
    """Returns a colour as the light falls onto a face."""
    towards = sum(a * float(b) for a, b in zip(_LIGHT, upright, strict=True))
    level = round(max(towards, 0.0) * (_LEVELS - 1)) / (_LEVELS - 1)
    return shade(colour, "#000000", 0.26 * (1 - level))


def _framed(title: str, height: int, body: list[str]) -> str:
    """Returns lines of SVG on a white card, which is readable on any ground."""
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    card = f'<rect x="1" y="1" width="{WIDTH - 2}" height="{height - 2}" rx="14"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        f"<title>{escape(title)}</title>",
        f'{card} fill="#ffffff" stroke="#d0d7de" stroke-width="1.5"/>',
        '<g fill="none" stroke-linecap="round" stroke-linejoin="round">',
        *body,
        "</g>",
        "</svg>",
    ]
    return "\n".join(lines) + "\n"
