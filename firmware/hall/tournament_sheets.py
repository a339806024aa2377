"""Sheets from the public page: pairings and standings for the wall, on as many pages as needed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from firmware.hall.tournament.matches import DrawnMatch, DrawnRound
from firmware.printing.paper import Paper
from firmware.printing.sheets import FAINT, INK, SOFT, SheetFile, Stroke, Style, broken
from web.hall.page import HallPage
from web.i18n.hall_wording import HallWording, points_text
from web.i18n.wording import Wording

_EDGE: Final = 16.0
"""Margin in millimetres."""

_TOP: Final = 46.0
"""Distance in millimetres of the first row from the upper edge."""

_ROW: Final = 8.2
"""Height of a row in millimetres: 28 rows fit on A4, read from a metre away."""

_FOOT: Final = 20.0
"""Height of the foot of a page, in millimetres."""

_TITLE: Final = Style(22, bold=True)
"""Look of the largest text of a page, `under` of its list: it tells one list from another."""

_UNDER: Final = Style(14, colour=SOFT)
"""Look of the line below, `title` of the list."""

_HEAD: Final = Style(10, colour=SOFT, spacing=1.15)
"""Look of a column's title; it may need two lines, so they are close."""

_CELL: Final = Style(13)
"""Look of a text in a row."""

_STRONG: Final = Style(13, bold=True)
"""Look of a text in a column that `is_strong`, for which people search the list."""

_SMALL: Final = Style(9, colour=SOFT)
"""Look of the number of the page, at the foot."""


@dataclass(frozen=True, slots=True)
class ListColumn:
    """A column.

    Attributes:
        title: text above it.
        share: its width, as a share of those of all columns.
        is_number: True to end at the right.
        is_strong: True for bold text.
        is_blank: True for a line to write on.
    """

    title: str
    share: float
    is_number: bool = False
    is_strong: bool = False
    is_blank: bool = False


@dataclass(frozen=True, slots=True)
class PrintedList:
    """A list.

    Attributes:
        title: title of each page.
        under: text under it.
        columns: its columns.
        rows: texts of each row, one for each column.
    """

    title: str
    under: str
    columns: tuple[ListColumn, ...]
    rows: tuple[tuple[str, ...], ...]


def pairings_sheet(
    page: HallPage, one: DrawnRound, paper: Paper, wording: Wording, language: str
) -> bytes:
    """Returns the matches by table, and then all players by name with their tables, as PDF."""
    lists = (_by_table(page, one, wording), _by_name(page, one, wording))
    return list_file(lists, paper, wording, language)


def standings_sheet(page: HallPage, paper: Paper, wording: HallWording, language: str) -> bytes:
    """Returns the standings as PDF."""
    tie_breaks = page.tournament.order if page.tournament else ()
    columns = (
        ListColumn(wording.sheet("place"), 10, is_number=True, is_strong=True),
        ListColumn(wording.sheet("player"), 46),
        ListColumn(wording.sheet("points"), 14, is_number=True, is_strong=True),
        *(ListColumn(wording.tie_break(one), 16, is_number=True) for one in tie_breaks),
    )
    rows = []
    for line in page.standings:
        found = line.tie_breaks[: len(tie_breaks)]
        values = ("" if one is None else points_text(one) for one in found)
        name = page.public_name(line.player)
        rows.append((str(line.place), name, points_text(line.points), *values))
    title = wording.sheet("standings-after", round=page.rounds[-1].number if page.rounds else 0)
    printed = PrintedList(page.event, title, columns, tuple(rows))
    return list_file((printed,), paper, wording, language)


def _by_place(one: DrawnRound) -> list[DrawnMatch]:
    """Returns the matches in the order of the tables."""
    return sorted(one.played, key=lambda match: (match.table or 999, match.id))


def _names(page: HallPage, players: Iterable[str]) -> list[str]:
    return [page.public_name(player) for player in players]


def _by_table(page: HallPage, one: DrawnRound, wording: Wording) -> PrintedList:
    matches = _by_place(one)
    people = max((len(match.players) for match in matches), default=2)
    first = ListColumn(wording.sheet("first-player"), 32 if people < 4 else 24)
    others = tuple(ListColumn("", first.share) for _ in range(people - 1))
    columns = (
        ListColumn(wording.sheet("table"), 11, is_strong=True),
        first,
        *others,
        ListColumn(wording.sheet("result"), 20, is_blank=True),
    )
    rows = []
    for match in matches:
        blank = [""] * (people - len(match.players))
        result = " : ".join(map(str, match.outcome.scores)) if match.outcome else ""
        table = str(match.table or "–")
        rows.append((table, *_names(page, match.players), *blank, result))
    bye = wording.sheet("bye")
    rows += [("–", name, *[""] * (people - 1), bye) for name in _names(page, one.byes)]
    return PrintedList(page.event, wording.sheet("round", round=one.number), columns, tuple(rows))


