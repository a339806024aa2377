"""Runs a server beside a test: one of the standard library, or that of pages."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from socketserver import BaseServer
from typing import TypeVar

from flask import Flask

from web.server import Server

Kind = TypeVar("Kind", bound=BaseServer)


@contextmanager
def _running(serve: Callable[[], None], end: Callable[[], None]) -> Iterator[None]:
    """Serves in a thread until the end of the block; then it has to end soon."""
    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield
    finally:
        end()
        thread.join(10)
        assert not thread.is_alive()


@contextmanager
def serving(server: Kind) -> Iterator[Kind]:
    """Serves until the end of the block, then closes the server."""
    with server, _running(server.serve_forever, server.shutdown):
        yield server


@contextmanager
def serving_pages(app: Flask, port: int = 0) -> Iterator[Server]:
    """Serves an application to this machine until the end of the block."""
    server = Server(app, "127.0.0.1", port)
    with _running(server.run, server.close):
        yield server
