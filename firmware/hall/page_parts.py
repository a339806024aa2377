"""The parts of the hall's page, from the tournament and from the tables. Pure."""

from collections.abc import Iterable, Mapping
from itertools import groupby

from firmware.hall.link.messages import ColourSummary
from firmware.hall.names import public_name
from firmware.hall.table_monitor import WatchedTable
from firmware.hall.tournament.codes import RoundStage, UnusualCode
from firmware.hall.tournament.draw import unusual
from firmware.hall.tournament.matches import DrawnRound, RoundWarning
from firmware.hall.tournament.standings import standings
from firmware.hall.tournament.state import TournamentState
from web.contract import GameKey
from web.hall.page import HallPage, HallTable, TableSide


def public_names(state: TournamentState, names: Mapping[str, str]) -> dict[str, str]:
    """Returns the public name of each player by id."""
    return {one.id: public_name(one, names.get(one.id)) for one in state.players.values()}


def tournament_page(state: TournamentState, names: Mapping[str, str], tables: int) -> HallPage:
    """Returns the page with all that depends on the tournament alone.

    Args:
        state: the tournament.
        names: full names by id of the player.
        tables: number of the tables on the roster.
    """
    return HallPage(
        state=state,
        names={player: names[player] for player in state.players if player in names},
        public_names=public_names(state, names),
        standings=standings(state) if state.newest_public else (),
        warnings={one.number: _warnings(state, one, tables) for one in state.rounds},
    )


def _warnings(state: TournamentState, one: DrawnRound, tables: int) -> tuple[RoundWarning, ...]:
    """Returns the warnings about a round; that tables are missing is said once."""
    missing = UnusualCode.MISSING_TABLE
    found = tuple(warning for warning in unusual(state, one.number) if warning.code is not missing)
    is_short = one.stage is not RoundStage.LOCKED and len(one.played) > tables
    return (*found, RoundWarning(missing)) if is_short else found


def at_play(state: TournamentState, tables: Iterable[HallTable]) -> frozenset[str]:
    """Returns the ids of the matches of published rounds that tables play now."""
    published = [one for one in state.rounds if one.stage is RoundStage.PUBLISHED]
    known = {match.id for one in published for match in one.matches}
    return frozenset(one.match for one in tables if one.match in known and one.ply)


def table_part(table: WatchedTable, match_sent: str) -> HallTable:
    """Returns a table as the pages show it.

    Args:
        table: what is known of it.
        match_sent: id of the match that the hall offers it; empty without one.
    """
    status, summary = table.status, table.summary
    game = summary.game if summary else ""
    return HallTable(
        number=table.number,
        state=table.state,
        since=table.since_s,
        is_online=table.is_online,
        url=status.url if status else "",
        faults=summary.faults if summary else (),
        match=summary.pairing if summary else "",
        match_sent=match_sent,
        game=next((key for key in GameKey if key == game), None),
        ply=summary.ply if summary else 0,
        sides=_sides(summary.colours) if summary else (),
    )


def _sides(colours: Iterable[ColourSummary]) -> tuple[TableSide, ...]:
    """Returns the sides: colours of the same person are one side."""
    grouped = [
        list(group)
        for _, group in groupby(enumerate(colours), key=lambda one: one[1].player or str(one[0]))
    ]
    return tuple(
        TableSide(group[0][1].player, sum(one.score or 0 for _, one in group)) for group in grouped
    )
