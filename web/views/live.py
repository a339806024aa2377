"""Routes for watchers: the page, its stream of changes, the camera's pictures. GET only."""

import secrets
from collections.abc import Iterator
from functools import partial

from flask import Flask, Response, request

from web import compression
from web.contract import LivePicture, PictureAudience
from web.known_phones import knows
from web.table_client import TableSnapshot
from web.views.context import ViewContext
from web.views.streams import RETRY_S


def add_routes(app: Flask, context: ViewContext) -> None:
    """Adds the routes to the application."""

    def page(*, tv: bool) -> str:
        screen = context.screen(context.link.news, context.language)
        return context.render("page.html", screen=screen, tv=tv)

    app.add_url_rule("/", "index", lambda: page(tv=False))
    app.add_url_rule("/tv", "tv", lambda: page(tv=True))
    app.add_url_rule("/events", "events", partial(_events, app, context))
    app.add_url_rule("/fragments.json", "fragments", partial(_fragments, context))
    app.add_url_rule("/page.json", "page_json", partial(_page_json, context))
    nonce = secrets.token_hex(4)  # so that tags of two runs of this server differ
    app.add_url_rule("/live.jpg", "live_picture", partial(_live_picture, context, nonce))
    app.add_url_rule("/doubt.jpg", "doubt_picture", partial(_doubt_picture, context, nonce))


def _events(app: Flask, context: ViewContext) -> Response:
    language, phones, news = context.language, context.phones, context.link.news
    token = phones.token if request.args.get("for") == "arbiter" else ""
    if token and phones.is_undecided():
        # The phone tries again later, when the table can confirm the token.
        return Response("The table does not answer.\n", 503, {"Retry-After": str(RETRY_S)})
    was_known = knows(news, token)
    newest = context.screen(news, language, arbiter=was_known)
    # A phone that has just loaded the page does not get all of it again.
    loaded = newest if request.args.get("shown") == newest.tag else None
    changes = context.streams.changes(context.link)

    small = compression.is_wanted()
    encode = compression.stored if small else bytes

    def stream() -> Iterator[bytes]:
        yield (compression.HEADER if small else b"") + encode(b"retry: 2000\n\n")
        previous = loaded
        for news in changes:
            if news is None:
                yield encode(b": alive\nevent: alive\ndata:\n\n")
                continue
            arbiter = knows(news, token)
            if was_known and news.phones is not None and not arbiter:
                return  # it was unpaired; while the table is away it gets the page for watchers
            screen = context.ready(news, language, arbiter=arbiter)
            if screen is None:
                with app.app_context():
                    screen = context.screen(news, language, arbiter=arbiter)
            data = screen.since(previous, small=small)
            revision = b"id: %d\n" % news.page.revision if news.page else b""
            yield encode(revision + b"data: " + age(news)) + data + encode(b"\n\n")
            previous = screen

    answer = context.streams.admit(
        stream(), "text/event-stream", known=phones.is_known() or phones.is_seated()
    )
    if small and answer.status_code == 200:
        answer.headers["Content-Encoding"] = "gzip"
    answer.vary.add("Accept-Encoding")
    return answer


def age(news: TableSnapshot) -> bytes:
    """Returns the beginning of the JSON object of `Screen.since`: what depends on the time.

    It is separate as all phones get the same bytes of `Screen.since`, but at different times.
    """
    return b'{"age":%d,"silent":%d,' % (news.age_ms(), news.silent_ms())


def _fragments(context: ViewContext) -> Response:
    news = context.link.news
    arbiter = request.args.get("for") == "arbiter" and context.phones.is_known()
    screen = context.screen(news, context.language, arbiter=arbiter)
    response = Response(age(news) + screen.since(), mimetype="application/json")
    return unless_cached(response, screen.tag)


def unless_cached(response: Response, tag: str) -> Response:
    """Adds an ETag; the response is empty for a client that has the tagged content."""
    response.set_etag(tag)
    response.headers["Cache-Control"] = "no-cache"
    response.make_conditional(request)
    return response


def _page_json(context: ViewContext) -> Response:
    page = context.link.news.page
    if page is None:
        return Response("The table has not begun.\n", 503, {"Retry-After": "2"})
    return Response(page.public.to_json() + "\n", mimetype="application/json")


def _live_picture(context: ViewContext, nonce: str) -> Response:
    news = context.link.news
    return _camera_picture(context, news, news.picture, f"{nonce}-{news.picture_serial}")


def _doubt_picture(context: ViewContext, nonce: str) -> Response:
    """Serves the picture that belongs to an open question."""
    news = context.link.news  # one snapshot: who may see the picture belongs to it
    doubt = news.doubt
    if doubt is None:
        return Response(status=204)
    return _camera_picture(context, news, doubt.picture, f"{nonce}-{doubt.serial}")


def _camera_picture(
    context: ViewContext, news: TableSnapshot, picture: LivePicture | None, tag: str
) -> Response:
    """Returns a picture of the camera, if the sender of this request may see it.

    While the table is away nobody is known, so that only pictures for everybody are shown.
    """
    audience = news.page.pictures if news.page else PictureAudience.NOBODY
    if audience is PictureAudience.NOBODY:
        return Response(status=204)  # no error: they have ended, or not begun
    if not (audience is PictureAudience.EVERYBODY or knows(news, context.phones.token)):
        return Response("The camera's picture is for paired phones.\n", 403)
    if picture is None:
        return Response(status=204)
    response = unless_cached(Response(picture.jpeg, mimetype="image/jpeg"), tag)
    response.cache_control.private = True
    return response
