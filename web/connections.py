"""Limits of the connections of each address and of the time that a request may take.

Waitress limits only the number of all connections, and waits a minute for each; no other WSGI
server counts by address either. So connections are counted where waitress accepts them:

- An address has 16 at most; an IPv6 network of /64 counts as one address, unless this machine is
  in it. One more replaces an idle one that has been served, or is closed if there is none.
  Connections from this machine are not counted: they may come from a reverse proxy, which serves
  many phones.
- Unknown phones of one network have three quarters of all places at most.
- A header is complete within 5 s, a body within 10 s more. What cannot become a request, as the
  greeting of https, is refused at once.
- When all places are taken, a new connection replaces one that is not being answered: the
  oldest of the address that has most.
- When every place is busy, 8 more are for phones that the table knows. A phone is known by the
  header, so any connection gets one of the 8 until then, and is closed if its phone is unknown.
- Requests of phones that the table knows are answered before those that wait.
- A phone that sends a request before it has read the last response ("pipelining") is
  disconnected. So only streams hold a thread while a phone is slow.
"""

import re
import socket
import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from copy import copy
from pathlib import Path
from typing import Any, Final

from waitress.channel import HTTPChannel  # type: ignore[import-untyped]
from waitress.parser import HTTPRequestParser  # type: ignore[import-untyped]
from waitress.server import TcpWSGIServer  # type: ignore[import-untyped]
from waitress.utilities import BadRequest  # type: ignore[import-untyped]

from web.rate_limit import CROWD, network_of, sender_of
from web.views.streams import RESERVED

PER_ADDRESS: Final = 16
"""Connections that an address may have."""

HEADER_S: Final = 5.0
"""Seconds within which a header is complete."""

BODY_S: Final = 10.0
"""Seconds after the header within which the body is complete."""

_AT_ONCE: Final = 64
"""Connections that are accepted in a row, before open ones are served."""


_NO_HEADER: Final = re.compile(
    rb"\A\s*[\w!#$%&'*+.^`|~-]*[^\w!#$%&'*+.^`|~\s-]"  # no method (RFC 9110, 5.6.2)
    rb"|\A\s*\S+\r\n"  # a first line of one word
    rb"|(?<!\r)\n|[\0-\x08\x0b\x0c\x0e-\x1f\x7f]"
)
"""Pattern of bytes with which no header begins, whatever follows."""


class RequestParser(HTTPRequestParser):  # type: ignore[misc]
    """A parser that refuses all that is no request; that of waitress waits for it, or raises."""

    adj: Any
    path = ""  # waitress names it in its log, also where it is not known

    def received(self, data: bytes) -> int:
        """Reads bytes of a request; returns the number of those that belong to it."""
        with suppress(ValueError):  # addresses and numbers that Python does not take
            count: int = super().received(data)
            if self.headers_finished or not _NO_HEADER.search(self.header_plus):
                return count
        self.error, self.completed = BadRequest("This is no request of HTTP"), True
        return len(data)

    def parse_header(self, header_plus: bytes) -> None:
        """Reads the header; only phones that the table knows may send more than a form."""
        super().parse_header(header_plus)
        if not self.adj.knows(self.headers.get("COOKIE", "")):
            self.adj = self.adj.for_unknown


class Connection(HTTPChannel):  # type: ignore[misc]
    """One connection.

    Args:
        server: server that has accepted it.
        sock: its socket.
        address: address of the phone, in the form of `socket`.
        reserved: True if it has one of the places for known phones.
    """

    parser_class = RequestParser

    def __init__(
        self, server: "LimitedServer", sock: socket.socket, address: Any, *, reserved: bool
    ) -> None:
        self.sender: Final = sender_of(address[0])
        self.network: Final = network_of(address[0])
        self.reserved: Final = reserved
        self.is_known = self.was_served = self.is_writing = False
        self.deadline = time.monotonic() + HEADER_S
        super().__init__(server, sock, address, server.adj, map=server._map)  # noqa: SLF001

    @property
    def is_idle(self) -> bool:
        """True if it was answered and has sent no request since."""
        return self.was_served and not self.requests and self.request is None

    def write_soon(self, data: Any) -> Any:
        """Sends a part of a response; a stream waits here until the phone has read enough."""
        self.is_writing = True
        try:
            return super().write_soon(data)
        finally:
            self.is_writing = False

    def _flush_outbufs_below_high_watermark(self) -> None:
        if self.is_writing:  # not between two answers
            super()._flush_outbufs_below_high_watermark()

    def received(self, data: bytes) -> None:
        """Reads bytes, as waitress does, and sets the deadline of the next ones."""
        before, had_header = self.request, bool(self.request and self.request.headers_finished)
        super().received(data)
        is_new = self.request is not before
        if is_new and self.was_served:  # the deadline of the first was set when it connected
            self.deadline = time.monotonic() + HEADER_S
        if self.request and self.request.headers_finished and (is_new or not had_header):
            self.deadline = time.monotonic() + BODY_S

    def close(self) -> None:
        """Closes the connection and the files that hold an answer which the phone did not read."""
        self.handle_close()

    def drop(self) -> None:
        """Closes the connection as soon as the server polls, even if the phone does not read."""
        self.will_close = True
        with suppress(OSError):  # not that of TLS, after which bytes would be read as they come
            socket.socket.shutdown(self.socket, socket.SHUT_RDWR)


