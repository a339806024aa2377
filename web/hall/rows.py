"""Rows of the organiser's lists: what the templates show, with sentences and in order."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from firmware.hall.tournament.codes import MatchState, RoundStage
from firmware.hall.tournament.matches import (
    DrawnMatch,
    DrawnRound,
    OutcomeReport,
)
from firmware.hall.tournament.standings import RankedPlayer
from web.hall.page import HallPage, HallTable, TableState
from web.i18n.hall_wording import HallWording

_WORST: Final = tuple(TableState)
"""States of a table, worst first."""

_AT_GAME: Final = (TableState.PLAYING, TableState.FINISHED)
"""States of a table that tell of the game on it alone."""

_URGENT: Final = (MatchState.CONFLICTING, MatchState.DISPUTED, MatchState.REPORTED)
"""States of a match in which the organiser has something to do, worst first."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One table of the list.

    Attributes:
        table: the table.
        sentence: what happens there.
        since_ms: time at which that began, for scripts; None where it does not matter.
        url: address of the table's own page; empty if unknown.
        match: id of its match; empty without one.
        who: names of the players, or of the sides of its game.
    """

    table: HallTable
    sentence: str
    since_ms: int | None
    url: str
    match: str
    who: str


def table_rows(page: HallPage, wording: HallWording) -> list[TableRow]:
    """Returns the tables, worst first; tables in the same state by number."""
    tables = sorted(page.tables, key=lambda one: (_WORST.index(one.state), one.number))
    return [table_row(page, table, wording) for table in tables]


def table_row(page: HallPage, table: HallTable, wording: HallWording) -> TableRow:
    """Returns the row of a table."""
    match = match_at(page, table)
    sides = (side.name for side in table.sides if side.name)
    names = names_of(page, match.players) if match else list(sides)
    clause = _table_clause(table, wording)
    if match and page.is_waiting(match) and table.state in _AT_GAME:
        clause = wording.match_state("waits")
    has_age = table.since and table.state not in (
        TableState.PLAYING,
        TableState.FINISHED,
        TableState.WAITING,
    )
    return TableRow(
        table=table,
        sentence=wording.capital(clause),
        since_ms=round(1000 * table.since) if has_age else None,
        url=table.url if table.url.startswith(("http://", "https://")) else "",
        match=match.id if match else "",
        who=" – ".join(names),
    )


def match_at(page: HallPage, table: HallTable) -> DrawnMatch | None:
    """Returns the match that a table plays or is to play, of a published round."""
    wanted = table.match or table.match_sent
    published = [one for one in page.rounds if one.stage is RoundStage.PUBLISHED]
    matches = [match for one in published for match in one.played]
    found = next((match for match in matches if match.id == wanted), None)
    return found or next((match for match in matches if match.table == table.number), None)


def _table_clause(table: HallTable, wording: HallWording) -> str:
    clause = _detailed_clause(table, wording)
    return wording.table_state(table.state) if clause is None else clause


def _detailed_clause(table: HallTable, wording: HallWording) -> str | None:
    """Returns a clause with the facts of a state; None where there are none."""
    clause = None
    match table.state:
        case TableState.FAULT if table.faults:
            clause = wording.fault(table.faults)
        case TableState.PLAYING if table.ply:
            clause = wording.say("table-playing", count=table.ply)
        case TableState.FINISHED if table.sides:
            result = " : ".join(_score_text(side.score) for side in table.sides)
            clause = wording.say("table-finished", result=result)
        case TableState.WAITING if table.match_sent:
            clause = wording.say("table-waiting", match=table.match_sent)
    return clause


def names_of(page: HallPage, players: Iterable[str]) -> list[str]:
    """Returns the names of players by id, in the same order."""
    return [page.shown_name(player) for player in players]


@dataclass(frozen=True, slots=True)
class ReportRow:
    """One report of a result.

    Attributes:
        key: key of the report.
        source: sentence on who sent it.
        scores: scores of the players, in the order of the match.
        notes: sentences on who confirmed and who disputes it.
        counts: True if it is the result that counts.
    """

    key: str
    source: str
    scores: tuple[int, ...]
    notes: tuple[str, ...]
    counts: bool


@dataclass(frozen=True, slots=True)
class MatchRow:
    """One match of a round.

    Attributes:
        match: the match.
        state: state of the match.
        names: names of the players, in the order of play.
        clause: a few words on it.
        scores: scores of the result that counts, as texts.
        absent: names of the players who were absent; none unless it ended by forfeit.
        reports: all different reports.
        url: address of the table's own page.
    """

    match: DrawnMatch
    state: MatchState
    names: tuple[str, ...]
    clause: str
    scores: tuple[str, ...]
    absent: tuple[str, ...]
    reports: tuple[ReportRow, ...]
    url: str

    @property
    def is_urgent(self) -> bool:
        """True if the organiser has something to do."""
        return self.state in _URGENT


def match_rows(page: HallPage, one: DrawnRound, wording: HallWording) -> list[MatchRow]:
    """Returns the matches of a round; those that wait for the organiser first."""
    rows = [match_row(page, match, wording) for match in one.played]
    return sorted(rows, key=lambda row: (_urgency(row), row.match.table or 999, row.match.id))


def _urgency(row: MatchRow) -> int:
    return _URGENT.index(row.state) if row.is_urgent else len(_URGENT)


def match_row(page: HallPage, match: DrawnMatch, wording: HallWording) -> MatchRow:
    """Returns the row of a match."""
    table, state, outcome = page.table(match.table), page.match_state(match), match.outcome
    return MatchRow(
        match=match,
        state=state,
        names=tuple(names_of(page, match.players)),
        clause=wording.capital(wording.match_state("waits" if page.is_waiting(match) else state)),
        scores=tuple(map(_score_text, outcome.scores)) if outcome else (),
        absent=tuple(names_of(page, match.ruling.absent)) if match.ruling else (),
        reports=tuple(_report_row(page, match, report, wording) for report in match.reports),
        url=table_row(page, table, wording).url if table else "",
    )


def _score_text(score: int) -> str:
    return str(score).replace("-", "−")


def _report_row(
    page: HallPage, match: DrawnMatch, report: OutcomeReport, wording: HallWording
) -> ReportRow:
    source = wording.hall("by-camera", table=report.table)
    notes = []
    if report.confirmed_by:
        names = wording.listed(names_of(page, report.confirmed_by))
        notes.append(wording.hall("confirmed-by", names=names))
    if report.disputed_by:
        names = wording.listed(names_of(page, report.disputed_by))
        reason = f" ({report.reason})" if report.reason else ""
        notes.append(wording.hall("disputed-by", names=names) + reason)
    scores = report.outcome.scores
    counts = match.outcome is not None and match.outcome.scores == scores
    return ReportRow(report.key, source, scores, tuple(notes), counts)


def find_match(page: HallPage, identity: str) -> tuple[DrawnRound, DrawnMatch] | None:
    """Returns a match and its round by the id of the match; None if there is none."""
    for one in page.rounds:
        for match in one.played:
            if match.id == identity:
                return one, match
    return None


def waiting_results(page: HallPage) -> int:
    """Returns the number of matches that wait for the organiser."""
    return sum(page.match_state(one) in _URGENT for drawn in page.rounds for one in drawn.played)


def standing_rows(page: HallPage) -> list[tuple[str, RankedPlayer]]:
    """Returns the lines of the standings, each with the name of its player."""
    return list(
        zip(names_of(page, (one.player for one in page.standings)), page.standings, strict=True)
    )
