"""The arbiter's side of the page: pairing a phone, and what a paired one may ask of the table.

The page decides nothing: it hands each wish of a phone that the table knows to the table, which
checks the pairing and says what became of it. `web.security.known_phones` says who is known. Every
change is a form; without JavaScript the page comes again with the answer.
"""

import logging
import re
import secrets
import threading
import time
from collections.abc import Callable
from typing import Final

from flask import Flask, Response, make_response, redirect, request
from flask.typing import ResponseReturnValue

from web.contract import (
    NUMBER_DIGITS,
    CommandRequest,
    EditionKey,
    GameKey,
    PairRequest,
    RefusalReason,
    Reply,
    TimingCode,
    Unpair,
)
from web.presentation.position_text import format_pieces
from web.presentation.view_model import chips_of
from web.security.known_phones import PAIRING_COOKIE, KnownPhones
from web.security.rate_limit import GuessLimiter, TokenBucket, network_of
from web.security.request_guard import PAIR
from web.table_client import TableClient
from web.views.command_forms import FIRSTS, PEOPLE, command_from_form
from web.views.context import ViewContext
from web.views.sse import RETRY_S

_MONTH_S: Final = 30 * 24 * 3600
_SEPARATORS: Final = re.compile(r"[\s-]")
"""What people put between the groups of a number."""

_NUMBER: Final = re.compile(f"[0-9]{{{NUMBER_DIGITS}}}")

DONE: Final = "done"
SILENT: Final = "silent"
UNFIT: Final = "unfit"
SHOWN: Final = "shown"
NOT_SHOWN: Final = "not-shown"

_log = logging.getLogger(__name__)


class CommandForwarder:
    """Hands to the table what people ask, as far as it is for the table.

    What strangers ask stays here. They get to the table with a number that is good, with the
    wish to be shown one, one at a time, and with a wrong number once a second: so a number that
    was drawn a moment ago is never called wrong, unless somebody floods the page.

    Args:
        link: to the table.
        phones: tells which ones the table knows.
    """

    def __init__(self, link: TableClient, phones: KnownPhones) -> None:
        self._link: Final = link
        self._phones: Final = phones
        self._lock: Final = threading.Lock()
        self._showing: Final = threading.Lock()
        self._guesses: Final = GuessLimiter()
        self._unlikely: Final = TokenBucket.full(2, 1, 0.0)

    def ask(self, id_: str, revision: int, wish: object) -> Reply | None:
        """Hands a wish of this request's phone to the table.

        Returns:
            None if the table is away or does not answer.

        Raises:
            ContractError: it is not of the contract.
        """
        command = CommandRequest(id_, revision, self._phones.token, wish)  # type: ignore[arg-type]
        if self._phones.is_known():
            return self._link.ask(command)
        return None if self._link.news.phones is None else Reply(id_, RefusalReason.NOT_PAIRED)

    def show(self) -> Reply | None:
        """Has the table show a number; None if it is away or does not answer."""
        id_ = new_id()
        if not self._showing.acquire(blocking=False):
            return Reply(id_, RefusalReason.BUSY)
        try:
            return self._link.ask(PairRequest(id_))
        finally:
            self._showing.release()

    def pair(self, number: str, address: str, now: float) -> Reply | None:
        """Exchanges a number that somebody typed for a token.

        Args:
            number: the digits.
            address: where it was sent from.
            now: seconds of a clock that never goes back.

        Returns:
            None if the table is away or does not answer; BUSY if the number was not looked at.
        """
        phones = self._link.news.phones
        if phones is None:
            return None
        with self._lock:
            if not self._guesses.allow(network_of(address), now):
                return Reply(new_id(), RefusalReason.BUSY)
            if not phones.takes(number) and not self._unlikely.take(now):
                return Reply(new_id(), RefusalReason.WRONG_NUMBER)
        return self._link.ask(PairRequest(new_id(), number))


def new_id() -> str:
    """An id that no other wish has."""
    return secrets.token_urlsafe(12)


def add_routes(app: Flask, parts: ViewContext) -> None:
    """Adds them to the application."""
    desk = CommandForwarder(parts.link, parts.phones)
    app.add_url_rule("/arbiter", "arbiter", _page(parts, "arbiter.html"))
    app.add_url_rule("/arbiter/new", "arbiter_new", _page(parts, "new.html"))
    app.add_url_rule("/arbiter/position", "arbiter_position", _page(parts, "position.html"))
    app.add_url_rule("/arbiter/camera", "arbiter_camera", _page(parts, "camera.html"))
    app.add_url_rule("/arbiter/say", "arbiter_say", _say(parts, desk), methods=["POST"])
    app.add_url_rule(PAIR, "pair", _pair(parts, desk), methods=["POST"])
    app.add_url_rule("/unpair", "unpair", _unpair(desk), methods=["POST"])


