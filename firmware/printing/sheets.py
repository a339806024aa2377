"""Pages of a PDF: text, lines and shapes in millimetres, and a ruler on each.

x goes right and y down from the top left corner of the paper.
"""

import io
import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import segno
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from firmware.errors import report_unwritable
from firmware.printing.paper import Paper
from web.i18n.wording import Wording
from web.presentation.svg import borders

POINT: Final = 25.4 / 72
"""A point in millimetres."""

EDGE_MM: Final = 10.0
"""Margin in millimetres that any printer leaves white at most."""

FOOT_MM: Final = 26.0
"""Height in millimetres at the bottom of a page, margin included, for the ruler."""

RULER_MM: Final = 100.0
"""Length of the ruler in millimetres."""

BLACK: Final = "#000000"
"""Colour of markers and QR codes, which cameras read: the strongest contrast to paper."""

INK: Final = "#20242b"
"""Colour of texts and lines, unless a style says another one."""

SOFT: Final = "#6a717c"
"""Colour of texts that matter less, and of lines to cut along or to write on."""

FAINT: Final = "#c9ced6"
"""Colour of lines that only guide the eye: of squares, rows, and the place of a board."""

WHITE: Final = "#ffffff"
"""Colour of squares and boxes on a grey ground, and of text on a dark one."""

_FONTS: Final = Path(__file__).parent / "fonts"
"""Folder of the fonts that go into each PDF: Noto Sans JP, which has all three languages."""

_SMALLEST: Final = 0.7
"""Share of its size to which a text shrinks before it is cut."""

_SIMILAR: Final = dict(
    zip("ŁłĐđıĦħẞ髙﨑濵邉邊齋齊澤濱眞惠瀨", "LlDdiHhß高崎浜辺辺斎斉沢浜真恵瀬", strict=True)
)
"""Letters of names that the font lacks, and similar ones that it has."""

_CURVE: Final = 2 / 3
"""Share of the way to the control point of a quadratic curve, where the cubic one has its own."""


_NOT_FIRST: Final = "、。，．・：；？！」』）〕］】ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ々"
"""Characters that begin no line: closing marks, the long vowel, small kana, the repetition mark."""

_NOT_LAST: Final = "「『（〔［【"
"""Characters that end no line: opening brackets."""

_WIDE: Final = r"[\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]"
"""Pattern of a character beside which a line may break: kana, kanji, their marks, full width."""

_TOKEN: Final = re.compile(
    rf"[{_NOT_LAST}]*(?:{_WIDE}|(?:(?!{_WIDE})\S)+)[{_NOT_FIRST}]*\s*", re.DOTALL
)
"""A part that nothing breaks: a wide character or a word, with its marks, then spaces."""


@dataclass(frozen=True, slots=True)
class Style:
    """Look of a text: its size in points, weight, colour, and line spacing in sizes."""

    size_pt: float = 11.0
    bold: bool = False
    colour: str = INK
    spacing: float = 1.42

    @property
    def font(self) -> str:
        """Name of the font."""
        return _font("Bold" if self.bold else "Regular")

    @property
    def line_mm(self) -> float:
        """Distance between two lines."""
        return self.size_pt * self.spacing * POINT

    def width_mm(self, text: str) -> float:
        """Width of a text."""
        return float(pdfmetrics.stringWidth(text, self.font, self.size_pt)) * POINT


@dataclass(frozen=True, slots=True)
class Stroke:
    """Look of a line: colour, width in millimetres, and lengths of dashes and gaps."""

    colour: str = INK
    width: float = 0.25
    dash: tuple[float, ...] = ()


