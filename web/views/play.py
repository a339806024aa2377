"""Routes of people who play at a simulated table: the page, seats and gestures.

A browser on the machine that simulates the table needs no number to be paired; all others do. Who
has a seat may move its own pieces, and nothing else.
"""

import json
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from flask import Flask, Response, make_response, redirect, request
from flask.typing import ResponseReturnValue

from web.contract import (
    ArrangeSeats,
    ClubTable,
    CommandRequest,
    ContractError,
    NewGame,
    Own,
    PlayRequest,
    Reply,
    SeatHolder,
    ShowPlaces,
    UseOwnBoard,
    fingerprint,
)
from web.contract.person_names import UnfitNameError, check_names, skeleton
from web.known_phones import PAIRING_COOKIE, SEAT_COOKIE, give_token, knows
from web.presentation.board_view import ColourChip, chips_of
from web.presentation.invitation import qr_code
from web.rate_limit import is_this_machine
from web.request_guard import ACT
from web.table_client import ANSWER_S
from web.views.arbiter import SILENT, UNFIT, new_id, outcome
from web.views.command_forms import ALONE, BOARD, COMPUTER, PEOPLE, START, WATCH, new_game
from web.views.context import ViewContext

MODES: Final = (COMPUTER, "here", "phones", ALONE, WATCH, "tour", BOARD)
"""Ways to play."""

OWN_BOARD: Final = "/play/board"
"""Page that waits for the real table."""

_AFTER: Final = {"tour": "/play?tour=1", WATCH: "/"}
"""Pages to which ways to play lead, if not to the table."""

_NAMES: Final = ("Ada", "Ben", "Cleo", "Dev")
"""Names of people who gave none."""

_BEGINS_S: Final = 10.0
"""Seconds to wait for a new game and its seats: a reply that came too late would leave seats that
nobody has. Under a load of 20 on two cores it took up to 4 s."""

_NEWS_S: Final = 5.0
"""Seconds to wait for the news of new seats; they come with the table's next frame."""

_log = logging.getLogger(__name__)


def add_routes(app: Flask, context: ViewContext) -> None:
    """Adds the routes to the application."""
    app.add_url_rule("/play", "play", lambda: _page(context))
    app.add_url_rule(OWN_BOARD, "own_board", lambda: context.render("own_board.html"))
    app.add_url_rule("/play/begin", "play_begin", lambda: _begin(context), methods=["POST"])
    app.add_url_rule(ACT, "play_act", lambda: _act(context), methods=["POST"])


def _page(
    context: ViewContext, said: str = "", typed: Mapping[str, str] | None = None
) -> ResponseReturnValue:
    """Returns the page, and after a refusal its sentence and the form as it was typed."""
    news, known = context.link.news, context.phones.is_known()
    screen = context.screen(news, context.language, arbiter=known)
    if news.table is None or news.page is None:
        return context.render("play_real.html", screen=screen)
    addresses = context.addresses()
    return context.render(
        "play.html",
        screen=screen,
        page=news.page,
        known=known,
        id=new_id(),
        owns=known or _is_here(),
        seated=context.phones.is_seated(),
        seats=_free_seats(news.club, chips_of(news.page, context.wording)),
        typed=typed or {},
        **START,
        address=f"{addresses[0]}play" if addresses else "",
        code=qr_code(f"{addresses[0]}play") if addresses else "",
        tour=request.args.get("tour") == "1",
        reply=said or context.wording.answer(request.args.get("reply", "")),
    )


def _free_seats(
    club: ClubTable | None, chips: Sequence[ColourChip]
) -> list[tuple[int, list[ColourChip]]]:
    """Returns the free seats with the signs of their colours."""
    return [
        (person, [chips[colour] for colour in seat.colours])
        for person, seat in enumerate(club.seats if club is not None else ())
        if seat.holder is SeatHolder.FREE
    ]


def _begin(context: ViewContext) -> ResponseReturnValue:
    """Begins a game in one of the ways to play, and seats its players."""
    pairing, page = _pairing(context), context.link.news.page
    mode = request.form.get("show") or request.form.get("mode", "")
    if not pairing:
        # A browser elsewhere is paired there.
        return redirect(f"/play?reply={SILENT}" if _is_here() else "/arbiter", 303)
    if mode not in MODES or page is None:
        return redirect(f"/play?reply={UNFIT}", 303)
    if mode == BOARD:
        return _leave(context, pairing)
    return _begin_game(context, mode, pairing, page.revision)


def _begin_game(
    context: ViewContext, mode: str, pairing: str, revision: int
) -> ResponseReturnValue:
    try:
        new = _new_game(context, mode)
        begun = context.link.ask(CommandRequest(new_id(), revision, pairing, new), _BEGINS_S)
    except UnfitNameError as error:
        return _page(context, context.wording.answer(error.code, error.name), request.form)
    except ValueError as error:  # includes errors of the contract
        _log.info("a form was not understood: %s", error)
        return redirect(f"/play?reply={UNFIT}", 303)
    has_begun = begun is not None and begun.refused is None
    arranged = _ask(context, _arranged(mode, new), pairing, _BEGINS_S) if has_begun else begun
    if arranged is None or arranged.refused is not None:
        return redirect(f"/play?reply={outcome(arranged)[0]}", 303)
    _await_news(context, pairing, arranged)
    response = _with_cookies(make_response(redirect(_AFTER.get(mode, "/play"), 303)), arranged)
    if pairing != context.phones.token:
        give_token(response, PAIRING_COOKIE, pairing)
    return response