def _page(parts: ViewContext, template: str) -> Callable[[], ResponseReturnValue]:
    def page() -> ResponseReturnValue:
        said = parts.wording.answer(request.args.get("said", ""))
        news, language = parts.link.news, parts.language
        if parts.phones.is_undecided():
            page = parts.render("away.html", screen=parts.screen(news, language), said=said)
            return Response(page, 503, {"Retry-After": str(RETRY_S)})
        if not parts.phones.is_known():
            return parts.render("pair.html", screen=parts.screen(news, language), said=said)
        screen = parts.screen(news, language, arbiter=True)
        return parts.render(
            template,
            screen=screen,
            said=said,
            page=news.page,
            colours=tuple(chips_of(news.page, parts.wording)),
            laid=format_pieces(news.page),
            id=new_id(),
            games=tuple(GameKey),
            people=PEOPLE,
            editions=tuple(EditionKey),
            timings=tuple(TimingCode),
            firsts=FIRSTS,
        )

    return page


def _say(parts: ViewContext, desk: CommandForwarder) -> Callable[[], ResponseReturnValue]:
    def say() -> ResponseReturnValue:
        revision = request.form.get("revision", "")
        try:
            wish = command_from_form(request.form, parts.link.news.page)
            number = int(revision) if revision.isdecimal() else -1
            answer = desk.ask(request.form.get("id", ""), number, wish)
        except ValueError as error:  # those of the contract are among them
            _log.info("a form was not understood: %s", error)
            return _answered(parts, UNFIT, 400)
        if answer is None:
            return _answered(parts, SILENT, 504)
        if answer.refused is None:
            return _answered(parts, DONE, 200)
        return _answered(parts, answer.refused, 409)

    return say


def _answered(parts: ViewContext, code: str, status: int) -> ResponseReturnValue:
    """What became of a wish: for the script as JSON, for everybody else on the page."""
    if request.accept_mimetypes.best == "application/json":
        said = {"code": code, "said": parts.wording.answer(code), "id": new_id()}
        return said, status
    return redirect(f"/arbiter?said={code}", 303)


def _pair(parts: ViewContext, desk: CommandForwarder) -> Callable[[], ResponseReturnValue]:
    def pair() -> ResponseReturnValue:
        number = _SEPARATORS.sub("", request.form.get("number", ""))
        if number and not _NUMBER.fullmatch(number):
            return redirect(f"/arbiter?said={RefusalReason.WRONG_NUMBER}", 303)
        address = request.remote_addr or ""
        answer = desk.pair(number, address, time.monotonic()) if number else desk.show()
        if answer is not None and answer.token:
            return _paired(answer.token)
        if answer is not None and answer.wait_s:
            sentence = parts.wording.wait_for_next(answer.wait_s)
            screen = parts.screen(parts.link.news, parts.language)
            page = parts.render("pair.html", screen=screen, said=sentence)
            return Response(page, 429, {"Retry-After": str(answer.wait_s)})
        return redirect(f"/arbiter?said={_unpaired(answer, number)}", 303)

    return pair


def _paired(token: str) -> ResponseReturnValue:
    """Gives a phone its token."""
    response = make_response(redirect("/arbiter", 303))
    response.set_cookie(PAIRING_COOKIE, token, max_age=_MONTH_S, httponly=True, samesite="Strict")
    return response


def _unpaired(answer: Reply | None, number: str) -> str:
    """What to say to a phone that is not paired yet."""
    if answer is None:
        return SILENT
    if answer.refused is None:
        return SHOWN
    # Only the lights can be what is missing where no number was sent.
    asked = not number and answer.refused is RefusalReason.NOT_POSSIBLE
    return NOT_SHOWN if asked else answer.refused


def _unpair(desk: CommandForwarder) -> Callable[[], ResponseReturnValue]:
    """Has the table forget the phone. It keeps its token until the table has done so."""

    def unpair() -> ResponseReturnValue:
        answer = desk.ask(new_id(), 0, Unpair())
        if answer is None:
            return redirect(f"/arbiter?said={SILENT}", 303)
        if answer.refused not in (None, RefusalReason.NOT_PAIRED):
            return redirect(f"/arbiter?said={answer.refused}", 303)
        response = make_response(redirect("/", 303))
        response.delete_cookie(PAIRING_COOKIE, httponly=True, samesite="Strict")
        return response

    return unpair
