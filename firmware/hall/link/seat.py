"""The hall as the table's own program knows it: the match that it offers, its clock, its name.

The hall's messages are wanted states, so all that counts is the newest of each. What the table
should know is sent again whenever it differs from what was sent last, and to each new process
of the table.
"""

import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from firmware.hall.link.messages import HallStatus
from web.contract import (
    ClubRequest,
    HallState,
    OfferedMatch,
    OfferMatch,
    RefusalReason,
    Reply,
    RoundClock,
)

_PATIENCE_S: Final = 1.0
"""Seconds in which the table has to reply."""

_AGAIN_S: Final = 5.0
"""Seconds before something that the table has refused is sent again."""

_STATE_S: Final = 10.0
"""Seconds after which the state is sent again: without it for 30 s, as after the end of this
program, the table says that the hall is not reached."""

Ask = Callable[[ClubRequest, float], Reply | None]
"""Sends a request to the table, and returns its reply; None if there is none."""


class HallSeat:
    """The table's seat in a hall.

    Args:
        ask: sends a request to the table.
        token: returns the token by which the table knows this program.
        table: number of the table for people, for example `7`.
        name: name of the hall, until it tells its own.

    Attributes:
        is_known: True once it is known if the hall offers a match.
    """

    def __init__(self, ask: Ask, token: Callable[[], str], table: str, name: str) -> None:
        self._ask: Final = ask
        self._token: Final = token
        self._table: Final = table
        self._name = name
        self._connected = False
        self._offer: OfferedMatch | None = None
        self._clock: RoundClock | None = None
        self._clock_at = 0.0
        self._sent_state: HallState | None = None
        self._sent_s = float("-inf")
        self._sent_offer: OfferedMatch | None = None
        self._is_offer_sent = False
        self._again_s = 0.0
        self.is_known = False

    def connect(self, *, connected: bool) -> None:
        """Notes that the hall is reached, or lost."""
        self._connected = connected

    def hear_status(self, status: HallStatus) -> None:
        """Takes the state of the hall; one without a name leaves the name as it is.

        Raises:
            ContractError: its name cannot be shown.
        """
        self._name = HallState(status.name).hall or self._name

    def hear_seat(self, match: OfferedMatch | None) -> None:
        """Takes the match that the hall offers; None for no match."""
        self._offer, self.is_known = match, True

    def hear_clock(self, clock: RoundClock | None) -> None:
        """Takes the clock of the round; None for none."""
        self._clock, self._clock_at = clock, time.monotonic()
        self._sent_state = None

    def begin_anew(self) -> None:
        """Notes that another process of the table runs, which knows nothing."""
        self._sent_state, self._is_offer_sent = None, False
        self._again_s = 0.0

    def tell(self) -> None:
        """Tells the table what it does not know yet."""
        now = time.monotonic()
        if now < self._again_s:
            return
        state, is_old = self.state(), now - self._sent_s >= _STATE_S
        if self._sent_state is None or is_old or _still(state) != _still(self._sent_state):
            if not self._send(state):
                self._again_s = now + _AGAIN_S
                return
            self._sent_state, self._sent_s = state, now
        if self.is_known and not (self._is_offer_sent and self._sent_offer == self._offer):
            if not self._send(OfferMatch(self._offer)):
                self._again_s = now + _AGAIN_S
                return
            self._sent_offer, self._is_offer_sent = self._offer, True

    def leave(self, *, hall_stays: bool) -> None:
        """Tells the table that the hall is lost, or that the table has left it.

        Args:
            hall_stays: True if the table still belongs to the hall.
        """
        if hall_stays:
            self._connected = False
            self._send(self.state())
        else:
            self._send(OfferMatch(None))
            self._send(HallState(""))

    def state(self) -> HallState:
        """Returns the hall as the table shows it, with its clock as it is now."""
        passed_ms = round(1000 * (time.monotonic() - self._clock_at))
        clock = self._clock and self._clock.aged(passed_ms)
        return HallState(self._name, self._table, self._connected, clock)

    def _send(self, action: HallState | OfferMatch) -> bool:
        """Sends an action to the table; returns False if it has to be sent again."""
        request = ClubRequest(secrets.token_urlsafe(12), self._token(), "", action)
        reply = self._ask(request, _PATIENCE_S)
        return reply is not None and reply.refused in (None, RefusalReason.NOT_FITTING)


def _still(state: HallState) -> HallState:
    """Returns a state without the time that passes by itself."""
    return replace(state, clock=None)
