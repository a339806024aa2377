"""Commands of an organiser that record one event of a round, as its page sends them."""

from firmware.hall.tournament.events import (
    MatchForfeited,
    MatchMoved,
    MatchResultConfirmed,
    PlayersSwapped,
    ResultCorrected,
    RoundDiscarded,
    RoundLocked,
    RoundPublished,
)
from firmware.hall.tournament.matches import MatchOutcome
from web.hall.commands import RecordEvent


def discard_round(number: int, revision: int) -> RecordEvent:
    return RecordEvent(RoundDiscarded(number), number, revision)


def publish_round(number: int, revision: int) -> RecordEvent:
    return RecordEvent(RoundPublished(number), number, revision)


def lock_round(number: int, revision: int) -> RecordEvent:
    return RecordEvent(RoundLocked(number), number, revision)


def swap_players(number: int, revision: int, one: str, other: str) -> RecordEvent:
    return RecordEvent(PlayersSwapped(number, one, other), number, revision)


def move_match(number: int, revision: int, match: str, table: int) -> RecordEvent:
    return RecordEvent(MatchMoved(match, table), number, revision)


def confirm_report(number: int, revision: int, match: str, key: str) -> RecordEvent:
    return RecordEvent(MatchResultConfirmed(match, key), number, revision)


def type_result(
    number: int, revision: int, match: str, scores: tuple[int, ...], reason: str = ""
) -> RecordEvent:
    outcome = MatchOutcome.by_scores(scores)
    return RecordEvent(ResultCorrected(match, outcome, reason), number, revision)


def forfeit(
    number: int, revision: int, match: str, absent: tuple[str, ...], reason: str = ""
) -> RecordEvent:
    return RecordEvent(MatchForfeited(match, absent, reason), number, revision)
