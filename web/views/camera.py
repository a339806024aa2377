"""Routes of the phone that is the camera: its page, the number that makes it the camera, pictures.

A paired phone may have a photograph judged instead, which needs no TLS and changes no game.

A picture is a POST of its own kind, see `web.request_guard`: the cookie of the camera, which no
page of another site gets, and the origin stand for the token of a form.
"""

import re
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from flask import Flask, Response, current_app, jsonify, make_response, redirect, request
from flask.typing import ResponseReturnValue

from web.contract import (
    LONGEST_PICTURE,
    CameraPicture,
    ContractError,
    Page,
    PairRequest,
    Rating,
    RefereeState,
    RefusalReason,
)
from web.known_phones import CAMERA_COOKIE, give_token
from web.presentation.invitation import qr_code
from web.presentation.view_model import view_of
from web.rate_limit import typed_number
from web.request_guard import CAMERA, TLS_PORT
from web.table_client import TableClient
from web.views.arbiter import CommandForwarder, new_id, outcome
from web.views.context import ViewContext

_TAKEN: Final = re.compile("-".join(["([0-9]{1,16})"] * 4))
"""Form of the header on when a picture was taken, see `PictureOrder`."""

_LATE_S: Final = 10.0
"""Seconds that a request may take, as `web.connections` lets it; an older one cannot arrive."""

_OLD_S: Final = 1.5
"""Greatest age of a picture in seconds: the lights of the board have changed since an older one,
and `firmware.cameras.phone` allows 2 s in all."""

_POLICY: Final = "camera=(self), microphone=(), geolocation=(), payment=(), usb=()"
"""Functions of the browser that the page may use."""


def add_routes(app: Flask, context: ViewContext) -> None:
    """Adds the routes to the application."""
    forwarder = CommandForwarder(context.link, context.phones, context.pairing_limits)
    order = PictureOrder()
    app.add_url_rule(CAMERA, "camera", partial(_page, context))
    app.add_url_rule(f"{CAMERA}/state", "camera_state", partial(_state, context))
    for name, view in (
        ("take", partial(_take, forwarder)),
        ("show", partial(_show, context)),
        ("picture", partial(_picture, context, order)),
        ("judge", partial(_judge, context)),
    ):
        app.add_url_rule(f"{CAMERA}/{name}", f"camera_{name}", view, methods=["POST"])


def _page(context: ViewContext) -> ResponseReturnValue:
    response = make_response(
        context.render(
            "camera.html",
            reply=context.wording.answer(request.args.get("reply", "")),
            is_camera=context.phones.is_camera(),
            may_judge=context.judge is not None and context.phones.is_known(),
            longest=LONGEST_PICTURE,
            tls_port=current_app.extensions.get(TLS_PORT, 0),
        )
    )
    response.headers["Permissions-Policy"] = _POLICY
    return response


def _state(context: ViewContext) -> ResponseReturnValue:
    """Tells a phone whether it is the camera, null while the table is away; and if one can be."""
    is_known = context.link.news.phones is not None
    camera = context.phones.is_camera() if is_known else None
    return jsonify(camera=camera, takes=context.link.news.takes_camera, time=_now_ms())


def _take(forwarder: CommandForwarder) -> ResponseReturnValue:
    number = typed_number(request.form.get("number", ""))
    if not number:
        return redirect(f"{CAMERA}?reply={RefusalReason.WRONG_NUMBER}", 303)
    asked = PairRequest(new_id(), number, camera=True)
    answer = forwarder.exchange(asked, request.remote_addr or "", time.monotonic())
    if answer is None or not answer.token:
        return redirect(f"{CAMERA}?reply={outcome(answer)[0]}", 303)
    return give_token(make_response(redirect(CAMERA, 303)), CAMERA_COOKIE, answer.token)


