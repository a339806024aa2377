"""Serves the score page with waitress, sized for streams: each one holds a thread.

Waitress has four threads by default, which four phones would block. Here there are as many as
streams are allowed and some for everything else. Any other answer is handed over at once and
holds none, however slowly the phone takes it. `web.connections` says who may have connections.
"""

import logging
import socket
import threading
from collections.abc import Callable, Iterable
from typing import Any, Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask
from waitress import wasyncore  # type: ignore[import-untyped]

from web.connections import LimitedServer
from web.security.request_guard import LONGEST_FORM
from web.views.sse import RESERVED

SPARE_THREADS: Final = 12
"""For all that is not a stream."""

AT_ONCE: Final = 8
"""Requests of phones that the table does not know, that are worked on at the same time.

Each thread that works may hold up every other one, and the one that accepts connections, for
5 ms (`sys.getswitchinterval`), so that a flood of requests would slow all that follows.
"""

SPARE_CONNECTIONS: Final = 200
"""For all that is not a stream. `web.connections` has some more for known phones."""

_NO_LIMIT: Final = 1 << 30
"""Of waitress, beyond that of `web.connections`."""

_GLANCE_S: Final = 0.5
"""How often the server looks whether it shall end."""

_PATIENCE_MS: Final = 30_000
"""How long a phone may leave what we sent unanswered before its connection is given up."""

_BUFFER: Final = 1 << 14
"""Bytes that may wait for a slow phone before its stream waits too, and skips to the newest.

Waitress also keeps what it has sent until so much has gone through a buffer: 256 kB here made
300 streams of a Classic game grow by 70 MB, 16 kB by nothing.
"""


class Server:
    """A web server that is bound when made, works in `run`, and ends after `close`.

    Args:
        app: from `create_app`.
        host: address or name to listen on; `0.0.0.0` for all of IPv4, `::` for IPv6 as well.
        port: to listen on; 0 for any that is free, see `port`.

    Raises:
        OSError: nobody may listen there, or somebody does.
    """

    def __init__(self, app: Flask, host: str, port: int) -> None:
        self._streams: Final = app.extensions["streams"]
        streams = self._streams.limit
        self._map: Final[dict[int, Any]] = {}
        self._closing = False
        knows = app.extensions["phones"].knows_cookies
        listening = _listening(host, port)
        self.port: Final[int] = listening.getsockname()[1]
        # It would say so in the log for each request that is not answered at once.
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        self._server: Final = LimitedServer(
            _in_turn(app, knows),
            listening,
            streams + SPARE_CONNECTIONS,
            knows,
            map=self._map,
            threads=streams + RESERVED + SPARE_THREADS,
            connection_limit=_NO_LIMIT,
            cleanup_interval=1,
            log_socket_errors=False,  # phones that vanish are no errors
            channel_request_lookahead=1,  # notices a phone that goes in mid-stream
            channel_timeout=60,
            outbuf_high_watermark=_BUFFER,
            max_request_header_size=1 << 14,
            max_request_body_size=LONGEST_FORM,
            clear_untrusted_proxy_headers=True,
            ident=None,
        )

    def run(self) -> None:
        """Serves until `close` is called or Control-C is pressed, then ends every stream."""
        try:
            while not self._closing:
                # poll(), as select() knows no descriptor above 1023.
                wasyncore.loop(timeout=_GLANCE_S, use_poll=True, map=self._map, count=1)
        except KeyboardInterrupt:
            pass
        finally:
            self._streams.close()
            self._server.task_dispatcher.shutdown()
            wasyncore.close_all(self._map)

    def close(self) -> None:
        """Makes `run` return, from any thread."""
        self._closing = True
        self._streams.close()


def _in_turn(app: Flask, knows: Callable[[str], bool]) -> WSGIApplication:
    """The application, for so many phones that the table does not know at a time."""
    turns = threading.BoundedSemaphore(AT_ONCE)

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if knows(environ.get("HTTP_COOKIE", "")):
            return app(environ, start_response)
        with turns:
            return app(environ, start_response)

    return answer


def _listening(host: str, port: int) -> socket.socket:
    """A listening socket whose connections give up phones that have gone without a word."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = family == socket.AF_INET6 and not host.strip(":")
    listening = socket.create_server((host, port), family=family, dualstack_ipv6=both)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; connections inherit it
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _PATIENCE_MS)
    return listening
