"""A picture of a game to share: a PNG with the board, the people and the score.

Pillow, which draws it, is imported with the first picture, to save memory until then.
"""

import threading
from dataclasses import dataclass, replace
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from web.contract import BoardPiece, Mark, Page, Square
from web.i18n.wording import Wording
from web.presentation.board_view import ColourChip
from web.presentation.puzzle_view import PuzzleView, puzzle_of
from web.presentation.svg import heart, shade
from web.presentation.view_model import ScoreCard, cards_of

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

WIDTH: Final = 1080
"""Width of the picture in pixels."""

_EDGE: Final = 60
"""Margin in pixels."""

_BOARD: Final = WIDTH - 2 * _EDGE
"""Side of the board in pixels."""

_TOP: Final = 130
"""Height above the board in pixels, for the title."""

_ROW: Final = 120
"""Height of a player or a puzzle below the board, in pixels."""

_GROUND: Final = "#f3efe7"
"""Colour of the background."""

_TEXT: Final = "#1e1b17"
"""Colour of text."""

_MUTED: Final = "#696257"
"""Colour of text of less weight."""

_FRAME: Final = "#cfc6b5"
"""Colour of the board's rim."""

_FIELD: Final = "#ebe5d9"
"""Colour of empty squares."""

_GRID: Final = "#d5ccbb"
"""Colour of the lines between squares."""

_CARD: Final = "#fffdf9"
"""Colour behind a player or a puzzle."""

_GOOD: Final = "#1f7a3f"
"""Colour around the winner and a solved puzzle."""

_FONTS: Final = (
    "NotoSansCJK-Regular.ttc",
    "NotoSansJP-Regular.otf",
    "fonts-japanese-gothic.ttf",
    "DroidSansFallbackFull.ttf",
    "DejaVuSans.ttf",
)
"""Font files for scripts that Pillow's own font lacks, searched in the system's font folders."""

_NO_SIGN: Final = "\U0010fffe"
"""A character that no font has, to get a font's glyph for missing characters."""


class ShareImagePainter:
    """Paints pictures, one at a time, and caches the newest."""

    def __init__(self) -> None:
        self._lock: Final = threading.Lock()
        self._key: tuple[Page, str, str] | None = None
        self._png = b""

    def paint(self, page: Page, language: str, wording: Wording, day: str) -> bytes:
        """Returns a picture of the page as the bytes of a PNG file.

        Args:
            page: page to paint.
            language: code of the language.
            wording: texts of the language.
            day: day of the game, in ISO 8601; empty if unknown.
        """
        key = page, language, day
        with self._lock:
            if self._key != key:
                self._png, self._key = paint(page, wording, day), key
            return self._png


def paint(page: Page, wording: Wording, day: str = "") -> bytes:
    """Returns a picture of the page as the bytes of a PNG file, in one language and with a day."""
    data = BytesIO()
    draw(page, wording, day).save(data, "PNG")
    return data.getvalue()


