"""Checks of every request: accepted host names, conditions of changes; headers of responses.

A change is a POST. It must come from a page of this site (`Origin`, and `Sec-Fetch-Site` where
a browser sends it: over plain http it does not), contain the token of a form that this browser
has loaded, be small, and keep the rate limit of its network, or of its phone if the table knows
it: a known phone has a limit of its own, which nobody else at its address can use up. Gestures of
players have limits of their own too, and so have numbers for pairing, see
`web.rate_limit.GuessLimiter`.
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

from web.contract import LONGEST_PICTURE
from web.known_phones import KnownPhones
from web.rate_limit import RateLimiter, network_of, sender_of

LONGEST_FORM: Final = 4096
"""Bytes of a form; the longest on the page has about 700."""

PAIR: Final = "/pair"
"""Path to which numbers for pairing are sent."""

ACT: Final = "/play/act"
"""Path to which players send gestures."""

CAMERA: Final = "/camera"
"""Path of the page of the phone that is the camera."""

TLS_PORT: Final = "camera-port"
"""Extension of the application: the port of the page over TLS; missing without one."""

PICTURE: Final = f"{CAMERA}/picture"
"""Path to which that phone sends its pictures."""

JUDGE: Final = f"{CAMERA}/judge"
"""Path to which paired phones send a photograph that is to be judged."""

_PICTURES: Final = (15, 15.0)
"""Pictures of a phone: at once, and a second thereafter."""

_GESTURES: Final = (20, 10.0)
"""Gestures of a phone with a seat: at once, and a second thereafter."""

_NETWORK: Final = (200, 40.0)
"""Changes of all phones of an IPv6 network that the table does not know, as for ten of them."""

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
"""Headers of every response, by name; a route may set its own value. Pages load files of this site
only, and no other site can show them in a frame."""


class RequestGuard:
    """Checks every request before its route.

    Args:
        phones: phones that the table knows.
        hosts: host names that are accepted, besides addresses, `localhost`, names without a dot
            and names under `.local`.
        longest_form: bytes of a form at most.
    """

    def __init__(
        self,
        phones: KnownPhones,
        hosts: Collection[str] = (),
        longest_form: int = LONGEST_FORM,
    ) -> None:
        self._phones: Final = phones
        self._longest_form: Final = longest_form
        self._hosts: Final = {host.lower() for host in hosts}
        self._secret: Final = secrets.token_bytes(32)
        self._rates: Final = RateLimiter()
        self._networks: Final = RateLimiter(*_NETWORK)
        self._gestures: Final = RateLimiter(*_GESTURES)
        self._pictures: Final = RateLimiter(*_PICTURES)
        self._lock: Final = threading.Lock()

    def stand_before(self, app: Flask) -> None:
        """Installs the checks of requests and the headers of responses in an application."""
        app.config["MAX_CONTENT_LENGTH"] = self._longest_form
        app.before_request(self._check)
        app.after_request(_add_headers)

    def token(self) -> str:
        """Returns the token for the forms that the sender of this request gets.

        For a paired phone it is made of its cookie alone, which nobody else knows: so its open
        pages stay good when this program starts again. Others load their page again.
        """
        key = self._phones.token.encode() or self._secret
        return hmac.new(key, b"form", hashlib.sha256).hexdigest()

    def sender(self) -> str:
        """Returns the sender of this request as limits count: a known phone, else an address."""
        known, address = self._phones.is_known(), request.remote_addr or ""
        return self._phones.token if known else sender_of(address)

    def _check(self) -> None:
        # A foreign site whose name points to this address (DNS rebinding) must not read the table.
        if not host_is_ours(request.host, self._hosts):
            abort(Response("This page is not served under that name.\n", 421))
        if request.method in ("GET", "HEAD", "OPTIONS"):
            return
        if request.path == PICTURE:
            self._check_picture(self._phones.camera_token, is_allowed=self._phones.is_camera())
            return
        if request.path == JUDGE:
            self._check_picture(self._phones.token, is_allowed=self._phones.is_known())
            return
        if request.path != PAIR and not self._is_allowed():
            abort(Response("Too much at once; wait a moment.\n", 429, {"Retry-After": "2"}))
        if request.mimetype != "application/x-www-form-urlencoded":
            abort(Response("A change is a form.\n", 415))
        _check_origin()
        if not hmac.compare_digest(request.form.get("token", "").encode(), self.token().encode()):
            path = "/" + urlsplit(request.referrer or "").path.lstrip("/\\")
            renewed = {"Refresh": f"1; url={path}"}
            abort(Response("This page is from before; it is loaded again.\n", 403, renewed))

    def _check_picture(self, token: str, *, is_allowed: bool) -> None:
        """Checks a picture of a phone that the table knows by a token."""
        _check_origin()
        if not is_allowed:
            abort(Response("This phone may send no picture.\n", 403))
        if request.mimetype != "image/jpeg":
            abort(Response("A picture is a JPEG.\n", 415))
        request.max_content_length = LONGEST_PICTURE
        with self._lock:
            if not self._pictures.allow(token, time.monotonic()):
                abort(Response("Too much at once; wait a moment.\n", 429, {"Retry-After": "1"}))

    def _is_allowed(self) -> bool:
        """True if the sender of this request is within its rate limit; counts it if so."""
        if request.path == ACT and self._phones.is_seated():
            with self._lock:
                return self._gestures.allow(self._phones.seat_token, time.monotonic())
        known, sender, now = self._phones.is_known(), self.sender(), time.monotonic()
        network = network_of(request.remote_addr or "")
        with self._lock:
            whole = known or self._networks.allow(network, now)
            return whole and self._rates.allow(sender, now)


def host_is_ours(host: str, allowed: Collection[str] = ()) -> bool:
    """True if a `Host` header names this machine in a way that no foreign site can.

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


def _check_origin() -> None:
    """Refuses a change that no page of this table sends."""
    is_ours = came_from_us(request.headers.get("Origin"), request.host)
    if not is_ours or request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        abort(Response("A change comes from a page of this table.\n", 403))


def came_from_us(origin: str | None, host: str) -> bool:
    """True if an `Origin` header names the host that the request was sent to.

    Every current browser sends it with a POST (Fetch standard, 3.2).
    """
    if origin is None:
        return False
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


def way_back(usual: str = "/") -> str:
    """Returns the path of the page that the form of this request was on; else the usual one."""
    back = request.form.get("back", "")
    # `//elsewhere`, and to browsers `/\\elsewhere`, lead to other sites.
    is_local = back.startswith("/") and not back.startswith("//") and "\\" not in back
    return back if is_local and back.isprintable() else usual


def _add_headers(response: Response) -> Response:
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")
    return response
