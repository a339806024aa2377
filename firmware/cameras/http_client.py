"""Requests to a camera over http or https, with redirections and passwords.

`HttpClient.run` continues steps for a limited time; those that are not finished by then go on in
the next call. So a slow camera delays no reader beyond its time, and closing from another thread
ends every wait at once.

An error is raised outside of the handler of its cause, and no local variable of a frame below
`run` shows a password: a printed traceback has none.
"""

import re
import select
import socket
import threading
import time
from contextlib import ExitStack, suppress
from typing import Final, TypeVar

from firmware.cameras import network_faults as faults
from firmware.cameras.http_answer import HttpAnswer
from firmware.cameras.http_connection import (
    PIECE,
    READABLE,
    CameraConnection,
    SocketWait,
    Steps,
    connect,
)
from firmware.cameras.http_login import Challenge, best_challenge
from firmware.cameras.interfaces import CameraError, CameraFault
from firmware.cameras.network_address import NetworkAddress, parse_address

CONNECT_S: Final = 3.0
"""Seconds for finding the device and connecting to it; in a home network it takes 0.1 s."""

OPENING_S: Final = 6.0
"""Seconds until the first answer: those of the connection, and 3 for the camera to answer."""

MOST_REDIRECTS: Final = 5
"""Redirections that are followed; more are a circle."""

MOST_ASKED: Final = 3
"""Requests for one answer because of passwords: without one, with one, with a new number."""

_LONGEST_HEAD: Final = 1 << 16
"""Bytes of the longest head of an answer; heads of cameras have some hundred."""

BLANK_LINE: Final = re.compile(rb"\r?\n\r?\n")
"""End of the head of an answer; a line may end without its carriage return (RFC 9112, 2.2)."""

_REDIRECTS: Final = (301, 302, 303, 307, 308)
"""Statuses of redirections."""

T = TypeVar("T")


