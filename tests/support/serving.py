"""Runs a server of the standard library beside a test."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import BaseServer
from typing import TypeVar

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
