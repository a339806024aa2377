"""Serves the score page with waitress; each stream holds a thread.

Waitress has four threads by default, which four phones would block. Here there are as many as
streams are allowed and some for all other requests. Any other response is buffered at once and
holds no thread, however slowly the phone reads it. `web.connections` limits the connections.
"""

import logging
import socket
import ssl
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask
from waitress import wasyncore  # type: ignore[import-untyped]

from web.connections import LimitedServer, secure_context
from web.contract import LONGEST_PICTURE
from web.listening import listen_at
from web.request_guard import CAMERA, TLS_PORT
from web.views.streams import RESERVED

SPARE_THREADS: Final = 12
"""Threads for requests other than streams."""

AT_ONCE: Final = 8
"""Requests of phones that the table does not know, handled at the same time.

Each busy thread may delay every other one, and the one that accepts connections, by 5 ms
(`sys.getswitchinterval`), so that a flood of requests would slow all that follow.
"""

SPARE_CONNECTIONS: Final = 200
"""Connections for requests other than streams; `web.connections` adds some for known phones."""

_OF_CAMERA: Final = (CAMERA, "/language")
"""Paths that the page of the camera needs, besides those under its own."""

_PORTS: Final = 8
"""Ports after that of the page that are tried for TLS."""

_LAST_PORT: Final = 65535
"""Greatest port."""

_NO_LIMIT: Final = 1 << 30
"""Connection limit of waitress, out of reach: `web.connections` has its own."""

_GLANCE_S: Final = 0.5
"""Seconds between two checks of whether to stop."""

_BUFFER: Final = 1 << 14
"""Bytes buffered for a slow phone, above which its stream waits and skips to the newest page.

Waitress also holds sent bytes until this many have passed through a buffer: with 256 kB, 300
streams of a Classic game grew by 70 MB; with 16 kB not at all.
"""


class Server:
    """A web server, bound by the constructor, that serves in `run` and stops after `close`.

    Args:
        app: application from `create_app`.
        host: address or name to listen on; `0.0.0.0` for all of IPv4, `::` for IPv6 as well.
        port: port to listen on; 0 for any free one, see the attribute `port`.
        on_request: function that gets the address of the sender of each request.

    Raises:
        OSError: the address is in use or not permitted.
    """

    def __init__(
        self,
        app: Flask,
        host: str,
        port: int,
        on_request: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._streams: Final = app.extensions["streams"]
        streams = self._streams.limit
        self._map: Final[dict[int, Any]] = {}
        self._closing = False
        self._app: Final = app
        self._answer: Final = _in_turn(app, app.extensions["phones"].knows_cookies, on_request)
        listening = listen_at(host, port)
        self.port: Final[int] = listening.getsockname()[1]
        self.tls_port: int | None = None
        self._tls: ssl.SSLContext | None = None
        # It would log each request that has to wait for a thread.
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        self._servers: Final = [self._listen(listening, self._answer, streams)]

    def listen_securely(self, host: str, certificate: Path) -> None:
        """Serves the page of the phone that is the camera over TLS too, and nothing else.

        The port is the next free one: the same after a restart, so that open pages come back.

        Args:
            host: address or name to listen on, as of the page.
            certificate: file with the key and the certificate.

        Raises:
            OSError: the file is another, or none of the next ports is free.
        """
        tls = self._tls = secure_context(certificate)
        for port in range(self.port + 1, min(self.port + _PORTS, _LAST_PORT) + 1):
            with suppress(OSError):
                listening = listen_at(host, port)
                break
        else:
            raise OSError(f"no port from {self.port + 1} on is free")
        self.tls_port = self._app.extensions[TLS_PORT] = listening.getsockname()[1]
        self._servers.append(self._listen(listening, _camera_only(self._answer), 0, tls))

    def change_certificate(self, certificate: Path) -> None:
        """Uses another certificate for connections that begin from now on.

        Args:
            certificate: as in `listen_securely`, which was called before.

        Raises:
            OSError: the file is another.
        """
        assert self._tls is not None, "it listens"
        self._tls.load_cert_chain(certificate)

    def _listen(
        self,
        listening: socket.socket,
        answer: WSGIApplication,
        streams: int,
        tls: ssl.SSLContext | None = None,
    ) -> LimitedServer:
        return LimitedServer(
            answer,
            listening,
            streams + SPARE_CONNECTIONS,
            self._app.extensions["phones"].knows_cookies,
            4 * self._app.config["MAX_CONTENT_LENGTH"],  # the app says it better
            tls,
            map=self._map,
            threads=streams + RESERVED + SPARE_THREADS,
            connection_limit=_NO_LIMIT,
            cleanup_interval=1,
            log_socket_errors=False,  # phones that disconnect are no errors
            channel_request_lookahead=1,  # notices a phone that disconnects during a stream
            channel_timeout=60,
            outbuf_high_watermark=_BUFFER,
            max_request_header_size=1 << 14,
            max_request_body_size=LONGEST_PICTURE,
            clear_untrusted_proxy_headers=True,
            url_scheme="http" if tls is None else "https",
            ident=None,
        )

    def run(self) -> None:
        """Serves until `close` is called or Control-C is pressed, then ends every stream."""
        try:
            while not self._closing:
                # poll(), as select() supports no descriptor above 1023.
                wasyncore.loop(timeout=_GLANCE_S, use_poll=True, map=self._map, count=1)
        except KeyboardInterrupt:
            pass
        finally:
            # At once, as another table may be waiting for the port.
            for one in self._servers:
                one.socket.close()
            self._streams.close()
            for one in self._servers:
                one.task_dispatcher.shutdown()
            wasyncore.close_all(self._map)

    def close(self) -> None:
        """Makes `run` return, from any thread."""
        self._closing = True
        self._streams.close()


def _camera_only(answer: WSGIApplication) -> WSGIApplication:
    """Wraps the application: all but the page of the camera and its files is not found."""

    def limited(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if path in _OF_CAMERA or path.startswith(("/static/", f"{CAMERA}/")):
            return answer(environ, start_response)
        start_response("404 Not Found", [("Content-Type", "text/plain"), ("Content-Length", "0")])
        return []

    return limited


def _in_turn(
    app: Flask, knows: Callable[[str], bool], on_request: Callable[[str], None]
) -> WSGIApplication:
    """Wraps the application: at most `AT_ONCE` requests of unknown phones run at a time."""
    turns = threading.BoundedSemaphore(AT_ONCE)

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        on_request(environ.get("REMOTE_ADDR", ""))
        if knows(environ.get("HTTP_COOKIE", "")):
            return app(environ, start_response)
        with turns:
            return app(environ, start_response)

    return answer
