"""The score page as a Flask application: one page, its stream of changes, and the live picture.

Everything here answers GET and changes nothing. All markup is made by the templates, on the
server: the first paint needs no JavaScript, and the script only puts newer fragments in place.
"""

import ipaddress
import secrets
from collections.abc import Callable, Collection, Iterator
from typing import Final

from flask import Flask, Response, abort, render_template, request

from web.link import Link, News
from web.screen import Screens
from web.streams import Streams
from web.wording import Wording

_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def create_app(link: Link, *, streams: int = 64, hosts: Collection[str] = ()) -> Flask:
    """The score page.

    Args:
        link: where the news comes from. It is the caller's, who starts and closes it.
        streams: how many phones may hold a stream at a time.
        hosts: names of this machine that pages may be asked under, besides addresses,
            `localhost`, names without a dot and names under `.local`.
    """
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = 0
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.extensions["streams"] = Streams(streams)
    wording = Wording()
    screens = Screens(wording)
    allowed = {host.lower() for host in hosts}

    @app.before_request
    def check_host() -> None:
        # A page elsewhere whose name was made to point here must not read the table.
        if not host_is_ours(request.host, allowed):
            abort(Response("This page is not served under that name.\n", 421))

    @app.after_request
    def add_headers(response: Response) -> Response:
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    def page(*, tv: bool) -> str:
        screen = screens.of(link.news)
        return render_template("page.html", screen=screen, label=wording.label, tv=tv)

    app.add_url_rule("/", "index", lambda: page(tv=False))
    app.add_url_rule("/tv", "tv", lambda: page(tv=True))
    app.add_url_rule("/events", "events", _events(app, link, screens))
    app.add_url_rule("/fragments.json", "fragments", _fragments(link, screens))
    app.add_url_rule("/page.json", "page_json", _page_json(link))
    app.add_url_rule("/live.jpg", "picture", _picture(link))
    app.add_url_rule("/live", "live", _live(app, link))
    return app


def host_is_ours(host: str, allowed: Collection[str] = ()) -> bool:
    """Whether a `Host` header names this machine in a way that no stranger's site can.

    Args:
        host: the header, with or without a port.
        allowed: further names, in lower case.
    """
    name = host.rpartition("]")[0].lstrip("[") if host.startswith("[") else host.partition(":")[0]
    name = name.lower().removesuffix(".")
    try:
        ipaddress.ip_address(name)
    except ValueError:
        known = name in allowed or name.endswith(".local") or "." not in name
        return bool(name) and known
    return True


def _events(app: Flask, link: Link, screens: Screens) -> Callable[[], Response]:
    def events() -> Response:
        streams: Streams = app.extensions["streams"]
        newest = screens.of(link.news)
        # Who has just been given the page is not sent all of it again.
        had = newest if request.args.get("shown") == newest.tag else None
        changes = streams.changes(link)

        def stream() -> Iterator[bytes]:
            yield b"retry: 2000\n\n"
            shown = had
            for news in changes:
                if news is None:
                    yield b": alive\nevent: alive\ndata:\n\n"
                    continue
                with app.app_context():
                    screen = screens.of(news)
                yield b"data: " + screen.since(shown) + b"\n\n"
                shown = screen

        return streams.admit(stream(), "text/event-stream")

    return events


def _fragments(link: Link, screens: Screens) -> Callable[[], Response]:
    def fragments() -> Response:
        response = Response(screens.of(link.news).since(), mimetype="application/json")
        response.add_etag()
        response.headers["Cache-Control"] = "no-cache"
        response.make_conditional(request)
        return response

    return fragments


def _page_json(link: Link) -> Callable[[], Response]:
    def page_json() -> Response:
        page = link.news.page
        if page is None:
            return Response("The table has not begun.\n", 503, {"Retry-After": "2"})
        return Response(page.to_json() + "\n", mimetype="application/json")

    return page_json


def _picture(link: Link) -> Callable[[], Response]:
    nonce = secrets.token_hex(4)  # so that pictures of two runs of this server never compare equal

    def picture() -> Response:
        news = link.news
        if not _offers_pictures(news) or news.picture is None:
            return Response(status=204)  # no fault: it has none yet, or no longer offers them
        response = Response(news.picture.jpeg, mimetype="image/jpeg")
        response.set_etag(f"{nonce}-{news.picture_serial}")
        response.headers["Cache-Control"] = "no-cache"
        response.make_conditional(request)
        return response

    return picture


def _live(app: Flask, link: Link) -> Callable[[], Response]:
    """The newest pictures one after another, for viewers without JavaScript."""

    def live() -> Response:
        if not _offers_pictures(link.news):
            abort(Response("The table offers no picture.\n", 404))
        streams: Streams = app.extensions["streams"]
        changes = streams.changes(link, pictures=True)

        def stream() -> Iterator[bytes]:
            for news in changes:
                if news is not None and news.picture is not None:
                    jpeg = news.picture.jpeg
                    head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}"
                    yield head.encode() + b"\r\n\r\n" + jpeg + b"\r\n"

        return streams.admit(stream(), "multipart/x-mixed-replace; boundary=frame")

    return live


def _offers_pictures(news: News) -> bool:
    return news.page is not None and news.page.pictures
