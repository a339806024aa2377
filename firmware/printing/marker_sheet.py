"""The markers to cut out, where to stick them, and a mat to scale to lay the board on."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Final

import cv2
import numpy as np

from firmware.printing.marker_layout import MarkerLayout
from firmware.printing.paper import Paper
from firmware.printing.sheets import (
    BLACK,
    EDGE_MM,
    FAINT,
    FOOT_MM,
    SOFT,
    WHITE,
    SheetFile,
    Stroke,
    Style,
)
from vision.detection.markers import IDS
from web.i18n.wording import Wording
from web.presentation.svg import borders

MODULES: Final = 6
"""Black and white squares along a side of a marker, its black frame included."""

_CORNERS: Final = ("top-left", "top-right", "bottom-right", "bottom-left")
"""Phrases for the places of the markers, by id."""

_TITLE: Final = Style(21, bold=True, spacing=1.25)
"""Look of the sheet's title, on A4; paragraphs grow with the paper."""

_TEXT: Final = Style(10.5)
"""Look of the instructions below the title, on A4."""

_NOTE: Final = Style(9, colour=SOFT)
"""Look of the instruction to tape parts of the mat together."""

_LABEL: Final = Style(8.5)
"""Look of a marker's number and place, and of the lengths in the drawing."""

_STRONG: Final = Style(12, bold=True)
"""Look of the board's size in the drawing, and of the place of the board on the mat."""

_NAME: Final = Style(34, bold=True, colour=FAINT)
"""Look of the name of a part of the mat: large to be found, and faint as a board may cover it."""

_CUT: Final = Stroke(SOFT, 0.2, (1.6, 1.2))
"""A line to cut along."""

_DRAWING_MM: Final = 96.0
"""Height of the drawing of board and markers on A4."""


OVERLAP_MM: Final = 8.0
"""Width in millimetres of the strip under the next part."""


@dataclass(frozen=True, slots=True)
class MatPart:
    """A part of an area; lengths in millimetres.

    Attributes:
        name: letter of its row and number of its column.
        x, y: its top left corner in the area.
        width, height: its size without the strips for glue.
        has_right, has_below: True if a part follows there, so that it has a strip.
    """

    name: str
    x: float
    y: float
    width: float
    height: float
    has_right: bool
    has_below: bool


@dataclass(frozen=True, slots=True)
class Tiling:
    """An area, `width` by `height`, in `columns` by `rows` parts on sheets of `paper`."""

    paper: Paper
    width: float
    height: float
    columns: int
    rows: int

    @staticmethod
    def of(width: float, height: float, paper: Paper) -> "Tiling":
        """Divides an area into the fewest sheets, upright or turned."""
        tilings = []
        for turned in (paper, paper.landscape):
            across = turned.width_mm - 2 * EDGE_MM - OVERLAP_MM
            down = turned.height_mm - EDGE_MM - FOOT_MM - OVERLAP_MM
            columns = math.ceil((width - OVERLAP_MM) / across)
            rows = math.ceil((height - OVERLAP_MM) / down)
            tilings.append(Tiling(turned, width, height, columns, rows))
        return min(tilings, key=lambda tiling: tiling.columns * tiling.rows)

    def __iter__(self) -> Iterator[MatPart]:
        width, height = self.width / self.columns, self.height / self.rows
        for row in range(self.rows):
            for column in range(self.columns):
                yield MatPart(
                    f"{ascii_uppercase[row]}{column + 1}",
                    column * width,
                    row * height,
                    width,
                    height,
                    column + 1 < self.columns,
                    row + 1 < self.rows,
                )