class SheetFile:
    """A PDF in the making; `content` returns it.

    Args:
        paper: paper of its pages.
        wording: language of the ruler's text.
        language: code of that language.
        title: title of the document.

    Attributes:
        paper: paper of the next page.
        wording: texts of its language.
        pages: number of pages so far.
    """

    def __init__(self, paper: Paper, wording: Wording, language: str, title: str) -> None:
        self.paper = paper
        self.wording: Final = wording
        self.pages = 0
        self._buffer: Final = io.BytesIO()
        size = (paper.width_mm / POINT, paper.height_mm / POINT)
        # `invariant` fixes dates and identity: the same sheet is the same file.
        self._canvas: Final[Any] = Canvas(self._buffer, pagesize=size, invariant=1, lang=language)
        self._canvas.setTitle(title)
        self._canvas.setAuthor("Cornerlight")
        self._canvas.setViewerPreference("PrintScaling", "None")

    def turn(self, paper: Paper) -> None:
        """Sets the paper of the following pages."""
        self.paper = paper
        self._canvas.setPageSize((paper.width_mm / POINT, paper.height_mm / POINT))

    @contextmanager
    def page(
        self, *, clip: tuple[float, float, float, float] | None = None, ruler: bool = True
    ) -> Iterator[None]:
        """Draws one page; the ruler is added at its end.

        Args:
            clip: left, top, right and bottom of the part that is drawn; all of it by default.
            ruler: False for a sheet whose size does not matter.
        """
        canvas = self._canvas
        canvas.saveState()
        canvas.translate(0, self.paper.height_mm / POINT)
        canvas.scale(1 / POINT, -1 / POINT)
        canvas.saveState()
        if clip is not None:
            left, top, right, bottom = clip
            outline = canvas.beginPath()
            outline.rect(left, top, right - left, bottom - top)
            canvas.clipPath(outline, stroke=0, fill=0)
        yield
        canvas.restoreState()
        if ruler:
            self._ruler()
        canvas.restoreState()
        canvas.showPage()
        self.pages += 1

    @contextmanager
    def moved(self, x: float, y: float, zoom: float = 1.0) -> Iterator[None]:
        """Draws with another origin, and enlarged."""
        self._canvas.saveState()
        self._canvas.translate(x, y)
        self._canvas.scale(zoom, zoom)
        yield
        self._canvas.restoreState()

    def text(self, x: float, y: float, text: str, style: Style, align: float = 0.0) -> None:
        """Draws a line of text with its baseline at y.

        Args:
            x: its left end, middle or right end, by `align`.
            y: its baseline.
            text: the text.
            style: its look.
            align: 0 to begin at x, 0.5 to be centred, 1 to end there.
        """
        canvas, text = self._canvas, printable(text)
        canvas.saveState()
        canvas.translate(x - align * style.width_mm(text), y)
        canvas.scale(POINT, -POINT)
        canvas.setFillColor(style.colour)
        canvas.setFont(style.font, style.size_pt)
        canvas.drawString(0, 0, text)
        canvas.restoreState()

    def paragraph(
        self, x: float, y: float, width: float, text: str, style: Style, zoom: float = 1.0
    ) -> float:
        """Draws a text, enlarged, in lines of some width from y down; returns the y below it."""
        style = replace(style, size_pt=style.size_pt * zoom)
        for line in broken(text, width, style.width_mm):
            self.text(x, y + style.size_pt * POINT, line, style)
            y += style.line_mm
        return y

    def fitted(self, x: float, y: float, width: float, text: str, style: Style) -> None:
        """Draws a text on one line from x on, smaller if it is long, and cut if it is longer."""
        text = printable(text)
        share = min(1.0, width / max(style.width_mm(text), 0.001))
        small = replace(style, size_pt=style.size_pt * max(share, _SMALLEST))
        whole = text
        while small.width_mm(text) > width + 0.01 and len(text) > 1:
            text = text.rstrip("…")[:-1].rstrip() + "…"
        self.text(x, y, text if text != "…" else whole[:1], small)

    def qr_code(self, x: float, y: float, side: float, text: str) -> None:
        """Draws a QR code of some side in millimetres from its top left corner."""
        modules = [bytes(row) for row in segno.make(text, error="m", micro=False).matrix]
        unit = side / len(modules)
        black = [(r, c) for r, row in enumerate(modules) for c, value in enumerate(row) if value]
        loops = [[(x + u * unit, y + v * unit) for u, v in loop] for loop in borders(black)]
        self.polygons(loops, BLACK)

    def line(self, points: Sequence[tuple[float, float]], stroke: Stroke) -> None:
        """Draws a line through points."""
        outline = self._canvas.beginPath()
        outline.moveTo(*points[0])
        for point in points[1:]:
            outline.lineTo(*point)
        self._draw(outline, None, stroke)

    def rectangle(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: str | None = None,
        stroke: Stroke | None = None,
        radius: float = 0.0,
    ) -> None:
        """Draws a rectangle from its top left corner."""
        outline = self._canvas.beginPath()
        outline.roundRect(x, y, width, height, radius)
        self._draw(outline, fill, stroke)

    def circle(self, x: float, y: float, radius: float, *, fill: str) -> None:
        """Draws a filled circle."""
        outline = self._canvas.beginPath()
        outline.circle(x, y, radius)
        self._draw(outline, fill, None)

    def polygons(self, loops: Iterable[Sequence[tuple[float, float]]], fill: str) -> None:
        """Fills closed outlines as one shape; what two of them contain is a hole."""
        outline = self._canvas.beginPath()
        for loop in loops:
            outline.moveTo(*loop[0])
            for point in loop[1:]:
                outline.lineTo(*point)
            outline.close()
        self._draw(outline, fill, None)

    def svg_path(self, d: str, *, fill: str | None = None, stroke: Stroke | None = None) -> None:
        """Draws a path as `web.presentation.svg` writes it, with the commands M, L, Q, h, v, Z."""
        outline, x, y = self._canvas.beginPath(), 0.0, 0.0
        for command, rest in re.findall(r"([MLQhvZ])([^MLQhvZ]*)", d):
            values = [float(value) for value in rest.split()]
            if command == "Z":
                outline.close()
                continue
            end = {"h": (x + values[0], y), "v": (x, y + values[0])}.get(
                command, (values[-2], values[-1]) if len(values) > 1 else (x, y)
            )
            if command == "M":
                outline.moveTo(*end)
            elif command == "Q":
                u, v = values[:2]
                outline.curveTo(
                    x + _CURVE * (u - x),
                    y + _CURVE * (v - y),
                    end[0] + _CURVE * (u - end[0]),
                    end[1] + _CURVE * (v - end[1]),
                    *end,
                )
            else:
                outline.lineTo(*end)
            x, y = end
        self._draw(outline, fill, stroke)

    def content(self) -> bytes:
        """Ends the file and returns it."""
        self._canvas.save()
        return self._buffer.getvalue()

    def _ruler(self) -> None:
        """Draws the ruler and how to print the sheet."""
        left, y = EDGE_MM + 2, self.paper.height_mm - EDGE_MM - 5
        self.line([(left, y), (left + RULER_MM, y)], Stroke(BLACK, 0.3))
        for k in range(int(RULER_MM) + 1):
            high = 4.0 if k % 10 == 0 else 2.6 if k % 5 == 0 else 1.5
            thick = 0.3 if k % 10 == 0 else 0.12
            # The marks at both ends lie within the 100 mm, not half outside.
            x = min(max(left + k, left + thick / 2), left + RULER_MM - thick / 2)
            self.line([(x, y), (x, y - high)], Stroke(BLACK, thick))
        self.text(left, y + 3.6, self.wording.sheet("ruler"), Style(7.5, colour=SOFT))

    def _draw(
        self,
        outline: Any,
        fill: str | None,
        stroke: Stroke | None,
    ) -> None:
        canvas = self._canvas
        canvas.saveState()
        if fill is not None:
            canvas.setFillColor(fill)
        if stroke is not None:
            canvas.setStrokeColor(stroke.colour)
            canvas.setLineWidth(stroke.width)
            canvas.setDash(list(stroke.dash))
        has_fill, has_stroke = int(fill is not None), int(stroke is not None)
        canvas.drawPath(outline, stroke=has_stroke, fill=has_fill, fillMode=0)
        canvas.restoreState()


