"""Routes of the overlay for streams: the page, its stream of changes, and polling. GET only.

A table's own page and the pages of a hall have the same overlay; only its source differs.
"""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from flask import Flask, Response, abort, render_template, request

from web.i18n.languages import LANGUAGES, wording_of
from web.presentation.overlay import overlay_of
from web.table_client import TableSnapshot
from web.views.streams import ChangeSource, StreamLimiter

_ALIVE_S: Final = 3.0
"""Seconds of silence after which a stream sends a sign of life; the mark comes after 10 s."""

_BEGAN_S: Final = time.monotonic()
"""Start of this process, from which a table that was never there is silent."""


@dataclass(frozen=True, slots=True)
class OverlaySource:
    """The tables whose overlays are served.

    Attributes:
        game: returns the game of a table by its key, empty for the usual one; None if there is no
            such table.
        streams: limits of streams.
        language: returns the language for the sender of this request.
        parameters: names of the parameters that an address may have.
    """

    game: Callable[[str], ChangeSource[TableSnapshot] | None]
    streams: StreamLimiter
    language: Callable[[], str]
    parameters: tuple[str, ...] = ("lang",)


def add_routes(app: Flask, source: OverlaySource) -> None:
    """Adds the routes to the application."""

    def page() -> str:
        language, news = _language(source), _game(source).news
        return render_template(
            "overlay.html",
            language=language,
            wording=wording_of(language),
            fragments=overlay_of(news.page, wording_of(language)),
            times=times_of(news),
        )

    def fragments() -> Response:
        message = _message(_game(source).news, _language(source))
        return Response(message, mimetype="application/json")

    def events() -> Response:
        language, changes = _language(source), source.streams.changes(_game(source), _ALIVE_S)

        def stream() -> Iterator[bytes]:
            yield b"retry: 2000\n\n"
            for news in changes:
                if news is None:
                    yield b"event: alive\ndata:\n\n"
                    continue
                with app.app_context():
                    message = _message(news, language)
                yield b"data: " + message.encode() + b"\n\n"

        return source.streams.admit(stream(), "text/event-stream")

    app.add_url_rule("/overlay", "overlay", page)
    app.add_url_rule("/overlay/events", "overlay_events", events)
    app.add_url_rule("/overlay/fragments.json", "overlay_fragments", fragments)


def times_of(news: TableSnapshot) -> dict[str, int | None]:
    """Returns the times that scripts count on from, in milliseconds."""
    if not news.connected and news.lost_at is None:
        news = replace(news, lost_at=_BEGAN_S)
    return {"age": news.age_ms(), "silent": None if news.connected else news.silent_ms()}


def _message(news: TableSnapshot, language: str) -> str:
    content = {**times_of(news), "fragments": overlay_of(news.page, wording_of(language))}
    return json.dumps(content, separators=(",", ":"))


def _language(source: OverlaySource) -> str:
    wanted = request.args.get("lang", "")
    return wanted if wanted in LANGUAGES else source.language()


def _game(source: OverlaySource) -> ChangeSource[TableSnapshot]:
    """Returns the game of this request; a wrong parameter ends it with one sentence.

    An unknown parameter is wrong: it may be one of an earlier version, as the delay was.
    """
    wording, refused = wording_of(_language(source)), ""
    allowed = ", ".join(source.parameters)
    for name in set(request.args) - {*source.parameters}:
        refused = wording.overlay("unknown", name=name[:40], allowed=allowed)
    table = request.args.get("table", "")
    game = source.game(table)
    if game is None:
        key = "no-such-table" if table else "which-table"
        refused = refused or wording.overlay(key, value=table[:40])
    if game is None or refused:
        abort(Response(render_template("overlay.html", refused=refused), 400))
    return game
