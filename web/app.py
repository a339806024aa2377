"""The score page as a Flask application: one page, its stream of changes, and the live picture.

Everything here answers GET and changes nothing. All markup is made by the templates, on the
server: the first paint needs no JavaScript, and the script only puts newer fragments in place.
"""

import ipaddress
import json
import secrets
import threading
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Final

from flask import Flask, Response, abort, render_template, request

from web.link import Link, News
from web.view import view_of
from web.wording import Wording

FRAGMENTS: Final = ("scores", "state", "board", "trays", "moves", "camera", "announcement")
"""Parts of the page that are replaced one by one, each the template of its element's id."""

KEEP_ALIVE_S: Final = 10.0
"""Silence after which a stream says a sign of life."""

RETRY_S: Final = 15
"""After how long somebody who found no free stream may ask for one again."""

_GLANCE_S: Final = 2.0
"""How often a waiting stream looks whether its phone is still there."""

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


@dataclass(frozen=True, slots=True)
class Screen:
    """The newest news as the markup of each fragment.

    Attributes:
        tag: tells it from every other screen, also from those of an earlier run.
        facts: what scripts and styles go by: the state's code, the ply, and so on.
        fragments: markup by id.
    """

    tag: str

    facts: dict[str, object]
    fragments: dict[str, str]

    def since(self, shown: dict[str, str]) -> str:
        """The facts and the fragments that differ from those shown, as one line of JSON."""
        changed = {key: text for key, text in self.fragments.items() if shown.get(key) != text}
        return json.dumps({**self.facts, "fragments": changed}, separators=(",", ":"))


class Screens:
    """Renders the news once for everybody, not once for each phone."""

    def __init__(self, wording: Wording) -> None:
        self._wording: Final = wording
        self._lock: Final = threading.Lock()
        self._of: tuple[int, Screen] | None = None
        self._run: Final = secrets.token_hex(4)

    def of(self, news: News) -> Screen:
        """The screen that shows this news; needs the application's context."""
        with self._lock:
            if self._of is None or self._of[0] != news.serial:
                self._of = (news.serial, self._render(news))
            return self._of[1]

    def _render(self, news: News) -> Screen:
        view = None if news.page is None else view_of(news.page, self._wording)
        facts: dict[str, object] = {"connected": news.connected, "state": "no-table"}
        if view is not None:
            facts |= {"state": view.code, "ply": view.ply, "revision": view.revision}
            facts |= {"finished": view.finished, "colors": len(view.trays)}
        label = self._wording.label
        fragments = {
            key: render_template(
                f"fragments/{key}.html", view=view, label=label, connected=news.connected
            ).strip()
            for key in FRAGMENTS
        }
        return Screen(f"{self._run}-{news.serial}", facts, fragments)


class Streams:
    """Who may hold a stream: so many at a time, the others are told to poll.

    Attributes:
        limit: how many; the server sets it to the threads it has for them.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._lock: Final = threading.Lock()
        self._open = 0
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether all streams shall end."""
        return self._closed

    def close(self) -> None:
        """Lets every stream end, within two seconds."""
        self._closed = True

    def enter(self) -> bool:
        """Takes a place, if one is free."""
        with self._lock:
            if self._open >= self.limit:
                return False
            self._open += 1
            return True

    def leave(self) -> None:
        """Gives the place back."""
        with self._lock:
            self._open -= 1


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
        is_gone = request.environ.get("waitress.client_disconnected", lambda: False)
        tag = request.args.get("shown")
        current = screens.of(link.news)
        # Who has just been given the page is not sent all of it again.
        had = current.fragments if tag == current.tag else {}

        def stream() -> Iterator[str]:
            yield "retry: 2000\n\n"
            shown = had
            for news in _changes(link.wait, link, streams, is_gone, "serial"):
                if news is None:
                    yield ": alive\nevent: alive\ndata:\n\n"
                    continue
                with app.app_context():
                    screen = screens.of(news)
                text = screen.since(shown)
                shown = screen.fragments
                yield f"data: {text}\n\n"

        return _admitted(streams, stream(), "text/event-stream")

    return events


def _fragments(link: Link, screens: Screens) -> Callable[[], Response]:
    def fragments() -> Response:
        response = Response(screens.of(link.news).since({}), mimetype="application/json")
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
            abort(Response("The table offers no picture.\n", 404))
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
        is_gone = request.environ.get("waitress.client_disconnected", lambda: False)

        def stream() -> Iterator[bytes]:
            changes = _changes(link.wait_picture, link, streams, is_gone, "picture_serial")
            for news in changes:
                if news is not None and news.picture is not None:
                    jpeg = news.picture.jpeg
                    head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}"
                    yield head.encode() + b"\r\n\r\n" + jpeg + b"\r\n"

        return _admitted(streams, stream(), "multipart/x-mixed-replace; boundary=frame")

    return live


def _offers_pictures(news: News) -> bool:
    return news.page is not None and news.page.pictures


def _changes(
    wait: Callable[[int, float], News],
    link: Link,
    streams: Streams,
    is_gone: Callable[[], bool],
    serial: str,
) -> Iterator[News | None]:
    """The news now and after each change; None when a sign of life is due."""
    news = link.news
    silence = 0.0
    yield news
    while not (link.closed or streams.closed or is_gone()):
        newer = wait(getattr(news, serial), _GLANCE_S)
        if getattr(newer, serial) != getattr(news, serial):
            news, silence = newer, 0.0
            yield news
            continue
        silence += _GLANCE_S
        if silence >= KEEP_ALIVE_S:
            silence = 0.0
            yield None


def _admitted(
    streams: Streams, stream: Iterator[str] | Iterator[bytes], content_type: str
) -> Response:
    if not streams.enter():
        headers = {"Retry-After": str(RETRY_S)}
        return Response("Too many are watching; poll /fragments.json instead.\n", 503, headers)
    response = Response(stream, content_type=content_type)
    response.call_on_close(streams.leave)
    return response
