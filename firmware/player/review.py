"""The review of a game: the chances, the largest losses, the turning point, the pieces left over.

`next_task` names the search that comes next, so that a review can be interrupted anywhere and goes
on with the results that it has.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from firmware.player.review_search import (
    MoveEstimate,
    SearchResults,
    SearchTask,
    estimate,
    missing_task,
    position_value,
)
from firmware.player.search_result import SearchedMove, sure_value
from firmware.records.course import Course
from firmware.rules.board import Move
from firmware.rules.pieces import Piece
from firmware.rules.position import Position
from firmware.rules.variants import Colour
from web.contract.review import PieceLifeEntry, TurningEntry

MOST_MOMENTS: Final = 3
"""Number of the largest losses that are shown."""

STANDS: Final = 0.05
"""Smallest loss of value, 0 to 1, that is a moment; moves nearer to the best count as right."""

_LEAST_VISITS: Final = 20
"""Simulations from which on the value of a move counts as known."""


@dataclass(frozen=True, slots=True)
class ReviewMoment:
    """A move that cost much.

    Attributes:
        at: index of the placement in `Course.plies`.
        estimate: its values.
        better: the better move.
        accepted: the moves within `STANDS` of the best one, which count as right.
        could_have_won: True if it is proved that the better move wins and the played one does not.
    """

    at: int
    estimate: MoveEstimate
    better: SearchedMove
    accepted: tuple[Move, ...]
    could_have_won: bool


@dataclass(frozen=True, slots=True)
class GameReview:
    """The review of a game, as far as it is computed.

    Attributes:
        estimates: for each placement its values; None where they are not known.
        chances: for each position and side the chance, 0 to 1; None where it is not known. With
            more than two sides a search finds only that of the side to move.
        moments: the largest losses, the largest first; none before all is searched.
        turning: the turning point; None if nobody leads, or before all is searched.
        lives: the pieces left over.
        mobility: for each position the number of placements of each colour.
        points_a_move: for each side the mean of the points lost by its moves; None if unknown.
        searched: number of positions that are searched.
        to_search: number of positions that are searched altogether.
    """

    estimates: tuple[MoveEstimate | None, ...]
    chances: tuple[tuple[float | None, ...], ...]
    moments: tuple[ReviewMoment, ...]
    turning: TurningEntry | None
    lives: tuple[PieceLifeEntry, ...]
    mobility: tuple[tuple[int, ...], ...]
    points_a_move: tuple[float | None, ...]
    searched: int
    to_search: int

    @property
    def is_complete(self) -> bool:
        """True if no search is missing."""
        return self.searched == self.to_search


def next_task(course: Course, results: SearchResults) -> SearchTask | None:
    """The next search that the review needs; None if it is complete."""
    tasks = (missing_task(course, results, at) for at in range(len(course.plies) + 1))
    return next((task for task in tasks if task is not None), None)


def review(course: Course, results: SearchResults) -> GameReview:
    """The review from the results so far; without any, all that the rules alone give."""
    estimates = _estimates(course, results)
    chances = _chances(course, results)
    searchable = [at for at in range(len(course.plies) + 1) if course.side_at(at) is not None]
    left = [at for at in searchable if missing_task(course, results, at) is not None]
    return GameReview(
        estimates,
        chances,
        () if left else tuple(_moments(course, results, estimates)),
        None if left else _turning(course, chances),
        piece_lives(course),
        mobility(course),
        _points_a_move(course, estimates),
        len(searchable) - len(left),
        len(searchable),
    )


def _estimates(course: Course, results: SearchResults) -> tuple[MoveEstimate | None, ...]:
    return tuple(estimate(course, results, at) for at in range(len(course.plies)))


def _moments(
    course: Course, results: SearchResults, estimates: Sequence[MoveEstimate | None]
) -> Iterator[ReviewMoment]:
    losses = [(at, one) for at, one in enumerate(estimates) if one and one.loss >= STANDS]
    for at, found in sorted(losses, key=lambda loss: -loss[1].loss)[:MOST_MOMENTS]:
        played, best = course.plies[at].move, found.best
        least = _value(best) - STANDS
        accepted = tuple(
            one.move
            for one in results[SearchTask(at)].choices
            if one.move != played and _is_known(one) and _value(one) >= least
        )
        accepted = accepted if best.move in accepted else (best.move, *accepted)
        yield ReviewMoment(at, found, best, accepted, _could_have_won(found))


def _is_known(one: SearchedMove) -> bool:
    return one.proved is not None or one.visits >= _LEAST_VISITS


def _value(one: SearchedMove) -> float:
    return one.value if one.proved is None else sure_value(one.proved)


def _could_have_won(found: MoveEstimate) -> bool:
    """True if proofs say that the best move wins, and that the played one does not."""
    won, after = found.best.proved, found.proved_after
    return won is not None and after is not None and won > 0 >= after


def _chances(course: Course, results: SearchResults) -> tuple[tuple[float | None, ...], ...]:
    sides = len(course.final.game.sides)
    rows: list[tuple[float | None, ...]] = []
    for at in range(len(course.plies) + 1):
        side = course.side_at(at)
        value = position_value(results, at)
        row: list[float | None] = [None] * sides
        if side is not None and value is not None:
            row = [1 - value, 1 - value] if sides == 2 else row
            row[side] = value
        rows.append(tuple(row))
    shares = course.shares()
    if shares is not None:
        rows[-1] = shares
    return tuple(rows)


def _turning(course: Course, chances: Sequence[tuple[float | None, ...]]) -> TurningEntry | None:
    """The last change of leader by these chances; None if nobody leads at the end."""
    leaders = _leaders(course, chances)
    last = leaders[-1]
    if last is None:
        return None
    at = len(leaders) - 1
    while at and leaders[at - 1] == last:
        at -= 1
    return TurningEntry(at, last, leaders[at - 1] if at else None)


def _leaders(course: Course, chances: Sequence[tuple[float | None, ...]]) -> list[int | None]:
    """The side with the best newest chance in each position; None where two are equal.

    Until every side has a chance the first leader counts.
    """
    newest: list[float | None] = [None] * len(course.final.game.sides)
    leaders: list[int | None] = []
    for row in chances:
        newest = [old if new is None else new for old, new in zip(newest, row, strict=True)]
        known = [value for value in newest if value is not None]
        best = max(known, default=0.0)
        if len(known) == len(newest):
            leaders.append(known.index(best) if known.count(best) == 1 else None)
    first = leaders[0] if leaders else None
    return [first] * (len(chances) - len(leaders)) + leaders


def _points_a_move(
    course: Course, estimates: Sequence[MoveEstimate | None]
) -> tuple[float | None, ...]:
    lost: list[list[float]] = [[] for _ in course.final.game.sides]
    for ply, one in zip(course.plies, estimates, strict=True):
        if one is not None:
            lost[ply.before.side_of(ply.colour)].append(one.points_lost)
    return tuple(sum(points) / len(points) if points else None for points in lost)


def piece_lives(course: Course) -> tuple[PieceLifeEntry, ...]:
    """The pieces in hand at the end by colour, larger ones first.

    A place can come back when a piece opens corners, so the last placement counts after which no
    place was left in any later position.
    """
    return tuple(
        _life(course, colour, piece)
        for colour in course.final.game.colours
        for piece in reversed(course.final.in_hand(colour))
    )


def mobility(course: Course) -> tuple[tuple[int, ...], ...]:
    """The number of legal placements of each colour, in each of `Course.positions`."""
    return tuple(
        tuple(len(position.moves_of(colour)) for colour in position.game.colours)
        for position in course.positions
    )


def _life(course: Course, colour: Colour, piece: Piece) -> PieceLifeEntry:
    if _has_place(course.final, colour, piece):
        return PieceLifeEntry(colour, piece.name, None, None)
    for ply in reversed(course.plies):
        if _has_place(ply.after, colour, piece):
            return PieceLifeEntry(colour, piece.name, ply.number, None)
        if _has_place(ply.before, colour, piece):
            return PieceLifeEntry(colour, piece.name, ply.number, ply.colour)
    return PieceLifeEntry(colour, piece.name, 0, None)


def _has_place(position: Position, colour: Colour, piece: Piece) -> bool:
    places = position.moves_of(colour).placements & position.board.of_piece[piece.index]
    return bool(places)
