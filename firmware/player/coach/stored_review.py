"""The review of a game in the form in which it is stored and shown."""

import hashlib
from collections.abc import Iterable

from firmware.codes import PlayerFailure
from firmware.game.reasons import Reason
from firmware.player.coach.review import GameReview, ReviewMoment, review
from firmware.player.coach.search_task import (
    SearchOutcome,
    SearchResults,
    SearchTask,
)
from firmware.player.searched_move import SearchedMove
from firmware.records.course import Course
from firmware.rules.board import Board, Move
from firmware.rules.errors import NotationError
from web import contract
from web.contract import review as stored


def course_digest(course: Course) -> str:
    """The digest of the placements of a game, which identifies its review."""
    text = "\n".join([course.scoring.value, *map(str, course.positions)])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def build_review(
    course: Course, results: SearchResults, failure: PlayerFailure | None = None
) -> stored.StoredReview:
    """Returns the review of a game from the searches so far."""
    found = review(course, results)
    return stored.StoredReview(
        course=course_digest(course),
        moves=tuple(_entry(course, found, at) for at in range(len(course.plies))),
        chances=tuple(tuple(map(_rounded, row)) for row in found.chances),
        mobility=found.mobility,
        moments=tuple(map(_moment, found.moments)),
        turning=found.turning,
        lives=found.lives,
        points_a_move=tuple(map(_rounded, found.points_a_move)),
        searched=found.searched,
        to_search=found.to_search,
        complete=found.is_complete,
        failure=failure,
        searches=tuple(map(_search, results.values())),
    )


def read_results(course: Course, review: stored.StoredReview) -> dict[SearchTask, SearchOutcome]:
    """Returns the searches of a stored review.

    Raises:
        ValueError: they do not fit the game.
    """
    if review.course != course_digest(course):
        raise NotationError("the review is of another game")
    results = {}
    for search in review.searches:
        if not 0 <= search.at <= len(course.plies):
            raise NotationError(f"the game has no position {search.at}")
        board = course.final.board
        only = _move(search.only, board) if search.only else None
        task = SearchTask(search.at, search.simulations, only)
        choices = tuple(_choice(one, board) for one in search.choices)
        results[task] = SearchOutcome(task, choices, search.proved)
    return results


def _entry(course: Course, found: GameReview, at: int) -> stored.ReviewedEntry:
    ply, one = course.plies[at], found.estimates[at]
    return stored.ReviewedEntry(
        ply.number,
        ply.colour,
        ply.before.side_of(ply.colour),
        _squares(ply.move),
        None if one is None else _rounded(one.before),
        None if one is None else _rounded(one.after),
        None if one is None else _rounded(one.points_lost),
    )


def _moment(moment: ReviewMoment) -> stored.MomentEntry:
    better = moment.better
    return stored.MomentEntry(
        moment.at,
        better.move.piece.name,
        _squares(better.move),
        tuple(map(_squares, moment.accepted)),
        _notes(better),
        moment.could_have_won,
    )


def _search(outcome: SearchOutcome) -> stored.SearchEntry:
    task = outcome.task
    only = () if task.only is None else _squares(task.only)
    choices = tuple(
        stored.SearchedEntry(
            _squares(one.move), one.value, one.margin, one.visits, one.proved, _notes(one)
        )
        for one in outcome.choices
    )
    return stored.SearchEntry(task.at, task.simulations, only, choices, outcome.proved)


def _notes(one: SearchedMove) -> tuple[contract.MoveReasonEntry, ...]:
    board = one.move.board
    return tuple(
        contract.MoveReasonEntry(
            reason.code,
            reason.number,
            tuple(square for name in reason.squares for square in _named(name, board)),
        )
        for reason in one.reasons
    )


def _named(name: str, board: Board) -> tuple[contract.Square, ...]:
    return _places(board.parse_squares(name), board)


def _choice(one: stored.SearchedEntry, board: Board) -> SearchedMove:
    reasons = tuple(
        Reason(
            note.code,
            note.number,
            tuple(board.format_square(row * board.size + column) for row, column in note.squares),
        )
        for note in one.reasons
    )
    move = _move(one.squares, board)
    return SearchedMove(move, one.value, one.margin, one.visits, one.proved, reasons)


def _move(squares: tuple[contract.Square, ...], board: Board) -> Move:
    places = [row * board.size + column for row, column in squares]
    in_board = all(0 <= row < board.size and 0 <= column < board.size for row, column in squares)
    index = board.find(places) if in_board else None
    if index is None:
        raise NotationError("a move of the review is no piece")
    return board.move(index)


def _squares(move: Move) -> tuple[contract.Square, ...]:
    return _places(move.squares, move.board)


def _places(squares: Iterable[int], board: Board) -> tuple[contract.Square, ...]:
    return tuple(divmod(square, board.size) for square in squares)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
