"""The matches of a round: for the wall, by table and by name, and a slip for each result."""

from dataclasses import dataclass
from typing import Final

from firmware.printing.lists import ListColumn, PrintedList, list_file
from firmware.printing.paper import Paper
from firmware.printing.sheets import INK, SOFT, SheetFile, Stroke, Style
from web.i18n.wording import Wording

_SLIPS: Final = 4
"""Slips on a page."""

_EDGE: Final = 16.0
"""Margin of a slip, in millimetres."""

_EVENT: Final = Style(11, colour=SOFT)
"""Look of the event's name on a slip."""

_TABLE: Final = Style(24, bold=True)
"""Look of table and round, the largest text of a slip."""

_NAME: Final = Style(14, bold=True)
"""Look of a player's name, beside the box for the score."""

_WHY: Final = Style(9.5, colour=SOFT)
"""Look of the words above the boxes, and of the instruction at the end of a slip."""

_CUT: Final = Stroke(SOFT, 0.2, (2, 2))
"""Line between two slips, to cut along."""

_BOX: Final = Stroke(INK, 0.35)
"""Line of the boxes for scores, and of those to sign on."""


@dataclass(frozen=True, slots=True)
class PrintedMatch:
    """A match of a round.

    Attributes:
        table: label of its table; empty if it has none.
        players: public names, whoever begins first.
        result: result as text; empty before it.
        code: text for a QR code on its slip; empty for none.
    """

    table: str
    players: tuple[str, ...]
    result: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class PrintedRound:
    """A round.

    Attributes:
        event: name of the event.
        number: number of the round.
        matches: its matches in the order of the tables.
        byes: public names of the players with a bye.
    """

    event: str
    number: int
    matches: tuple[PrintedMatch, ...]
    byes: tuple[str, ...] = ()


def pairings_sheet(one: PrintedRound, paper: Paper, wording: Wording, language: str) -> bytes:
    """Returns the matches by table, and then all players by name with their tables, as PDF."""
    lists = (_by_table(one, wording), _by_name(one, wording))
    return list_file(lists, paper, wording, language)


def result_slips(one: PrintedRound, paper: Paper, wording: Wording, language: str) -> bytes:
    """Returns a slip for each match, on which players write their result, as PDF."""
    file = SheetFile(paper, wording, language, wording.sheet("round", round=one.number))
    high = paper.height_mm / _SLIPS
    matches = one.matches or (PrintedMatch("", ("", "")),)
    for k in range(0, len(matches), _SLIPS):
        with file.page(ruler=False):
            for place, match in enumerate(matches[k : k + _SLIPS]):
                _slip(file, one, match, place * high)
                if place:
                    file.line([(0, place * high), (paper.width_mm, place * high)], _CUT)
    return file.content()


def _by_table(one: PrintedRound, wording: Wording) -> PrintedList:
    people = max((len(match.players) for match in one.matches), default=2)
    first = ListColumn(wording.sheet("first-player"), 32 if people < 4 else 24)
    others = tuple(ListColumn("", first.share) for _ in range(people - 1))
    columns = (
        ListColumn(wording.sheet("table"), 11, is_strong=True),
        first,
        *others,
        ListColumn(wording.sheet("result"), 20, is_blank=True),
    )
    rows = [
        (match.table or "–", *match.players, *[""] * (people - len(match.players)), match.result)
        for match in one.matches
    ]
    bye = wording.sheet("bye")
    rows += [("–", name, *[""] * (people - 1), bye) for name in one.byes]
    return PrintedList(one.event, wording.sheet("round", round=one.number), columns, tuple(rows))


def _by_name(one: PrintedRound, wording: Wording) -> PrintedList:
    columns = (
        ListColumn(wording.sheet("player"), 70),
        ListColumn(wording.sheet("table"), 30, is_strong=True),
    )
    tables = [(name, match.table or "–") for match in one.matches for name in match.players]
    tables += [(name, wording.sheet("bye")) for name in one.byes]
    rows = tuple(sorted(tables, key=lambda row: row[0].casefold()))
    return PrintedList(one.event, wording.sheet("round-by-name", round=one.number), columns, rows)


def _slip(file: SheetFile, one: PrintedRound, match: PrintedMatch, top: float) -> None:
    wording, wide = file.wording, file.paper.width_mm - 2 * _EDGE
    code = 24.0 if match.code else 0.0
    file.fitted(_EDGE, top + 11, wide - code - 60, one.event, _EVENT)
    title = wording.sheet("round", round=one.number)
    if match.table:
        title = f"{wording.sheet('table-number', table=match.table)} · {title}"
    file.fitted(_EDGE, top + 20, wide - code, title, _TABLE)
    if match.code:
        file.qr_code(_EDGE + wide - code, top + 6, code, match.code)
    score, sign = wording.sheet("slip-score"), wording.sheet("slip-sign")
    x_score, x_sign = _EDGE + wide * 0.5, _EDGE + wide * 0.5 + 26
    file.text(x_score, top + 27, score, _WHY)
    file.text(x_sign, top + 27, sign, _WHY)
    row = 9.0
    for k, name in enumerate(match.players):
        y = top + 28.5 + k * row
        file.fitted(_EDGE, y + 6, wide * 0.5 - 4, name, _NAME)
        file.rectangle(x_score, y, 22, row - 1.2, stroke=_BOX)
        file.line([(x_sign, y + row - 1.2), (_EDGE + wide - code - 2, y + row - 1.2)], _BOX)
    file.fitted(
        _EDGE, top + file.paper.height_mm / _SLIPS - 4, wide, wording.sheet("slip-how"), _WHY
    )
