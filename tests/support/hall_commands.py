"""Commands of an organiser that record one event of a round, and results that tables send."""

from collections.abc import Collection, Sequence

from firmware.codes import EndReason
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
from firmware.hall.tournament.matches import DrawnMatch, MatchOutcome
from web.contract import AnswerKind, MatchResult, PlayedMatch, SideAnswer
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


def table_result(
    match: DrawnMatch,
    scores: Sequence[int],
    *,
    game: str = "game-1",
    confirmed: Collection[str] = (),
    disputed: Collection[str] = (),
    sentence: str = "",
) -> MatchResult:
    """A result in which each player of a match is a side."""
    sides = []
    for person, (player, score) in enumerate(zip(match.players, scores, strict=True)):
        answer = AnswerKind.CONFIRMED if player in confirmed else AnswerKind.NONE
        answer = AnswerKind.DISPUTED if player in disputed else answer
        reason = sentence if player in disputed else ""
        sides.append(SideAnswer((person,), score, score == max(scores), answer, reason))
    played = PlayedMatch(match.id, int(match.id.partition("-")[0]), match.players)
    return MatchResult(played, game, EndReason.SCORE, tuple(sides))
