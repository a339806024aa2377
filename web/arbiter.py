"""The arbiter's side of the page: pairing a phone, and what a paired one may ask of the table.

The page decides nothing: it hands each wish to the table, which checks the pairing and says what
became of it. Every change is a form; without JavaScript the page comes again with the answer.
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

from web.contract import Answer, Check, Command, EditionKey, GameKey, Pair, Refusal, Timing
from web.guard import PAIRING_COOKIE
from web.laying import laid_as_text
from web.parts import Parts
from web.rates import Delays, Rates
from web.view import chips_of
from web.wishes import FIRSTS, PEOPLE, wish_of

_MONTH_S: Final = 30 * 24 * 3600
_MOST_KNOWN: Final = 64
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")

DONE: Final = "done"
SILENT: Final = "silent"
UNFIT: Final = "unfit"
SHOWN: Final = "shown"
NOT_SHOWN: Final = "not-shown"

_log = logging.getLogger(__name__)


class Desk:
    """Hands wishes to the table, and remembers whom the table knew.

    Args:
        parts: of the page.
    """

    def __init__(self, parts: Parts) -> None:
        self._parts: Final = parts
        self._lock: Final = threading.Lock()
        self._known: dict[str, None] = {}
        self._delays: Final = Delays()
        self._checks: Final = Rates(burst=5, per_s=0.5)

    @property
    def token(self) -> str:
        """What the phone that sent this request was given when it was paired."""
        text = request.cookies.get(PAIRING_COOKIE, "")
        return text if _TOKEN.fullmatch(text) else ""

    def is_paired(self) -> bool:
        """Whether the table knows the phone that sent this request.

        A table that does not answer is given the benefit of the doubt: it will check every
        wish itself.
        """
        token = self.token
        with self._lock:
            if not token or token in self._known:
                return bool(token)
            # Whoever makes up tokens shall not keep the table busy with them.
            if not self._checks.allow(request.remote_addr or "", time.monotonic()):
                return False
        answer = self.ask(new_id(), 0, Check())
        return answer is None or answer.refused is None

    def is_known(self) -> bool:
        """Whether the table has known the phone that sent this request; without asking it."""
        with self._lock:
            return self.token in self._known

    def is_vouched_for(self) -> bool:
        """Whether the table has known the phone that sent this request, or says so now.

        In doubt no: what is private waits until the table is there.
        """
        return self.is_known() or (self.is_paired() and self.is_known())

    def ask(self, id_: str, revision: int, wish: object) -> Answer | None:
        """Hands a wish of this request's phone to the table.

        Raises:
            ContractError: it is not of the contract.
        """
        token = self.token
        answer = self._parts.link.ask(Command(id_, revision, token, wish))  # type: ignore[arg-type]
        if answer is not None:
            self._remember(token, known=answer.refused is not Refusal.NOT_PAIRED)
        return answer

    def pair(self, number: str) -> tuple[Answer | None, float]:
        """Has the table show a number, or sends it the one that somebody typed.

        Returns:
            the answer, and the seconds to wait if the number was not even looked at, or until
            the table shows another.
        """
        address, now = request.remote_addr or "", time.monotonic()
        with self._lock:
            wait_s = self._delays.wait_s(address, now) if number else 0.0
        if wait_s:
            return None, wait_s
        answer = self._parts.link.ask(Pair(new_id(), number))
        if answer is None:
            return None, 0.0
        with self._lock:
            if answer.token:
                self._delays.right(address)
            elif answer.refused is Refusal.WRONG_NUMBER:
                self._delays.wrong(address, now)
        if answer.token:
            self._remember(answer.token, known=True)
        return answer, float(answer.wait_s)

    def _remember(self, token: str, *, known: bool) -> None:
        with self._lock:
            self._known.pop(token, None)
            if known:
                self._known[token] = None
                if len(self._known) > _MOST_KNOWN:
                    del self._known[next(iter(self._known))]


def new_id() -> str:
    """An id that no other wish has."""
    return secrets.token_urlsafe(12)


def add_routes(app: Flask, parts: Parts, desk: Desk) -> None:
    """Adds them to the application."""
    app.add_url_rule("/arbiter", "arbiter", _page(parts, desk, "arbiter.html"))
    app.add_url_rule("/arbiter/new", "arbiter_new", _page(parts, desk, "new.html"))
    app.add_url_rule("/arbiter/position", "arbiter_position", _page(parts, desk, "position.html"))
    app.add_url_rule("/arbiter/camera", "arbiter_camera", _page(parts, desk, "camera.html"))
    app.add_url_rule("/arbiter/say", "arbiter_say", _say(parts, desk), methods=["POST"])
    app.add_url_rule("/pair", "pair", _pair(parts, desk), methods=["POST"])
    app.add_url_rule("/unpair", "unpair", _unpair, methods=["POST"])


def _page(parts: Parts, desk: Desk, template: str) -> Callable[[], ResponseReturnValue]:
    def page() -> ResponseReturnValue:
        said = parts.wording.answer(request.args.get("said", ""))
        news, language = parts.link.news, parts.language
        if not desk.is_paired():
            return parts.render("pair.html", screen=parts.screen(news, language), said=said)
        # A table that is away cannot vouch for a phone: that gets the page, but nothing private.
        screen = parts.screen(news, language, arbiter=desk.is_known())
        return parts.render(
            template,
            screen=screen,
            said=said,
            page=news.page,
            colours=tuple(chips_of(news.page, parts.wording)),
            laid=laid_as_text(news.page),
            id=new_id(),
            games=tuple(GameKey),
            people=PEOPLE,
            editions=tuple(EditionKey),
            timings=tuple(Timing),
            firsts=FIRSTS,
        )

    return page


def _say(parts: Parts, desk: Desk) -> Callable[[], ResponseReturnValue]:
    def say() -> ResponseReturnValue:
        revision = request.form.get("revision", "")
        try:
            wish = wish_of(request.form, parts.link.news.page)
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


def _answered(parts: Parts, code: str, status: int) -> ResponseReturnValue:
    """What became of a wish: for the script as JSON, for everybody else on the page."""
    if request.accept_mimetypes.best == "application/json":
        said = {"code": code, "said": parts.wording.answer(code), "id": new_id()}
        return said, status
    return redirect(f"/arbiter?said={code}", 303)


def _pair(parts: Parts, desk: Desk) -> Callable[[], ResponseReturnValue]:
    def pair() -> ResponseReturnValue:
        number = "".join(request.form.get("number", "").split())
        if number and not (number.isascii() and number.isdecimal() and 4 <= len(number) <= 6):
            return redirect(f"/arbiter?said={Refusal.WRONG_NUMBER}", 303)
        answer, wait_s = desk.pair(number)
        if wait_s:
            wording = parts.wording
            sentence = wording.wait(wait_s) if number else wording.wait_for_next(wait_s)
            screen = parts.screen(parts.link.news, parts.language)
            page = parts.render("pair.html", screen=screen, said=sentence)
            return Response(page, 429, {"Retry-After": str(int(wait_s) + 1)})
        if answer is None or not answer.token:
            return redirect(f"/arbiter?said={_unpaired(answer, number)}", 303)
        response = make_response(redirect("/arbiter", 303))
        response.set_cookie(
            PAIRING_COOKIE, answer.token, max_age=_MONTH_S, httponly=True, samesite="Strict"
        )
        return response

    return pair


def _unpaired(answer: Answer | None, number: str) -> str:
    """What to say to a phone that is not paired yet."""
    if answer is None:
        return SILENT
    if answer.refused is None:
        return SHOWN
    # Only the lights can be what is missing where no number was sent.
    asked = not number and answer.refused is Refusal.NOT_POSSIBLE
    return NOT_SHOWN if asked else answer.refused


def _unpair() -> ResponseReturnValue:
    response = make_response(redirect("/", 303))
    response.delete_cookie(PAIRING_COOKIE, httponly=True, samesite="Strict")
    return response
