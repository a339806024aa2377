"""The rules of one game on one page, in our own words and drawings."""

from collections.abc import Sequence
from typing import Final

from firmware.codes import Rule, Scoring
from firmware.printing.paper import Paper
from firmware.printing.sheets import FAINT, INK, SOFT, WHITE, SheetFile, Stroke, Style
from firmware.rules.board import Board
from firmware.rules.pieces import PIECES
from firmware.rules.variants import EDITIONS, Variant
from vision.plastics import PLASTICS
from web.i18n.wording import Wording
from web.presentation.rule_drawings import RuleFigure, drawing_of
from web.presentation.svg import CELL, outline, seams, shade

_LEFT: Final = 14.0
"""Left margin of the design for A4, in millimetres."""

_MIDDLE: Final = 108.0
"""Left side of its second column, in millimetres from the left edge."""

_RIGHT: Final = 196.0
"""Right end of its texts, in millimetres from the left edge: a margin as wide as the left one."""

_TITLE: Final = Style(27, bold=True, spacing=1.25)
"""Look of the game's name."""

_NEED: Final = Style(12, colour=SOFT)
"""Look of the line of people, squares and pieces below it."""

_HEAD: Final = Style(13, bold=True, spacing=1.5)
"""Look of a heading above sentences."""

_TEXT: Final = Style(10.5)
"""Look of the sentences of the rules."""

_CAPTION: Final = Style(10, spacing=1.35)
"""Look of the sentence under a drawn rule, in a column a third as wide as the page."""

_WRONG: Final = "#b3261e"
"""Colour of the sign above a wrong placement."""

_RIGHT_INK: Final = "#1b7f3b"
"""Colour of the sign above a right placement."""

_BOARD_MM: Final = 76.0
"""Side of the drawing of the board."""

_SQUARE_MM: Final = 4.1
"""Side of a square of the 21 pieces."""

_DRAWN: Final = {
    "rules-start": Rule.MISSES_START,
    "rules-corner": Rule.NO_OWN_CORNER,
    "rules-side": Rule.TOUCHES_OWN_SIDE,
}
"""Rules that are drawn, by their phrases."""

_WHO: Final = {"duo-4": "classic-2", "duo-4-3": "classic-3"}
"""Games in which the people play the same colours as in another one."""

_Path = Sequence[tuple[float, float]]


def rules_sheet(game: Variant, paper: Paper, wording: Wording, language: str) -> bytes:
    """Returns the sheet of a game as PDF.

    Args:
        game: the game.
        paper: paper to print on.
        wording: texts.
        language: code of their language.
    """
    title = wording.option(game.key)
    file = SheetFile(paper, wording, language, title)
    with file.page(), file.moved((paper.width_mm - 210 * paper.zoom) / 2, 0, paper.zoom):
        y = file.paragraph(_LEFT, 13, _RIGHT - _LEFT, title, _TITLE)
        need = wording.sheet("rules-need").format(people=game.people, size=game.size)
        y = file.paragraph(_LEFT, y, _RIGHT - _LEFT, need, _NEED) + 4
        _begin(file, game, y)
        y = _turn(file, game, y + _BOARD_MM + 5)
        y = _end(file, y + 2)
        _pieces(file, game, y + 3)
    return file.content()


def _colours(game: Variant) -> tuple[str, ...]:
    """Names of the colours, in the order of play."""
    names = "purple-orange" if len(game.colours) == 2 else "blue-yellow-red-green"
    return EDITIONS[names]


def _ink(game: Variant) -> str:
    """Returns the colour of the drawn pieces, as `#rrggbb`: that of the first player's plastic."""
    return f"#{bytes(PLASTICS[_colours(game)[0]].material).hex()}"


def _begin(sheet: SheetFile, game: Variant, y: float) -> None:
    """Draws the empty board with its starting squares, and who plays."""
    wording, width = sheet.wording, _RIGHT - _MIDDLE
    _board(sheet, game, y)
    corners = len(game.starts) > 2
    starts = wording.sheet("starts-corners" if corners else "starts-two")
    y = sheet.paragraph(_MIDDLE, y - 1, width, wording.sheet("rules-begin"), _HEAD)
    who = wording.who_plays(_WHO.get(game.key, game.key), _colours(game))
    y = sheet.paragraph(_MIDDLE, y, width, who, _TEXT)
    y = sheet.paragraph(_MIDDLE, y + 1.5, width, starts, _TEXT) + 4
    y = sheet.paragraph(_MIDDLE, y, width, wording.sheet("rules-table"), _HEAD)
    sheet.paragraph(_MIDDLE, y, width, wording.sheet("rules-camera"), _TEXT)


def _board(sheet: SheetFile, game: Variant, y: float) -> None:
    x, side = _LEFT + 6, _BOARD_MM / game.size
    board = Board.of(game.size)
    sheet.rectangle(x - 3, y - 3, _BOARD_MM + 6, _BOARD_MM + 6, fill="#e7eaef", radius=3)
    sheet.rectangle(x, y, _BOARD_MM, _BOARD_MM, fill=WHITE)
    thin = Stroke(FAINT, 0.15)
    for k in range(game.size + 1):
        sheet.line([(x + k * side, y), (x + k * side, y + _BOARD_MM)], thin)
        sheet.line([(x, y + k * side), (x + _BOARD_MM, y + k * side)], thin)
    for name in game.starts:
        square = board.parse_square(name)
        assert square is not None
        row, column = divmod(square, game.size)
        _dot(sheet, x + (column + 0.5) * side, y + (row + 0.5) * side, side * 0.32)


