"""The screens of spectators: which fragments each page has, and what they show."""

from collections.abc import Mapping
from typing import Any, Final

from firmware.hall.tournament.matches import DrawnMatch, DrawnRound
from web.hall.page import HallPage
from web.hall.rows import (
    TableRow,
    match_row,
    names_of,
    standing_rows,
    table_row,
)
from web.hall.screens import ScreenKind, ScreenView


def found_players(page: HallPage, wanted: str) -> list[tuple[str, str]]:
    """Returns id and name of the players whose public name has a text in it, by name."""
    wanted = wanted.strip().casefold()
    named = [(player, page.shown_name(player)) for player in page.state.players]
    found = [(identity, name) for identity, name in named if wanted in name.casefold()]
    return sorted(found, key=lambda one: one[1].casefold()) if wanted else []


def newest_round(page: HallPage) -> DrawnRound | None:
    """Returns the newest round of a public page; None without one."""
    return page.rounds[-1] if page.rounds else None


def _clock(view: ScreenView) -> dict[str, Any]:
    clock = view.page.clock
    text = "" if clock is None else _time_text(clock.left_ms)
    return {"clock": clock, "clock_at": view.page.clock_at, "clock_text": text}


def _time_text(left_ms: int) -> str:
    minutes, seconds = divmod(max(left_ms, 0) // 1000, 60)
    return f"{minutes}:{seconds:02}"


def _front(view: ScreenView) -> Mapping[str, Any]:
    one = newest_round(view.page)
    matches = sorted(one.played, key=_place) if one else []
    return {
        **_clock(view),
        "round": one,
        "rows": [match_row(view.page, match, view.wording) for match in matches],
        "byes": names_of(view.page, one.byes) if one else [],
        "tables": [] if one else _playing(view),
    }


def _playing(view: ScreenView) -> list[TableRow]:
    """Returns the tables with a game, by number, which may be played also without a round."""
    tables = sorted(view.page.tables, key=lambda table: table.number)
    return [table_row(view.page, one, view.wording) for one in tables if one.game is not None]


def _place(match: DrawnMatch) -> tuple[int, str]:
    return match.table or 10_000, match.id


def _ranks(view: ScreenView) -> Mapping[str, Any]:
    chosen = view.page.tournament.order if view.page.tournament else ()
    return {**_clock(view), "rows": standing_rows(view.page), "tie_breaks": chosen}


def _wall(view: ScreenView) -> Mapping[str, Any]:
    return {**_front(view), "ranks": standing_rows(view.page)}


def _mine(view: ScreenView) -> Mapping[str, Any]:
    player, one = view.page.state.players.get(view.item), newest_round(view.page)
    played = one.played if one else ()
    match = next((match for match in played if view.item in match.players), None)
    others = [other for other in match.players if other != view.item] if match else []
    return {
        **_clock(view),
        "name": player and view.page.shown_name(player.id),
        "round": one,
        "row": match and match_row(view.page, match, view.wording),
        "others": names_of(view.page, others),
        "is_first": match is not None and match.players[0] == view.item,
        "has_bye": one is not None and view.item in one.byes,
    }


SPECTATOR_SCREENS: Final = {
    "front": ScreenKind(("roundclock", "pairings"), _front, is_public=True),
    "ranks": ScreenKind(("ranking",), _ranks, is_public=True),
    "wall": ScreenKind(("roundclock", "wallpairings", "wallranks"), _wall, is_public=True),
    "mine": ScreenKind(("roundclock", "mine"), _mine, is_public=True),
}
"""Kinds of screens by name; the fragments are templates in `templates/hall/fragments`."""
