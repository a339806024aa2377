"""The arbiter's routes: pairing of a phone, and commands of a paired one.

The page decides nothing: it forwards each command of a known phone to the table, which checks the
pairing and replies. `web.known_phones` decides which phones are known. Every change is a
form; without JavaScript the page is loaded again with the reply.
"""

import logging
import secrets
import threading
import time
from functools import partial
from typing import Final

from flask import Flask, Response, make_response, redirect, request
from flask.typing import ResponseReturnValue

from web.contract import (
    CommandRequest,
    PairRequest,
    RefusalReason,
    Reply,
    Unpair,
)
from web.contract.person_names import UnfitNameError
from web.known_phones import PAIRING_COOKIE, KnownPhones, give_token
from web.presentation.board_view import chips_of
from web.presentation.position_text import format_pieces
from web.rate_limit import PairingLimits, typed_number
from web.request_guard import PAIR, way_back
from web.table_client import TableClient
from web.views.command_forms import START, command_from_form
from web.views.context import ViewContext, wants_json
from web.views.streams import RETRY_S

DONE: Final = "done"
"""Code of a reply: the table has done it. `answers` of `web/translations` has its sentence."""

SILENT: Final = "silent"
"""Code of a reply: the table has not answered in time."""

UNFIT: Final = "unfit"
"""Code of a reply: the form is no command, so the table was not asked."""

SHOWN: Final = "shown"
"""Code of a reply: the table shows a number for pairing."""

NOT_SHOWN: Final = "not-shown"
"""Code of a reply: the table has no lights that could show a number."""

_log = logging.getLogger(__name__)


class CommandForwarder:
    """Forwards commands of known phones and requests to be paired to the table.

    Commands of unknown phones are refused here. The table gets valid numbers, requests to show a
    number, one at a time, and one wrong number a second: so a number drawn a moment ago is not
    called wrong, unless somebody floods the page.

    Args:
        link: client of the table.
        phones: phones that the table knows.
        limits: limits of the numbers that are typed.
    """

    def __init__(self, link: TableClient, phones: KnownPhones, limits: PairingLimits) -> None:
        self._link: Final = link
        self._phones: Final = phones
        self._showing: Final = threading.Lock()
        self._limits: Final = limits

    def ask(self, id_: str, revision: int, command: object) -> Reply | None:
        """Sends a command of this request's phone to the table.

        Returns:
            The reply; None if the table is away or does not reply.

        Raises:
            ContractError: the command is not of the contract.
        """
        asked = CommandRequest(id_, revision, self._phones.token, command)  # type: ignore[arg-type]
        if self._phones.is_known():
            return self._link.ask(asked)
        return None if self._link.news.phones is None else Reply(id_, RefusalReason.NOT_PAIRED)

    def show(self) -> Reply | None:
        """Has the table show a number; None if it is away or does not reply."""
        id_ = new_id()
        if not self._showing.acquire(blocking=False):
            return Reply(id_, RefusalReason.BUSY)
        try:
            return self._link.ask(PairRequest(id_))
        finally:
            self._showing.release()

    def exchange(self, asked: PairRequest, address: str, now: float) -> Reply | None:
        """Exchanges a typed number for a token.

        Args:
            asked: request with the number.
            address: address of the phone.
            now: time in seconds of a monotonic clock.

        Returns:
            The reply, BUSY if the number was not checked; None if the table is away or silent.
        """
        phones = self._link.news.phones
        if phones is None:
            return None
        refused = self._limits.refuses(asked.number, phones, address, now)
        return self._link.ask(asked) if refused is None else Reply(asked.id, refused)


def new_id() -> str:
    """Returns a random id for a request."""
    return secrets.token_urlsafe(12)


def outcome(reply: Reply | None) -> tuple[str, int]:
    """Returns the code of a reply and the status of the response; None if the table is silent."""
    if reply is None:
        return SILENT, 504
    return (DONE, 200) if reply.refused is None else (reply.refused, 409)


