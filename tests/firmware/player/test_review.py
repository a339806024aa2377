"""The review: what is searched, and what is confirmed, with searches that the test makes up."""

from dataclasses import replace

import pytest

from firmware.player.review import STANDS, GameReview, review
from firmware.player.review_search import SearchTask
from firmware.player.search_result import SearchResult
from firmware.records.course import Course
from firmware.rules.variants import GAMES
from tests.support.reviewed_games import Search, completed, random_course, searched


def even(course: Course) -> Search:
    """Returns searches in which every move is as good as any other, and nobody leads."""
    return lambda task: searched(course, task, 0.5)


def with_losses(course: Course, losses: dict[int, float]) -> Search:
    """Returns searches in which the moves at some places cost much."""
    return lambda task: searched(course, task, 0.5 - (losses.get(task.at, 0) if task.only else 0))


def found(course: Course, search: Search) -> GameReview:
    return review(course, completed(course, search))


@pytest.mark.parametrize("game", GAMES)
def test_without_a_search_the_rules_alone_are_told(game: str) -> None:
    course = random_course(game)
    nothing = review(course, {})
    assert nothing.searched == 0
    assert nothing.to_search == len(course.plies)
    assert nothing.lives
    assert len(nothing.mobility) == len(course.plies) + 1
    assert not nothing.moments
    assert nothing.turning is None
    assert not nothing.is_complete


@pytest.mark.parametrize("game", GAMES)
def test_an_even_game_has_no_moments(game: str) -> None:
    course = random_course(game)
    results = completed(course, even(course))
    whole = review(course, results)
    assert whole.is_complete
    assert whole.searched == whole.to_search
    assert not whole.moments


def test_the_three_largest_losses_are_moments() -> None:
    course = random_course()
    losses = {3: 0.2, 5: 0.4, 8: 0.3, 10: 0.1}
    moments = found(course, with_losses(course, losses)).moments
    assert [one.at for one in moments] == [5, 8, 3]
    assert moments[0].estimate.loss == pytest.approx(0.4)
    assert all(one.better.move in one.accepted for one in moments)


def test_a_loss_below_the_threshold_is_no_moment() -> None:
    course = random_course()
    losses = {3: STANDS - 0.01}
    assert not found(course, with_losses(course, losses)).moments


def test_moves_near_the_best_count_and_the_played_one_does_not() -> None:
    course = random_course()
    played = course.plies[3].move
    near, far, best = [one for one in course.positions[3].legal_moves if one != played][:3]

    def search(task: SearchTask) -> SearchResult:
        outcome = searched(course, task, 0.1 if task.only else 0.5, best=best)
        if task.at != 3:
            return searched(course, task, 0.5)
        if task.only:
            return outcome
        first = outcome.choices[0]
        others = [(near, 0.46, 50), (far, 0.44, 50), (played, 0.48, 50)]
        more = [replace(first, move=m, value=v, visits=n) for m, v, n in others]
        return replace(outcome, choices=(first, *more))

    (moment,) = found(course, search).moments
    assert moment.accepted == (best, near)


def test_the_turning_point_is_the_last_change_of_leader() -> None:
    course = random_course()
    shares = course.shares()
    assert shares is not None
    assert sorted(shares) == [0.0, 1.0]
    winner = shares.index(1.0)
    turn = len(course.plies) // 2

    def search(task: SearchTask) -> SearchResult:
        leads = winner if task.at >= turn else 1 - winner
        return searched(course, task, 0.8 if course.side_at(task.at) == leads else 0.2)

    turning = found(course, search).turning
    assert turning is not None
    assert (turning.at, turning.side, turning.before) == (turn, winner, 1 - winner)


def test_of_four_sides_the_newest_chances_of_all_are_compared() -> None:
    course = random_course("classic", 2)
    shares = course.shares()
    assert shares is not None
    winner = shares.index(1.0)
    half = len(course.plies) // 2

    def search(task: SearchTask) -> SearchResult:
        leads = winner if task.at >= half else (winner + 1) % 4
        return searched(course, task, 0.8 if course.side_at(task.at) == leads else 0.3)

    whole = found(course, search)
    assert whole.turning is not None
    # Until then the newest chance of the other side is one of its own earlier moves.
    own = (at for at in range(half, len(course.plies)) if course.side_at(at) == (winner + 1) % 4)
    mine = (at for at in range(half, len(course.plies)) if course.side_at(at) == winner)
    assert whole.turning.at == max(next(own), next(mine))
    assert (whole.turning.side, whole.turning.before) in (
        (winner, (winner + 1) % 4),
        (winner, None),
    )


def test_you_could_have_won_only_where_it_is_proved() -> None:
    course = random_course()
    at = len(course.plies) - 2
    goes_on = course.side_at(at + 1) != course.side_at(at)

    def search(task: SearchTask) -> SearchResult:
        if task.at == at:
            return searched(course, task, 0.1 if task.only else 0.9, proved=4)
        if task.at == at + 1:
            return searched(course, task, 0.9, proved=3 if goes_on else -3)
        return searched(course, task, 0.5)

    moments = found(course, search).moments
    assert [one.at for one in moments] == [at]
    assert moments[0].could_have_won
    assert moments[0].estimate.points_lost == 7.0

    def unproved(task: SearchTask) -> SearchResult:
        outcome = search(task)
        choices = tuple(replace(one, proved=None) for one in outcome.choices)
        return replace(outcome, choices=choices, proved=None)

    moments = found(course, unproved).moments
    assert not any(one.could_have_won for one in moments)


def test_chances_of_two_sides_add_up_and_of_more_only_the_movers_is_known() -> None:
    course = random_course()
    for row in found(course, even(course)).chances[:-1]:
        assert sum(value or 0 for value in row) == pytest.approx(1)
    course = random_course("classic")
    rows = found(course, even(course)).chances
    for at, row in enumerate(rows[:-1]):
        assert [side for side, value in enumerate(row) if value is not None] == [course.side_at(at)]
    assert rows[-1] == course.shares()


def test_an_illegal_move_has_no_values_and_is_not_searched() -> None:
    course = random_course()
    plies = list(course.plies)
    plies[4] = replace(plies[4], colour=1 - plies[4].colour)
    course = Course(tuple(plies), course.final)
    results = completed(course, even(course))
    assert review(course, results).estimates[4] is None
    assert not any(task.at == 4 and task.only for task in results)


def test_a_played_move_with_enough_simulations_needs_no_search_of_its_own() -> None:
    course = random_course()

    def search(task: SearchTask) -> SearchResult:
        played = course.plies[task.at].move
        return searched(course, task, 0.5, best=played)

    assert all(task.only is None for task in completed(course, search))


def test_a_review_that_is_not_complete_has_no_moments_and_no_turning_point() -> None:
    course = random_course()
    losses = {3: 0.2}
    results = completed(course, with_losses(course, losses), most=12)
    begun = review(course, results)
    assert 0 < begun.searched < begun.to_search
    assert not begun.is_complete
    assert begun.estimates[3] is not None
    assert (begun.moments, begun.turning) == ((), None)
