"""Requests to a camera over http or https, with redirections and passwords, by `http.client`.

Calls wait without a limit of their own: whoever opens the camera limits the first one, and whoever
reads it closes a silent one. Closing from another thread ends every wait.

No local variable shows a password: a printed traceback has none.
"""

import http.client
import socket
import ssl
from contextlib import suppress
from threading import Event, Lock
from typing import Final

from firmware.cameras import network_faults as faults
from firmware.cameras.http_login import Challenge, best_challenge
from firmware.cameras.interfaces import CameraError
from firmware.cameras.network_address import NetworkAddress
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
