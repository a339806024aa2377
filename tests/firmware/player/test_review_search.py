"""The loss of a move: equal effort on both sides of a comparison, and proofs."""

import pytest

from firmware.player.review_search import (
    SIMULATIONS,
    SearchTask,
    estimate,
    missing_task,
    position_value,
)
from firmware.player.search_result import SearchedMove, SearchResult
from firmware.rules.board import Move
from tests.support.reviewed_games import random_course

COURSE = random_course()
AT = next(
    at
    for at in range(len(COURSE.plies) - 4, 0, -1)
    if COURSE.side_at(at) != COURSE.side_at(at + 1) and len(COURSE.positions[at].legal_moves) > 2
)
PLAYED = COURSE.plies[AT].move
BEST, OTHER = [one for one in COURSE.positions[AT].legal_moves if one != PLAYED][:2]


def outcome(
    *choices: tuple[Move, float, int, int | None],
    at: int = AT,
    only: Move | None = None,
    proved: int | None = None,
) -> dict[SearchTask, SearchResult]:
    task = SearchTask(at, only)
    found = tuple(SearchedMove(m, value, 10 * value, n, p) for m, value, n, p in choices)
    return {task: SearchResult(found, SIMULATIONS, proved=proved)}


def test_a_move_with_few_simulations_needs_a_search_of_its_own() -> None:
    free = outcome((BEST, 0.6, 800, None), (PLAYED, 0.9, 399, None))
    assert estimate(COURSE, free, AT) is None
    assert missing_task(COURSE, free, AT) == SearchTask(AT, PLAYED)
    own = outcome((PLAYED, 0.4, 1000, None), only=PLAYED)
    found = estimate(COURSE, free | own, AT)
    assert found is not None
    assert (found.before, found.after, found.points_lost) == (0.6, 0.4, 2.0)
    assert found.loss == pytest.approx(0.2)
    assert missing_task(COURSE, free | own, AT) is None


def test_a_move_that_is_better_than_the_best_costs_nothing() -> None:
    free = outcome((BEST, 0.5, 500, None), (PLAYED, 0.55, 480, None))
    found = estimate(COURSE, free, AT)
    assert found is not None
    assert (found.before, found.loss, found.points_lost) == (0.55, 0.0, 0.0)
    assert found.best.move == PLAYED


def test_proofs_before_and_after_give_the_exact_loss() -> None:
    free = outcome((BEST, 1.0, 0, 3), (PLAYED, 1.0, 0, None), proved=3)
    following = next(iter(COURSE.positions[AT + 1].legal_moves))
    after = outcome((following, 1.0, 0, 2), at=AT + 1, proved=2)
    found = estimate(COURSE, free | after, AT)
    assert found is not None
    assert (found.proved_before, found.proved_after) == (3, -2)
    assert (found.before, found.after, found.points_lost) == (1.0, 0.0, 5.0)
    assert missing_task(COURSE, free, AT) is None, "a proof needs no further search"


def test_a_bound_never_tells_more_loss_than_there_is() -> None:
    free = outcome((BEST, 1.0, 0, 3), (PLAYED, 0.5, 0, None), proved=3)
    found = estimate(COURSE, free, AT)
    assert found is not None
    assert found.proved_after is None
    assert found.loss == 0.5


def test_the_better_move_of_a_proof_is_one_that_it_proves() -> None:
    free = outcome((OTHER, 1.0, 0, None), (BEST, 1.0, 0, 3), (PLAYED, 0.0, 0, -1), proved=3)
    found = estimate(COURSE, free, AT)
    assert found is not None
    assert found.best.move == BEST
    assert found.proved_after == -1


def test_the_value_of_a_position_is_its_proof_if_there_is_one() -> None:
    assert position_value(outcome((BEST, 0.6, 500, None)), AT) == 0.6
    assert position_value(outcome((BEST, 0.6, 500, None), proved=0), AT) == 0.5
    assert position_value({}, AT) is None


def test_a_position_without_an_answer_is_not_searched_again() -> None:
    nothing = outcome()
    assert missing_task(COURSE, nothing, AT) is None
    assert estimate(COURSE, nothing, AT) is None