def secure_context(certificate: Path) -> ssl.SSLContext:
    """Returns what TLS needs of a server.

    Args:
        certificate: file with the key and the certificate.

    Raises:
        OSError: it has no such content.
    """
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    # With 1.3 one caller could have OpenSSL change keys for ever, in the thread that polls.
    tls.maximum_version = ssl.TLSVersion.TLSv1_2
    tls.options |= ssl.OP_NO_RENEGOTIATION | ssl.OP_NO_TICKET
    tls.load_cert_chain(certificate)
    return tls


class SecureConnection(Connection):
    """A connection over TLS. OpenSSL shakes hands with the first bytes that are read.

    The thread that polls and those that answer use it in turn, as OpenSSL wants it. A caller that
    has OpenSSL write before it reads, or the other way round, is dropped: no poll waits for that.
    """

    def __init__(self, *values: Any, **more: Any) -> None:
        self._turn: Final = threading.RLock()
        super().__init__(*values, **more)

    def handle_read(self) -> None:
        """Reads all that has arrived: what OpenSSL has taken already wakes no poll."""
        while not (self.will_close or self.close_when_flushed):
            try:
                with self._turn:
                    data = self.socket.recv(self.adj.recv_bytes)
                    more = self.socket.pending() > 0
            except ssl.SSLWantReadError:
                return
            except (OSError, ValueError):  # no TLS, or the connection is lost
                self.handle_close()
                return
            if not data:
                self.connected = False
                self.handle_close()
                return
            self.last_activity = time.time()
            self.received(data)
            if not more:
                return

    def send(self, data: bytes, do_close: bool = True) -> int:  # noqa: FBT001, FBT002, of waitress
        """Sends bytes; returns the number of those that were taken."""
        try:
            with self._turn:
                return int(self.socket.send(data))
        except ssl.SSLWantWriteError:
            return 0
        except (OSError, ValueError):
            if do_close:
                self.handle_close()
            return 0

    def handle_close(self) -> None:
        """Closes the connection; nobody writes to it meanwhile, which would be plain text."""
        with self.outbuf_lock, self._turn:  # in the order in which an answer takes them
            super().handle_close()


class LimitedServer(TcpWSGIServer):  # type: ignore[misc]
    """A waitress server with the limits above.

    Args:
        app: WSGI application.
        listening: listening socket.
        places: number of connections, besides those reserved for known phones.
        knows: True for the `Cookie` header of a phone that the table knows.
        longest_form: bytes of a request of any other phone.
        tls: certificate and key; None for plain http.
        settings: settings of waitress.
    """

    def __init__(
        self,
        app: Any,
        listening: socket.socket,
        places: int,
        knows: Callable[[str], bool],
        longest_form: int,
        tls: ssl.SSLContext | None = None,
        **settings: Any,
    ) -> None:
        self._tls: Final = tls
        self._places: Final = places
        self._knows: Final = knows
        info = (listening.family, listening.type, listening.proto, listening.getsockname())
        super().__init__(app, _sock=listening, bind_socket=False, sockinfo=info, **settings)
        self.adj.knows, self.adj.for_unknown = knows, copy(self.adj)
        self.adj.for_unknown.max_request_body_size = longest_form

    def handle_accept(self) -> None:
        """Accepts waiting connections as far as there are places, and closes the others."""
        for _ in range(_AT_ONCE):
            try:
                accepted = self.accept()
                if accepted is None:
                    return
                reserved = self._place(accepted[1][0])
                if reserved is None:
                    accepted[0].close()
                    continue
                self.set_socket_options(accepted[0])
            except OSError:
                return  # the client has disconnected
            self._open(*accepted, reserved=reserved)

    def _open(self, sock: socket.socket, address: Any, *, reserved: bool) -> None:
        """Begins a connection."""
        if self._tls is None:
            Connection(self, sock, address, reserved=reserved)
            return
        sock.settimeout(0.0)
        with suppress(OSError):  # the client has disconnected
            secure = self._tls.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
            SecureConnection(self, secure, address, reserved=reserved)

    def _place(self, address: str) -> bool | None:
        """True if a new connection gets a reserved place; None if it gets no place at all."""
        opened = [one for one in self.active_channels.values() if not one.will_close]
        sender, network = sender_of(address), network_of(address)
        same = [one for one in opened if sender and one.sender == sender]
        if len(same) >= PER_ADDRESS:
            return False if _drop_first(one for one in same if one.is_idle) else None
        crowd = sum(one.network == network and not one.is_known for one in opened if sender)
        if len(opened) < self._places and crowd < CROWD * self._places:
            return False
        crowds = Counter(one.network for one in opened)
        unknown = [one for one in opened if not (one.requests or one.is_known)]
        unknown.sort(key=lambda one: crowds[one.network], reverse=True)
        if _drop_first(one for one in unknown if not one.reserved):
            return False
        free = len(opened) < self._places + RESERVED
        return True if free or _drop_first(one for one in unknown if one.reserved) else None

    def add_task(self, task: Connection) -> None:
        """Queues a request for an answer, before others if its phone is known."""
        task.was_served = True
        task.is_known = self._knows(task.requests[0].headers.get("COOKIE", ""))
        if task.total_outbufs_len or (task.reserved and not task.is_known):
            task.drop()
            return
        super().add_task(task)
        if task.is_known:
            with self.task_dispatcher.lock:
                self.task_dispatcher.queue.rotate(1)  # the newest becomes the next

    def maintenance(self, now: float) -> None:
        """Closes connections that have passed their deadline."""
        super().maintenance(now)
        for one in self.active_channels.values():
            if not (one.requests or one.is_idle) and time.monotonic() > one.deadline:
                one.drop()


def _drop_first(connections: Iterable[Connection]) -> bool:
    """Closes the first of the connections; True if there was one."""
    first = next(iter(connections), None)
    if first is not None:
        first.drop()
    return first is not None
