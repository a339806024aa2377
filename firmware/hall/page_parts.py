"""The parts of the hall's page, from the tournament and from the tables. Pure."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from itertools import groupby

from firmware.hall.command_events import warnings_of
from firmware.hall.link.messages import ColourSummary
from firmware.hall.names import public_form, public_name
from firmware.hall.table_monitor import WatchedTable
from firmware.hall.tournament.codes import RoundStage, UnusualCode
from firmware.hall.tournament.draw import unusual
from firmware.hall.tournament.matches import DrawnMatch, MatchEnd, Source, Standing
from firmware.hall.tournament.points import PlayerRound, player_rounds
from firmware.hall.tournament.presets import tie_breaks_of
from firmware.hall.tournament.rounds import DrawnRound
from firmware.hall.tournament.standings import standings
from firmware.hall.tournament.state import TournamentState
from web.contract import Colour, GameKey
from web.hall.page import (
    HallMatch,
    HallPlayer,
    HallResult,
    HallRound,
    HallStanding,
    HallTable,
    HallTournament,
    MatchReport,
    MatchState,
    ReportSource,
    ResultKind,
    RoundWarning,
    TableSide,
)

_STATES = {
    Standing.OPEN: MatchState.OPEN,
    Standing.REPORTED: MatchState.REPORTED,
    Standing.CONFLICTING: MatchState.CONFLICTING,
    Standing.DISPUTED: MatchState.DISPUTED,
    Standing.DONE: MatchState.DONE,
}
"""Codes of the page for the standing of a match in the tournament."""


def tournament_part(state: TournamentState) -> HallTournament | None:
    """Returns what was chosen for the tournament; None before it is."""
    chosen = state.settings
    if chosen is None:
        return None
    return HallTournament(
        revision=state.settings_revision,
        name=chosen.name,
        game=GameKey(chosen.game),
        preset=chosen.preset,
        rounds=chosen.rounds,
        tie_breaks=tie_breaks_of(chosen),
        clock_s=chosen.clock_s,
        round_s=chosen.round_s,
        is_finished=state.is_finished,
    )


def public_names(state: TournamentState, names: Mapping[str, str]) -> dict[str, str]:
    """Returns the public name of each player by id."""
    return {one.id: public_name(one, names.get(one.id)) for one in state.players.values()}


def players_part(state: TournamentState, names: Mapping[str, str]) -> tuple[HallPlayer, ...]:
    """Returns the players in the order of entry."""
    public = public_names(state, names)
    return tuple(
        HallPlayer(
            id=one.id,
            name=names.get(one.id, ""),
            public_name=public[one.id],
            form=public_form(one),
            is_minor=one.is_minor,
            from_round=one.from_round,
            withdrawn_from=one.withdrawn_from,
            byes=one.byes,
        )
        for one in state.players.values()
    )


def standings_part(state: TournamentState) -> tuple[HallStanding, ...]:
    """Returns the standings so far; empty before a round is published."""
    if not any(one.stage is not RoundStage.DRAWN for one in state.rounds):
        return ()
    return tuple(
        HallStanding(
            place=row.place,
            player=row.player,
            points=float(row.points),
            tie_breaks=tuple(None if one is None else float(one) for one in row.tie_breaks),
            played=row.played,
        )
        for row in standings(state)
    )


def rounds_part(state: TournamentState, tables: int) -> tuple[HallRound, ...]:
    """Returns the rounds.

    Args:
        state: the tournament.
        tables: number of the tables on the roster.
    """
    if state.settings is None:
        return ()
    points = player_rounds(state)
    return tuple(_round(state, one, points, tables) for one in state.rounds)


def _round(
    state: TournamentState,
    one: DrawnRound,
    points: Mapping[str, tuple[PlayerRound, ...]],
    tables: int,
) -> HallRound:
    matches = [match for match in one.matches if not match.is_bye]
    found = [
        warning
        for warning in warnings_of(unusual(state, one.number))
        if warning.code is not UnusualCode.MISSING_TABLE
    ]
    if one.stage is not RoundStage.LOCKED and len(matches) > tables:
        found.append(RoundWarning(UnusualCode.MISSING_TABLE))
    return HallRound(
        number=one.number,
        revision=state.revision(one.number),
        state=one.stage,
        matches=tuple(_match(match, points, one.number) for match in matches),
        byes=tuple(match.players[0] for match in one.matches if match.is_bye),
        warnings=tuple(found),
    )


def _match(
    match: DrawnMatch, points: Mapping[str, tuple[PlayerRound, ...]], number: int
) -> HallMatch:
    state = MatchState.CONFLICTING if match.is_contradicted else _STATES[match.standing]
    return HallMatch(
        id=match.id,
        table=match.table,
        players=match.players,
        state=state,
        reports=tuple(
            MatchReport(
                key=report.key,
                source=(
                    ReportSource.CAMERA
                    if report.source is Source.CAMERA
                    else ReportSource.ORGANISER
                ),
                scores=report.outcome.scores,
                game=report.game,
                table=report.table,
                confirmed_by=report.confirmed_by,
                disputed_by=report.disputed_by,
                reason=report.reason,
            )
            for report in match.reports
        ),
        result=_result(match, points, number),
    )


def _result(
    match: DrawnMatch, points: Mapping[str, tuple[PlayerRound, ...]], number: int
) -> HallResult | None:
    outcome, ruling = match.outcome, match.ruling
    if outcome is None:
        return None
    parts = [
        next((part for part in points.get(player, ()) if part.number == number), None)
        for player in match.players
    ]
    return HallResult(
        kind=ResultKind.FORFEIT if outcome.end is MatchEnd.FORFEIT else ResultKind.PLAYED,
        scores=outcome.scores,
        points=tuple(float(part.points) if part else 0.0 for part in parts),
        absent=ruling.absent if ruling else (),
        reason=ruling.reason if ruling else "",
        is_corrected=ruling is not None and ruling.is_correction,
    )


def at_play(rounds: Iterable[HallRound], tables: Iterable[HallTable]) -> tuple[HallRound, ...]:
    """Returns the rounds with the matches marked that tables play now."""
    playing = {table.match for table in tables if table.match and table.ply}
    return tuple(
        replace(one, matches=tuple(_at_play(match, playing) for match in one.matches))
        if one.state is RoundStage.PUBLISHED
        else one
        for one in rounds
    )


def _at_play(match: HallMatch, playing: Collection[str]) -> HallMatch:
    if match.state is not MatchState.OPEN or match.id not in playing:
        return match
    return replace(match, state=MatchState.PLAYING)


def table_part(table: WatchedTable, match_sent: str, players: tuple[str, ...]) -> HallTable:
    """Returns a table as the pages show it.

    Args:
        table: what is known of it.
        match_sent: id of the match that the hall offers it; empty without one.
        players: ids of the players of the match that it plays, in the order of play.
    """
    status, summary, page = table.status, table.summary, table.page
    piece = page.refused[0] if page is not None and page.refused else None
    offender = page.colours[piece.colour].player if page is not None and piece is not None else ""
    game = summary.game if summary else ""
    return HallTable(
        number=table.number,
        label=table.label,
        state=table.state,
        since=table.since_s,
        is_online=table.is_online,
        url=status.url if status else "",
        referee=summary.state if summary else None,
        rule=piece.reasons[0].rule if piece else None,
        offender=offender,
        faults=summary.faults if summary else (),
        match=summary.pairing if summary else "",
        match_sent=match_sent,
        game=next((key for key in GameKey if key == game), None),
        ply=summary.ply if summary else 0,
        sides=_sides(summary.colours, players) if summary else (),
        clocks_at=table.clocks_s,
        winners=(),
    )


def _sides(colours: Iterable[ColourSummary], players: tuple[str, ...]) -> tuple[TableSide, ...]:
    """Returns the sides: colours of the same person are one side."""
    grouped = [
        list(group)
        for _, group in groupby(enumerate(colours), key=lambda one: one[1].player or str(one[0]))
    ]
    return tuple(
        TableSide(
            colours=tuple(Colour(one.name, one.letter, one.ink, one.player) for _, one in group),
            player=players[at] if len(players) == len(grouped) else "",
            name=group[0][1].player,
            score=sum(one.score or 0 for _, one in group),
        )
        for at, group in enumerate(grouped)
    )
