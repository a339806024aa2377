"""View model of the review of a past game: graphs, moments, and the pieces left over."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from web.contract import Page, RefereeState, Square
from web.contract.review import MomentEntry, StoredReview
from web.i18n.wording import Wording
from web.presentation.board_view import BoardView, ColourChip, board_of
from web.presentation.drawn_wording import DrawnWording, PieceDrawing
from web.presentation.graph import Graph, graph_of, x_of
from web.presentation.svg import outline
from web.presentation.view_model import player_names

_PERCENT: Final = (0.0, 0.5, 1.0)
"""Chances at the ticks of the vertical axis."""

_DIGIT: Final = 9.0
"""Width of a number below a graph, in units of the drawing."""

_FEW_POINTS: Final = 1.5
"""Expected points from which on a loss of points is named."""


@dataclass(frozen=True, slots=True)
class MomentView:
    """A move that cost much, with the board before it.

    Attributes:
        number: its number among the moments, from 1.
        at: index of the page of the replay on which it is laid.
        chip: sign of its colour.
        laid: sentence on the move.
        cost: sentences on its cost.
        answer: sentences on the better move.
        turn: sentence that asks for a better move.
        board: the board before it.
        played: outline of the squares of the played move.
        better: the same of the better move.
        in_hand: the pieces that the colour had in hand.
    """

    number: int
    at: int
    chip: ColourChip
    laid: str
    cost: tuple[str, ...]
    answer: tuple[str, ...]
    turn: str
    board: BoardView
    played: str
    better: str
    in_hand: tuple[PieceDrawing, ...]


@dataclass(frozen=True, slots=True)
class ColourLeftovers:
    """The pieces that a colour has left over.

    Attributes:
        groups: the pieces that lost their last place with one move, and a note on that.
    """

    chip: ColourChip
    title: str
    groups: tuple[tuple[tuple[PieceDrawing, ...], str], ...]


@dataclass(frozen=True, slots=True)
class ReviewView:
    """The review of a game, as far as it is computed.

    Attributes:
        progress: sentence on the work that goes on; empty if none does.
        failure: sentence on the reason for which there are no chances; empty if there are.
        chances: graph of the chances; None as long as none is known.
        note: sentence on the meaning of a chance; empty with two sides.
        mobility: graph of the number of placements.
        signs: places of the moments in the graphs, places of their numbers, and the numbers.
        turning: sentence on the turning point; empty if there is none.
        points: sentence on the points lost a move; empty if they are unknown.
        moments: the largest losses, the largest first.
        no_moments: sentence that there are none; empty as long as that is not known.
        left: the pieces left over by colour.
    """

    progress: str
    failure: str
    chances: Graph | None
    note: str
    mobility: Graph
    signs: tuple[tuple[float, float, str], ...]
    turning: str
    points: str
    moments: tuple[MomentView, ...]
    no_moments: str
    left: tuple[ColourLeftovers, ...]


def review_of(review: StoredReview, pages: Sequence[Page], wording: Wording) -> ReviewView:
    """Returns the review of a past game.

    Args:
        review: the review.
        pages: pages of the game, oldest first; at least one.
        wording: texts of the language.
    """
    last = pages[-1]
    moments = moments_of(review, pages, wording)
    is_known = review.searched > 0
    return ReviewView(
        progress=_progress(review, wording),
        failure=_failure(review, wording),
        chances=_chances(review, last, wording) if is_known else None,
        note=wording.review("share") if len(last.sides) > 2 else "",
        mobility=_mobility(review, last, wording),
        signs=_signs(review),
        turning=_turning(review, last, wording),
        points=_points(review, last, wording),
        moments=moments,
        no_moments=wording.review("no-moments") if review.complete and not moments else "",
        left=tuple(_leftovers(review, last, wording)),
    )


def moments_of(
    review: StoredReview, pages: Sequence[Page], wording: Wording
) -> tuple[MomentView, ...]:
    """Returns the moments of a review whose pages exist."""
    found = (
        _moment(review, moment, number, pages, wording)
        for number, moment in enumerate(review.moments, 1)
    )
    return tuple(one for one in found if one is not None)


def _moment(
    review: StoredReview, moment: MomentEntry, number: int, pages: Sequence[Page], wording: Wording
) -> MomentView | None:
    move = review.moves[moment.at]
    at = _page_of(pages, move.colour, move.squares)
    if at is None or move.before is None or move.after is None:
        return None
    page = pages[at]
    laid = page.moves[-1]
    player = wording.mover(page, laid)
    drawn = DrawnWording(wording.language)
    better = drawn.piece(page.colours[move.colour], moment.piece, moment.better)
    where = drawn.place(page, moment.better)
    cost = [wording.review("cost", before=_percent(move.before), after=_percent(move.after))]
    if move.points_lost is not None and move.points_lost >= _FEW_POINTS:
        cost.append(wording.review("points", points=round(move.points_lost)))
    answer = [drawn.review("better", piece=better, squares=where)]
    reasons = [
        wording.sentence(wording.move_reason(one.code, one.number, drawn.reason_squares(page, one)))
        for one in moment.reasons
    ]
    answer += reasons or [wording.sentence(wording.say("no-reason"))]
    if moment.could_have_won:
        answer.append(wording.review("could-have-won", player=player))
    return MomentView(
        number=number,
        at=at,
        chip=ColourChip.of(page.colours[move.colour], wording),
        laid=drawn.sentence(drawn.move(page, laid)),
        cost=tuple(cost),
        answer=tuple(answer),
        turn=drawn.review(
            "turn",
            player=player,
            piece=drawn.piece(page.colours[move.colour], laid.piece, laid.squares),
        ),
        board=board_of(_without(page, move.squares), wording),
        played=outline(move.squares, 1, 3),
        better=outline(moment.better, 1, 3),
        in_hand=tuple(
            PieceDrawing.of(piece.name, piece.squares)
            for piece in reversed(pages[max(at - 1, 0)].colours[move.colour].left)
        ),
    )


def _page_of(pages: Sequence[Page], colour: int, squares: Iterable[Square]) -> int | None:
    """Returns the index of the page on which a placement is the newest move."""
    laid = frozenset(squares)
    for at, page in enumerate(pages):
        newest = page.moves[-1] if page.moves else None
        if newest is None or page.state.code is RefereeState.REFUSED:
            continue
        if newest.colour == colour and frozenset(newest.squares) == laid:
            return at
    return None


def _without(page: Page, squares: Iterable[Square]) -> Page:
    """Returns a page without the piece on these squares."""
    laid = frozenset(squares)
    pieces = tuple(piece for piece in page.pieces if frozenset(piece.squares) != laid)
    return replace(page, pieces=pieces)


def _percent(chance: float) -> int:
    """Returns a chance in per cent; only a result is 0 or 100."""
    return min(max(round(100 * chance), 1), 99) if 0 < chance < 1 else round(100 * chance)


def _progress(review: StoredReview, wording: Wording) -> str:
    if review.complete or review.failure is not None:
        return ""
    return wording.review("progress", searched=review.searched, all=review.to_search)


def _failure(review: StoredReview, wording: Wording) -> str:
    if review.complete or review.failure is None:
        return ""
    return wording.review("no-player", detail=wording.say(f"hint-failures.{review.failure}"))


def _chances(review: StoredReview, page: Page, wording: Wording) -> Graph:
    series = [
        (ColourChip.of(page.colours[side.colours[0]], wording), [row[at] for row in review.chances])
        for at, side in enumerate(page.sides)
    ]
    return graph_of(series, [(share, str(round(100 * share))) for share in _PERCENT])


def _mobility(review: StoredReview, page: Page, wording: Wording) -> Graph:
    rows = review.mobility
    most = max(1, *(max(row) for row in rows))
    series = [
        (ColourChip.of(colour, wording), [row[at] for row in rows])
        for at, colour in enumerate(page.colours)
    ]
    return graph_of(series, [(0, "0"), (most / 2, str(most // 2)), (most, str(most))])


def _signs(review: StoredReview) -> tuple[tuple[float, float, str], ...]:
    """Returns the places of the moments; numbers of neighbouring moves are moved apart."""
    count, free = len(review.moves) + 1, 0.0
    numbered = ((x_of(one.at + 1, count), str(n)) for n, one in enumerate(review.moments, 1))
    signs = []
    for x, sign in sorted(numbered):
        text_x = max(x, free)
        free = text_x + _DIGIT
        signs.append((round(x, 1), round(text_x, 1), sign))
    return tuple(signs)


def _turning(review: StoredReview, page: Page, wording: Wording) -> str:
    turning = review.turning
    if turning is None or turning.side >= len(page.sides):
        return ""
    player = wording.capital(_side(page, turning.side, wording))
    if turning.at == 0:
        return wording.review("led", player=player)
    return wording.review("turning", ply=review.moves[turning.at - 1].ply, player=player)


def _points(review: StoredReview, page: Page, wording: Wording) -> str:
    parts = [
        wording.review(
            "of-player", player=_side(page, side, wording), points=tenths(points, wording)
        )
        for side, points in enumerate(review.points_a_move)
        if points is not None and side < len(page.sides)
    ]
    if not parts or review.searched < review.to_search:
        return ""
    return wording.sentence(wording.review("a-move", players=wording.listed(parts)))


def tenths(number: float, wording: Wording) -> str:
    """Returns a number with one decimal."""
    whole, tenth = divmod(round(10 * number), 10)
    return wording.review("tenths", whole=whole, tenth=tenth)


def _side(page: Page, side: int, wording: Wording) -> str:
    return player_names([page.colours[i] for i in page.sides[side].colours], wording)


def _leftovers(review: StoredReview, page: Page, wording: Wording) -> Iterator[ColourLeftovers]:
    for index, colour in enumerate(page.colours):
        shapes = {piece.name: piece.squares for piece in colour.left}
        groups: dict[tuple[int | None, int | None], list[PieceDrawing]] = {}
        for life in review.lives:
            if life.colour == index and life.piece in shapes:
                drawing = PieceDrawing.of(life.piece, shapes[life.piece])
                groups.setdefault((life.ply, life.taken_by), []).append(drawing)
        if groups:
            order = sorted(groups, key=lambda when: (when[0] is None, when[0] or 0))
            yield ColourLeftovers(
                ColourChip.of(colour, wording),
                _owner(page, index, wording),
                tuple((tuple(groups[when]), _life(when, page, wording)) for when in order),
            )


def _owner(page: Page, index: int, wording: Wording) -> str:
    """Returns the name of the person who plays a colour; of a shared colour its own."""
    colour = page.colours[index]
    if any(index in side.colours for side in page.sides):
        return player_names([colour], wording)
    return wording.capital(wording.colour(colour))


def _life(when: tuple[int | None, int | None], page: Page, wording: Wording) -> str:
    """Returns a note on the time at which pieces lost their last place."""
    ply, taken_by = when
    if ply is None:
        return wording.review("has-place")
    if ply == 0:
        return wording.review("never")
    if taken_by is None or taken_by >= len(page.colours):
        return wording.review("by-hand")
    return wording.review("no-place", ply=ply, colour=wording.colour(page.colours[taken_by]))
