"""The review of a stored game: a file in its folder, which the page shows."""

import hashlib
import logging
from dataclasses import dataclass, replace
from pathlib import Path

from firmware.codes import PlayerFailure
from firmware.player.review import GameReview, ReviewMoment, next_task, review
from firmware.player.review_search import SearchResults, SearchTask
from firmware.player.search_result import SearchResult
from firmware.records.course import Course, course_of
from firmware.records.record import Record
from firmware.records.replay import replay
from firmware.rules.position import Position
from firmware.storage.atomic_file import write_whole
from firmware.storage.page_builder import page_squares, reason_entries
from web.contract.game_folder import RECORD, REVIEW, read_game_file
from web.contract.review import MomentEntry, ReviewedEntry, StoredReview

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
    """Opens a game; None if its review is complete, and for a puzzle, which has none.

    A review that is not complete, damaged, of another version or of another game begins anew.

    Raises:
        OSError: the record cannot be read.
        RecordError: it is no record.
    """
    record = Record.read(read_game_file(folder / RECORD))
    if record.game.puzzle is not None:
        return None
    course = course_of(record, list(replay(record)))
    if _is_complete(folder / REVIEW, course):
        return None
    return OpenReview(folder, course, {}, next_task(course, {}))


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


def _is_complete(path: Path, course: Course) -> bool:
    try:
        stored = StoredReview.from_json(read_game_file(path))
    except FileNotFoundError:
        return False
    except (OSError, ValueError) as error:
        _log.info("%s is computed anew: %s", path, error)
        return False
    return stored.complete and stored.course == course_digest(course)


def course_digest(course: Course) -> str:
    """The digest of the placements of a game, which identifies its review."""
    text = "\n".join([course.scoring.value, *map(str, course.positions)])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def build_review(
    course: Course, results: SearchResults, failure: PlayerFailure | None = None
) -> StoredReview:
    """Returns the review of a game from the searches so far."""
    found = review(course, results)
    return StoredReview(
        course=course_digest(course),
        moves=tuple(_entry(course, found, at) for at in range(len(course.plies))),
        chances=tuple(tuple(map(_rounded, row)) for row in found.chances),
        mobility=found.mobility,
        moments=tuple(_moment(course.final, one) for one in found.moments),
        turning=found.turning,
        lives=found.lives,
        points_a_move=tuple(map(_rounded, found.points_a_move)),
        searched=found.searched,
        to_search=found.to_search,
        complete=found.is_complete,
        failure=failure,
    )


def _entry(course: Course, found: GameReview, at: int) -> ReviewedEntry:
    ply, one = course.plies[at], found.estimates[at]
    return ReviewedEntry(
        ply.number,
        ply.colour,
        ply.before.side_of(ply.colour),
        page_squares(ply.before, ply.move.squares),
        None if one is None else _rounded(one.before),
        None if one is None else _rounded(one.after),
        None if one is None else _rounded(one.points_lost),
    )


def _moment(position: Position, moment: ReviewMoment) -> MomentEntry:
    better = moment.better
    return MomentEntry(
        moment.at,
        better.move.piece.name,
        page_squares(position, better.move.squares),
        tuple(page_squares(position, move.squares) for move in moment.accepted),
        reason_entries(position, better.reasons),
        moment.could_have_won,
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
