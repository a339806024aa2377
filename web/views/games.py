"""Past games: list, search, replay step by step, downloads; pictures to share. GET only."""

from dataclasses import dataclass
from functools import partial
from typing import Final

from flask import Flask, Response, abort, request

from web.contract import Page
from web.game_archive import GameArchive, PastGame, Unreadable
from web.i18n.wording import Wording
from web.presentation.game_summary import summarise_game
from web.presentation.moving_image import MovingImagePainter, animate
from web.presentation.replay_view import heading_of, replay_of
from web.presentation.share_image import ShareImagePainter
from web.presentation.view_model import PageView, view_of
from web.views.context import ViewContext

PER_LIST: Final = 12
"""Games on a page of the list."""

_LONGEST_QUERY: Final = 100
"""Characters of a search; more are ignored."""

_MOMENTS: Final = ("before", "after")
"""Names of the two pictures of a decision."""

_FOR_GOOD: Final = "private, max-age=86400"
"""Header of files that never change."""


@dataclass(frozen=True, slots=True)
class GameListEntry:
    """A game in the list.

    Attributes:
        name: name of its folder.
        when: day on which it began, see `GameArchive.day`.
        heading: names of the people, or of the game; empty if it cannot be read.
        view: its last page; None if it cannot be read.
        trouble: sentence on its unreadable parts; empty if there are none.
        has_record: True if its record exists.
    """

    name: str
    when: str
    heading: str
    view: PageView | None
    trouble: str
    has_record: bool


def add_routes(app: Flask, context: ViewContext) -> None:
    """Adds the routes to the application."""
    app.add_url_rule("/games", "games", partial(_games, context))
    app.add_url_rule("/games/<name>", "game", partial(_game, context))
    app.add_url_rule(
        "/games/<name>/record.blksgf", "game_record", partial(_record, context.archive)
    )
    painter = ShareImagePainter()
    app.add_url_rule("/picture.png", "picture", partial(_newest_picture, context, painter))
    app.add_url_rule(
        "/games/<name>/picture.png", "game_picture", partial(_picture, context, painter)
    )
    app.add_url_rule(
        "/games/<name>/picture.webp",
        "moving_picture",
        partial(_moving_picture, context, MovingImagePainter()),
    )
    app.add_url_rule("/games/<name>/<picture>.jpg", "game_evidence", partial(_evidence, context))


def _games(context: ViewContext) -> str:
    first = max(request.args.get("from", 0, type=int), 0)
    query = request.args.get("q", "").strip()[:_LONGEST_QUERY]
    names = _found(context, query)
    listed = names[first : first + PER_LIST]
    entries = [entry for name in listed if (entry := _entry(context, name)) is not None]
    older = first + PER_LIST if first + PER_LIST < len(names) else None
    newer = max(first - PER_LIST, 0) if first else None
    return context.render(
        "games.html", entries=entries, older=older, newer=newer, query=query, count=len(names)
    )


def _found(context: ViewContext, query: str) -> list[str]:
    """Returns the names of the games that fit each word of a search, newest first."""
    words = query.casefold().split()
    names, wording = context.archive.names(), context.wording
    return [name for name in names if _fits(context, name, words, wording)] if words else names


def _fits(context: ViewContext, name: str, words: list[str], wording: Wording) -> bool:
    """True if players, title or date of a game have all the words."""
    day, game = context.archive.day(name), context.archive.listing(name)
    facts = [name, day, wording.date(day)]
    if game is not None:
        facts += [game.title, wording.title_named(game.title), *game.players]
    text = "\n".join(facts).casefold()
    return all(word in text for word in words)


def _entry(context: ViewContext, name: str) -> GameListEntry | None:
    past = context.archive.ending(name)
    if past is None:
        return None
    page = None if isinstance(past, Unreadable) else past.pages[-1]
    view = None if page is None else view_of(page, context.wording)
    heading = "" if page is None else heading_of(page, context.wording)
    has_record = context.archive.record(name) is not None
    return GameListEntry(
        name, context.archive.day(name), heading, view, _trouble(context, past), has_record
    )


