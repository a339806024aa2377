"""Routes of a hall for everybody: rounds, standings, boards, a screen on the wall. GET only."""

import json
from collections.abc import Iterator
from functools import partial

from flask import Flask, Response, abort, redirect, request
from flask.typing import ResponseReturnValue

from web.hall.boards import BoardSource, HallBoards
from web.hall.context import HallContext
from web.hall.page import HallPage
from web.hall.spectator_screens import found_players
from web.presentation.fragments import Screen
from web.presentation.invitation import qr_code
from web.table_client import TableSnapshot
from web.views import overlay


def add_routes(app: Flask, parts: HallContext) -> None:
    """Adds the routes to the application."""
    boards = HallBoards(parts.backend)
    source = overlay.OverlaySource(
        boards.game, parts.streams, lambda: parts.language, ("lang", "table")
    )
    overlay.add_routes(app, source)
    pages = _SpectatorPages(parts)
    app.add_url_rule("/", "index", pages.front)
    app.add_url_rule("/player/<identity>", "player", pages.mine)
    app.add_url_rule("/standings", "standings", pages.standings)
    app.add_url_rule("/tv", "tv", pages.wall)
    board = "/board/<int:number>"
    app.add_url_rule(board, "board", partial(_board, parts, boards))
    events = partial(_board_events, app, parts, boards)
    app.add_url_rule(f"{board}/events", "board_events", events)
    app.add_url_rule(f"{board}/fragments.json", "board_json", partial(_board_json, parts, boards))


class _SpectatorPages:
    """The pages that show what the hall says; they take changes from `web.hall.streams`."""

    def __init__(self, parts: HallContext) -> None:
        self._parts = parts

    def front(self) -> ResponseReturnValue:
        wanted = request.args.get("who", "")[:80]
        found = found_players(self._page, wanted)
        if len(found) == 1:
            return redirect(f"/player/{found[0][0]}", 303)
        return self._render("hall/front.html", "front", wanted=wanted, found=found)

    def mine(self, identity: str) -> ResponseReturnValue:
        if (
            identity not in self._page.state.players
            or self._parts.screens.kind(f"mine-{identity}") is None
        ):
            abort(404)
        return self._render("hall/mine.html", f"mine-{identity}")

    def standings(self) -> ResponseReturnValue:
        return self._render("hall/standings.html", "ranks")

    def wall(self) -> ResponseReturnValue:
        addresses = self._parts.addresses()
        code = qr_code(addresses[0]) if addresses else ""
        address = addresses[0] if addresses else ""
        return self._render("hall/wall.html", "wall", tv=True, code=code, address=address)

    @property
    def _page(self) -> HallPage:
        return self._parts.page.public

    def _render(self, template: str, name: str, **values: object) -> str:
        parts = self._parts
        page = parts.page
        screen = parts.screens.of(page, name, parts.wording, parts.language, is_public=True)
        return parts.render(template, screen=screen, screen_name=name, page=page.public, **values)


def _board(parts: HallContext, boards: HallBoards, number: int) -> ResponseReturnValue:
    source = _game(boards, number)
    news = source.news
    screen = boards.screens(number, parts.language).of(news)
    return parts.render(
        "hall/board.html",
        number=number,
        screen=screen,
        times=overlay.times_of(news),
    )


def _game(boards: HallBoards, number: int) -> BoardSource:
    """Returns the game of a table; ends the request if there is no such table."""
    return boards.game(str(number)) or abort(404)


def _message(news: TableSnapshot, screen: Screen, previous: Screen | None) -> bytes:
    """Returns the times and the fragments that differ from those of a screen, as JSON."""
    return json.dumps(overlay.times_of(news)).encode()[:-1] + b"," + screen.since(previous)


def _board_events(
    app: Flask, parts: HallContext, boards: HallBoards, number: int
) -> ResponseReturnValue:
    source = _game(boards, number)
    screens = boards.screens(number, parts.language)
    changes = parts.streams.changes(source)

    def stream() -> Iterator[bytes]:
        yield b"retry: 2000\n\n"
        previous = None
        for news in changes:
            if news is None:
                yield b"event: alive\ndata:\n\n"
                continue
            screen = screens.ready(news)
            if screen is None:
                with app.app_context():
                    screen = screens.of(news)
            yield b"data: " + _message(news, screen, previous) + b"\n\n"
            previous = screen

    return parts.streams.admit(stream(), "text/event-stream")


def _board_json(parts: HallContext, boards: HallBoards, number: int) -> ResponseReturnValue:
    source = _game(boards, number)
    news = source.news
    screen = boards.screens(number, parts.language).of(news)
    return Response(_message(news, screen, None), mimetype="application/json")