def add_routes(app: Flask, context: ViewContext) -> None:
    """Adds the routes to the application."""
    forwarder = CommandForwarder(context.link, context.phones, context.pairing_limits)
    app.add_url_rule("/arbiter", "arbiter", lambda: arbiter_page(context, "arbiter.html"))
    app.add_url_rule("/arbiter/new", "arbiter_new", lambda: arbiter_page(context, "new.html"))
    app.add_url_rule(
        "/arbiter/position", "arbiter_position", lambda: arbiter_page(context, "position.html")
    )
    app.add_url_rule(
        "/arbiter/say", "arbiter_say", partial(_say, context, forwarder), methods=["POST"]
    )
    app.add_url_rule(PAIR, "pair", partial(_pair, context, forwarder), methods=["POST"])
    app.add_url_rule("/unpair", "unpair", partial(_unpair, forwarder), methods=["POST"])


def arbiter_page(context: ViewContext, template: str, **values: object) -> ResponseReturnValue:
    """Returns a page for the arbiter; a phone that is not known gets the page for pairing.

    Args:
        context: objects of all routes.
        template: the template of the page.
        **values: further values for it; `reply` replaces the one whose code is in the address.
    """
    reply = values.pop("reply", "") or context.wording.answer(request.args.get("reply", ""))
    news, language = context.link.news, context.language
    if context.phones.is_undecided():
        page = context.render("away.html", screen=context.screen(news, language), reply=reply)
        return Response(page, 503, {"Retry-After": str(RETRY_S)})
    if not context.phones.is_known():
        return context.render("pair.html", screen=context.screen(news, language), reply=reply)
    screen = context.screen(news, language, arbiter=True)
    return context.render(
        template,
        screen=screen,
        reply=reply,
        page=news.page,
        colours=chips_of(news.page, context.wording),
        laid=format_pieces(news.page),
        id=new_id(),
        **{**START, "typed": {}, **values},
    )


def _say(context: ViewContext, forwarder: CommandForwarder) -> ResponseReturnValue:
    revision, back = request.form.get("revision", ""), way_back("/arbiter")
    try:
        command = command_from_form(request.form, context.link.news.page)
        number = int(revision) if revision.isdecimal() else -1
        answer = forwarder.ask(request.form.get("id", ""), number, command)
    except UnfitNameError as error:
        said = context.wording.answer(error.code, error.name)
        if not wants_json():
            return arbiter_page(context, "new.html", reply=said, typed=request.form)
        return context.answered(error.code, 400, "", said=said, id=new_id())
    except ValueError as error:  # includes errors of the contract
        _log.info("a form was not understood: %s", error)
        return context.answered(UNFIT, 400, back, id=new_id())
    return context.answered(*outcome(answer), back, id=new_id())


def _pair(context: ViewContext, forwarder: CommandForwarder) -> ResponseReturnValue:
    number = typed_number(request.form.get("number", ""))
    if number is None:
        return redirect(f"/arbiter?reply={RefusalReason.WRONG_NUMBER}", 303)
    address = request.remote_addr or ""
    now = time.monotonic()
    asked = PairRequest(new_id(), number)
    answer = forwarder.exchange(asked, address, now) if number else forwarder.show()
    if answer is not None and answer.token:
        response = make_response(redirect("/arbiter", 303))
        return give_token(response, PAIRING_COOKIE, answer.token)
    if answer is not None and answer.wait_s:
        sentence = context.wording.say("wait-for-next", seconds=answer.wait_s)
        screen = context.screen(context.link.news, context.language)
        page = context.render("pair.html", screen=screen, reply=sentence)
        return Response(page, 429, {"Retry-After": str(answer.wait_s)})
    return redirect(f"/arbiter?reply={_unpaired(answer, number)}", 303)


def _unpaired(answer: Reply | None, number: str) -> str:
    """Returns the code of the reply for a phone that is not paired yet."""
    if answer is None:
        return SILENT
    if answer.refused is None:
        return SHOWN
    # A request to show a number is impossible only if the table has no lights.
    no_lights = not number and answer.refused is RefusalReason.NOT_POSSIBLE
    return NOT_SHOWN if no_lights else answer.refused


def _unpair(forwarder: CommandForwarder) -> ResponseReturnValue:
    """Ends the pairing of the phone; its cookie is deleted after the table has confirmed."""
    answer = forwarder.ask(new_id(), 0, Unpair())
    if answer is None:
        return redirect(f"/arbiter?reply={SILENT}", 303)
    if answer.refused not in (None, RefusalReason.NOT_PAIRED):
        return redirect(f"/arbiter?reply={answer.refused}", 303)
    response = make_response(redirect("/", 303))
    response.delete_cookie(PAIRING_COOKIE, httponly=True, samesite="Strict")
    return response