def _dot(sheet: SheetFile, x: float, y: float, radius: float) -> None:
    """Draws the mark of a starting square."""
    sheet.circle(x, y, radius, fill=INK)
    sheet.circle(x, y, radius * 0.5, fill=WHITE)


def _turn(sheet: SheetFile, game: Variant, y: float) -> float:
    """Draws the three rules of laying a piece; returns the y below."""
    wording = sheet.wording
    y = sheet.paragraph(_LEFT, y, _RIGHT - _LEFT, wording.sheet("rules-turn"), _HEAD)
    y = sheet.paragraph(_LEFT, y, _RIGHT - _LEFT, wording.sheet("rules-lay"), _TEXT) + 2
    gap, lows = 9.0, []
    width = (_RIGHT - _LEFT - 2 * gap) / len(_DRAWN)
    for k, (phrase, rule) in enumerate(_DRAWN.items()):
        x = _LEFT + k * (width + gap)
        drawing = drawing_of(rule)
        zoom = width / drawing.width
        for figure in drawing.figures:
            middle = x + (figure.x + CELL * 1.5) * zoom
            _sign(sheet, middle, y + 2.6, right=figure.right)
            with sheet.moved(x + figure.x * zoom, y + 6.5, zoom):
                _figure(sheet, figure, _ink(game))
        low = y + 8 + drawing.height * zoom
        lows.append(sheet.paragraph(x, low, width, wording.sheet(phrase), _CAPTION))
    return max(lows)


def _sign(sheet: SheetFile, x: float, y: float, *, right: bool) -> None:
    """Draws a tick above what is right, and a cross above what is wrong."""
    if right:
        sheet.line([(x - 2, y), (x - 0.6, y + 1.6), (x + 2, y - 1.8)], Stroke(_RIGHT_INK, 0.8))
    else:
        for slope in (-1, 1):
            ends: _Path = [(x - 1.6, y - slope * 1.6), (x + 1.6, y + slope * 1.6)]
            sheet.line(ends, Stroke(_WRONG, 0.8))


def _figure(sheet: SheetFile, figure: RuleFigure, ink: str) -> None:
    """Draws half a drawing of a rule, in its own units."""
    sheet.svg_path(figure.field, fill="#f4f5f8")
    sheet.svg_path(figure.grid, stroke=Stroke(FAINT, 0.4))
    sheet.svg_path(figure.laid, fill=ink)
    sheet.svg_path(figure.new, fill=shade(ink, WHITE, 0.5), stroke=Stroke(ink, 1.2))
    for x, y in figure.starts:
        _dot(sheet, x, y, 4.5)
    for x, y in figure.spots:
        sheet.circle(x, y, 3.4, fill=WHITE)
        sheet.circle(x, y, 2.4, fill=_RIGHT_INK if figure.right else _WRONG)


def _end(sheet: SheetFile, y: float) -> float:
    """Draws how a game ends and what counts; returns the y below."""
    wording, wide = sheet.wording, _RIGHT - _MIDDLE
    narrow = _MIDDLE - _LEFT - 10
    low = sheet.paragraph(_LEFT, y, narrow, wording.sheet("rules-end"), _HEAD)
    low = sheet.paragraph(_LEFT, low, narrow, wording.sheet("rules-pass"), _TEXT)
    y = sheet.paragraph(_MIDDLE, y, wide, wording.sheet("rules-points"), _HEAD)
    simple = wording.sheet("rules-simple").format(rule=wording.scoring_rule(Scoring.BASIC))
    for text in (
        wording.scoring_rule(Scoring.ADVANCED),
        wording.sheet("rules-highest"),
        simple,
    ):
        y = sheet.paragraph(_MIDDLE, y, wide, text, _TEXT) + 0.8
    return max(y, low)


def _pieces(sheet: SheetFile, game: Variant, y: float) -> None:
    """Draws the pieces of a colour in rows."""
    y = sheet.paragraph(_LEFT, y, _RIGHT - _LEFT, sheet.wording.sheet("rules-pieces"), _HEAD) + 1
    zoom, x, deepest = _SQUARE_MM / CELL, _LEFT, 0
    ink = _ink(game)
    for piece in PIECES:
        # The flattest shape, so that all of them fit into few rows.
        shape = min(piece.orientations, key=lambda one: max(row for row, _ in one))
        rows, columns = (1 + max(at[k] for at in shape) for k in (0, 1))
        if x + columns * _SQUARE_MM > _RIGHT:
            x, y, deepest = _LEFT, y + deepest * _SQUARE_MM + 3, 0
        with sheet.moved(x, y, zoom):
            sheet.svg_path(outline(shape, 0.6, 3), fill=ink)
            sheet.svg_path(seams(shape, 2), stroke=Stroke(shade(ink, WHITE, 0.45), 0.8))
        x, deepest = x + columns * _SQUARE_MM + 3, max(deepest, rows)
