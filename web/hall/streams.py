"""Routes of the changes of a hall's pages: a stream, and fragments for whoever polls."""

from collections.abc import Iterator
from functools import partial

from flask import Flask, Response, abort, request

from web import compression
from web.hall.backend import HallNews
from web.hall.context import WORDINGS, HallContext, now_ms
from web.presentation.fragments import Screen
from web.views.live import unless_cached


def add_routes(app: Flask, parts: HallContext) -> None:
    """Adds the routes to the application."""
    app.add_url_rule("/events", "events", partial(_events, app, parts))
    app.add_url_rule("/fragments.json", "fragments", partial(_fragments, parts))


def _wanted(parts: HallContext) -> str:
    """Returns the name of the wanted screen; ends the request if the sender may not see it."""
    name = request.args.get("for", "")
    kind = parts.screens.kind(name)
    if kind is None:
        abort(404)
    if not kind.is_public and not parts.phones.is_known():
        abort(Response("This page is for paired phones.\n", 403))
    return name


def _age() -> bytes:
    """Returns the beginning of the JSON object of `Screen.since`: what depends on the time."""
    return b'{"age":%d,"silent":0,' % now_ms()


def _events(app: Flask, parts: HallContext) -> Response:
    name, language, is_paired = _wanted(parts), parts.language, parts.phones.is_known()
    token = parts.phones.token
    changes = parts.streams.changes(parts.backend)
    small = compression.is_wanted()
    encode = compression.stored if small else bytes

    def screen_of(news: HallNews) -> Screen:
        with app.app_context():
            wording = WORDINGS[language]
            return parts.screens.of(news.page, name, wording, language, is_public=not is_paired)

    newest = screen_of(parts.backend.news)
    loaded = newest if request.args.get("shown") == newest.tag else None

    def stream() -> Iterator[bytes]:
        yield (compression.HEADER if small else b"") + encode(b"retry: 2000\n\n")
        previous, is_first = loaded, True
        for news in changes:
            if is_paired and not parts.backend.news.phones.knows(token):
                return  # it was unpaired
            if news is None:
                yield encode(b": alive\nevent: alive\ndata:\n\n")
                continue
            screen = screen_of(news)
            if not is_first and previous is not None and screen.is_like(previous):
                continue
            data = screen.since(previous, small=small)
            yield encode(b"data: " + _age()) + data + encode(b"\n\n")
            previous, is_first = screen, False

    answer = parts.streams.admit(stream(), "text/event-stream", known=is_paired)
    if small and answer.status_code == 200:
        answer.headers["Content-Encoding"] = "gzip"
    answer.vary.add("Accept-Encoding")
    return answer


def _fragments(parts: HallContext) -> Response:
    name, language = _wanted(parts), parts.language
    page = parts.backend.news.page
    screen = parts.screens.of(
        page, name, parts.wording, language, is_public=not parts.phones.is_known()
    )
    response = Response(_age() + screen.since(), mimetype="application/json")
    return unless_cached(response, screen.tag)
