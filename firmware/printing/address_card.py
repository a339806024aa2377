"""The card beside a table: the address of its page as text and as a QR code, and how to pair."""

from typing import Final

from firmware.printing.paper import Paper
from firmware.printing.sheets import INK, SOFT, WHITE, SheetFile, Stroke, Style
from web.i18n.wording import Wording

QR_MM: Final = 62.0
"""Side of the QR code in millimetres on A4, without its white border."""

_LEFT: Final = 22.0
"""Left margin of the design for A4, in millimetres."""

_RIGHT: Final = 188.0
"""Right end of its texts and lines, in millimetres from the left edge: a margin as wide."""

_TITLE: Final = Style(30, bold=True, spacing=1.2)
"""Look of the title, the largest text of the card."""

_UNDER: Final = Style(14, colour=SOFT)
"""Look of the sentence under the title, which nobody has to act on."""

_STEP: Final = Style(15, bold=True, spacing=1.3)
"""Look of a step's text beside its number, and of the heading above the pairing."""

_TEXT: Final = Style(13)
"""Look of explanations, and of the last steps, which are longer than the others."""

_BADGE: Final = Style(14, bold=True, colour=WHITE)
"""Look of a step's number, on its dark disc."""

_ADDRESS: Final = Style(24, bold=True)
"""Look of an address to type, unless it is long: `_fitted` makes it smaller then."""

_PREFIX: Final = Style(14, colour=SOFT)
"""Look of the `http://` before the line on which somebody writes an address by hand."""

_TO_WRITE: Final = Stroke(SOFT, 0.35)
"""A line to write on."""


def address_card(name: str, port: int, paper: Paper, wording: Wording, language: str) -> bytes:
    """Returns the card as PDF.

    Args:
        name: name of the machine in its network, without `.local`.
        port: port of the page.
        paper: paper to print on.
        wording: texts.
        language: code of their language.
    """
    host = f"{name}.local:{port}"
    file = SheetFile(paper, wording, language, wording.sheet("card-title"))
    margin = (paper.width_mm - 210 * paper.zoom) / 2
    with file.page(), file.moved(margin, 0, paper.zoom):
        y = _watching(file, host)
        _pairing(file, host, y)
    return file.content()


def _watching(sheet: SheetFile, host: str) -> float:
    """Draws how to follow the game; returns the y below."""
    wording, wide = sheet.wording, _RIGHT - _LEFT
    y = sheet.paragraph(_LEFT, 22, wide, wording.sheet("card-title"), _TITLE)
    y = sheet.paragraph(_LEFT, y + 1, wide, wording.sheet("card-watch"), _UNDER) + 8
    _step(sheet, 1, y, wording.sheet("card-wifi"))
    sheet.line([(_LEFT + 13, y + 21), (_RIGHT, y + 21)], _TO_WRITE)
    y += 32
    _step(sheet, 2, y, wording.sheet("card-scan"))
    top, x = y + 12, _LEFT + 13
    sheet.qr_code(x, top, QR_MM, f"http://{host}/")
    beside, width = x + QR_MM + 9, _RIGHT - x - QR_MM - 9
    low = _fitted(sheet, beside, top + 8, width, host)
    low = sheet.paragraph(beside, low + 9, width, wording.sheet("card-address"), _TEXT)
    sheet.text(beside, low + 11, "http://", _PREFIX)
    sheet.line(
        [(beside + _PREFIX.width_mm("http://") + 1, low + 12), (_RIGHT, low + 12)], _TO_WRITE
    )
    return top + QR_MM + 12


def _pairing(sheet: SheetFile, host: str, y: float) -> None:
    """Draws how to pair the arbiter's phone."""
    wording, wide = sheet.wording, _RIGHT - _LEFT
    sheet.line([(_LEFT, y), (_RIGHT, y)], Stroke(INK, 0.5))
    y = sheet.paragraph(_LEFT, y + 5, wide, wording.sheet("card-pair"), _STEP)
    y = sheet.paragraph(_LEFT, y + 0.5, wide, wording.sheet("card-pair-why"), _TEXT) + 4
    _step(sheet, 1, y, wording.sheet("card-pair-open"))
    y = _fitted(sheet, _LEFT + 13, y + 18, wide - 13, f"{host}/arbiter") + 6
    _step(sheet, 2, y, wording.sheet("card-pair-number"), _TEXT)
    _step(sheet, 3, y + 22, wording.sheet("card-camera"), _TEXT)


def _step(sheet: SheetFile, number: int, y: float, text: str, style: Style = _STEP) -> None:
    """Draws a numbered step, its text beside the number."""
    sheet.circle(_LEFT + 4.2, y + 4.2, 4.2, fill=INK)
    sheet.text(_LEFT + 4.2, y + 5.95, str(number), _BADGE, 0.5)
    sheet.paragraph(_LEFT + 13, y + 1, _RIGHT - _LEFT - 13, text, style)


def _fitted(sheet: SheetFile, x: float, y: float, width: float, text: str) -> float:
    """Draws a text on one line, smaller if it is long; returns its baseline."""
    share = min(1.0, width / _ADDRESS.width_mm(text))
    sheet.text(x, y, text, Style(_ADDRESS.size_pt * share, bold=True))
    return y
