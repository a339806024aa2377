"""The searches that a review needs, and the loss of a move by their results.

The loss compares the best move and the played one, both from the view of the side that moves and
after about as many simulations: a search of more simulations finds better answers, so values of
different effort cannot be compared. A proof is used where both sides of a comparison have one. In
a proved position the value of a played move without a proof is an upper bound, so that the loss is
at least the one that is told.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from firmware.codes import Scoring
from firmware.player.client import SearchRequest
from firmware.player.search_result import SearchedMove, SearchResult, sure_value
from firmware.records.course import Course, CoursePly
from firmware.rules.board import Move
from firmware.rules.scoring import score

SIMULATIONS: Final = 3_000
"""Simulations of each search."""

_MOST_MOVES: Final = 2_000
"""Greatest number of moves in an answer: more than a position has, so that the played one is among
them. An answer of as many has 0.3 MB."""

_EQUAL_EFFORT: Final = 0.5
"""Share of the best move's simulations from which on the played one needs no search of its own."""


@dataclass(frozen=True, slots=True)
class SearchTask:
    """A search of a position of the game.

    Attributes:
        at: index of the position in `Course.positions`.
        only: the move that is searched; None for all.
    """

    at: int
    only: Move | None = None


SearchResults = Mapping[SearchTask, SearchResult]
"""The results so far."""


@dataclass(frozen=True, slots=True)
class MoveEstimate:
    """A move of the game as the searches find it; all values are those of the side that moved.

    Attributes:
        before: value of the best move, 0 lost to 1 won.
        after: value of the played move.
        loss: difference of the two, 0 if the played move is at least as good.
        points_lost: expected points that it cost, at least 0.
        best: the best move; the played one if nothing is better.
        proved_before: exact difference in points before it; None if unknown.
        proved_after: the same after it.
    """

    before: float
    after: float
    loss: float
    points_lost: float
    best: SearchedMove
    proved_before: int | None
    proved_after: int | None


def request_of(course: Course, task: SearchTask) -> SearchRequest:
    """The request of a search; only the best of all moves is shown with its reasons."""
    return SearchRequest(
        str(course.positions[task.at]),
        simulations=SIMULATIONS,
        scoring=course.scoring,
        reasons=1 if task.only is None else 0,
        only=() if task.only is None else (str(task.only),),
        most=_MOST_MOVES,
    )


def outcome_of(course: Course, task: SearchTask, answer: SearchResult) -> SearchResult:
    """The result of a search; moves that are not legal, or were not searched, are left out."""
    legal = course.positions[task.at].legal_moves
    choices = tuple(
        one
        for one in answer.choices
        if (one.visits or answer.proved is not None)
        and one.move in legal
        and task.only in (None, one.move)
    )
    return SearchResult(choices, answer.simulations, proved=answer.proved)


def missing_task(course: Course, results: SearchResults, at: int) -> SearchTask | None:
    """The next search that a position and its move need; None if there is none."""
    if course.side_at(at) is None:
        return None
    free = SearchTask(at)
    if free not in results:
        return free
    if at == len(course.plies) or not course.plies[at].is_legal or results[free].best is None:
        return None
    own = SearchTask(at, course.plies[at].move)
    return None if own in results or _played(course, results, at) else own


def estimate(course: Course, results: SearchResults, at: int) -> MoveEstimate | None:
    """The estimate of a placement by its index; None if it is not searched, or not legal."""
    free = results.get(SearchTask(at))
    if free is None or free.best is None or not course.plies[at].is_legal:
        return None
    played = _played(course, results, at)
    if played is None:
        return None
    proved_before, proved_after = free.proved, _proved_after(course, results, at)
    if proved_after is None:
        proved_after = played.proved
    best = free.best
    if proved_before is not None:
        best = next((one for one in free.choices if one.proved == proved_before), best)
    before, after = max(best.value, played.value), played.value
    points = best.margin - played.margin if best.value > played.value else 0.0
    if proved_before is not None and proved_after is not None:
        before, after = sure_value(proved_before), sure_value(proved_after)
        points = float(proved_before - proved_after)
    loss = max(before - after, 0.0)
    better = best if loss else played
    return MoveEstimate(before, after, loss, max(points, 0.0), better, proved_before, proved_after)


def position_value(results: SearchResults, at: int) -> float | None:
    """The value of a position for the side to move; None if it is not searched."""
    free = results.get(SearchTask(at))
    if free is None or free.best is None:
        return None
    return free.best.value if free.proved is None else sure_value(free.proved)


def _played(course: Course, results: SearchResults, at: int) -> SearchedMove | None:
    """The played move after about as many simulations as the best one."""
    move, free = course.plies[at].move, results[SearchTask(at)]
    own = results.get(SearchTask(at, move))
    if own is not None:
        return own.best
    found = free.choice(move)
    if free.best is None or found is None:
        return None
    return found if found.visits >= _EQUAL_EFFORT * free.best.visits else None


def _proved_after(course: Course, results: SearchResults, at: int) -> int | None:
    """The proved difference in points after a placement, for the side that made it."""
    ply = course.plies[at]
    side = ply.before.side_of(ply.colour)
    if len(course.final.game.sides) != 2:
        return None
    if ply.after.is_over:
        return _margin(ply, side, course.scoring)
    following = results.get(SearchTask(at + 1))
    # Pieces may have been set by hand between the two.
    if following is None or following.proved is None or ply.after != course.positions[at + 1]:
        return None
    return following.proved if course.side_at(at + 1) == side else -following.proved


def _margin(ply: CoursePly, side: int, scoring: Scoring) -> int:
    own, other = (score(ply.after).sides[one] for one in (side, 1 - side))
    if scoring is Scoring.BASIC:
        return other.basic - own.basic
    return own.advanced - other.advanced
