"""The organiser's screens: which fragments each page has, and what they show."""

from collections.abc import Mapping
from typing import Any, Final

from firmware.hall.tournament.codes import RoundStage
from firmware.hall.tournament.matches import DrawnRound
from web.hall.page import HallPage, TableState
from web.hall.rows import (
    find_match,
    match_row,
    match_rows,
    names_of,
    standing_rows,
    table_row,
    table_rows,
    waiting_results,
)
from web.hall.screens import ScreenKind, ScreenView

_CALLING: Final = (TableState.FAULT, TableState.CALL)
"""States of a table that are read aloud by screen readers."""


def current_round(page: HallPage) -> int:
    """Returns the number of the round to look at: the newest one, or the first to draw."""
    return page.rounds[-1].number if page.rounds else 1


def number_of(item: str) -> int:
    """Returns the number in the name of a screen; 0 if there is none."""
    return int(item) if item.isascii() and item.isdecimal() and len(item) <= 3 else 0


def _common(view: ScreenView) -> dict[str, Any]:
    return {
        "waiting": waiting_results(view.page),
        "urgent": sum(one.state in _CALLING for one in view.page.tables),
        "current": current_round(view.page),
        "clock": view.page.clock,
        "clock_at": view.page.clock_at,
    }


def _tables(view: ScreenView) -> Mapping[str, Any]:
    rows = table_rows(view.page, view.wording)
    aloud = [f"{row.table.number}: {row.sentence}." for row in rows if row.table.state in _CALLING]
    return {**_common(view), "rows": rows, "aloud": aloud}


def _table(view: ScreenView) -> Mapping[str, Any]:
    table = view.page.table(number_of(view.item))
    row = table and table_row(view.page, table, view.wording)
    return {**_common(view), "table": table, "row": row}


def _round(view: ScreenView) -> Mapping[str, Any]:
    number = number_of(view.item)
    one = view.page.round(number)
    return {
        **_common(view),
        "number": number,
        "round": one,
        "rows": match_rows(view.page, one, view.wording) if one else [],
        "byes": names_of(view.page, one.byes) if one else [],
        "warnings": _warnings(view, one) if one else [],
        "next": _next_round(view.page, number),
        "numbers": [drawn.number for drawn in view.page.rounds],
    }


def _warnings(view: ScreenView, one: DrawnRound) -> list[str]:
    return [
        view.wording.warning(warning.code, names_of(view.page, warning.players))
        for warning in view.page.warnings.get(one.number, ())
    ]


def _next_round(page: HallPage, number: int) -> int:
    """Returns the number of the round that follows a locked one; 0 if none can be drawn now."""
    one, tournament = page.round(number), page.tournament
    if one is None or tournament is None or one.stage is not RoundStage.LOCKED:
        return 0
    return number + 1 if number < tournament.rounds else 0


def _match(view: ScreenView) -> Mapping[str, Any]:
    found = find_match(view.page, view.item)
    row = found and match_row(view.page, found[1], view.wording)
    return {**_common(view), "round": found and found[0], "row": row}


def _players(view: ScreenView) -> Mapping[str, Any]:
    number = current_round(view.page) + bool(view.page.rounds)
    active = sum(one.plays_in(number) for one in view.page.players)
    entries = [(one, view.page.shown_name(one.id)) for one in view.page.players]
    entries.sort(key=lambda entry: entry[1].casefold())
    return {**_common(view), "entries": entries, "active": active}


def _player(view: ScreenView) -> Mapping[str, Any]:
    return {**_common(view), "player": view.page.state.players.get(view.item)}


def _standings(view: ScreenView) -> Mapping[str, Any]:
    chosen = view.page.tournament.order if view.page.tournament else ()
    return {**_common(view), "rows": standing_rows(view.page), "tie_breaks": chosen}


def _revision(view: ScreenView) -> Mapping[str, object]:
    return {"revision": view.page.state.revision(number_of(view.item))}


def _revision_of_match(view: ScreenView) -> Mapping[str, object]:
    found = find_match(view.page, view.item)
    return {"revision": view.page.state.revision(found[0].number) if found else 0}


ORGANISER_SCREENS: Final = {
    "tables": ScreenKind(("tabs", "notices", "clock", "tables", "aloud"), _tables),
    "table": ScreenKind(("tabs", "notices", "table"), _table),
    "round": ScreenKind(("tabs", "notices", "clock", "round"), _round, _revision),
    "match": ScreenKind(("tabs", "notices", "match"), _match, _revision_of_match),
    "players": ScreenKind(("tabs", "notices", "players"), _players),
    "player": ScreenKind(("tabs", "notices", "player"), _player),
    "ranking": ScreenKind(("tabs", "notices", "ranking"), _standings),
    "settings": ScreenKind(("tabs", "notices"), _common),
}
"""Kinds of screens by name; the fragments are templates in `templates/hall/fragments`."""
