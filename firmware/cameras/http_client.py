"""Requests to a camera over http or https, with redirections and passwords, by `http.client`.

A password is sent as Basic (RFC 7617) or Digest (RFC 7616).

Calls wait without a limit of their own: whoever opens the camera limits the first one, and whoever
reads it closes a silent one. Closing from another thread ends every wait.

No local variable shows a password: a printed traceback has none.
"""

import base64
import hashlib
import http.client
import re
import secrets
import socket
import ssl
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Final
from urllib.request import parse_http_list

from firmware.cameras import network_faults as faults
from firmware.cameras.interfaces import CameraError
from firmware.cameras.network_address import Login, NetworkAddress
from firmware.cameras.network_faults import NetworkFault

CONNECT_S: Final = 3.0
"""Seconds for finding the device and connecting to it; in a home network it takes 0.1 s."""

MOST_REDIRECTS: Final = 5
"""Redirections that are followed; more are a circle."""

MOST_ASKED: Final = 3
"""Requests for one answer because of passwords: without one, with one, with a new number."""

_REDIRECTS: Final = (301, 302, 303, 307, 308)
"""Statuses of redirections."""

_HEADERS: Final = {
    "User-Agent": "Cornerlight",
    "Accept": "multipart/x-mixed-replace, image/*, */*;q=0.1",
    "Connection": "keep-alive",
}
"""Headers of each request, besides those that `http.client` adds."""

_HASHES: Final[dict[str, Callable[[bytes], str]]] = {
    "SHA-256": lambda data: hashlib.sha256(data).hexdigest(),
    "MD5": lambda data: hashlib.md5(data, usedforsecurity=False).hexdigest(),
}
"""Hashes of Digest, the best first. The handler of urllib knows no SHA-256 before Python 3.14."""

_ORDER: Final = (*(("digest", name) for name in _HASHES), ("basic", ""))
"""Challenges that can be answered, the safest first."""

_LONGEST_CHALLENGES: Final = 4096
"""Letters of all challenges of an answer together; cameras write some hundred."""


@dataclass(slots=True)
class Challenge:
    """The way in which a camera asks for a password, and the requests that were answered to it.

    Attributes:
        scheme: "basic" or "digest".
        parameters: of the challenge, by names in lower case.
        count: number of requests so far.
    """

    scheme: str
    parameters: dict[str, str] = field(repr=False)
    count: int = 0

    @property
    def is_stale(self) -> bool:
        """True if the camera knows the password and only wants a new number with it."""
        return self.parameters.get("stale", "").lower() == "true"

    @property
    def kind(self) -> tuple[str, str]:
        """Scheme and hash; the hash "auth-int" stands for a Digest that also covers bodies."""
        if self.scheme != "digest":
            return self.scheme, ""
        ways = re.split(r"[,\s]+", (self.parameters.get("qop") or "auth").strip().lower())
        return "digest", self._algorithm if "auth" in ways else "auth-int"

    @property
    def _algorithm(self) -> str:
        return self.parameters.get("algorithm", "MD5").upper()

    def header(self, login: Login, target: str) -> str:
        """The value of the header Authorization for the next GET.

        Args:
            login: user and password.
            target: path and query of the request.
        """
        if self.scheme == "basic":
            pair = f"{login.user}:{login.password}".encode()
            return "Basic " + base64.b64encode(pair).decode()
        self.count += 1
        return self._digest(login, target, secrets.token_hex(8))

    def _digest(self, login: Login, target: str, cnonce: str) -> str:
        def hashed(*parts: str) -> str:
            return _HASHES[self._algorithm](":".join(parts).encode())

        asked = self.parameters
        realm, nonce, count = asked.get("realm", ""), asked.get("nonce", ""), f"{self.count:08x}"
        fields = {"username": login.user, "realm": realm, "nonce": nonce, "uri": target}
        plain = {"algorithm": self._algorithm}
        middle = [nonce]
        if asked.get("qop"):
            middle += [count, cnonce, "auth"]
            fields["cnonce"] = cnonce
            plain |= {"qop": "auth", "nc": count}
        secret = hashed(login.user, realm, login.password)
        fields["response"] = hashed(secret, *middle, hashed("GET", target))
        if "opaque" in asked:
            fields["opaque"] = asked["opaque"]
        quoted = [re.sub(r'(["\\])', r"\\\1", value) for value in fields.values()]
        texts = [f'{name}="{value}"' for name, value in zip(fields, quoted, strict=True)]
        return "Digest " + ", ".join(texts + [f"{name}={value}" for name, value in plain.items()])


