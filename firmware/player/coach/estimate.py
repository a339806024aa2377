"""The value of a position, and the loss of a move, from the newest searches of them.

The loss compares the best move and the played one, both from the view of the side that moves and
after about as many simulations: a search of more simulations finds better answers, so values of
different effort cannot be compared. A proof is used where both sides of a comparison have one. In
a proved position the value of a played move without a proof is an upper bound, so that the loss is
at least the one that is told.
"""

from dataclasses import dataclass
from typing import Final

from firmware.codes import Scoring
from firmware.player.coach.search_task import (
    FIRST_PASS,
    SECOND_PASS,
    SearchResults,
    SearchTask,
)
from firmware.player.search_result import SearchedMove, SearchResult, sure_value
from firmware.records.course import Course, CoursePly
from firmware.rules.position import Position
from firmware.rules.scoring import score

_EQUAL_EFFORT: Final = 0.5
"""Share of the best move's simulations from which on the played one needs no search of its own."""


@dataclass(frozen=True, slots=True)
class MoveEstimate:
    """A move of the game as the searches find it; all values are those of the side that moved.

    Attributes:
        before: value of the best move, 0 lost to 1 won.
        after: value of the played move.
        loss: difference of the two, 0 if the played move is at least as good.
        points_lost: expected points that it cost, at least 0.
        best: the best move; the played one if nothing is better.
        is_second: True if the second pass examined it.
        proved_before: exact difference in points before it; None if unknown.
        proved_after: the same after it.
    """

    before: float
    after: float
    loss: float
    points_lost: float
    best: SearchedMove
    is_second: bool
    proved_before: int | None
    proved_after: int | None


def free_outcome(results: SearchResults, at: int) -> SearchResult | None:
    """The newest search of all moves of a position, by its index in `Course.positions`."""
    tasks = (SearchTask(at, simulations) for simulations in (SECOND_PASS, FIRST_PASS))
    return next((results[task] for task in tasks if task in results), None)


def missing_task(
    course: Course, results: SearchResults, at: int, simulations: int
) -> SearchTask | None:
    """The next search of a pass that a position and its move need; None if there is none."""
    if course.side_at(at) is None:
        return None
    free = SearchTask(at, simulations)
    if free not in results:
        return free
    if at == len(course.plies) or not course.plies[at].is_legal:
        return None
    own = SearchTask(at, simulations, course.plies[at].move)
    if own in results or _played(results, own) is not None or results[free].best is None:
        return None
    return own


def estimate(course: Course, results: SearchResults, at: int) -> MoveEstimate | None:
    """The estimate of a placement by its index; None if it is not searched, or not legal."""
    ply = course.plies[at]
    if not ply.is_legal:
        return None
    for simulations in (SECOND_PASS, FIRST_PASS):
        free = results.get(SearchTask(at, simulations))
        if free is None or free.best is None:
            continue
        played = _played(results, SearchTask(at, simulations, ply.move))
        if played is not None:
            return _compared(course, results, at, free, played)
    return None


def position_value(results: SearchResults, at: int) -> float | None:
    """The value of a position for the side to move; None if it is not searched."""
    free = free_outcome(results, at)
    if free is None or free.best is None:
        return None
    return free.best.value if free.proved is None else sure_value(free.proved)


def _played(results: SearchResults, own: SearchTask) -> SearchedMove | None:
    """The played move after about as many simulations as the best one."""
    assert own.only is not None, "a search of the played move"
    free = results.get(SearchTask(own.at, own.simulations))
    if own in results:
        return results[own].best
    found = None if free is None else free.choice(own.only)
    if free is None or free.best is None or found is None:
        return None
    return found if found.visits >= _EQUAL_EFFORT * free.best.visits else None


def _compared(
    course: Course, results: SearchResults, at: int, free: SearchResult, played: SearchedMove
) -> MoveEstimate:
    proofs = free_outcome(results, at)
    proved_before = None if proofs is None else proofs.proved
    proved_after = _proved_after(course, results, at)
    if proved_after is None:
        proved_after = played.proved
    best = _proved_best(free, proved_before)
    before, after = max(best.value, played.value), played.value
    points = best.margin - played.margin if best.value > played.value else 0.0
    if proved_before is not None and proved_after is not None:
        before, after = sure_value(proved_before), sure_value(proved_after)
        points = float(proved_before - proved_after)
    loss = max(before - after, 0.0)
    return MoveEstimate(
        before,
        after,
        loss,
        max(points, 0.0),
        best if loss else played,
        free.simulations >= SECOND_PASS,
        proved_before,
        proved_after,
    )


def _proved_best(free: SearchResult, proved: int | None) -> SearchedMove:
    assert free.best is not None, "a search with moves"
    sure = (one for one in free.choices if proved is not None and one.proved == proved)
    return next(sure, free.best)


def _proved_after(course: Course, results: SearchResults, at: int) -> int | None:
    """The proved difference in points after a placement, for the side that made it."""
    ply = course.plies[at]
    side = ply.before.side_of(ply.colour)
    if len(course.final.game.sides) != 2:
        return None
    if ply.after.is_over:
        return _margin(ply, side, course.scoring)
    if at + 1 > len(course.plies) or not _goes_on(ply, course.positions[at + 1]):
        return None
    following = free_outcome(results, at + 1)
    if following is None or following.proved is None:
        return None
    return following.proved if course.side_at(at + 1) == side else -following.proved


def _goes_on(ply: CoursePly, following: Position) -> bool:
    return ply.after == following


def _margin(ply: CoursePly, side: int, scoring: Scoring) -> int:
    own, other = (score(ply.after).sides[one] for one in (side, 1 - side))
    if scoring is Scoring.BASIC:
        return other.basic - own.basic
    return own.advanced - other.advanced