def _by_name(page: HallPage, one: DrawnRound, wording: Wording) -> PrintedList:
    columns = (
        ListColumn(wording.sheet("player"), 70),
        ListColumn(wording.sheet("table"), 30, is_strong=True),
    )
    tables = [
        (name, str(match.table or "–"))
        for match in _by_place(one)
        for name in _names(page, match.players)
    ]
    tables += [(name, wording.sheet("bye")) for name in _names(page, one.byes)]
    rows = tuple(sorted(tables, key=lambda row: row[0].casefold()))
    title = wording.sheet("round-by-name", round=one.number)
    return PrintedList(page.event, title, columns, rows)


def list_file(lists: Sequence[PrintedList], paper: Paper, wording: Wording, language: str) -> bytes:
    """Returns lists as PDF, each on pages of its own.

    Args:
        lists: the lists; at least one.
        paper: paper to print on.
        wording: texts.
        language: code of their language.
    """
    file = SheetFile(paper, wording, language, f"{lists[0].title} – {lists[0].under}")
    for one in lists:
        _draw(file, one)
    return file.content()


def _draw(file: SheetFile, one: PrintedList) -> None:
    fitting = int((file.paper.height_mm - _TOP - _FOOT) / _ROW)
    pages = [one.rows[k : k + fitting] for k in range(0, len(one.rows), fitting)] or [()]
    for number, rows in enumerate(pages, 1):
        with file.page(ruler=False):
            _head(file, one)
            for k, row in enumerate(rows):
                _row(file, one.columns, row, _TOP + k * _ROW)
            if len(pages) > 1:
                count = file.wording.sheet("page-of", page=number, pages=len(pages))
                low = file.paper.height_mm - _FOOT / 2
                file.text(file.paper.width_mm - _EDGE, low, count, _SMALL, 1)


def _head(file: SheetFile, one: PrintedList) -> None:
    wide = file.paper.width_mm - 2 * _EDGE
    file.fitted(_EDGE, 22, wide, one.under, _TITLE)
    file.fitted(_EDGE, 30, wide, one.title, _UNDER)
    for column, (x, width) in zip(one.columns, _places(file, one.columns), strict=True):
        words = " " in column.title
        lines = broken(column.title, width - 2, _HEAD.width_mm)[:2] if words else [column.title]
        for k, line in enumerate(reversed(lines)):
            _cell(file, x, _TOP - 3 - k * _HEAD.line_mm, width, column, line, _HEAD)
    file.line([(_EDGE, _TOP - 1), (_EDGE + wide, _TOP - 1)], Stroke(INK, 0.5))


def _row(
    file: SheetFile, columns: tuple[ListColumn, ...], texts: tuple[str, ...], y: float
) -> None:
    low = y + _ROW - 2.6
    for column, text, (x, width) in zip(columns, texts, _places(file, columns), strict=True):
        if column.is_blank and not text:
            file.line([(x + 1, low + 1), (x + width - 1, low + 1)], Stroke(SOFT, 0.25))
        else:
            _cell(file, x, low, width, column, text, _STRONG if column.is_strong else _CELL)
    wide = file.paper.width_mm - 2 * _EDGE
    file.line([(_EDGE, y + _ROW), (_EDGE + wide, y + _ROW)], Stroke(FAINT, 0.2))


def _cell(
    file: SheetFile, x: float, y: float, width: float, column: ListColumn, text: str, style: Style
) -> None:
    if column.is_number and style.width_mm(text) <= width - 2:
        file.text(x + width - 1, y, text, style, 1)
    else:
        file.fitted(x + 1, y, width - 2, text, style)


def _places(file: SheetFile, columns: tuple[ListColumn, ...]) -> list[tuple[float, float]]:
    """Returns the left end and the width of each column."""
    unit = (file.paper.width_mm - 2 * _EDGE) / sum(column.share for column in columns)
    places, x = [], _EDGE
    for column in columns:
        places.append((x, column.share * unit))
        x += column.share * unit
    return places
