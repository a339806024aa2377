"""Paired phones, by the list that the table sends; the table alone decides.

The table sends the page the fingerprints of all paired tokens, on connection and after every
change (`web.contract.PairedPhones`). The page stores no list of its own. Therefore:

- A phone is known only if its token is on that list, whatever the table replies to requests.
- While the table is away no phone is known. A phone with a token is asked to wait; it gets the
  page for watchers, but nothing that is for arbiters.
- A phone that was unpaired, also by `cornerlight pair --forget`, is unknown within a second: its
  stream ends, and pictures are refused.
- A made-up token costs one lookup in the list. It never reaches the table.

The table checks the token of each command itself, so an error of the page about a phone can show
that phone too much, but cannot send commands for it.
"""

import re
from typing import Final, Protocol

from flask import Response, request
from werkzeug.sansio.http import parse_cookie

from web.contract import ClubTable, PairedPhones, fingerprint

PAIRING_COOKIE: Final = "pairing"
"""Name of the cookie with a phone's token."""

SEAT_COOKIE: Final = "table-seat"
"""Name of the cookie with the token of a player's seat."""

CAMERA_COOKIE: Final = "camera"
"""Name of the cookie with the token of the phone that is the camera."""

_TOKEN_LIFETIME_S: Final = 30 * 24 * 3600
"""Seconds that a browser keeps a token."""

_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""Form of a token in a cookie, as in `web.contract.requests`, but never empty. Any other text
counts as no token, and is never looked up."""


def give_token(response: Response, cookie: str, token: str) -> Response:
    """Adds a cookie with a token to a response; scripts and other sites cannot use it."""
    response.set_cookie(
        cookie,
        token,
        max_age=_TOKEN_LIFETIME_S,
        secure=request.is_secure,
        httponly=True,
        samesite="Strict",
    )
    return response


class PhoneList(Protocol):
    """The phones that are known at one moment, as `web.table_client.TableSnapshot` has them."""

    @property
    def phones(self) -> PairedPhones | None:
        """The paired phones; None while nobody can tell."""

    @property
    def club(self) -> ClubTable | None:
        """The people at a table, whose seats have phones; None without a table."""


class PhoneSource(Protocol):
    """Whoever has the newest list of phones, as `web.table_client.TableClient`."""

    @property
    def news(self) -> PhoneList:
        """The newest list."""


class KnownPhones:
    """Distinguishes the phones that the table knows from all others.

    Args:
        link: client of the table, or whoever else knows the phones.
    """

    def __init__(self, link: PhoneSource) -> None:
        self._link: Final = link

    @property
    def token(self) -> str:
        """Token of the phone that sent this request; empty if it has none."""
        return _well_formed(request.cookies.get(PAIRING_COOKIE, ""))

    @property
    def seat_token(self) -> str:
        """Token of the seat of the phone that sent this request; empty if it has none."""
        return _well_formed(request.cookies.get(SEAT_COOKIE, ""))

    @property
    def seat_phone(self) -> str:
        """Fingerprint of the token of the seat; empty if the phone has none."""
        return fingerprint(self.seat_token) if self.seat_token else ""

    @property
    def camera_token(self) -> str:
        """Token of the camera of the phone that sent this request; empty if it has none."""
        return _well_formed(request.cookies.get(CAMERA_COOKIE, ""))

    def is_camera(self) -> bool:
        """True if the phone that sent this request is the camera."""
        phones = self._link.news.phones
        return phones is not None and phones.is_camera(self.camera_token)

    def is_seated(self) -> bool:
        """True if the phone that sent this request has a seat at the table."""
        return has_seat(self._link.news, self.seat_token)

    def is_known(self) -> bool:
        """True if the table knows the phone that sent this request."""
        return knows(self._link.news, self.token)

    def is_undecided(self) -> bool:
        """True if the phone has a token that cannot be checked, as the table is away."""
        return bool(self.token) and self._link.news.phones is None

    def knows_cookies(self, header: str) -> bool:
        """True if a `Cookie` header is of a phone that is paired, has a seat or is the camera."""
        news, cookies = self._link.news, parse_cookie(header)
        pairing, seat, camera = (
            _well_formed(cookies.get(one, ""))
            for one in (PAIRING_COOKIE, SEAT_COOKIE, CAMERA_COOKIE)
        )
        is_camera = news.phones is not None and news.phones.is_camera(camera)
        return knows(news, pairing) or has_seat(news, seat) or is_camera


def knows(news: PhoneList, token: str) -> bool:
    """True if a token is on the list of the snapshot."""
    return bool(token) and news.phones is not None and news.phones.knows(token)


def has_seat(news: PhoneList, token: str) -> bool:
    """True if a token is that of a seat of the snapshot."""
    seats = news.club.seats if news.club is not None and token else ()
    return fingerprint(token) in {seat.phone for seat in seats}


def _well_formed(token: str) -> str:
    return token if _TOKEN.fullmatch(token) else ""
