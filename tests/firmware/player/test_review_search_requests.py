"""A search of a review as a request, and its answer as a result."""

import pytest

from firmware.player import review_search
from firmware.player.client import EngineClient
from firmware.player.review_search import SearchTask, outcome_of, request_of
from firmware.player.search_result import SearchedMove, SearchResult
from firmware.rules.board import Move
from tests.support.reviewed_games import random_course

START_S = 300
"""Seconds for the start of a process, which compiles after a change."""


def answer(*cells: str, visits: int = 100) -> SearchResult:
    choices = tuple(SearchedMove(Move.parse(c, 14), 0.5, 1.0, visits) for c in cells)
    return SearchResult(choices, 1000, 0.1, done=True)


def test_only_the_best_of_all_moves_has_reasons() -> None:
    course = random_course()
    assert request_of(course, SearchTask(0)).reasons == 1
    alone = request_of(course, SearchTask(0, course.plies[0].move))
    assert alone.reasons == 0
    assert alone.only == (str(course.plies[0].move),)


def test_what_is_not_legal_or_was_not_searched_is_left_out() -> None:
    course = random_course()
    task = SearchTask(0)
    assert outcome_of(course, task, answer("a1,a2")).choices == ()
    legal = str(next(iter(course.positions[0].legal_moves)))
    assert outcome_of(course, task, answer(legal, visits=0)).choices == ()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["duo", "classic", "duo-4-3"])
def test_the_player_searches_one_move_alone(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review_search, "SIMULATIONS", 200)
    course = random_course(game)
    link = EngineClient(memory_mb=16)
    try:
        for at in (0, len(course.plies) // 2):
            free = SearchTask(at)
            only = SearchTask(at, course.plies[at].move)
            for task in (free, only, free):
                request = link.ask(request_of(course, task))
                found = link.wait(request, START_S)
                assert found is not None
                outcome = outcome_of(course, task, found)
                assert outcome.best is not None
                assert 0 <= outcome.best.value <= 1
                if task.only is not None:
                    assert [one.move for one in found.choices] == [task.only]
                    assert found.choices[0].visits == 200
    finally:
        link.close()
