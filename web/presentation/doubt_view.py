"""View model of a doubt: its place in the camera's picture, or in the diagram, and each candidate.

A board in a picture is a plane in perspective: a homography leads from its squares to pixels. It
leaves out how the lens bends lines, which is less than a square for the cameras in use.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from web.contract import Page, PictureAudience, Square
from web.doubt_picture import DoubtPicture
from web.presentation.svg import CELL, borders

_AROUND: Final = 1.25
"""Squares that are shown around those in doubt."""

_EDGE: Final = 0.3
"""Squares that are shown beyond the edge of the board."""

_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers of segments that begin with the size of the picture."""

_NO_LENGTH: Final = frozenset({0x01, *range(0xD0, 0xD8)})
"""Markers without a segment."""

Point = tuple[float, float]
_Mapping = Callable[[float, float], Point]
"""From a point of the board, (column, row) in squares, to a point of the drawing."""


@dataclass(frozen=True, slots=True)
class DoubtView:
    """The place of a doubt, ready to draw.

    Attributes:
        picture: number of the camera's picture; None for the diagram.
        width: width of the picture in pixels.
        height: height of the picture in pixels.
        view_box: the part of picture or diagram to show, as in SVG.
        shapes: outline of each candidate as an SVG path.
    """

    picture: int | None
    width: int
    height: int
    view_box: str
    shapes: tuple[str, ...]


def doubt_of(page: Page, doubt: DoubtPicture | None) -> DoubtView | None:
    """Returns the place of the doubt on a page; None without candidates.

    Args:
        page: the page.
        doubt: the picture that belongs to the doubt; None if there is none.
    """
    if not page.candidates:
        return None
    offered = page.pictures is not PictureAudience.NOBODY
    if offered and doubt is not None and doubt.picture is not None and len(doubt.corners) == 4:
        size = jpeg_size(doubt.picture.jpeg)
        mapping = size and _in_picture(doubt, page.size, size)
        if size and mapping:
            return _view(page, mapping, doubt.serial, size)
    return _view(page, lambda x, y: (x * CELL, y * CELL), None, (0, 0))


def _view(page: Page, mapping: _Mapping, picture: int | None, size: tuple[int, int]) -> DoubtView:
    squares = [square for one in page.candidates for square in one.squares]
    return DoubtView(
        picture,
        *size,
        _view_box(mapping(x, y) for x, y in _surroundings(squares, page.size)),
        tuple(_shape(one.squares, mapping) for one in page.candidates),
    )


def _surroundings(squares: list[Square], size: int) -> list[Point]:
    """Returns the corners of the part of the board around squares, (column, row) in squares."""
    rows, columns = ([square[axis] for square in squares] for axis in (0, 1))
    top, bottom = (max(-_EDGE, min(rows) - _AROUND), min(size + _EDGE, max(rows) + 1 + _AROUND))
    left, right = (
        max(-_EDGE, min(columns) - _AROUND),
        min(size + _EDGE, max(columns) + 1 + _AROUND),
    )
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def _view_box(points: Iterable[Point]) -> str:
    across, down = zip(*points, strict=True)
    x, y = min(across), min(down)
    return f"{x:.1f} {y:.1f} {max(across) - x:.1f} {max(down) - y:.1f}"


def _shape(squares: tuple[Square, ...], mapping: _Mapping) -> str:
    path = ""
    for border in borders(squares):
        points = (mapping(column, row) for column, row in border)
        path += "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"
    return path


def _in_picture(doubt: DoubtPicture, board: int, size: tuple[int, int]) -> _Mapping | None:
    """Returns the way from squares of the game's frame to pixels; None if there is none."""
    quarters = doubt.turned // 90
    # A quarter clockwise brings the camera's last corner, bottom left, to the top left.
    corners = doubt.corners[-quarters:] + doubt.corners[:-quarters] if quarters else doubt.corners
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = ((x * size[0], y * size[1]) for x, y in corners)
    # The homography of a unit square to a quadrilateral (Heckbert 1989, section 2.2.3).
    (ax, ay), (bx, by) = (x1 - x2, y1 - y2), (x3 - x2, y3 - y2)
    cx, cy = x0 - x1 + x2 - x3, y0 - y1 + y2 - y3
    area = ax * by - bx * ay
    if not area:
        return None
    g, h = (cx * by - bx * cy) / area, (ax * cy - cx * ay) / area

    def mapping(column: float, row: float) -> Point:
        u, v = column / board, row / board
        depth = g * u + h * v + 1
        x = x0 + (x1 - x0 + g * x1) * u + (x3 - x0 + h * x3) * v
        y = y0 + (y1 - y0 + g * y1) * u + (y3 - y0 + h * y3) * v
        return x / depth, y / depth

    depths = (1, g + 1, h + 1, g + h + 1)
    return mapping if min(depths) > 0 else None


def jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Returns width and height in pixels; None if the header does not say."""
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # padding
            at += 1
        elif marker in _NO_LENGTH:
            at += 2
        elif marker in _FRAMES:
            height, width = (int.from_bytes(data[at + i : at + i + 2]) for i in (5, 7))
            return (width, height) if width and height else None
        else:
            at += 2 + max(2, int.from_bytes(data[at + 2 : at + 4]))
    return None