def marker_sheets(
    layout: MarkerLayout, paper: Paper, wording: Wording, language: str
) -> tuple[bytes, int]:
    """Returns the sheets of the markers as PDF, and their number.

    The first has the markers to cut out and a drawing of the board. The others have the same
    markers on a mat to scale, in parts if it is larger than the paper.

    Args:
        layout: places of the markers.
        paper: paper to print on.
        wording: texts.
        language: code of their language.
    """
    tiling = Tiling.of(*layout.size_mm, paper)
    title = wording.sheet("markers-title")
    file = SheetFile(paper, wording, language, title)
    in_a_row = len(IDS) * layout.card_mm <= _inner(file)
    with file.page():
        y = _placing(file, layout, tiling)
        if in_a_row:
            _cards(file, layout, y, len(IDS))
    if not in_a_row:
        with file.page():
            _cards(file, layout, 2 * EDGE_MM, len(IDS) // 2)
    file.turn(tiling.paper)
    for tile in tiling:
        _mat_part(file, layout, tiling, tile)
    return file.content(), file.pages


def marker_outlines(name: int) -> Iterator[list[tuple[float, float]]]:
    """Yields the outlines of a marker's black parts, in sides of the marker from its top left."""
    for loop in borders(black_modules(name)):
        yield [(x / MODULES, y / MODULES) for x, y in loop]


def black_modules(name: int) -> list[tuple[int, int]]:
    """Returns row and column of each black module of a marker, of `MODULES` along a side."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    modules = np.asarray(cv2.aruco.generateImageMarker(dictionary, name, MODULES))
    return [(int(row), int(column)) for row, column in np.argwhere(modules == 0)]


def _inner(sheet: SheetFile) -> float:
    """Width between the margins of a page."""
    return sheet.paper.width_mm - 2 * EDGE_MM - 4


def _draw_marker(sheet: SheetFile, layout: MarkerLayout, name: int, x: float, y: float) -> None:
    """Draws a marker with its middle at x, y."""
    side = layout.marker_mm
    left, top = x - side / 2, y - side / 2
    loops = [[(left + u * side, top + v * side) for u, v in loop] for loop in marker_outlines(name)]
    sheet.polygons(loops, BLACK)


def _placing(sheet: SheetFile, layout: MarkerLayout, tiling: Tiling) -> float:
    """Draws where the markers lie; returns the y below."""
    wording, zoom = sheet.wording, sheet.paper.zoom
    left, inner = EDGE_MM + 2, _inner(sheet)
    y = sheet.paragraph(left, EDGE_MM + 2, inner, wording.sheet("markers-title"), _TITLE, zoom)
    y = sheet.paragraph(left, y + 2, inner, wording.sheet("markers-how"), _TEXT, zoom)
    about = wording.sheet("mat-one" if tiling.columns * tiling.rows == 1 else "mat-many")
    y = sheet.paragraph(left, y + 1, inner, about, _TEXT, zoom)
    drawn = _DRAWING_MM * zoom
    _drawing(sheet, layout, y + 6, drawn)
    return y + drawn + 26


def _cards(sheet: SheetFile, layout: MarkerLayout, y: float, columns: int) -> None:
    """Draws the markers on their white cards, with the lines to cut along."""
    side = layout.card_mm
    left, step = EDGE_MM + 2, (_inner(sheet) - side) / (columns - 1)
    for name in IDS:
        # In rows of two as well, each lies on its own side.
        row = 0 if columns == len(IDS) else name // columns
        column = name if columns == len(IDS) else (0, 1, 1, 0)[name]
        x, top = left + column * step, y + row * (side + 10)
        label = f"{name} · {sheet.wording.sheet(_CORNERS[name])}"
        sheet.text(x + side / 2, top - 2.5, label, _LABEL, 0.5)
        sheet.rectangle(x, top, side, side, stroke=_CUT)
        _draw_marker(sheet, layout, name, x + side / 2, top + side / 2)


def _drawing(sheet: SheetFile, layout: MarkerLayout, y: float, highest: float) -> None:
    """Draws the board and its markers small, with distances in millimetres."""
    board, wording = layout.board, sheet.wording
    (width, height), (right, down) = layout.size_mm, layout.centres[2]
    zoom = min(highest / height, (sheet.paper.width_mm - 80) / width)
    middle = sheet.paper.width_mm / 2, y + height * zoom / 2
    outer, field = board.outer_mm, board.squares * board.pitch_mm
    thin = Stroke(FAINT, 0.15 / zoom)
    with sheet.moved(*middle, zoom):
        sheet.rectangle(-outer / 2, -outer / 2, outer, outer, fill="#e7eaef", radius=4)
        sheet.rectangle(-field / 2, -field / 2, field, field, fill=WHITE)
        for k in range(board.squares + 1):
            at = -field / 2 + k * board.pitch_mm
            sheet.line([(at, -field / 2), (at, field / 2)], thin)
            sheet.line([(-field / 2, at), (field / 2, at)], thin)
        for name, (x, row) in enumerate(layout.centres):
            side = layout.card_mm
            sheet.rectangle(
                x - side / 2,
                row - side / 2,
                side,
                side,
                fill=WHITE,
                stroke=Stroke(SOFT, 0.15 / zoom),
            )
            _draw_marker(sheet, layout, name, x, row)
    label = wording.sheet("board-of").format(squares=board.squares, pitch=f"{board.pitch_mm:g}")
    box = _STRONG.width_mm(label) + 8
    sheet.rectangle(middle[0] - box / 2, middle[1] - 5, box, 9, fill=WHITE, radius=2)
    sheet.text(middle[0], middle[1] + 1, label, _STRONG, 0.5)
    low = y + height * zoom + 5
    _distance(sheet, (middle[0] - right * zoom, low), (middle[0] + right * zoom, low), 2 * right)
    side = middle[0] + width * zoom / 2 + 5
    ends = middle[1] - down * zoom, middle[1] + down * zoom
    _distance(sheet, (side, ends[0]), (side, ends[1]), 2 * down)


def _distance(
    sheet: SheetFile, start: tuple[float, float], end: tuple[float, float], length_mm: float
) -> None:
    """Draws a line between two marks, with a length."""
    sheet.line([start, end], Stroke())
    upright = start[0] == end[0]
    for x, y in (start, end):
        across = (1.6, 0.0) if upright else (0.0, 1.6)
        sheet.line([(x - across[0], y - across[1]), (x + across[0], y + across[1])], Stroke())
    label = f"{length_mm:.0f} mm"
    if upright:
        sheet.text(start[0] + 2.5, (start[1] + end[1]) / 2 + 1.5, label, _LABEL)
    else:
        sheet.text((start[0] + end[0]) / 2, start[1] + 4.5, label, _LABEL, 0.5)


def _mat_part(sheet: SheetFile, layout: MarkerLayout, tiling: Tiling, tile: MatPart) -> None:
    """Draws one part of the mat to scale."""
    x = (sheet.paper.width_mm - tile.width - OVERLAP_MM) / 2
    y = EDGE_MM + 1
    right = x + tile.width + OVERLAP_MM * tile.has_right
    below = y + tile.height + OVERLAP_MM * tile.has_below
    with sheet.page(clip=(x - 0.2, y - 0.2, right + 0.2, below + 0.2)):
        width, height = layout.size_mm
        with sheet.moved(x - tile.x + width / 2, y - tile.y + height / 2):
            _mat(sheet, layout)
        _seams(sheet, tile, x, y, tiling)


def _mat(sheet: SheetFile, layout: MarkerLayout) -> None:
    """Draws the whole mat about its middle."""
    outer = layout.board.outer_mm
    sheet.rectangle(-outer / 2, -outer / 2, outer, outer, stroke=Stroke(FAINT, 0.6))
    for name, (x, y) in enumerate(layout.centres):
        _draw_marker(sheet, layout, name, x, y)
    # Not in the middle, where a seam may be.
    sheet.text(-outer / 4, outer / 4, sheet.wording.sheet("board-here"), _STRONG, 0.5)


def _seams(sheet: SheetFile, tile: MatPart, x: float, y: float, tiling: Tiling) -> None:
    """Draws the lines along which parts are joined, and the name of the part."""
    far, low = x + tile.width, y + tile.height
    ends_x = far + OVERLAP_MM * tile.has_right
    ends_y = low + OVERLAP_MM * tile.has_below
    for at in [x] * (tile.x > 0) + [far] * tile.has_right:
        sheet.line([(at, y), (at, ends_y)], _CUT)
    for at in [y] * (tile.y > 0) + [low] * tile.has_below:
        sheet.line([(x, at), (ends_x, at)], _CUT)
    if tiling.columns * tiling.rows > 1:
        sheet.text((x + far) / 2, y + tile.height * 0.3, tile.name, _NAME, 0.5)
        label = sheet.wording.sheet("tape")
        sheet.text((x + far) / 2, y + tile.height * 0.3 + 7, label, _NOTE, 0.5)