def write(content: bytes, path: Path) -> None:
    """Writes a finished file.

    Raises:
        UnreadableError: it cannot be written.
    """
    with report_unwritable(path, remedy="name another file with --output"):
        path.write_bytes(content)


def printable(text: str) -> str:
    """Returns a text with the letters that the font has: others without their marks, or similar."""
    has = pdfmetrics.getFont(_font("Regular")).face.charToGlyph
    if all(ord(letter) in has for letter in text):
        return text
    text = unicodedata.normalize("NFC", text)
    return "".join(letter if ord(letter) in has else _similar(letter, has) for letter in text)


def _similar(letter: str, has: Container[int]) -> str:
    """Returns what stands for a letter that the font lacks."""
    composed = unicodedata.normalize("NFKC", letter)
    for parts in (_SIMILAR.get(letter, ""), composed, unicodedata.normalize("NFKD", letter)):
        known = "".join(part for part in parts if ord(part) in has)
        if known:
            return known
    return "" if unicodedata.combining(letter) else "〓"


@cache
def _font(weight: str) -> str:
    """Registers a font of the library, once; returns its name."""
    name = f"NotoSansJP-{weight}"
    pdfmetrics.registerFont(TTFont(name, _FONTS / f"{name}.ttf"))
    return name


def broken(text: str, width: float, width_of: Callable[[str], float]) -> list[str]:
    """Returns the lines of a text; a part that nothing can break may be wider than the rest.

    Lines break at spaces, and in Japanese between any two characters but before closing marks and
    small kana, and after opening ones (the core of JIS X 4051).

    Args:
        text: the text.
        width: width of a line.
        width_of: returns the width of a text.
    """
    lines = [""]
    for token in _tokens(text):
        if lines[-1] and width_of((lines[-1] + token).rstrip()) > width:
            lines.append("")
        lines[-1] += token
    return [line.rstrip() for line in lines]


def _tokens(text: str) -> Iterator[str]:
    return (match[0] for match in _TOKEN.finditer(text))
