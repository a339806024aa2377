"""Phones of the scripted people at a table: they begin the matches of a hall, and confirm results.

They speak to the table's socket, as the phones of real people do by the page.
"""

import secrets
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from web.contract import (
    AgreeToBegin,
    AnswerKind,
    ClubRequest,
    ClubTable,
    ConfirmResult,
    ContractError,
    FrameDecoder,
    OfferState,
    Reply,
    encode,
)
from web.contract.club import PhoneAction

_ANSWERS_S: Final = 10.0
"""Seconds in which the table has to answer; a frame is taken before each look for the answer."""

_ID_BYTES: Final = 8
"""Bytes of the id of a request."""


class PlainPeople:
    """The people at one table.

    Args:
        path: socket of the table.
    """

    def __init__(self, path: Path) -> None:
        self._path: Final = path
        self._tokens: dict[int, str] = {}

    def next_action(self, club: ClubTable | None) -> tuple[int, PhoneAction] | None:
        """Returns the next action of somebody, with the person; None if there is nothing to do.

        Args:
            club: what happens at the table besides its game.
        """
        if club is None:
            return None
        result, offer = club.result, club.offer
        if result is not None:
            for number, side in enumerate(result.sides):
                person = next((one for one in side.people if one in self._tokens), None)
                if side.answer is AnswerKind.NONE and person is not None:
                    return person, ConfirmResult(result.tag, number)
        if offer is not None and offer.state is OfferState.PEOPLE:
            people = range(len(offer.match.players))
            person = next((one for one in people if one not in offer.agreed), None)
            if person is not None:
                return person, AgreeToBegin(offer.match.tag, person)
        return None

    def ask(self, person: int, action: PhoneAction) -> Iterator[None]:
        """Sends an action of a person, and waits for the answer; a frame is taken at each step."""
        is_agreement = isinstance(action, AgreeToBegin)
        token = "" if is_agreement else self._tokens.get(person, "")
        request = ClubRequest(secrets.token_hex(_ID_BYTES), token, "", action)
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as phone:
            with suppress(OSError):
                phone.connect(str(self._path))
                phone.sendall(encode(request))
            phone.settimeout(0.0)
            decoder = FrameDecoder()
            until = time.monotonic() + _ANSWERS_S
            while time.monotonic() < until:
                yield
                reply = _heard(phone, decoder, request.id)
                if reply is not None:
                    if is_agreement and reply.token:
                        self._tokens[person] = reply.token
                    return


def _heard(phone: socket.socket, decoder: FrameDecoder, id_: str) -> Reply | None:
    """Returns the answer to a request; None before it is there."""
    with suppress(OSError, ContractError):
        for message in decoder.feed(phone.recv(1 << 20)):
            if isinstance(message, Reply) and message.id == id_:
                return message
    return None
