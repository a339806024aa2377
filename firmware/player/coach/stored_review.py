"""The review of a stored game: a file in its folder, which the page shows."""

import hashlib
import logging
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from firmware.codes import PlayerFailure
from firmware.game.reasons import Reason
from firmware.player.coach.review import GameReview, ReviewMoment, next_task, review
from firmware.player.coach.search_task import SearchResults, SearchTask
from firmware.player.search_result import SearchedMove, SearchResult
from firmware.records.course import Course, course_of
from firmware.records.record import Record
from firmware.records.replay import replay
from firmware.rules.board import Board, Move
from firmware.rules.errors import NotationError
from firmware.storage.atomic_file import write_whole
from web import contract
from web.contract import review as stored
from web.contract.game_folder import RECORD, REVIEW

_MOST_BYTES: Final = 4 << 20
"""Bytes of the largest review that is read; one of Classic has about 100 kB."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OpenReview:
    """A game that is being reviewed.

    Attributes:
        folder: folder of the game.
        course: its placements.
        results: the searches so far.
        task: the next search that it needs; None if it is complete.
    """

    folder: Path
    course: Course
    results: SearchResults
    task: SearchTask | None

    def after(self, result: SearchResult) -> "OpenReview":
        """Returns the review with the result of its next search."""
        assert self.task is not None, "a search is needed"
        results = {**self.results, self.task: result}
        return replace(self, results=results, task=next_task(self.course, results))


def open_review(folder: Path) -> OpenReview | None:
    """Opens a game with the searches that are stored; None for a puzzle, which has no review.

    A review that is damaged, of another version or of another game begins anew.

    Raises:
        OSError: the record cannot be read.
        RecordError: it is no record.
    """
    record = Record.read((folder / RECORD).read_bytes())
    if record.game.puzzle is not None:
        return None
    course = course_of(record, list(replay(record)))
    results = _results(folder / REVIEW, course)
    return OpenReview(folder, course, results, next_task(course, results))


def write_review(one: OpenReview, failure: PlayerFailure | None = None) -> None:
    """Stores a review.

    Args:
        one: the review.
        failure: reason for which nothing is searched now.

    Raises:
        OSError: it cannot be written.
    """
    built = build_review(one.course, one.results, failure)
    write_whole(one.folder / REVIEW, built.to_json().encode())


def _results(path: Path, course: Course) -> dict[SearchTask, SearchResult]:
    try:
        if path.stat().st_size > _MOST_BYTES:
            return {}
        return read_results(course, stored.StoredReview.from_json(path.read_bytes()))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        _log.info("%s is computed anew: %s", path, error)
        return {}


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
        searches=tuple(_search(task, found) for task, found in results.items()),
    )


def read_results(course: Course, review: stored.StoredReview) -> dict[SearchTask, SearchResult]:
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
        results[task] = SearchResult(choices, search.simulations, proved=search.proved)
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


def _search(task: SearchTask, found: SearchResult) -> stored.SearchEntry:
    only = () if task.only is None else _squares(task.only)
    choices = tuple(
        stored.SearchedEntry(
            _squares(one.move), one.value, one.margin, one.visits, one.proved, _notes(one)
        )
        for one in found.choices
    )
    return stored.SearchEntry(task.at, task.simulations, only, choices, found.proved)


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
