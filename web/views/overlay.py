"""Routes of the overlay for streams: the page, its stream of changes, and polling. GET only.

A table's own page and the pages of a hall have the same overlay; only what they read it from
differs, see `OverlayHistory`.
"""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from flask import Flask, Response, render_template, request

from web.contract import ClubTable
from web.i18n.languages import LANGUAGES, wording_of
from web.overlay_history import OverlayHistory, OverlayState, ShownState
from web.presentation.overlay_options import PARTS, OverlayOptions, WrongParameterError, options_of
from web.presentation.overlay_view import SLOTS, overlay_of
from web.table_client import TableClient
from web.views.sse import StreamLimiter

ALIVE_S: Final = 3.0
"""Seconds of silence after which a stream sends a sign of life; the mark comes after 10 s."""

_GLANCE_S: Final = 0.2
"""Seconds between two looks at the table."""


@dataclass(frozen=True, slots=True)
class OverlaySource:
    """The tables whose overlays are served.

    Attributes:
        newest: returns the newest state of a table by its key; None if there is no such table.
        streams: limits of streams.
        language: returns the language for the sender of this request.
        least_delay_s: returns the seconds of delay that no parameter shortens.
        in_hall: True if the parameter `table` chooses a table.
    """

    newest: Callable[[str], OverlayState | None]
    streams: StreamLimiter
    language: Callable[[], str]
    least_delay_s: Callable[[], int] = int
    in_hall: bool = False


def source_of(
    link: TableClient, streams: StreamLimiter, language: Callable[[], str], least_delay_s: int
) -> OverlaySource:
    """Returns the overlay of a table's own page."""
    began = time.monotonic()

    def newest(_: str) -> OverlayState:
        news = link.news
        lost_at = None if news.connected else news.lost_at or began
        following = _following(news.club) if news.club else ()
        return OverlayState(news.page and news.page.public, news.paged_at, lost_at, following)

    return OverlaySource(newest, streams, language, lambda: least_delay_s)


def _following(club: ClubTable) -> tuple[str, ...]:
    """Returns the public names of those who meet next at a table; none if that is not known."""
    if club.offer is not None:
        return tuple(player.name for player in club.offer.match.players)
    return club.hall.next.names if club.hall and club.hall.next else ()


def add_routes(app: Flask, source: OverlaySource) -> OverlayHistory:
    """Adds the routes to the application; returns the past of the tables."""
    routes = _Overlay(app, source)
    app.add_url_rule("/overlay", "overlay", routes.page)
    app.add_url_rule("/overlay/events", "overlay_events", routes.events)
    app.add_url_rule("/overlay/fragments.json", "overlay_fragments", routes.fragments)
    return routes.history


class _Overlay:
    """The routes of the overlay."""

    def __init__(self, app: Flask, source: OverlaySource) -> None:
        self._app: Final = app
        self._source: Final = source
        self.history: Final = OverlayHistory(source.newest, lambda: source.streams.closed)
        if source.least_delay_s() and not source.in_hall:
            self.history.shown("", source.least_delay_s())  # keeps the past from now on

    def page(self) -> Response:
        """Returns the whole overlay as it is now."""
        try:
            options, shown = self._asked()
        except WrongParameterError as error:
            return self._refused(error)
        wording = wording_of(options.language)
        html = render_template(
            "overlay.html",
            options=options,
            wording=wording,
            fragments=self._fragments(options, shown.state),
            facts=_facts(shown),
        )
        return Response(html)

    def fragments(self) -> Response:
        """Returns all fragments as JSON, for whoever gets no stream."""
        try:
            options, shown = self._asked()
        except WrongParameterError as error:
            return self._refused(error)
        return Response(self._message(options, shown), mimetype="application/json")

    def events(self) -> Response:
        """Streams the fragments whenever they change."""
        try:
            options, shown = self._asked()
        except WrongParameterError as error:
            return self._refused(error)
        is_cut = request.environ.get("waitress.client_disconnected", lambda: False)
        stream = self._stream(options, shown, is_cut)
        return self._source.streams.admit(stream, "text/event-stream")

    def _stream(
        self, options: OverlayOptions, shown: ShownState | None, is_cut: Callable[[], bool]
    ) -> Iterator[bytes]:
        yield b"retry: 2000\n\n"
        sent: tuple[OverlayState, bool] | None = None
        sent_at = 0.0
        while shown is not None and not (self._source.streams.closed or is_cut()):
            now = time.monotonic()
            state = shown.state, shown.wait_s > 0
            if state != sent:
                with self._app.app_context():
                    message = self._message(options, shown)
                yield b"data: " + message.encode() + b"\n\n"
                sent, sent_at = state, now
            elif now - sent_at >= ALIVE_S:
                yield b"event: alive\ndata:\n\n"
                sent_at = now
            time.sleep(_GLANCE_S)
            shown = self.history.shown(options.table, options.delay_s)

    def _asked(self) -> tuple[OverlayOptions, ShownState]:
        """Returns the options of this request, and what it shows now.

        Raises:
            WrongParameterError: a parameter is wrong, or there is no such table.
        """
        parameters = request.args.to_dict()
        options = options_of(parameters, in_hall=self._source.in_hall)
        options = replace(
            options,
            language=options.language or self._source.language(),
            delay_s=max(options.delay_s, self._source.least_delay_s()),
        )
        shown = self.history.shown(options.table, options.delay_s)
        if shown is None:
            raise WrongParameterError("table", options.table, "")
        return options, shown

    def _refused(self, error: WrongParameterError) -> Response:
        """Returns one sentence on a wrong parameter."""
        language = request.args.get("lang", "")
        wording = wording_of(language if language in LANGUAGES else self._source.language())
        if error.value is None:
            text = wording.overlay("unknown", name=error.name[:40], allowed=error.allowed)
        elif not error.allowed:
            text = wording.overlay("no-such-table", value=error.value)
        else:
            value = error.value[:40]
            text = wording.overlay("wrong", name=error.name, value=value, allowed=error.allowed)
        html = render_template("overlay.html", refused=text, options=OverlayOptions())
        return Response(html, 400)

    def _message(self, options: OverlayOptions, shown: ShownState) -> str:
        content = {**_facts(shown), "fragments": self._fragments(options, shown.state)}
        return json.dumps(content, separators=(",", ":"))

    def _fragments(self, options: OverlayOptions, state: OverlayState) -> dict[str, str]:
        """Returns the markup of each part that is shown, by its name; needs the context."""
        wording = wording_of(options.language)
        view = None if state.page is None else overlay_of(state.page, wording, state.next)
        return {
            part: render_template(
                "fragments/overlay.html",
                part=part,
                timed="clock" in options.parts,
                view=view,
                slots=view.slots if view else (None,) * SLOTS,
                wording=wording,
                label=wording.label,
            ).strip()
            for part in PARTS
            if part in options.parts
        }


def _facts(shown: ShownState) -> dict[str, int | None]:
    """Returns the times that scripts count on from, in milliseconds."""
    wait = max(0, round(1000 * shown.wait_s))
    return {"age": shown.age_ms(), "silent": shown.silent_ms(), "wait": wait}
