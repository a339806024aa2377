"""Who may ask for what: the names we answer to, the headers of every answer, and changes.

A change is a POST. It must come from a page of ours (`Origin`, and `Sec-Fetch-Site` where a
browser sends it: over plain http it does not), carry the token of a form that this address
could read, be small, and not come too often from one network, or from one known phone. A phone
that the table knows has a limit of its own, so that nobody who shares its address uses it up.
Numbers for pairing have a limit of their own too, see `web.security.rate_limit.GuessLimiter`.
"""

import hashlib
import hmac
import ipaddress
import secrets
import threading
import time
from collections.abc import Collection
from typing import Final
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request

from web.security.known_phones import PAIRING_COOKIE, KnownPhones
from web.security.rate_limit import RateLimiter, network_of

LONGEST_FORM: Final = 4096
"""Bytes of a form; the longest of ours has about 700."""

PAIR: Final = "/pair"
"""Where numbers for pairing go."""

_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not `no-referrer`: under that a browser hides the origin of our own forms from us.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "Vary": "Accept-Language, Cookie",
}


class RequestGuard:
    """Stands before every request.

    Args:
        phones: tells which ones the table knows.
        hosts: names of this machine that pages may be asked under, besides addresses,
            `localhost`, names without a dot and names under `.local`.
    """

    def __init__(self, phones: KnownPhones, hosts: Collection[str] = ()) -> None:
        self._phones: Final = phones
        self._hosts: Final = {host.lower() for host in hosts}
        self._secret: Final = secrets.token_bytes(32)
        self._rates: Final = RateLimiter()
        self._lock: Final = threading.Lock()

    def stand_before(self, app: Flask) -> None:
        """Looks at every request of the application, and at every answer."""
        app.config["MAX_CONTENT_LENGTH"] = LONGEST_FORM
        app.before_request(self._look)
        app.after_request(_lock_up)

    def token(self) -> str:
        """What a form that the sender of this request is shown must carry."""
        pairing = request.cookies.get(PAIRING_COOKIE, "").encode()
        return hmac.new(self._secret, pairing, hashlib.sha256).hexdigest()

    def _look(self) -> None:
        # A page elsewhere whose name was made to point here must not read the table.
        if not host_is_ours(request.host, self._hosts):
            abort(Response("This page is not served under that name.\n", 421))
        if request.method in ("GET", "HEAD", "OPTIONS"):
            return
        if request.path != PAIR and not self._is_seldom():
            abort(Response("Too much at once; wait a moment.\n", 429, {"Retry-After": "2"}))
        if request.mimetype != "application/x-www-form-urlencoded":
            abort(Response("A change is a form.\n", 415))
        if not came_from_us(request.headers.get("Origin"), request.host):
            abort(Response("A change comes from a page of this table.\n", 403))
        if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
            abort(Response("A change comes from a page of this table.\n", 403))
        if not hmac.compare_digest(request.form.get("token", "").encode(), self.token().encode()):
            abort(Response("This page is from before; load it again.\n", 403))

    def _is_seldom(self) -> bool:
        """Whether whoever sent this request asks seldom enough; counts it if so."""
        known = self._phones.is_known()
        sender = self._phones.token if known else network_of(request.remote_addr or "")
        with self._lock:
            return self._rates.allow(sender, time.monotonic())


def host_is_ours(host: str, allowed: Collection[str] = ()) -> bool:
    """Whether a `Host` header names this machine in a way that no stranger's site can.

    Args:
        host: the header, with or without a port.
        allowed: further names, in lower case.
    """
    name = host.rpartition("]")[0].lstrip("[") if host.startswith("[") else host.partition(":")[0]
    name = name.lower().removesuffix(".")
    try:
        ipaddress.ip_address(name)
    except ValueError:
        known = name in allowed or name.endswith(".local") or "." not in name
        return bool(name) and known
    return True


def came_from_us(origin: str | None, host: str) -> bool:
    """Whether an `Origin` header is of the host that the request was sent to.

    Every browser of today sends it with a POST (Fetch standard, 3.2); who does not is none.
    """
    if origin is None:
        return False
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


def _lock_up(response: Response) -> Response:
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")
    return response
