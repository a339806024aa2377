"""Events that the results of a table lead to. Pure.

A table repeats its results after each connection, so what is known already leads to nothing.
"""

import logging
from collections.abc import Iterable, Iterator
from typing import Final

from firmware.codes import EndReason, Scoring
from firmware.hall.tournament.codes import RoundStage
from firmware.hall.tournament.errors import TournamentError
from firmware.hall.tournament.events import (
    MatchResultConfirmed,
    MatchResultDisputed,
    ResultReported,
    TournamentEvent,
)
from firmware.hall.tournament.matches import DrawnMatch, MatchEnd, MatchOutcome
from firmware.hall.tournament.state import TournamentState, apply_event
from web.contract import AnswerKind, MatchResult, SideAnswer

_ENDS: Final = {
    EndReason.SCORE: MatchEnd.SCORE,
    EndReason.RESIGNED: MatchEnd.RESIGNED,
    EndReason.TIME: MatchEnd.TIME,
}
"""Ends of a game that decide a match; an abandoned game decides none."""

_log = logging.getLogger(__name__)


def events_of_results(
    state: TournamentState,
    table: int,
    results: Iterable[MatchResult],
    at: str = "",
) -> tuple[TournamentEvent, ...]:
    """Returns the events that results of a table lead to; none for what is known.

    Args:
        state: the tournament.
        table: number of the table that sent the results.
        results: the results.
        at: time of day.
    """
    events: list[TournamentEvent] = []
    for result in results:
        match = _match(state, result, table)
        outcome = None if match is None else _outcome(match, result)
        if match is None or outcome is None:
            continue
        for event in _events(match, outcome, result, table, at):
            try:
                after = apply_event(state, event)
            except TournamentError as error:
                _log.warning("a result of table %d is ignored: %s", table, error)
                break
            if after is not state:
                events.append(event)
            state = after
    return tuple(events)


def _match(state: TournamentState, result: MatchResult, table: int) -> DrawnMatch | None:
    """Returns the match of a result; None if it is none of this table's."""
    try:
        one, match = state.round_of(result.match.id), state.match(result.match.id)
    except TournamentError:
        return None  # of another tournament, or a game by the way
    if one.stage is RoundStage.DRAWN or match.is_bye:
        return None
    # Players may still answer a result that was sent before the match was moved.
    if match.table != table and not any(report.table == table for report in match.reports):
        _log.warning("table %d has no match %s; its result is ignored", table, match.id)
        return None
    return match


def _outcome(match: DrawnMatch, result: MatchResult) -> MatchOutcome | None:
    """Returns the result in the order of the match's players; None if it decides nothing."""
    sides = dict(_sides(result))
    if set(sides) != set(match.players) or result.how not in _ENDS:
        return None
    if not any(side.won for side in result.sides):
        return None
    # In basic scoring the squares in hand count, of which fewer are better.
    sign = -1 if result.scoring is Scoring.BASIC else 1
    # Whoever won comes first whatever the scores are, as after a resignation.
    worth = {
        player: (side.won, 0 if side.won else sign * side.score) for player, side in sides.items()
    }
    ranks = [sum(one > worth[player] for one in worth.values()) for player in match.players]
    scores = [sign * sides[player].score for player in match.players]
    try:
        return MatchOutcome.by_ranks(scores, ranks, _ENDS[result.how])
    except TournamentError as error:
        _log.warning("a result of match %s is ignored: %s", match.id, error)
        return None


def _sides(result: MatchResult) -> Iterator[tuple[str, SideAnswer]]:
    """Yields the id of each player with the player's side."""
    players = result.match.players
    for side in result.sides:
        for person in side.people:
            if 0 <= person < len(players):
                yield players[person], side


def _events(
    match: DrawnMatch,
    outcome: MatchOutcome,
    result: MatchResult,
    table: int,
    at: str,
) -> Iterator[TournamentEvent]:
    by = f"table {table}"
    known = next((one for one in match.reports if one.outcome == outcome), None)
    key = known.key if known else str(len(match.reports) + 1)
    yield ResultReported(match.id, outcome, result.game, table, by=by, at=at)
    answers = list(_sides(result))
    for player, side in answers:
        if side.answer is AnswerKind.CONFIRMED:
            yield MatchResultConfirmed(match.id, key, player, by=by, at=at)
    for player, side in answers:
        if side.answer is AnswerKind.DISPUTED:
            yield MatchResultDisputed(match.id, key, player, side.sentence, by=by, at=at)
