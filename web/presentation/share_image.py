"""A picture of a game to share: a PNG with the board, the people and the score.

Pillow, which draws it, is imported with the first picture, to save memory until then.
"""

import threading
from dataclasses import dataclass, replace
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from web.contract import BoardPiece, Mark, Page
from web.i18n.wording import Wording
from web.presentation.svg import heart, shade
from web.presentation.view_model import ColourChip, ScoreCard, cards_of

if TYPE_CHECKING:
    from PIL import ImageDraw

WIDTH: Final = 1080
_EDGE: Final = 60
_BOARD: Final = WIDTH - 2 * _EDGE
_TOP: Final = 130
_ROW: Final = 120
_GROUND: Final = "#f3efe7"
_TEXT: Final = "#1e1b17"
_MUTED: Final = "#696257"
_FRAME: Final = "#cfc6b5"
_FIELD: Final = "#ebe5d9"
_GRID: Final = "#d5ccbb"
_CARD: Final = "#fffdf9"
_GOOD: Final = "#1f7a3f"
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
    from PIL import Image, ImageDraw  # noqa: PLC0415 - saves memory until the first picture

    if not _can_write(wording.label("winner")):
        wording = Wording()  # English, as this machine has no font for the script
    page = _readable(page)
    cards = cards_of(page, wording)
    rows = -(-len(cards) // 2)
    height = _TOP + _BOARD + 30 + rows * (_ROW + 20) + 100
    image = Image.new("RGB", (WIDTH, height), _GROUND)
    sheet = _Sheet(ImageDraw.Draw(image))
    sheet.head(wording.title(page), day)
    sheet.board(page, tuple(ColourChip.of(colour, wording) for colour in page.colours))
    for number, card in enumerate(cards):
        sheet.card(card, number, wide=len(cards) == 1)
    if page.finished:
        result = wording.sentence(wording.result(page))
        sheet.text((_EDGE, height - 85), result, 34, _TEXT, width=_BOARD)
    data = BytesIO()
    image.save(data, "PNG")
    return data.getvalue()


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
        cell = _BOARD // page.size
        left = (WIDTH - cell * page.size) // 2
        far = cell * page.size
        box = (left - 10, _TOP - 10, left + far + 10, _TOP + far + 10)
        self.draw.rounded_rectangle(box, 12, fill=_FRAME)
        self.draw.rectangle((left, _TOP, left + far, _TOP + far), fill=_FIELD)
        for line in range(cell, far, cell):
            self.draw.line((left, _TOP + line, left + far, _TOP + line), _GRID, 2)
            self.draw.line((left + line, _TOP, left + line, _TOP + far), _GRID, 2)
        for row, column in page.starts:
            x, y, r = left + (column + 0.5) * cell, _TOP + (row + 0.5) * cell, cell / 4
            self.draw.ellipse((x - r, y - r, x + r, y + r), outline=_MUTED, width=4)
        for piece in page.pieces:
            if piece.mark is not Mark.REFUSED:
                self._piece(piece, chips[piece.colour], cell, left)

    def _piece(self, piece: BoardPiece, chip: ColourChip, cell: int, left: int) -> None:
        # Three layers, each a little smaller: the edge, its light side, the body.
        for inset, ink in ((2, chip.edge), (5, shade(chip.ink, "#ffffff", 0.35)), (8, chip.ink)):
            self._layer(piece, cell, left, inset, ink)
        row, column = heart(piece.squares)
        middle = (left + (column + 0.5) * cell, _TOP + (row + 0.5) * cell)
        self.text(middle, chip.letter, cell * 2 // 5, chip.on, anchor="mm")

    def _layer(self, piece: BoardPiece, cell: int, left: int, inset: int, ink: str) -> None:
        covered = set(piece.squares)
        for row, column in covered:
            x, y = left + column * cell, _TOP + row * cell
            right = cell + inset if (row, column + 1) in covered else cell - inset
            below = cell + inset if (row + 1, column) in covered else cell - inset
            self.draw.rectangle((x + inset, y + inset, x + right, y + cell - inset), fill=ink)
            self.draw.rectangle((x + inset, y + inset, x + cell - inset, y + below), fill=ink)
            if {(row, column + 1), (row + 1, column), (row + 1, column + 1)} <= covered:
                self.draw.rectangle((x + inset, y + inset, x + right, y + below), fill=ink)

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
