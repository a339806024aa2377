"""Groups with names in an SVG, drawn by schemdraw.

Coordinates are pixels from the top left. Each group is a drawing of its own, whose elements become
a `<g>` with an id and a title, so that programs find a wire and people read what it is.
"""

import re
from collections.abc import Sequence
from typing import Final, Literal
from xml.etree.ElementTree import Element as Node
from xml.etree.ElementTree import SubElement, tostring

import schemdraw
from schemdraw import elements

Point = tuple[float, float]
"""Pixels from the left and from the top."""

Align = Literal["left", "center", "right"]
"""Side of a text that is at its place."""

FONT: Final = "Arial, Helvetica, sans-serif"
"""Fonts of which every system has one, with letters of the same widths."""

SMALL: Final = 11.0
"""Height in pixels of the letters of wires, pins and small parts."""

NORMAL: Final = 13.0
"""Height in pixels of the letters of large parts and figures."""

LARGE: Final = 20.0
"""Height in pixels of the letters of the heading."""

_UNIT: Final = 36.0
"""Pixels of a unit of schemdraw."""

_DIGITS: Final = re.compile(r"-?\d+\.\d+")
"""A number with decimals."""


class Canvas:
    """A drawing with a white ground, which is legible on a dark page too.

    Args:
        width: in pixels.
        height: in pixels.
        title: title of the whole.
    """

    def __init__(self, width: int, height: int, title: str) -> None:
        size = {"width": str(width), "height": str(height), "viewBox": f"0 0 {width} {height}"}
        self._root = Node("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img", **size})
        SubElement(self._root, "title").text = title
        SubElement(self._root, "rect", {"width": "100%", "height": "100%", "fill": "white"})

    def group(self, name: str, title: str = "") -> "Group":
        """Returns a new group above all others.

        Args:
            name: its id.
            title: what it is, in words.
        """
        node = SubElement(self._root, "g", {"id": name})
        if title:
            SubElement(node, "title").text = title
        return Group(node)

    def text(self) -> str:
        """Returns the SVG, equal byte for byte each time."""
        for node in self._root.iter():
            for key, value in node.items():
                if key in {"d", "points", "x", "y", "cx", "cy", "r", "transform", "style"}:
                    node.set(key, _DIGITS.sub(_rounded, value))
        for child in self._root:
            child.tail = "\n"
        return tostring(self._root, encoding="unicode") + "\n"


class Group:
    """A group of a drawing.

    Args:
        node: its `<g>`.
    """

    def __init__(self, node: Node) -> None:
        self._node: Final = node

    def part(self, element: elements.Element2Term, start: Point, end: Point) -> None:
        """Draws a part of schemdraw with two ends between two points."""
        self._add(element.at(_units(start)).to(_units(end)))

    def wires(self, lines: Sequence[Sequence[Point]], colour: str, width: float = 2.4) -> None:
        """Draws wires with an outline, and a gap in what they pass over."""
        for drawn, wider in (("white", 4.6), ("dimgray", 1.6), (colour, 0.0)):
            self._add(*(_path(one).color(drawn).linewidth(width + wider) for one in lines))

    def line(self, points: Sequence[Point], colour: str = "black", width: float = 1.5) -> None:
        """Draws a line through points."""
        self._add(_path(points).color(colour).linewidth(width))

    def box(self, corner: Point, opposite: Point, fill: str = "white") -> None:
        """Draws a rectangle."""
        (left, top), (right, bottom) = corner, opposite
        corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
        self._add(_area(corners, fill).color("dimgray").linewidth(1.5))

    def dots(self, centres: Sequence[Point], colour: str, radius: float = 4.0) -> None:
        """Draws filled circles."""
        dots = (elements.Dot(radius=radius / _UNIT).at(_units(one)) for one in centres)
        self._add(*(dot.color("dimgray").fill(colour).linewidth(1) for dot in dots))

    def text(
        self,
        words: str,
        at: Point,
        size: float = SMALL,
        align: Align = "left",
        colour: str = "black",
    ) -> None:
        """Writes words, at the left end, the centre or the right end of their middle line."""
        # The middle of small letters is below the line that browsers call central.
        label = (
            elements.Label()
            .at(_units((at[0], at[1] + size / 5)))
            .label(
                words,
                loc="center",
                ofst=0,
                fontsize=size,
                halign=align,
                valign="center",
                color=colour,
            )
        )
        self._add(label)

    def _add(self, *parts: elements.Element) -> None:
        drawing = schemdraw.Drawing(
            canvas="svg", show=False, font=FONT, inches_per_unit=_UNIT / 72, lw=1.5
        )
        drawing.add_elements(*parts)
        for child in drawing.draw(show=False).getsvg():
            self._node.append(child)


def _path(points: Sequence[Point]) -> elements.Element:
    """Returns a line through points in pixels."""
    return _element(schemdraw.Segment([_units(point) for point in points]))


def _area(corners: Sequence[Point], fill: str) -> elements.Element:
    """Returns a filled polygon with corners in pixels."""
    return _element(schemdraw.SegmentPoly([_units(one) for one in corners], fill=fill))


def _element(segment: schemdraw.Segment | schemdraw.SegmentPoly) -> elements.Element:
    """Returns an element that has its place already."""
    element = elements.Element()
    element.segments.append(segment)
    return element.at((0, 0)).theta(0)


def _units(point: Point) -> Point:
    """Returns a point in units of schemdraw, whose vertical axis points up."""
    return point[0] / _UNIT, -point[1] / _UNIT


def _rounded(number: re.Match[str]) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")
