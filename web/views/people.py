"""People: everybody's figures, their mistakes to practise, the puzzle of the day. GET only.

Shown to paired phones alone.
"""

from datetime import date
from functools import partial
from math import ceil
from typing import Final
from urllib.parse import quote

from flask import Flask, abort
from flask.typing import ResponseReturnValue

from web.game_archive import GameListing
from web.i18n.wording import Wording
from web.people import PersonHistory, people_of, person_named, puzzle_of_day
from web.presentation.board_view import ColourChip
from web.presentation.drawn_wording import PieceDrawing
from web.presentation.graph import Graph, graph_of
from web.presentation.review_view import tenths
from web.views.arbiter import arbiter_page
from web.views.context import ViewContext

_NEWEST: Final = 10
"""Games on the page of a person."""

_UNSEEN: Final = "\u2060"
"""Sign that no name has, before parts that would lead out of the path."""


def add_routes(app: Flask, context: ViewContext) -> None:
    """Adds the routes to the application."""
    app.jinja_env.filters["person_path"] = _person_path
    app.add_url_rule("/people", "people", partial(_everybody, context))
    app.add_url_rule("/people/<path:name>", "person", partial(_person, context))


def _person_path(name: str) -> str:
    """Returns the path of the page of a person."""
    sign = _UNSEEN if name.startswith(".") or "/" in name else ""
    return "/people/" + quote("/".join(sign + part for part in name.split("/")))


def _everybody(context: ViewContext) -> ResponseReturnValue:
    if not context.phones.is_known():
        return arbiter_page(context, "people.html")
    games = context.archive.listings()
    puzzle = puzzle_of_day(games, date.today())
    return _page(context, "people.html", people=people_of(games), puzzle=puzzle)


def _person(context: ViewContext, name: str) -> ResponseReturnValue:
    if not context.phones.is_known():
        return arbiter_page(context, "person.html")
    person = person_named(people_of(context.archive.listings()), name)
    if person is None:
        abort(404)
    chip = ColourChip(person.name[0].upper(), "#3b7dd8", "#1f4a86", "#ffffff", person.name)
    return _page(
        context,
        "person.html",
        person=person,
        chip=chip,
        often=[
            (PieceDrawing.of(piece.name, piece.squares), count)
            for piece, count in person.often_left
        ],
        lost=_graph(person, chip),
        newest=[
            (name, game, _others(person, game, context.wording), person.has_won(game))
            for name, game in person.games[:_NEWEST]
        ],
        day=context.archive.day,
    )


def _page(context: ViewContext, template: str, **values: object) -> ResponseReturnValue:
    return arbiter_page(
        context, template, tenths=partial(tenths, wording=context.wording), **values
    )


def _graph(person: PersonHistory, chip: ColourChip) -> Graph | None:
    """Returns the graph of the points lost a move; None with fewer than two games."""
    lost = person.points_lost
    half = max(1, ceil(max(lost, default=0) / 2))
    marks = [(mark, str(mark)) for mark in (0, half, 2 * half)]
    return graph_of([(chip, lost)], marks) if len(lost) > 1 else None


def _others(person: PersonHistory, game: GameListing, wording: Wording) -> str:
    own = person.colours_in(game)
    return wording.listed(
        dict.fromkeys(name for at, name in enumerate(game.players) if name and at not in own)
    )
