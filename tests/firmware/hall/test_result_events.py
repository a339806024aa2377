"""Results of tables, as outcomes of matches."""

from dataclasses import replace

import pytest

from firmware.codes import EndReason, Scoring
from firmware.hall.result_events import events_of_results
from firmware.hall.tournament.events import (
    DrawnGroup,
    MatchMoved,
    MatchResultConfirmed,
    MatchResultDisputed,
    ResultReported,
    RoundDrawn,
    RoundPublished,
    TournamentEvent,
)
from firmware.hall.tournament.settings import TournamentSettings
from firmware.hall.tournament.state import TournamentState
from tests.support.typed_tournament import begun, fold
from web.contract import AnswerKind, MatchResult, PlayedMatch, SideAnswer

FOUR = ((0,), (1,), (2,), (3,))
TEAMS = ((0, 2), (1, 3))


def at_play(players: int = 4) -> TournamentState:
    game = "duo" if players == 2 else "classic"
    group = DrawnGroup(tuple(f"P{one}" for one in range(1, players + 1)), 1)
    state = begun(TournamentSettings("Open", game, 3), players)
    return fold((RoundDrawn(1, (group,)), RoundPublished(1)), state)


def judged(
    people: tuple[tuple[int, ...], ...],
    scores: tuple[int, ...],
    won: tuple[bool, ...],
    how: EndReason = EndReason.SCORE,
) -> MatchResult:
    ids = tuple(f"P{person}" for person in range(1, 1 + sum(map(len, people))))
    sides = tuple(
        SideAnswer(one, score, first) for one, score, first in zip(people, scores, won, strict=True)
    )
    return MatchResult(PlayedMatch("1-01", 1, ids), "g-1", how, sides)


def events_of(result: MatchResult, players: int = 4) -> tuple[TournamentEvent, ...]:
    return events_of_results(at_play(players), 1, (result,))


def places(result: MatchResult) -> list[int]:
    (event,) = events_of(result)
    assert isinstance(event, ResultReported)
    return list(event.outcome.places)


@pytest.mark.parametrize(
    ("scores", "won", "expected"),
    [
        ((5, 3, 3, 1), (True, False, False, False), [1, 2, 2, 4]),
        ((1, 7, 7, 2), (False, True, True, False), [4, 1, 1, 3]),
        ((0, 9, 1, 2), (True, False, False, False), [1, 2, 4, 3]),
    ],
)
def test_places_of_four_players(
    scores: tuple[int, ...], won: tuple[bool, ...], expected: list[int]
) -> None:
    assert places(judged(FOUR, scores, won)) == expected


def test_the_fewest_squares_win_under_the_basic_scoring() -> None:
    result = judged(FOUR, (9, 12, 2, 5), (False, False, True, False))
    basic = replace(result, scoring=Scoring.BASIC)
    assert places(basic) == [3, 4, 1, 2]
    (event,) = events_of(basic)
    assert isinstance(event, ResultReported)
    assert event.outcome.scores == (-9, -12, -2, -5)


def test_a_team_shares_its_place() -> None:
    assert places(judged(TEAMS, (4, 8), (False, True))) == [3, 1, 3, 1]


@pytest.mark.parametrize(
    "result",
    [
        judged(FOUR, (1, 1, 1, 1), (True,) * 4, EndReason.ABANDONED),
        judged(FOUR, (1, 1, 1, 1), (False,) * 4),
        judged(((0,), (1,)), (2, 1), (True, False)),
        judged(((0,), (1,), (2,), (7,)), (1, 2, 3, 4), (False, False, False, True)),
    ],
)
def test_a_result_that_decides_nothing_leads_to_nothing(result: MatchResult) -> None:
    assert events_of(result) == ()


def test_each_player_of_a_side_answers_with_its_reason() -> None:
    first, second = judged(TEAMS, (4, 8), (False, True)).sides
    sides = (
        replace(first, answer=AnswerKind.DISPUTED, sentence="no"),
        replace(second, answer=AnswerKind.CONFIRMED),
    )
    _, *answers = events_of(replace(judged(TEAMS, (4, 8), (False, True)), sides=sides))
    by = "table 1"
    assert answers == [
        MatchResultConfirmed("1-01", "1", "P2", by=by),
        MatchResultConfirmed("1-01", "1", "P4", by=by),
        MatchResultDisputed("1-01", "1", "P1", "no", by=by),
        MatchResultDisputed("1-01", "1", "P3", "no", by=by),
    ]


def test_a_dispute_counts_though_the_match_was_moved_to_another_table() -> None:
    result = judged(((0,), (1,)), (2, 1), (True, False))
    state = fold((*events_of(result, 2), MatchMoved("1-01", 2)), at_play(2))
    first, second = result.sides
    answer = replace(second, answer=AnswerKind.DISPUTED, sentence="wrong piece")
    (disputed,) = events_of_results(state, 1, (replace(result, sides=(first, answer)),))
    assert isinstance(disputed, MatchResultDisputed)


def test_a_result_that_is_known_leads_to_nothing() -> None:
    result = judged(((0,), (1,)), (2, 1), (True, False))
    state = fold(events_of(result, 2), at_play(2))
    assert events_of_results(state, 1, (result,)) == ()
    assert events_of_results(state, 2, (replace(result, game="g-2"),)) == ()
