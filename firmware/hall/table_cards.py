"""A card for each table of a hall, with the code that connects it."""

from collections.abc import Sequence
from typing import Final

from firmware.printing.paper import Paper
from firmware.printing.sheets import SOFT, SheetFile, Stroke, Style
from web.i18n.wording import Wording

QR_MM: Final = 80.0
"""Side of the QR code in millimetres.

A camera of 1280x960 that sees 400 mm of the table shows it with 256 pixels; 240 were read, tilted
and noisy, and 180 were not.
"""

_CARDS: Final = 2
"""Cards on a page."""

_EDGE: Final = 18.0
"""Margin of a card, in millimetres."""

_HALL: Final = Style(15, colour=SOFT)
"""Look of the hall's name at the top of a card."""

_TABLE: Final = Style(42, bold=True)
"""Look of the table's number, the largest text of a card."""

_HOW: Final = Style(12, bold=True)
"""Look of the instruction beside the code."""

_WHY: Final = Style(10, colour=SOFT)
"""Look of the warning that the code is a secret, and of the words above the command."""

_TYPED: Final = Style(7)
"""Look of the command that people type where no camera reads the code; it takes some lines."""

_CUT: Final = Stroke(SOFT, 0.2, (2, 2))
"""Line between two cards, to cut along."""


def table_cards(
    hall: str, cards: Sequence[tuple[int, str]], paper: Paper, wording: Wording, language: str
) -> bytes:
    """Returns the cards as PDF.

    Args:
        hall: name of the hall.
        cards: number of each table, and the address that connects it, a secret; at least one.
        paper: paper to print on.
        wording: texts.
        language: code of their language.
    """
    file = SheetFile(paper, wording, language, hall)
    high = paper.height_mm / _CARDS
    for k in range(0, len(cards), _CARDS):
        with file.page(ruler=False):
            for place, (number, uri) in enumerate(cards[k : k + _CARDS]):
                _card(file, hall, number, uri, place * high)
                if place:
                    file.line([(0, place * high), (paper.width_mm, place * high)], _CUT)
    return file.content()


def _card(file: SheetFile, hall: str, number: int, uri: str, top: float) -> None:
    wording, wide = file.wording, file.paper.width_mm - 2 * _EDGE
    file.fitted(_EDGE, top + 18, wide, hall, _HALL)
    title = wording.sheet("table-number", table=number)
    file.fitted(_EDGE, top + 34, wide, title, _TABLE)
    file.qr_code(_EDGE, top + 42, QR_MM, uri)
    x, width = _EDGE + QR_MM + 10, wide - QR_MM - 10
    y = file.paragraph(x, top + 44, width, wording.sheet("join-how"), _HOW) + 4
    y = file.paragraph(x, y, width, wording.sheet("join-secret"), _WHY) + 6
    y = file.paragraph(x, y, width, wording.sheet("join-type"), _WHY)
    for line in _lines(f"cornerlight join '{uri}'", width):
        file.text(x, y + 3, line, _TYPED)
        y += _TYPED.line_mm


def _lines(text: str, width: float) -> list[str]:
    """Returns a command in parts that fit; a terminal takes it as one."""
    lines = [""]
    for letter in text:
        if _TYPED.width_mm(lines[-1] + letter) > width:
            lines.append("")
        lines[-1] += letter
    return lines
