"""Serves the score page with waitress, sized for streams: each one holds a thread.

Waitress has four threads by default, which four phones would block. Here there are as many as
streams are allowed and some for everything else.
"""

import socket
from typing import Any, Final

from flask import Flask
from waitress import wasyncore  # type: ignore[import-untyped]
from waitress.server import create_server  # type: ignore[import-untyped]

from web.guard import LONGEST_FORM
from web.streams import RESERVED

SPARE_THREADS: Final = 12
"""For all that is not a stream."""

SPARE_CONNECTIONS: Final = 200

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
        listening = _listening(host, port)
        self.port: Final[int] = listening.getsockname()[1]
        self._server: Final = create_server(
            app,
            map=self._map,
            sockets=[listening],
            threads=streams + RESERVED + SPARE_THREADS,
            connection_limit=streams + RESERVED + SPARE_CONNECTIONS,
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


def _listening(host: str, port: int) -> socket.socket:
    """A listening socket whose connections give up phones that have gone without a word."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = family == socket.AF_INET6 and not host.strip(":")
    listening = socket.create_server((host, port), family=family, dualstack_ipv6=both)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; connections inherit it
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _PATIENCE_MS)
    return listening