class HttpClient:
    """Asks a camera again and again, if possible over one connection.

    Args:
        url: address with or without user:password@.

    Attributes:
        answer: the last answer of `ask`; None before the first.
    """

    def __init__(self, url: str) -> None:
        self._start: NetworkAddress | CameraError = parse_address(url)
        self._name: Final[str] = getattr(self._start, "name", "the camera")
        self._front_page: Final[str] = getattr(self._start, "front_page", "its front page")
        self.answer: HttpAnswer | None = None
        self._challenge: Challenge | None = None
        self._connection: CameraConnection | None = None
        self._closed = False
        self._running: Final = threading.Lock()
        self._wake_reader, self._wake_writer = socket.socketpair()

    @property
    def name(self) -> str:
        """The address without user and password."""
        return self._name

    @property
    def connection(self) -> CameraConnection:
        """The connection of the last answer."""
        assert self._connection is not None
        return self._connection

    def open(self) -> HttpAnswer:
        """Asks for the first time, within `OPENING_S`; closes if that fails.

        Raises:
            CameraError: there is no camera, or it sends no pictures.
        """
        with ExitStack() as stack:
            stack.callback(self.close)
            answer = self.run(self.ask(), time.monotonic() + OPENING_S)
            if answer is None:
                raise faults.silent(self.name)
            stack.pop_all()
        return answer

    def run(self, steps: Steps[T], until: float) -> T | None:
        """Continues steps; None if they are not finished in time.

        Args:
            steps: steps that have not ended.
            until: latest time to return, in seconds of `time.monotonic`.

        Raises:
            CameraError: the steps raise it, or it is closed.
        """
        with self._running:
            while not self._closed:
                try:
                    wait = next(steps)
                except StopIteration as end:
                    result: T = end.value
                    return result
                self._wait(wait, min(until, wait.until))
                if until <= time.monotonic() < wait.until:
                    return None
        message = f"{self.name} is closed; open it again to read it"
        raise CameraError(CameraFault.FAILED, message)

    def close(self) -> None:
        """Closes the connection; a `run` of another thread ends. Further calls do nothing."""
        self._closed = True
        with suppress(OSError):
            self._wake_writer.send(b"!")
        with self._running:
            self._disconnect()
            self._wake_reader.close()
            self._wake_writer.close()

    def ask(self) -> Steps[HttpAnswer]:
        """Sends a request, follows redirections, and returns the answer with pictures.

        Raises:
            CameraError: there is no camera, or it sends no pictures.
        """
        if isinstance(self._start, CameraError):
            raise self._start
        address, lasting = self._start, True
        for _ in range(MOST_REDIRECTS + 1):
            answer = yield from self._admitted(address)
            if answer.status not in _REDIRECTS:
                self.answer = self._checked(answer)
                return answer
            found = address.redirected(answer.header("Location"))
            if isinstance(found, CameraError):
                break
            address, lasting = found, lasting and answer.status in {301, 308}
            if lasting:
                self._start = address
        raise faults.circle(self.name)

    def _admitted(self, address: NetworkAddress) -> Steps[HttpAnswer]:
        """Asks with the password if it is needed."""
        known = False
        for _ in range(MOST_ASKED):
            answer = yield from self._exchange(address)
            if answer.status != 401:
                return answer
            challenge = best_challenge(answer.all_headers("WWW-Authenticate"))
            if address.login is None:
                break
            if challenge is None:
                raise faults.unknown_login(self.name)
            if known and not challenge.is_stale:
                break
            self._challenge, known = challenge, True
        raise faults.password(self.name, has_login=address.login is not None)

    def _exchange(self, address: NetworkAddress) -> Steps[HttpAnswer]:
        """Sends one request and receives the head of its answer."""
        open_connection = self._connection
        if open_connection and self._idle() and open_connection.address.same_device(address):
            answer = yield from self._answered(open_connection, address)
            if answer is not None:
                return answer
        self._disconnect()
        self._connection = yield from self._connected(address)
        answer = yield from self._answered(self._connection, address)
        if answer is None:
            raise faults.ended(self.name)
        return answer

    def _answered(
        self, connection: CameraConnection, address: NetworkAddress
    ) -> Steps[HttpAnswer | None]:
        """Returns None if the connection ends before an answer."""
        self.answer = None  # the body of the last one cannot be received any more
        yield from connection.send(self._request(address))
        head = bytearray()
        while (blank := BLANK_LINE.search(head)) is None:
            data = yield from connection.receive()
            if not data:
                if head:
                    raise faults.not_http(self.name)
                return None
            head += data
            head = head.lstrip(b"\r\n")  # the end of a chunked body before
            if len(head) > _LONGEST_HEAD + PIECE or not b"HTTP/".startswith(bytes(head[:5])):
                raise faults.not_http(self.name)
        return HttpAnswer(bytes(head[: blank.end()]), bytes(head[blank.end() :]), self.name)

    def _request(self, address: NetworkAddress) -> bytes:
        lines = [
            f"GET {address.target} HTTP/1.1",
            f"Host: {address.host_and_port}",
            "User-Agent: Cornerlight",
            "Accept: multipart/x-mixed-replace, image/*, */*;q=0.1",
            "Accept-Encoding: identity",
            "Connection: keep-alive",
        ]
        if address.login and self._challenge:
            lines.append(f"Authorization: {self._challenge.header(address.login, address.target)}")
        return "\r\n".join([*lines, "", ""]).encode()

    def _idle(self) -> bool:
        """True if the last answer is complete, so that the connection takes a request."""
        return self.answer is not None and self.answer.complete and self.answer.keeps

    def _connected(self, address: NetworkAddress) -> Steps[CameraConnection]:
        """Connects to a device.

        Raises:
            CameraError: there is no such device, or it refuses.
        """
        cause: OSError
        try:
            return (yield from connect(address, time.monotonic() + CONNECT_S))
        except OSError as error:
            cause = error
        raise faults.unreachable(self.name, cause)

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        self.answer = None
        if connection is not None:
            connection.close()

    def _wait(self, wait: SocketWait, until: float) -> None:
        poll = select.poll()
        poll.register(self._wake_reader, READABLE)
        if wait.line is not None:
            poll.register(wait.line, wait.events)
        left = max(0.0, until - time.monotonic())
        poll.poll(min(1000 * left, 1e6))

    def _checked(self, answer: HttpAnswer) -> HttpAnswer:
        """Returns an answer with pictures.

        Raises:
            CameraError: the answer has none.
        """
        if answer.status == 200 and answer.kind.startswith(("image/", "multipart/")):
            return answer
        raise faults.no_pictures(self.name, self._front_page, answer.status, answer.kind)
