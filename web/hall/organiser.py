"""The organiser's routes: pairing of a phone, pages of a paired one, its commands, its files.

The pages decide nothing: each command goes to the hall's process, which checks the pairing
and the revision. Every change is a form; without JavaScript a page tells the reply.
"""

import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from flask import Flask, Response, abort, make_response, redirect, request
from flask.typing import ResponseReturnValue

from firmware.hall.tournament.codes import HallRefusal, PublicForm, RoundStage, TieBreak
from firmware.hall.tournament.errors import TournamentError
from web.contract import GameKey, RefusalReason
from web.contract.person_names import UnfitNameError
from web.hall.backend import DocumentName, PaperName
from web.hall.commands import (
    HallReply,
    HallRequest,
)
from web.hall.context import HallContext
from web.hall.forms import hall_command
from web.hall.organiser_screens import current_round, number_of
from web.hall.page import HallPage
from web.hall.rows import find_match, match_row, names_of
from web.known_phones import PAIRING_COOKIE, give_token
from web.rate_limit import typed_number
from web.request_guard import PAIR, way_back
from web.views.arbiter import new_id
from web.views.command_forms import PUZZLES
from web.views.context import wants_json

ORGANISER: Final = "/organiser"
"""Path of the organiser's first page."""

_View = Callable[..., ResponseReturnValue]

_log = logging.getLogger(__name__)


def add_routes(app: Flask, parts: HallContext) -> None:
    """Adds the routes to the application."""
    pages: dict[str, _View] = {
        "": partial(_page, kind="tables"),
        "/tables/<int:number>": _table,
        "/round": lambda parts: redirect(f"{ORGANISER}/round/{current_round(parts.page)}"),
        "/round/<int:number>": _round,
        "/round/<int:number>/swap": _swap,
        "/match/<identity>": _match,
        "/players": partial(_page, kind="players", forms=tuple(PublicForm)),
        "/players/<identity>": _player,
        "/standings": partial(_page, kind="ranking"),
        "/settings": _settings,
        "/files/<name>": _file,
    }
    for path, view in pages.items():
        app.add_url_rule(ORGANISER + path, f"organiser{path}", partial(view, parts))
    for path, endpoint, act in (
        (f"{ORGANISER}/say", "organiser_say", _say),
        (PAIR, "pair", _pair),
        ("/unpair", "unpair", _leave),
    ):
        app.add_url_rule(path, endpoint, partial(act, parts), methods=["POST"])


def _page(
    parts: HallContext, kind: str, item: str | int = "", template: str = "", **values: object
) -> ResponseReturnValue:
    """Returns a page for a paired phone; any other gets the page for pairing."""
    reply = parts.wording.reply(request.args.get("reply", ""))
    page = parts.page
    if not parts.phones.is_known():
        return parts.render("hall/pair.html", reply=reply)
    name = f"{kind}-{item}" if item != "" else kind
    screen = parts.screens.of(page, name, parts.wording, parts.language, is_public=False)
    return parts.render(
        f"hall/{template or kind}.html",
        screen=screen,
        screen_name=name,
        reply=reply,
        page=page,
        id=new_id(),
        **values,
    )


def _table(parts: HallContext, number: int) -> ResponseReturnValue:
    table = parts.page.table(number)
    if table is None:
        abort(404)
    return _page(parts, "table", number, table=table)


def _round(parts: HallContext, number: int) -> ResponseReturnValue:
    page = parts.page
    last = page.rounds[-1] if page.rounds else None
    is_next = number == (last.number + 1 if last and last.stage is RoundStage.LOCKED else 1)
    if page.round(number) is None and not (is_next and number <= (_rounds(page) or 1)):
        abort(404)
    return _page(parts, "round", number, number=number)


def _rounds(page: HallPage) -> int:
    return page.tournament.rounds if page.tournament else 0


def _swap(parts: HallContext, number: int) -> ResponseReturnValue:
    page = parts.page
    one = page.round(number)
    if one is None:
        abort(404)
    players = [player for match in one.matches for player in match.players]
    named = zip(names_of(page, players), players, strict=True)
    people = sorted(named, key=lambda person: person[0].casefold())
    chosen = request.args.get("one", "")
    return _page(
        parts, "round", number, "swap", number=number, people=people, chosen=chosen, round=one
    )


def _match(parts: HallContext, identity: str) -> ResponseReturnValue:
    page = parts.page
    found = find_match(page, identity)
    if found is None:
        abort(404)
    row = match_row(page, found[1], parts.wording)
    return _page(parts, "match", identity, round=found[0], row=row)