def _show(context: ViewContext) -> ResponseReturnValue:
    """Shows a paired phone the code that makes another phone the camera."""
    asked = PairRequest(new_id(), camera=True, token=context.phones.token)
    answer = context.link.ask(asked) if context.phones.is_known() else None
    if answer is None or not answer.number:
        return redirect(f"/arbiter?reply={outcome(answer)[0]}", 303)
    url = f"{(context.addresses() or (request.host_url,))[0]}camera"
    code = qr_code(f"{url}#{answer.number}")
    groups = [answer.number[at : at + 4] for at in range(0, len(answer.number), 4)]
    return context.render("camera_code.html", code=code, url=url, number=" ".join(groups))


class PictureOrder:
    """Takes pictures in the order in which they were taken, of the page that was loaded last.

    A picture may arrive late, after one that was sent over another connection, but by no more than
    a request may take; and a phone may have the page open twice. Each answer has the time at the
    table, and the next picture says how long after that it was taken: so its age is known, without
    a clock that both share.

    Args:
        clock: returns the time in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock: Final = clock
        self._lock: Final = threading.Lock()
        self._last: tuple[str, int, int] = ("", 0, 0)
        self._came_s = float("-inf")

    def tell(self, link: TableClient, picture: CameraPicture, taken: str) -> int:
        """Sends a picture to the table.

        Args:
            link: client of the table.
            picture: the picture.
            taken: milliseconds at which the page was loaded, those since then, the time of the last
                answer, and milliseconds since that was heard, as `1234-567-890-12`.

        Returns:
            The status of the response: 200, 202 for a picture that is too old and not sent, 409 for
            one older than the last, 504 if the table is away.
        """
        found = _TAKEN.fullmatch(taken)
        if found is None:
            return 400
        loaded, since, answered, elapsed = map(int, found.groups())
        with self._lock:
            now, (token, *last) = self._clock(), self._last
            is_recent = token == picture.token and now - self._came_s < _LATE_S
            if is_recent and [loaded, since] <= last:
                return 409
            self._last, self._came_s = (picture.token, loaded, since), now
            # An answer of the future is one from before this machine was started.
            if not 0 <= 1000 * now - answered <= elapsed + 1000 * _OLD_S:
                return 202
            return 200 if link.tell(picture) else 504


def _picture(context: ViewContext, order: PictureOrder) -> ResponseReturnValue:
    try:
        message = CameraPicture(context.phones.camera_token, request.get_data())
    except ContractError:
        return Response("A picture is a JPEG.\n", 415)
    status = order.tell(context.link, message, request.headers.get("X-Taken", ""))
    if status not in (200, 202):
        return Response(status=status)
    news = context.link.news
    corners = () if news.picture is None else news.picture.corners
    sentence = _sentence(context, news.page) if news.page else ""
    if status == 202:
        sentence = context.wording.camera("slow")
    return jsonify(corners=corners, sentence=sentence, time=_now_ms()), status


def _now_ms() -> int:
    return int(1000 * time.monotonic())


def _sentence(context: ViewContext, page: Page) -> str:
    """Returns what the last check of the set-up found worst, or the state of the game."""
    setup = None if page.private is None else page.private.setup
    if setup is not None and not page.ply and page.state.code is not RefereeState.BOARD_LOST:
        for level in (Rating.MEND, Rating.FAIR):
            for one in setup.points:
                if one.level is level and one.fault:
                    return context.wording.known("faults", one.fault, one.remedy)
    return context.wording.state(page)


def _judge(context: ViewContext) -> ResponseReturnValue:
    """Says what stands on the board in a photograph."""
    if context.judge is None:
        return Response(status=404)
    wording, found = context.wording, context.judge(request.get_data())
    if isinstance(found, str):
        return jsonify(code="refused", said=wording.sentence(wording.say(found)), markup="")
    said = [wording.say(f"photograph.{'broken' if found.refused else 'legal'}")]
    if found.state.squares:
        squares = wording.squares(found, found.state.squares)
        said.append(wording.say("photograph.unsure", squares=squares))
    markup = context.render("fragments/judged.html", view=view_of(found, wording))
    code = "refused" if found.refused else "unsure" if found.state.squares else "right"
    return jsonify(code=code, said=" ".join(said), markup=markup)
