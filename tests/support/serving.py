"""Runs a server beside a test: one of the standard library, or that of pages."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import BaseServer
from typing import TypeVar

from flask import Flask

from web.server import Server

Kind = TypeVar("Kind", bound=BaseServer)


@contextmanager
def serving(server: Kind) -> Iterator[Kind]:
    """Serves until the end of the block, then closes the server."""
    with server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def serving_pages(app: Flask, port: int = 0) -> Iterator[Server]:
    """Serves an application to this machine until the end of the block."""
    server = Server(app, "127.0.0.1", port)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield server
    finally:
        server.close()
        thread.join(10)
        assert not thread.is_alive()
