"""Sheets from the public page: pairings and standings for the wall."""

from collections.abc import Iterable

from firmware.hall.lists import ListColumn, PrintedList, list_file
from firmware.hall.tournament.matches import DrawnMatch, DrawnRound
from firmware.printing.paper import Paper
from web.hall.page import HallPage
from web.i18n.hall_wording import HallWording, points_text
from web.i18n.wording import Wording


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
