"""The review of a past game, and its moments, at which a person looks for the better move.

GET only: an attempt is part of the address, and nothing is stored.
"""

from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from flask import Flask, abort, request

from web.contract import Page, Square
from web.contract.review import MomentEntry, StoredReview
from web.game_archive import PastGame
from web.presentation.board_view import chips_of
from web.presentation.position_text import parse_pieces
from web.presentation.replay_view import heading_of
from web.presentation.review_view import moments_of, review_of
from web.views.context import ViewContext
from web.views.games import when


@dataclass(frozen=True, slots=True)
class Attempt:
    """A move that a person tried.

    Attributes:
        text: the text of the move; empty if nothing was tried.
        is_right: True if it counts as right.
    """

    text: str
    is_right: bool


def add_routes(app: Flask, context: ViewContext) -> None:
    """Adds the routes to the application."""
    app.add_url_rule("/games/<name>/review", "review", partial(_review, context))
    app.add_url_rule("/games/<name>/review/<int:number>", "moment", partial(_moment, context))


def _review(context: ViewContext, name: str) -> str:
    past = _game(context, name)
    found = context.archive.review(name)
    return context.render(
        "review.html",
        name=name,
        when=when(name),
        heading=heading_of(past.pages[-1], context.wording),
        review=None if found is None else review_of(found, past.pages, context.wording),
    )


def _moment(context: ViewContext, name: str, number: int) -> str:
    past = _game(context, name)
    found = context.archive.review(name)
    moments = () if found is None else moments_of(found, past.pages, context.wording)
    view = next((one for one in moments if one.number == number), None)
    if found is None or view is None:
        abort(404)
    page = past.pages[view.at]
    return context.render(
        "moment.html",
        name=name,
        moment=view,
        view=view,  # the fragment of the board draws `view.board`
        size=page.size,
        colour=list(chips_of(page, context.wording))[_colour(found, number)],
        attempt=_attempt(page, found.moments[number - 1], request.args.get("pieces", "")),
        is_shown="show" in request.args,
    )


def _game(context: ViewContext, name: str) -> PastGame:
    """Returns a game with its pages, or ends the request."""
    past = context.archive.game(name)
    if not isinstance(past, PastGame) or past.pages[-1].puzzle is not None:
        abort(404)
    return past


def _colour(review: StoredReview, number: int) -> int:
    return review.moves[review.moments[number - 1].at].colour


def _attempt(page: Page, moment: MomentEntry, text: str) -> Attempt:
    """Returns the move in a text: its squares, or lines as the editor writes them."""
    squares: frozenset[Square] = frozenset()
    letters = {colour.letter for colour in page.colours}
    words = text.replace(",", " ").split()
    names = [word for word in words if word.upper() not in letters]
    with suppress(ValueError):
        pieces = parse_pieces(" ".join([page.colours[0].letter, *names]), page)
        squares = frozenset(square for piece in pieces for square in piece.squares)
    is_right = any(frozenset(one) == squares for one in moment.accepted)
    return Attempt(" ".join(names), is_right)
