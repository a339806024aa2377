"""The review of a past game, and its moments, at which a person looks for the better move.

GET only: an attempt is part of the address, and nothing is stored.
"""

from contextlib import suppress
from functools import partial

from flask import Flask, abort, request

from web.contract import Page, PlacedPiece, Square
from web.game_archive import PastGame
from web.presentation.position_text import parse_pieces
from web.presentation.replay_view import heading_of
from web.presentation.review_view import moments_of, review_of
from web.views.context import ViewContext


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
        when=context.archive.day(name),
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
    attempt, squares = _attempt(page, request.args.get("pieces", ""))
    return context.render(
        "moment.html",
        name=name,
        moment=view,
        view=view,  # the fragment of the board draws `view.board`
        size=page.size,
        attempt=attempt,
        is_right=any(frozenset(one) == squares for one in found.moments[number - 1].accepted),
        is_shown="show" in request.args,
    )


def _game(context: ViewContext, name: str) -> PastGame:
    """Returns a game with its pages, or ends the request."""
    past = context.archive.game(name)
    if not isinstance(past, PastGame) or past.pages[-1].puzzle is not None:
        abort(404)
    return past


def _attempt(page: Page, text: str) -> tuple[str, frozenset[Square]]:
    """Returns the move in a text, and its squares; the text may be lines of the editor."""
    letters = {colour.letter for colour in page.colours}
    words = text.replace(",", " ").split()
    names = [word for word in words if word.upper() not in letters]
    pieces: tuple[PlacedPiece, ...] = ()
    with suppress(ValueError):
        pieces = parse_pieces(" ".join([page.colours[0].letter, *names]), page)
    return " ".join(names), frozenset(square for piece in pieces for square in piece.squares)
