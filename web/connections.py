"""How many connections an address may have, and how long one may take to say what it wants.

Waitress accepts every connection up to a limit of all together, and waits a minute for each; no
other server for WSGI counts by address either. So they are counted where waitress accepts them:

- An address has 16 at most; an IPv6 network of /64 counts as one address. One more takes the
  place of one that has been answered and is idle, and is closed if there is none. Connections
  from this machine are not counted, as a web server in front of ours may stand for many phones.
- A header is complete within 5 s, a body within 10 s more.
- When all places are taken, a new connection takes the place of one that is not being answered:
  the oldest of the address that has most.
- When every place is busy, 8 more are for phones that the table knows. Which ones these are shows
  with the header, so anybody gets one of the 8 until then, and it is closed if nobody is known.
- Requests of phones that the table knows are answered before those that wait.
- A phone that asks again before it has taken the answer, with "pipelining", is cut off. So only
  streams hold a thread while a phone is slow.
"""

import socket
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Final

from waitress.channel import HTTPChannel  # type: ignore[import-untyped]
from waitress.server import TcpWSGIServer  # type: ignore[import-untyped]

from web.security.rate_limit import limited_network
from web.views.sse import RESERVED

PER_ADDRESS: Final = 16
HEADER_S: Final = 5.0
BODY_S: Final = 10.0

_AT_ONCE: Final = 64
"""Connections that are accepted in a row, before those that are open have their turn."""


class Connection(HTTPChannel):  # type: ignore[misc]
    """One connection.

    Args:
        server: that has accepted it.
        sock: the connection.
        address: of the phone, as `socket` has it.
        reserved: whether it has a place of those for known phones.
    """

    def __init__(
        self, server: "LimitedServer", sock: socket.socket, address: Any, *, reserved: bool
    ) -> None:
        self.network: Final = limited_network(address[0])
        self.reserved: Final = reserved
        self.is_known = self.was_served = self.is_writing = False
        self.deadline = time.monotonic() + HEADER_S
        super().__init__(server, sock, address, server.adj, map=server._map)  # noqa: SLF001

    @property
    def is_idle(self) -> bool:
        """Whether it was answered, and has asked nothing since."""
        return self.was_served and not self.requests and self.request is None

    def write_soon(self, data: Any) -> Any:
        """Hands over a part of an answer; a stream waits here until the phone has taken enough."""
        self.is_writing = True
        try:
            return super().write_soon(data)
        finally:
            self.is_writing = False

    def _flush_outbufs_below_high_watermark(self) -> None:
        if self.is_writing:  # not between two answers
            super()._flush_outbufs_below_high_watermark()

    def received(self, data: bytes) -> None:
        """Takes bytes in, as waitress does, and sets the time by which more have to come."""
        before, had_header = self.request, bool(self.request and self.request.headers_finished)
        super().received(data)
        is_new = self.request is not before
        if is_new and self.was_served:  # the time of the first began with the connection
            self.deadline = time.monotonic() + HEADER_S
        if self.request and self.request.headers_finished and (is_new or not had_header):
            self.deadline = time.monotonic() + BODY_S

    def drop(self) -> None:
        """Ends the connection as soon as the server polls, whether the phone reads or not."""
        self.will_close = True
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)


class LimitedServer(TcpWSGIServer):  # type: ignore[misc]
    """Waitress with these limits.

    Args:
        app: for WSGI.
        listening: where connections come in.
        places: how many connections there may be, besides those reserved for known phones.
        knows: whether a `Cookie` header is of a phone that the table knows.
        settings: as waitress has them.
    """

    def __init__(
        self,
        app: Any,
        listening: socket.socket,
        places: int,
        knows: Callable[[str], bool],
        **settings: Any,
    ) -> None:
        self._places: Final = places
        self._knows: Final = knows
        info = (listening.family, listening.type, listening.proto, listening.getsockname())
        super().__init__(app, _sock=listening, bind_socket=False, sockinfo=info, **settings)

    def handle_accept(self) -> None:
        """Accepts who waits, as far as there are places, and closes the others."""
        for _ in range(_AT_ONCE):
            try:
                accepted = self.accept()
                if accepted is None:
                    return
                reserved = self._place(limited_network(accepted[1][0]))
                if reserved is None:
                    accepted[0].close()
                    continue
                self.set_socket_options(accepted[0])
            except OSError:
                return  # it has gone again
            Connection(self, *accepted, reserved=reserved)

    def _place(self, network: str) -> bool | None:
        """Whether a new connection gets a reserved place; None if it gets no place at all."""
        opened = [one for one in self.active_channels.values() if not one.will_close]
        same = [one for one in opened if network and one.network == network]
        if len(same) >= PER_ADDRESS:
            return False if _drop_first(one for one in same if one.is_idle) else None
        if len(opened) < self._places:
            return False
        crowds = Counter(one.network for one in opened)
        unknown = [one for one in opened if not (one.requests or one.is_known)]
        unknown.sort(key=lambda one: crowds[one.network], reverse=True)
        if _drop_first(one for one in unknown if not one.reserved):
            return False
        free = len(opened) < self._places + RESERVED
        return True if free or _drop_first(one for one in unknown if one.reserved) else None

    def add_task(self, task: Connection) -> None:
        """Has a request answered."""
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
        """Ends connections that take too long."""
        super().maintenance(now)
        for one in self.active_channels.values():
            if not (one.requests or one.is_idle) and time.monotonic() > one.deadline:
                one.drop()


def _drop_first(connections: Iterable[Connection]) -> bool:
    """Ends the first of some connections; whether there was one."""
    first = next(iter(connections), None)
    if first is not None:
        first.drop()
    return first is not None
