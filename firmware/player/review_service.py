"""Reviews of finished games, computed in the background and stored with each game.

The control thread submits one search at a time and polls its answer; a thread reads and writes the
files and chooses the next search. Hints and the computer's seats come first, see `EngineQueue`. A
review that is not complete when the table ends begins anew.
"""

import logging
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

from firmware.codes import PlayerFailure
from firmware.errors import PlayerError
from firmware.player.engine_queue import EngineQueue, Ticket, Use
from firmware.player.plain_records import show_records
from firmware.player.review_search import SearchTask, outcome_of, request_of
from firmware.player.search_result import SearchResult
from firmware.player.stored_review import OpenReview, open_review, write_review
from firmware.rules.errors import RulesError
from firmware.session.background_job import BackgroundJob
from firmware.session.service import TableService
from web.contract.game_folder import RECORD, game_folders

_MOST_GAMES: Final = 20
"""Number of the newest games that are reviewed."""

_LOOK_S: Final = 3.0
"""Seconds between two looks for games that have no review."""

_AGAIN_S: Final = 300.0
"""Seconds until the player is asked again after a failure."""

_SEARCHES_A_WRITE: Final = 10
"""Searches after which a review is stored."""

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Settled:
    """Games that need no work now, by name of their folder, with the time of their record.

    Attributes:
        searched: games whose review is complete, or that have none.
        ruled: games of which all is stored that the rules alone give, and the reason for which
            nothing is searched.
        kept: the review at which the player failed; it goes on there.
        shown: names in the folder of games whose records are games.
    """

    searched: dict[str, int] = field(default_factory=dict)
    ruled: dict[str, tuple[int, PlayerFailure | None]] = field(default_factory=dict)
    kept: OpenReview | None = None
    shown: set[str] = field(default_factory=set)


class ReviewService(TableService):
    """Computes the reviews of the newest games in a folder, one after another.

    Args:
        folder: the folder of all games; it may not exist yet.
        engine: the player; None if there is none, then the rules alone are asked.
    """

    def __init__(self, folder: Path, engine: EngineQueue | None) -> None:
        self._folder: Final = folder
        self._engine: Final = engine
        self._files: Final[BackgroundJob[OpenReview | None]] = BackgroundJob("review")
        self._settled: Final = _Settled()
        self._search: tuple[OpenReview, Ticket] | None = None
        self._look_at = float("-inf")
        self._asks_from = float("-inf") if engine is not None else float("inf")
        self._failure = None if engine is not None else PlayerFailure.NOT_INSTALLED

    def poll(self) -> None:
        """Goes on with the work, without waiting."""
        self.work(self.table.now)

    def work(self, now: float) -> None:
        """Goes on with the work, without waiting.

        Args:
            now: time in seconds.
        """
        if self._search is not None:
            self._take_answer(now)
        elif not self._files.is_running:
            self._take_files(now)

    def close(self) -> None:
        """Waits until a file that is being written is whole; the searches are given up."""
        self._files.close()

    def _take_answer(self, now: float) -> None:
        assert self._search is not None, "a search runs"
        assert self._engine is not None, "it runs in the player"
        review, ticket = self._search
        try:
            answer = self._engine.answer(ticket)
        except PlayerError as error:
            self._fail(error, now)
            return
        if answer is not None and answer.done:
            self._search = None
            self._files.start(partial(_after_search, review, answer, self._settled))

    def _take_files(self, now: float) -> None:
        found = self._files.take()
        if found is not None and found.task is not None:
            self._submit(found, found.task, now)
            return
        if found is not None:
            self._look_at = now  # it is stored, and another game may be newer
        if now >= self._look_at:
            self._look_at = now + _LOOK_S
            failure = None if now >= self._asks_from else self._failure
            self._files.start(partial(_look, self._folder, self._settled, failure))

    def _submit(self, review: OpenReview, task: SearchTask, now: float) -> None:
        assert self._engine is not None, "only a player is given searches"
        ticket = self._engine.submit(Use.REVIEW, request_of(review.course, task))
        self._search = review, ticket
        if ticket.failure is not None:
            self._fail(ticket.failure, now)

    def _fail(self, error: PlayerError, now: float) -> None:
        """Leaves the searches for later; what is found so far is stored."""
        if error.code is not self._failure:
            _log.warning("no review: %s", error)
        if self._search is not None:
            self._settled.kept, self._search = self._search[0], None
        self._failure, self._asks_from = error.code, now + _AGAIN_S
        self._look_at = now


def _look(folder: Path, settled: _Settled, failure: PlayerFailure | None) -> OpenReview | None:
    """Finds the newest game that has to be searched; stores what the rules alone give.

    Records that have no game yet become games.

    Args:
        folder: the folder of all games.
        settled: the games that need no work.
        failure: reason for which nothing is searched now; None if the player can be asked.
    """
    show_records(folder, settled.shown)
    for game in islice(game_folders(folder), _MOST_GAMES):
        stamp = _stamp(game / RECORD)
        if stamp is None or settled.searched.get(game.name) == stamp:
            continue
        known = settled.ruled.get(game.name)
        is_ruled = known == (stamp, failure)
        if is_ruled and failure is not None:
            continue
        kept = settled.kept
        is_kept = kept is not None and kept.folder == game and known and known[0] == stamp
        found = kept if is_kept else _opened(game)
        task = None if found is None else found.task
        if found is not None and not is_ruled and not _store(found, failure):
            task = None  # the disk refuses
        settled.ruled[game.name] = stamp, failure
        if task is None:
            settled.searched[game.name] = stamp
        elif failure is None:
            return found
    return None


def _after_search(review: OpenReview, answer: SearchResult, settled: _Settled) -> OpenReview:
    """Adds the result of a search; stores the review now and then, and at its end.

    Returns:
        The review with its next search; without one if it is complete, or the disk refuses.
    """
    assert review.task is not None, "it was searched"
    show_records(review.folder.parent, settled.shown)
    review = review.after(outcome_of(review.course, review.task, answer))
    if review.task is not None and len(review.results) % _SEARCHES_A_WRITE:
        return review
    if _store(review, None) and review.task is not None:
        return review
    # A record that was written since belongs to another course.
    settled.searched[review.folder.name] = settled.ruled[review.folder.name][0]
    return replace(review, task=None)


def _stamp(path: Path) -> int | None:
    """The time at which a file was written, in ns; None if there is none."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return None


def _opened(game: Path) -> OpenReview | None:
    """Opens a game; None for a puzzle, and if its record cannot be read."""
    try:
        return open_review(game)
    except (OSError, RulesError) as error:
        _log.warning("%s has no review: %s", game, error)
        return None


def _store(review: OpenReview, failure: PlayerFailure | None) -> bool:
    """Stores a review; returns False if the disk refuses."""
    try:
        write_review(review, failure)
    except OSError as error:
        _log.warning("the review of %s is not stored: %s", review.folder, error.strerror)
        return False
    return True
