"""Routes of people at a table besides the game: seats, the arbiter, a match and its result."""

import logging
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from flask import Flask, request
from flask.typing import ResponseReturnValue

from web.contract import (
    LONGEST_SENTENCE,
    AgreeToBegin,
    ArbiterCame,
    CallArbiter,
    ClubAction,
    ClubRequest,
    ConfirmResult,
    DisputeResult,
    EmptySeat,
    PlayRequest,
    Reply,
    SeatAction,
    ShowPlaces,
    Sit,
    Stand,
    Stay,
    fingerprint,
)
from web.known_phones import SEAT_COOKIE, give_token
from web.presentation.board_view import dots_of
from web.request_guard import way_back
from web.views.arbiter import UNFIT, new_id, outcome
from web.views.context import ViewContext

_PLAIN: Final[dict[str, type[Stand | Stay | CallArbiter | ArbiterCame]]] = {
    kind.name: kind for kind in (Stand, Stay, CallArbiter, ArbiterCame)
}
"""Actions without further values, by name."""

NO_REASON: Final = "no-reason"
"""Code of the answer to a dispute without a reason, or with too long a one."""

_NOTHING: Final[Mapping[str, object]] = MappingProxyType({})
"""No further values of an answer."""

_log = logging.getLogger(__name__)


def add_routes(app: Flask, context: ViewContext) -> None:
    """Adds the routes to the application."""
    app.add_url_rule("/club", "club", lambda: _act(context), methods=["POST"])


def _act(context: ViewContext) -> ResponseReturnValue:
    """Passes an action of somebody at the table on to the table."""
    text = request.form.get("act", "")
    if text.startswith("dispute:") and not 0 < len(_sentence(text)) <= LONGEST_SENTENCE:
        return _answered(context, NO_REASON, 400)
    try:
        action = action_of(text, _sentence(text))
    except ValueError as error:  # includes errors of the contract
        _log.info("a form was not understood: %s", error)
        return _answered(context, UNFIT, 400)
    is_seat = isinstance(action, Sit | Stand | Stay | EmptySeat | ShowPlaces)
    pairing = context.phones.token if context.phones.is_known() else ""
    kind = PlayRequest if is_seat else ClubRequest
    reply = context.link.ask(kind(new_id(), context.phones.seat_token, pairing, action))  # type: ignore[arg-type]
    told = _places(context, action.piece, reply) if isinstance(action, ShowPlaces) else _NOTHING
    return _answered(context, *outcome(reply), reply, told)


def _places(context: ViewContext, piece: str, reply: Reply | None) -> dict[str, object]:
    """Returns a sentence on the places of a piece, and dots for boards of phones not paired."""
    page = context.link.news.page
    if page is None or reply is None or not reply.places:
        return {"dots": ()}
    covers, corners = (
        tuple(sorted({one for way in reply.places for one in way[at]})) for at in (1, 2)
    )
    said = context.wording.places(page, piece, covers, corners)
    return {"said": said, "dots": (dots_of(covers), dots_of(corners))}


def _sentence(text: str) -> str:
    """Returns the reason that the form has for the side which an action names last."""
    side = text.rpartition(":")[2]
    return " ".join(request.form.get(f"sentence-{side}", "").split())


def action_of(text: str, sentence: str = "") -> ClubAction | SeatAction:
    """Returns the action of a form.

    Args:
        text: name of the action, with its parts behind colons, for example `sit:0`.
        sentence: reason for which a result is disputed.

    Raises:
        ValueError: the text is no such action.
    """
    if text in _PLAIN:
        return _PLAIN[text]()
    match text.split(":"):
        case ["sit", person]:
            return Sit(int(person))
        case ["empty", person]:
            return EmptySeat(int(person))
        case ["places", colour, piece]:
            return ShowPlaces(int(colour), piece)
        case _:
            return _match_action(text, sentence)


def _match_action(text: str, sentence: str) -> ClubAction:
    match text.split(":"):
        case ["agree", tag]:
            return AgreeToBegin(tag)
        case ["agree", tag, person]:
            return AgreeToBegin(tag, int(person))
        case ["confirm", tag, side]:
            return ConfirmResult(tag, int(side))
        case ["dispute", tag, side]:
            return DisputeResult(tag, int(side), sentence)
        case _:
            raise ValueError(f"{text!r} is no action of people at a table")


def _answered(
    context: ViewContext,
    code: str,
    status: int,
    reply: Reply | None = None,
    told: Mapping[str, object] = _NOTHING,
) -> ResponseReturnValue:
    """Returns the answer, with the cookie of a seat that the sender has just taken."""
    token = reply.token if reply is not None else ""
    more = {"phone": fingerprint(token)} if token else {}
    response = context.answered(code, status, way_back(), **more, **told)
    return give_token(response, SEAT_COOKIE, token) if token else response