def _trouble(context: ViewContext, past: PastGame | Unreadable) -> str:
    """Returns a sentence on a game's unreadable parts; empty if there are none."""
    if isinstance(past, Unreadable):
        return context.wording.label(f"stored-{past}")
    return "" if past.whole else context.wording.label("stored-in-part")


def _game(context: ViewContext, name: str) -> str:
    past = context.archive.game(name)
    if past is None:
        abort(404)
    if isinstance(past, Unreadable):
        entries = [_entry(context, name)]
        return context.render(
            "games.html", entries=entries, older=None, newer=None, query="", count=1
        )
    last = len(past.pages) - 1
    at = min(max(request.args.get("at", last, type=int), 0), last)
    page = past.pages[at]
    return context.render(
        "game.html",
        name=name,
        when=context.archive.day(name),
        trouble=_trouble(context, past),
        replay=replay_of(past.pages, at, context.wording),
        view=view_of(page, context.wording),
        outcome=summarise_game(past.pages[-1], context.wording),
        evidence=_pictures(context, name, page),
    )


def _may_see(context: ViewContext) -> bool:
    """True if the sender of this request may see pictures of the camera."""
    return context.everybody_sees_evidence or context.phones.is_known()


def _pictures(context: ViewContext, name: str, page: Page) -> list[tuple[str, str]]:
    """Returns moment and file name of the page's pictures that exist and may be seen."""
    if not (page.evidence and _may_see(context)):
        return []
    found = [(moment, f"{page.evidence}-{moment}") for moment in _MOMENTS]
    return [one for one in found if context.archive.evidence(name, one[1]) is not None]


def _record(archive: GameArchive, name: str) -> Response:
    data = archive.record(name)
    if data is None:
        abort(404)
    headers = {"Content-Disposition": f'attachment; filename="{name}.blksgf"'}
    return Response(data, mimetype="application/x-go-sgf", headers=headers)


def _newest_picture(context: ViewContext, painter: ShareImagePainter) -> Response:
    page = context.link.news.page
    if page is None:
        abort(404)
    name = f"cornerlight-{page.title.lower().replace(' ', '-')}"
    return _png(context, painter, page, page.name, name if name.isascii() else "cornerlight")


def _picture(context: ViewContext, painter: ShareImagePainter, name: str) -> Response:
    past = context.archive.game(name)
    if not isinstance(past, PastGame):
        abort(404)
    return _png(context, painter, past.pages[-1], name, name)


def _png(
    context: ViewContext, painter: ShareImagePainter, page: Page, name: str, file: str
) -> Response:
    """Returns a picture to share, with the day of the game of this name."""
    png = painter.paint(page, context.language, context.wording, context.archive.day(name))
    headers = {"Content-Disposition": f'inline; filename="{file}.png"'}
    return Response(png, mimetype="image/png", headers=headers)


def _moving_picture(context: ViewContext, painter: MovingImagePainter, name: str) -> Response:
    """Returns the moving picture of a game; until it is made, a page that asks again."""
    past, webp = context.archive.ending(name), None
    if isinstance(past, PastGame) and past.pages[-1].ply:
        wording, day = context.wording, context.archive.day(name)

        def make() -> bytes:
            whole = context.archive.game(name)
            return animate((whole if isinstance(whole, PastGame) else past).pages, wording, day)

        key = past.pages[-1], context.language, day
        webp = painter.made(key, context.guard.sender(), make)
    elif past not in (None, Unreadable.MISSING) or not _has_just_ended(context, name):
        abort(404)
    if webp is None:
        return Response(context.render("making.html"), 503, {"Retry-After": "1"})
    headers = {"Content-Disposition": f'inline; filename="{name}.webp"'}
    return Response(webp, mimetype="image/webp", headers=headers)


def _has_just_ended(context: ViewContext, name: str) -> bool:
    """True if the table shows the end of this game, whose files it writes in a moment."""
    page = context.link.news.page
    return page is not None and page.name == name and page.finished and page.ply > 0


def _evidence(context: ViewContext, name: str, picture: str) -> Response:
    may = _may_see(context)
    jpeg = context.archive.evidence(name, picture) if may else None
    if jpeg is None:
        abort(404)
    return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": _FOR_GOOD})