def _player(parts: HallContext, identity: str) -> ResponseReturnValue:
    page = parts.page
    player = page.state.players.get(identity)
    if player is None:
        abort(404)
    return _page(
        parts,
        "player",
        identity,
        player=player,
        forms=tuple(PublicForm),
        can_delete=not any(identity in one.players for one in page.rounds),
    )


def _settings(parts: HallContext) -> ResponseReturnValue:
    page = parts.page
    return _page(
        parts,
        "settings",
        tournament=page.tournament,
        revision=page.state.settings_revision,
        begun=bool(page.rounds),
        games=[game for game in GameKey if game not in PUZZLES],
        tie_breaks=tuple(TieBreak),
        current=current_round(page),
    )


def _file(parts: HallContext, name: str) -> ResponseReturnValue:
    if not parts.phones.is_known():
        return redirect(ORGANISER, 303)
    if name not in set(DocumentName):
        abort(404)
    number = number_of(request.args.get("round", "")) or current_round(parts.page)
    wanted = request.args.get("paper", "")
    paper = PaperName(wanted) if wanted in set(PaperName) else PaperName.A4
    document = parts.backend.document(DocumentName(name), number, parts.language, paper)
    if document is None:
        sentence = parts.wording.hall("nothing-there")
        return Response(_sentence_page(parts, sentence, f"{ORGANISER}/settings"), 404)
    response = Response(document.content, mimetype=document.media_type)
    kind = "inline" if document.media_type == "application/pdf" else "attachment"
    response.headers.set("Content-Disposition", kind, filename=document.name)
    return response


def _say(parts: HallContext) -> ResponseReturnValue:
    if not parts.phones.is_known():
        return _answered(parts, HallReply(HallRefusal.NOT_PAIRED))
    try:
        asked = HallRequest(request.form.get("id", ""), hall_command(request.form))
    except UnfitNameError as error:
        return _sentence(parts, error.code, error.name, 400)
    except TournamentError as error:
        _log.info("a form contradicts itself: %s", error)
        return _sentence(parts, error.refusal, error.detail, 400)
    except ValueError as error:  # includes errors of the commands
        _log.info("a form was not understood: %s", error)
        return _sentence(parts, "unfit", "", 400)
    return _answered(parts, parts.backend.command(parts.phones.token, asked))


def _answered(parts: HallContext, reply: HallReply) -> ResponseReturnValue:
    """Returns the reply to a command: as JSON for the script, else as a page."""
    if reply.refused is None:
        return _done(parts, reply)
    return _sentence(parts, reply.refused, reply.detail, 409)


def _done(parts: HallContext, reply: HallReply) -> ResponseReturnValue:
    number = " ".join(reply.number[at : at + 4] for at in range(0, len(reply.number), 4))
    sentence = (
        parts.wording.hall("number-is", number=number) if number else parts.wording.reply("done")
    )
    if reply.detail:
        sentence = parts.wording.reply("entered", reply.detail)
    if wants_json():
        return {"code": "done", "said": sentence, "stays": bool(number), "id": new_id()}
    if number:
        return _sentence_page(parts, sentence, way_back(ORGANISER))
    return redirect(f"{way_back(ORGANISER)}?reply=done", 303)


def _sentence(parts: HallContext, code: str, detail: str, status: int) -> ResponseReturnValue:
    sentence = parts.wording.reply(code, detail)
    if wants_json():
        return {"code": code, "said": sentence, "id": new_id()}, status
    return Response(_sentence_page(parts, sentence, way_back(ORGANISER)), status)


def _sentence_page(parts: HallContext, sentence: str, back: str) -> str:
    """Returns a page with one sentence and the way back."""
    return parts.render("hall/sentence.html", sentence=sentence, back=back)


def _pair(parts: HallContext) -> ResponseReturnValue:
    number = typed_number(request.form.get("number", ""))
    if not number:
        return redirect(f"{ORGANISER}?reply={RefusalReason.WRONG_NUMBER}", 303)
    known, address = parts.backend.news.phones, request.remote_addr or ""
    refused = parts.limits.refuses(number, known, address, time.monotonic())
    token = "" if refused else parts.backend.pair(number)
    if not token:
        return redirect(f"{ORGANISER}?reply={refused or RefusalReason.WRONG_NUMBER}", 303)
    return give_token(make_response(redirect(ORGANISER, 303)), PAIRING_COOKIE, token)


def _leave(parts: HallContext) -> ResponseReturnValue:
    parts.backend.unpair(parts.phones.token)
    response = make_response(redirect("/", 303))
    response.delete_cookie(PAIRING_COOKIE, httponly=True, samesite="Strict")
    return response