def draw(page: Page, wording: Wording, day: str) -> "Image.Image":
    """Returns a picture of the page, of the same size for all pages of a game."""
    from PIL import Image, ImageDraw  # noqa: PLC0415 - saves memory until the first picture

    if not _can_write(wording.label("winner")):
        wording = Wording()  # English, as this machine has no font for the script
    page = _readable(page)
    cards, puzzle = cards_of(page, wording), puzzle_of(page, wording)
    rows = 1 if puzzle else -(-len(cards) // 2)
    height = _TOP + _BOARD + 30 + rows * (_ROW + 20) + (0 if puzzle else 100)
    image = Image.new("RGB", (WIDTH, height), _GROUND)
    sheet = _Sheet(ImageDraw.Draw(image))
    sheet.head(wording.title(page), day)
    sheet.board(page, tuple(ColourChip.of(colour, wording) for colour in page.colours))
    for number, card in enumerate(cards):
        sheet.card(card, number, wide=len(cards) == 1)
    if puzzle is not None:
        sheet.progress(puzzle)
    elif page.finished:
        result = wording.sentence(wording.result(page))
        sheet.text((_EDGE, height - 85), result, 34, _TEXT, width=_BOARD)
    return image


def _readable(page: Page) -> Page:
    """Returns the page without names that no installed font can write; colours replace them."""
    colours = tuple(
        colour
        if _has_all(_font_for(colour.player, 12), colour.player)
        else replace(colour, player="")
        for colour in page.colours
    )
    return replace(page, colours=colours)


@dataclass(frozen=True, slots=True)
class _Place:
    """The place of a board in pixels: its left and upper edge, and the side of a square."""

    left: int
    top: int
    cell: int

    def middle(self, square: Square) -> tuple[float, float]:
        """Returns the middle (x, y) of a square."""
        row, column = square
        return self.left + (column + 0.5) * self.cell, self.top + (row + 0.5) * self.cell


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A drawing surface with methods for the parts of the picture."""

    draw: "ImageDraw.ImageDraw"

    def head(self, title: str, day: str) -> None:
        for (x, y), ink in zip(
            ((0, 0), (20, 20), (40, 40)), (_TEXT, "#f5b83d", _TEXT), strict=True
        ):
            left, top = _EDGE + x, 36 + y
            self.draw.rectangle((left, top, left + 19, top + 19), fill=ink)
        self.text((_EDGE + 80, 40), "Cornerlight", 44, _TEXT)
        self.text((WIDTH - _EDGE, 26 if day else 48), title, 36, _MUTED, anchor="ra")
        self.text((WIDTH - _EDGE, 74), day, 28, _MUTED, anchor="ra")

    def board(self, page: Page, chips: tuple[ColourChip, ...]) -> None:
        """Draws the board, of a puzzle only its field."""
        field = page.puzzle
        columns, rows = (field.columns, field.rows) if field else (page.size, page.size)
        cell = _BOARD // max(columns, rows)
        place = _Place((WIDTH - cell * columns) // 2, _TOP - (page.size - rows) * cell, cell)
        left, across, down = place.left, cell * columns, cell * rows
        box = (left - 10, _TOP - 10, left + across + 10, _TOP + down + 10)
        self.draw.rounded_rectangle(box, 12, fill=_FRAME)
        self.draw.rectangle((left, _TOP, left + across, _TOP + down), fill=_FIELD)
        for line in range(cell, down, cell):
            self.draw.line((left, _TOP + line, left + across, _TOP + line), _GRID, 2)
        for line in range(cell, across, cell):
            self.draw.line((left + line, _TOP, left + line, _TOP + down), _GRID, 2)
        for start in page.starts:
            (x, y), r = place.middle(start), cell / 4
            self.draw.ellipse((x - r, y - r, x + r, y + r), outline=_MUTED, width=4)
        for piece in page.pieces:
            if piece.mark is not Mark.REFUSED:
                self._piece(piece, chips[piece.colour], place)

    def _piece(self, piece: BoardPiece, chip: ColourChip, place: "_Place") -> None:
        # Three layers, each a little smaller: the edge, its light side, the body.
        for inset, ink in ((2, chip.edge), (5, shade(chip.ink, "#ffffff", 0.35)), (8, chip.ink)):
            self._layer(piece, place, inset, ink)
        middle = place.middle(heart(piece.squares))
        self.text(middle, chip.letter, place.cell * 2 // 5, chip.on, anchor="mm")

    def _layer(self, piece: BoardPiece, place: "_Place", inset: int, ink: str) -> None:
        covered, cell = set(piece.squares), place.cell
        for row, column in covered:
            x, y = place.left + column * cell, place.top + row * cell
            right = cell + inset if (row, column + 1) in covered else cell - inset
            below = cell + inset if (row + 1, column) in covered else cell - inset
            self.draw.rectangle((x + inset, y + inset, x + right, y + cell - inset), fill=ink)
            self.draw.rectangle((x + inset, y + inset, x + cell - inset, y + below), fill=ink)
            if {(row, column + 1), (row + 1, column), (row + 1, column + 1)} <= covered:
                self.draw.rectangle((x + inset, y + inset, x + right, y + below), fill=ink)

    def progress(self, puzzle: PuzzleView) -> None:
        """Writes how far a puzzle is, and the time taken."""
        top = _TOP + _BOARD + 30
        box = (_EDGE, top, _EDGE + _BOARD, top + _ROW)
        border = _GOOD if puzzle.solved else _FRAME
        self.draw.rounded_rectangle(box, 18, fill=_CARD, outline=border, width=4)
        half = _BOARD // 2 - 28
        self.text((_EDGE + 28, top + 60), puzzle.player, 40, _TEXT, anchor="lm", width=half)
        right = _EDGE + _BOARD - 28
        self.text((right, top + 60), puzzle.left, 44, _TEXT, anchor="rm", width=half)

    def card(self, card: ScoreCard, number: int, *, wide: bool) -> None:
        width = _BOARD if wide else (_BOARD - 20) // 2
        left = _EDGE + number % 2 * (width + 20)
        top = _TOP + _BOARD + 30 + number // 2 * (_ROW + 20)
        border = _GOOD if card.first else _FRAME
        box = (left, top, left + width, top + _ROW)
        self.draw.rounded_rectangle(box, 18, fill=_CARD, outline=border, width=4)
        x = left + 24
        for chip in card.chips:
            place = (x, top + 36, x + 48, top + 84)
            self.draw.rounded_rectangle(place, 10, fill=chip.ink, outline=chip.edge, width=3)
            self.text((x + 24, top + 60), chip.letter, 30, chip.on, anchor="mm")
            x += 58
        self.text((x + 8, top + 60), card.title, 36, _TEXT, anchor="lm", width=width - 230)
        right = left + width - 24
        self.text((right, top + 60), card.score, 68, _TEXT, anchor="rm")

    def text(
        self,
        at: tuple[float, float],
        text: str,
        size: int,
        ink: str,
        *,
        anchor: str = "la",
        width: float = 0,
    ) -> None:
        """Draws text in a font that has all its characters, smaller if it is too wide."""
        font = _font_for(text, size)
        if width and (length := font.getlength(text)) > width:
            font = _font_for(text, max(12, int(size * width / length)))
        self.draw.text(at, text, fill=ink, font=font, anchor=anchor)


@lru_cache(maxsize=64)  # a picture has about 20 texts; to search takes most of its time
def _font_for(text: str, size: int) -> Any:
    from PIL import ImageFont  # noqa: PLC0415 - as above

    own = ImageFont.load_default(size)
    if _has_all(own, text):
        return own
    for name in _FONTS:
        try:
            font = ImageFont.truetype(name, size)
        except OSError:  # not installed
            continue
        if _has_all(font, text):
            return font
    return own


def _can_write(text: str) -> bool:
    return _has_all(_font_for(text, 12), text)


def _has_all(font: Any, text: str) -> bool:
    missing = bytes(font.getmask(_NO_SIGN))
    return all(bytes(font.getmask(sign)) != missing for sign in set(text) if not sign.isspace())
