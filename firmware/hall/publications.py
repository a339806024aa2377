"""Messages of the hall to its tables and to the public, from the tournament. Pure.

Names are in their public form in every message. What spectators get is a copy under `show/`.
"""

from collections.abc import Mapping
from dataclasses import replace

from firmware.hall.link.messages import (
    ClubMessage,
    PairingEntry,
    Pairings,
    SeatAssignment,
    Standings,
    StandingsEntry,
    Summary,
)
from firmware.hall.link.topics import HallTopics, table_text
from firmware.hall.names import short_name
from firmware.hall.tournament.codes import MatchState, RoundStage
from firmware.hall.tournament.draw import game_of
from firmware.hall.tournament.matches import DrawnMatch
from firmware.hall.tournament.standings import standings
from firmware.hall.tournament.state import TournamentState
from web.contract import GameKey, MatchPlayer, RoundClock
from web.contract.commands import LONGEST_NAME


def match_wanted(state: TournamentState, table: int) -> DrawnMatch | None:
    """Returns the match that is to be played at a table; None if there is none.

    It is wanted until its result is decided, so that people at the table can confirm it.
    """
    one = state.newest_public
    if one is None or one.stage is RoundStage.LOCKED:
        return None
    matches = (match for match in one.matches if match.table == table and not match.is_bye)
    return next((match for match in matches if match.state is not MatchState.DONE), None)


def seat_message(
    state: TournamentState, names: Mapping[str, str], table: int
) -> SeatAssignment | None:
    """Returns the match for a table; None if none is wanted there.

    Args:
        state: the tournament.
        names: public names by id of the player.
        table: number of the table.
    """
    one, match = state.newest_public, match_wanted(state, table)
    if one is None or match is None:
        return None
    return SeatAssignment(
        round=one.number,
        pairing=match.id,
        game=GameKey(game_of(state, len(match.players))),
        players=_people(match.players, names),
        first=match.players[0],
        clock_s=state.agreed.clock_s,
    )


def tournament_messages(
    state: TournamentState,
    names: Mapping[str, str],
    tables: tuple[int, ...],
    topics: HallTopics,
) -> dict[str, ClubMessage | None]:
    """Returns the newest message of each topic that depends on the tournament.

    Args:
        state: the tournament.
        names: public names by id of the player.
        tables: numbers of the tables on the roster.
        topics: topics of the hall.

    Returns:
        The message by topic; None for a topic that is to be cleared.
    """
    pairings, ranking = _pairings(state, names), _standings(state, names)
    return {
        **{topics.seat(table_text(one)): seat_message(state, names, one) for one in tables},
        topics.pairings: pairings,
        topics.standings: ranking,
        topics.show("pairings"): pairings,
        topics.show("standings"): ranking,
    }


def clock_message(state: TournamentState, left_ms: int) -> RoundClock | None:
    """Returns the clock of the round that is played; None if it has none."""
    one, clock = state.newest_public, state.clock
    if one is None or clock is None or clock.round != one.number:
        return None
    running = clock.is_running and one.stage is RoundStage.PUBLISHED
    return RoundClock(round=one.number, left_ms=left_ms, running=running)


def shown_summary(summary: Summary, known: frozenset[str]) -> Summary:
    """Returns the public copy of a table's summary.

    Names of a match are public forms already; any other name, of a game by the way, is made short.

    Args:
        summary: what the table sent.
        known: public names of the players of the tournament.
    """
    colours = tuple(replace(one, player=_shown(one.player, known)) for one in summary.colours)
    return replace(summary, colours=colours, faults=(), ask=None, agreed=())


def _shown(name: str, known: frozenset[str]) -> str:
    words = name.split()
    return name if name in known or not words else short_name(words)


def _people(players: tuple[str, ...], names: Mapping[str, str]) -> tuple[MatchPlayer, ...]:
    return tuple(MatchPlayer(one, table_name(names.get(one, one)) or one) for one in players)


def table_name(name: str) -> str:
    """Returns a name as tables take it: printable, and at most 40 characters.

    Joiners within emoji, and marks of direction, are no printable characters; a family of four
    becomes four faces.
    """
    return "".join(sign for sign in name if sign.isprintable())[:LONGEST_NAME].strip()


def _pairings(state: TournamentState, names: Mapping[str, str]) -> Pairings | None:
    one = state.newest_public
    if one is None:
        return None
    return Pairings(
        round=one.number,
        locked=one.stage is RoundStage.LOCKED,
        game=state.agreed.game,
        matches=tuple(
            PairingEntry(
                pairing=match.id,
                table=table_text(match.table) if match.table else "",
                players=_people(match.players, names),
                first=match.players[0],
                result=_result(match),
            )
            for match in one.matches
            if not match.is_bye
        ),
        byes=_people(tuple(m.players[0] for m in one.matches if m.is_bye), names),
    )


def _result(match: DrawnMatch) -> str:
    """The result in short: scores, or the places where there are none."""
    outcome = match.outcome
    if outcome is None:
        return ""
    return ":".join(map(str, outcome.scores or outcome.places))


def _standings(state: TournamentState, names: Mapping[str, str]) -> Standings | None:
    one = state.newest_public
    if one is None:
        return None
    return Standings(
        round=one.number,
        tie_breaks=tuple(state.agreed.order),
        rows=tuple(
            StandingsEntry(
                place=row.place,
                player=_people((row.player,), names)[0],
                points=round(float(row.points), 3),
                tie_breaks=tuple(round(float(value or 0), 3) for value in row.tie_breaks),
                played=row.played,
            )
            for row in standings(state)
        ),
    )