def best_challenge(headers: Iterable[str]) -> Challenge | None:
    """The safest challenge that can be answered: Digest with SHA-256, with MD5, or Basic.

    Args:
        headers: values of the headers WWW-Authenticate; of very long ones only the begin counts.
    """
    offered: list[Challenge] = []
    text = re.sub(r"\s+", " ", ", ".join(headers)[:_LONGEST_CHALLENGES])
    for item in parse_http_list(text):
        before, is_parameter, value = item.partition("=")
        words = before.split()
        if len(words) > 1 or (words and not is_parameter):
            offered.append(Challenge(words[0].lower(), {}))
        if is_parameter and words and offered:
            plain = value.strip().removeprefix('"').removesuffix('"')
            offered[-1].parameters[words[-1].lower()] = plain
    known = [challenge for challenge in offered if challenge.kind in _ORDER]
    return min(known, key=lambda challenge: _ORDER.index(challenge.kind), default=None)


class HttpClient:
    """Asks a camera again and again, if possible over one connection. One thread asks.

    Args:
        address: where to begin.

    Attributes:
        connected: is set from the first connection on.
    """

    def __init__(self, address: NetworkAddress) -> None:
        self._start = self._at = address
        self._name: Final = address.name
        self._front_page: Final = address.front_page
        self._challenge: Challenge | None = None
        self._connection: http.client.HTTPConnection | None = None
        self._line: socket.socket | None = None
        self._lock: Final = Lock()
        self._closed = False
        self.connected: Final = Event()

    def ask(self) -> http.client.HTTPResponse:
        """Sends a request, follows redirections, and returns the answer, which has a body.

        Raises:
            CameraError: there is no camera, or it refuses.
        """
        address, lasting = self._start, True
        for _ in range(MOST_REDIRECTS + 1):
            answer = self._admitted(address)
            if answer.status not in _REDIRECTS:
                if answer.status != 200:
                    raise self.without_pictures(answer)
                return answer
            found = address.redirected(answer.getheader("Location", ""))
            if isinstance(found, CameraError):
                break
            address, lasting = found, lasting and answer.status in {301, 308}
            if lasting:
                self._start = address
        raise NetworkFault.CIRCLE.of(self._name)

    def without_pictures(self, answer: http.client.HTTPResponse) -> CameraError:
        """The error of an answer that has no pictures."""
        return faults.no_pictures(
            self._name, self._front_page, answer.status, answer.headers.get_content_type()
        )

    def close(self) -> None:
        """Ends every wait; further calls do nothing. The thread that asks then disconnects."""
        with self._lock:
            self._closed = True
            if self._line is not None:
                with suppress(OSError):
                    # That of a TLS connection would wait for the thread that reads.
                    socket.socket.shutdown(self._line, socket.SHUT_RDWR)

    def disconnect(self) -> None:
        """Closes the connection."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _admitted(self, address: NetworkAddress) -> http.client.HTTPResponse:
        """Asks with the password if it is needed."""
        known = False
        for _ in range(MOST_ASKED):
            answer = self._answer(address)
            if answer.status != 401:
                return answer
            challenge = best_challenge(answer.headers.get_all("WWW-Authenticate", []))
            if address.login is None:
                break
            if challenge is None:
                raise NetworkFault.UNKNOWN_LOGIN.of(self._name)
            if known and not challenge.is_stale:
                break
            self._challenge, known = challenge, True
        raise faults.password(self._name, has_login=address.login is not None)

    def _answer(self, address: NetworkAddress) -> http.client.HTTPResponse:
        """Sends one request and receives the head of its answer.

        A connection that was kept may have been closed by the camera meanwhile.
        """
        connection = self._connection
        if connection and connection.sock and self._at.same_device(address):
            with suppress(OSError, http.client.HTTPException, ValueError):
                return self._exchange(address)
        self._connect(address)
        try:
            return self._exchange(address)
        except OSError:
            error = NetworkFault.ENDED.of(self._name)
        except (http.client.HTTPException, ValueError):
            error = NetworkFault.NOT_HTTP.of(self._name)
        raise error

    def _connect(self, address: NetworkAddress) -> None:
        """Connects to a device.

        Raises:
            CameraError: there is no such device, or it refuses.
        """
        self.disconnect()
        if self._closed:
            raise NetworkFault.ENDED.of(self._name)
        where = address.host, address.port
        if address.scheme == "https":
            context = ssl.create_default_context()
            made: http.client.HTTPConnection = http.client.HTTPSConnection(
                *where, timeout=CONNECT_S, context=context
            )
        else:
            made = http.client.HTTPConnection(*where, timeout=CONNECT_S)
        try:
            made.connect()
        except OSError as error:
            raise faults.unreachable(self._name, error) from None
        self._connection, self._at = made, address
        made.sock.settimeout(None)
        with self._lock:
            self._line = made.sock
            if self._closed:
                raise NetworkFault.ENDED.of(self._name)
        self.connected.set()

    def _exchange(self, address: NetworkAddress) -> http.client.HTTPResponse:
        connection = self._connection
        assert connection is not None
        headers: dict[str, str | bytes] = {**_HEADERS}
        if address.login and self._challenge:
            header = self._challenge.header(address.login, address.target)
            headers["Authorization"] = header.encode()
        connection.request("GET", address.target, headers=headers)
        answer = connection.getresponse()
        if answer.status != 200:
            connection.close()  # its body is of no use
        return answer
