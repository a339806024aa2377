"""The review in the folder of a stored game, and the record that it is about."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.codes import PlayerFailure
from firmware.player.coach.search_task import SearchOutcome, SearchTask
from firmware.player.coach.stored_review import build_review, read_results
from firmware.records.course import Course, course_of
from firmware.records.record import Record
from firmware.records.replay import replay
from firmware.storage.atomic_file import write_whole
from web.contract.game_folder import RECORD, REVIEW
from web.contract.review import StoredReview

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
    """

    folder: Path
    course: Course
    results: Mapping[SearchTask, SearchOutcome]


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
    return OpenReview(folder, course, _results(folder / REVIEW, course))


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


def _results(path: Path, course: Course) -> dict[SearchTask, SearchOutcome]:
    try:
        if path.stat().st_size > _MOST_BYTES:
            return {}
        return read_results(course, StoredReview.from_json(path.read_bytes()))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        _log.info("%s is computed anew: %s", path, error)
        return {}
