"""Courses of random games, and searches of them that a test makes up."""

from collections.abc import Callable

from firmware.player.review import next_task
from firmware.player.review_search import SIMULATIONS, SearchTask
from firmware.player.search_result import SearchedMove, SearchResult
from firmware.records.course import Course, course_of
from firmware.records.record import Record
from firmware.records.replay import replay
from firmware.rules.board import Move
from tests.support.random_games import random_game

Search = Callable[[SearchTask], SearchResult]
"""Makes a search."""


def random_course(game: str = "duo", seed: int = 1) -> Course:
    """Returns the course of a whole random game."""
    return read_course(random_game(game, seed)[0].write())


def read_course(record: bytes) -> Course:
    """Returns the course of a record."""
    read = Record.read(record)
    return course_of(read, list(replay(read)))


def completed(course: Course, search: Search, most: int = 500) -> dict[SearchTask, SearchResult]:
    """Makes every search that the review wants, or the first of them."""
    results: dict[SearchTask, SearchResult] = {}
    while len(results) < most and (task := next_task(course, results)) is not None:
        assert task not in results
        results[task] = search(task)
    return results


def searched(
    course: Course,
    task: SearchTask,
    value: float,
    *,
    proved: int | None = None,
    best: Move | None = None,
) -> SearchResult:
    """Returns the outcome of a search in which one move is best.

    Args:
        course: the game.
        task: the search.
        value: value of that move.
        proved: exact difference in points, also after that move.
        best: the move; by default the one that was searched alone, or the first legal one.
    """
    first = task.only or best or next(iter(course.positions[task.at].legal_moves))
    choice = SearchedMove(first, value, 20 * value - 10, SIMULATIONS, proved)
    return SearchResult((choice,), SIMULATIONS, proved=proved)