def _leave(context: ViewContext, pairing: str) -> ResponseReturnValue:
    """Ends the simulated table for a real one, for which the next page waits."""
    reply = _ask(context, UseOwnBoard(), pairing)
    if reply is None or reply.refused is not None:
        return redirect(f"/play?reply={outcome(reply)[0]}", 303)
    return redirect(OWN_BOARD, 303)


def _new_game(context: ViewContext, mode: str) -> NewGame:
    """Returns the game of a form, with names for its players.

    Raises:
        UnfitNameError: a name does not fit, or is that of another or of the computer.
        ValueError: a field has another value than those offered.
    """
    # The tour shows one game, in which each of its steps is known to work.
    new = NewGame() if mode == "tour" else new_game(request.form, mode)
    if mode == WATCH:
        return replace(new, computer=(), names=())  # scripted people are no persons
    people = PEOPLE[new.game]
    typed, levels = new.names or ("",) * people, new.computer or (0,) * people
    spare = (one for one in _NAMES if skeleton(one) not in set(map(skeleton, typed)))
    names = tuple(
        name or (context.wording.computer(at, people) if level else next(spare))
        for at, (name, level) in enumerate(zip(typed, levels, strict=True))
    )
    return replace(new, names=check_names(names[::-1])[::-1])


def _await_news(context: ViewContext, pairing: str, arranged: Reply) -> None:
    """Waits for the news of the pairing and the seat, which the next page shows."""
    seat = fingerprint(arranged.token) if arranged.token else ""
    until, news = time.monotonic() + _NEWS_S, context.link.news
    while (left := until - time.monotonic()) > 0:
        seats = () if news.club is None else news.club.seats
        if knows(news, pairing) and (not seat or seat in {one.phone for one in seats}):
            return
        news = context.link.wait(news.serial, left)


def _arranged(mode: str, new: NewGame) -> ArrangeSeats:
    """Returns the seats of a way to play a game that has begun."""
    everybody = tuple(range(PEOPLE[new.game]))
    if mode == WATCH:
        return ArrangeSeats((), everybody)
    computer = tuple(at for at, level in enumerate(new.computer) if level)
    people = tuple(at for at in everybody if at not in computer)
    return ArrangeSeats(
        people[:1] if mode == "phones" else people,
        computer,
        tuple(new.computer[at] for at in computer),
        by_hand=bool(request.form.get("by-hand")),
    )


def _act(context: ViewContext) -> ResponseReturnValue:
    """Passes a gesture or a change of seats on to the table."""
    try:
        action = PlayRequest.action_from_json(json.loads(request.form.get("action", "")))
        if isinstance(action, Own):
            raise ContractError("a browser is paired when a game begins")
        reply = _ask(context, action, context.phones.token if context.phones.is_known() else "")
    except (ValueError, RecursionError) as error:  # includes errors of the contract
        _log.info("a gesture was not understood: %s", error)
        return _answered(context, UNFIT, 400)
    page = context.link.news.page
    places = () if page is None or reply is None else reply.places
    said = [(*one, context.wording.places(page, action.piece, *one[1:])) for one in places if page]
    code, status = outcome(reply)
    if isinstance(action, ShowPlaces) and reply is not None:
        status = 200  # nobody asked: the page looks for marks with each piece that is held
    return _with_cookies(_answered(context, code, status, places=said), reply)


def _ask(
    context: ViewContext, action: object, pairing: str = "", patience_s: float = ANSWER_S
) -> Reply | None:
    """Sends an action of this request's phone to the table."""
    request_ = PlayRequest(new_id(), context.phones.seat_token, pairing, action)  # type: ignore[arg-type]
    return context.link.ask(request_, patience_s)


def _pairing(context: ViewContext) -> str:
    """Returns the token of a paired browser; one on this machine is paired now."""
    if context.phones.is_known():
        return context.phones.token
    reply = _ask(context, Own(), patience_s=_BEGINS_S) if _is_here() else None
    return reply.token if reply is not None else ""


def _is_here() -> bool:
    """True if the sender of this request is a browser on this machine."""
    return is_this_machine(request.remote_addr or "")


def _answered(context: ViewContext, code: str, status: int, **more: object) -> Response:
    answer = {"code": code, "said": context.wording.answer(code), **more}
    return make_response((answer, status))


def _with_cookies(response: Response, reply: Reply | None) -> Response:
    """Adds the cookie of a seat that the sender has just taken."""
    if reply is not None and reply.token:
        give_token(response, SEAT_COOKIE, reply.token)
    return response
