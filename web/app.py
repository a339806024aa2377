"""The score page as a Flask application.

The templates make all markup on the server: the first paint needs no JavaScript, and the scripts
only replace fragments by newer ones. A GET changes nothing; a change is a form, see
`web.request_guard`.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from flask import Flask, Response, redirect, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from web.compression import compress_responses
from web.game_archive import GameArchive
from web.i18n.languages import LANGUAGES, wording_of
from web.known_phones import KnownPhones
from web.presentation.fragments import Screens
from web.presentation.mounting_view import CameraMounting
from web.request_guard import RequestGuard, way_back
from web.table_client import TableClient
from web.views import arbiter, camera, club, live, overlay, people, play, setup
from web.views import games as games_module
from web.views import review as review_module
from web.views.context import LANGUAGE_COOKIE, PhotographJudgement, ViewContext
from web.views.streams import StreamLimiter

_YEAR_S = 365 * 24 * 3600
"""Seconds for which a browser stores the chosen language."""


@dataclass(frozen=True, slots=True)
class ProgramFacts:
    """Facts of the program of the table, which never change while it runs, and what it does here.

    Attributes:
        version: its version, for the arbiter.
        mountings: places of cameras above boards, for whoever mounts one.
        kept: folder in which games are kept; empty if they are not.
        judge: judges a photograph; None if the program cannot.
    """

    version: str = ""
    mountings: tuple[CameraMounting, ...] = ()
    kept: str = ""
    judge: PhotographJudgement | None = None


def create_app(
    link: TableClient,
    *,
    streams: int = 64,
    hosts: Collection[str] = (),
    games: Path | None = None,
    everybody_sees_evidence: bool = False,
    addresses: Callable[[], tuple[str, ...]] = tuple,
    facts: ProgramFacts | None = None,
) -> Flask:
    """Returns the Flask application of the score page.

    Args:
        link: client of the table; the caller starts and closes it.
        streams: number of phones that may hold a stream at a time.
        hosts: host names that are accepted, besides addresses, `localhost`, names without a dot
            and names under `.local`.
        games: folder of past games; None if none are stored.
        everybody_sees_evidence: True if phones that are not paired may see pictures of moves.
        addresses: returns the addresses at which phones open the page, the best one first.
        facts: what the program says of itself; None for nothing.
    """
    app = Flask(__name__)
    facts = facts or ProgramFacts()
    app.jinja_env.globals.update(version=facts.version, kept=facts.kept)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    phones = KnownPhones(link)
    guard = RequestGuard(phones, hosts)
    guard.stand_before(app)
    compress_responses(app)
    context = ViewContext(
        link=link,
        phones=phones,
        archive=GameArchive(games),
        guard=guard,
        streams=StreamLimiter(streams),
        screens=_screens(addresses, evidence=everybody_sees_evidence),
        addresses=addresses,
        everybody_sees_evidence=everybody_sees_evidence,
        mountings=facts.mountings,
        judge=facts.judge,
    )
    app.extensions["streams"] = context.streams
    app.extensions["phones"] = phones
    for module in (live, games_module, review_module, arbiter, setup, play, club, camera, people):
        module.add_routes(app, context)
    overlay.add_routes(
        app, overlay.OverlaySource(lambda _: link, context.streams, lambda: context.language)
    )
    app.add_url_rule("/language", "language", set_language, methods=["POST"])
    app.register_error_handler(404, lambda error: not_found(context.render, error))
    # The address of a form, opened by itself: after a change of the language, or from the history.
    app.register_error_handler(405, lambda _: redirect(request.path.rpartition("/")[0] or "/", 303))
    return app


def _screens(
    addresses: Callable[[], tuple[str, ...]], *, evidence: bool
) -> dict[tuple[str, bool], Screens]:
    """Returns the screens of each language, for viewers and for arbiters."""
    return {
        (code, arbiter): Screens(
            code, wording_of(code), arbiter=arbiter, evidence=evidence, addresses=addresses
        )
        for code in LANGUAGES
        for arbiter in (False, True)
    }


def set_language() -> ResponseReturnValue:
    """Stores the language that a viewer chose, and redirects to the page they came from."""
    language = request.form.get("language", "")
    answer = redirect(way_back(), 303)
    if language in LANGUAGES:
        answer.set_cookie(
            LANGUAGE_COOKIE, language, max_age=_YEAR_S, httponly=True, samesite="Strict"
        )
    return answer


def not_found(render: Callable[[str], str], error: HTTPException) -> ResponseReturnValue:
    """Returns the page for a path that leads nowhere, unless an answer was chosen already."""
    if error.response is not None:
        return error.response
    return Response(render("none.html"), 404)
