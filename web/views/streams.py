"""Streams of changes: limits of their number, and the changes themselves.

A phone without a free place polls every few seconds instead, which needs no place. An address
may use at most half of its connections for streams, so that many people behind one address, as
in a club, can all watch: some by a stream, the others by polling.
"""

import threading
from collections import Counter
from collections.abc import Iterator
from typing import Final, Protocol, TypeVar

from flask import Response, request

from web.rate_limit import limited_network

KEEP_ALIVE_S: Final = 10.0
"""Seconds of silence after which a stream sends a sign of life."""

RETRY_S: Final = 15
"""Seconds after which a phone without a free place may ask for a stream again."""

RESERVED: Final = 8
"""Streams beyond the limit, for phones that the table knows."""

PER_ADDRESS: Final = 8
"""Streams of one address for phones that the table does not know."""

GLANCE_S: Final = 2.0
"""Seconds between two checks of a waiting stream that its phone is connected."""


class Snapshot(Protocol):
    """A state with a counter, as `web.table_client.TableSnapshot`."""

    @property
    def serial(self) -> int:
        """Counter, another one after each change."""


S = TypeVar("S", bound=Snapshot)
S_co = TypeVar("S_co", bound=Snapshot, covariant=True)


class ChangeSource(Protocol[S_co]):
    """Whoever has the newest snapshot, as `web.table_client.TableClient`."""

    @property
    def news(self) -> S_co:
        """The newest snapshot."""

    @property
    def closed(self) -> bool:
        """True if no change will follow."""

    def wait(self, serial: int, timeout: float) -> S_co:
        """Returns the snapshot as soon as its serial differs, or after `timeout` seconds."""


class StreamLimiter:
    """Limits the number of streams; further phones are refused and poll.

    Args:
        limit: number of streams; the server has a thread for each.
    """

    def __init__(self, limit: int) -> None:
        self.limit: Final = limit
        self._lock: Final = threading.Lock()
        self._open: Counter[str] = Counter()
        self._closed = False

    @property
    def closed(self) -> bool:
        """True once every stream has to end."""
        return self._closed

    def close(self) -> None:
        """Ends every stream, within two seconds."""
        self._closed = True

    def _enter(self, network: str, *, known: bool) -> bool:
        """Reserves a place for a phone of a network; False if none is free."""
        with self._lock:
            if network and not known and self._open[network] >= PER_ADDRESS:
                return False
            if self._open.total() >= self.limit + (RESERVED if known else 0):
                return False
            self._open[network] += 1
            return True

    def _leave(self, network: str) -> None:
        """Frees the place."""
        with self._lock:
            self._open[network] -= 1
            self._open += Counter()  # drops networks without a stream

    def admit(self, stream: Iterator[bytes], content_type: str, *, known: bool = False) -> Response:
        """Returns the stream as a response; if all places are taken, an error with advice to poll.

        Args:
            stream: content of the stream.
            content_type: media type of the response.
            known: True if the table knows the phone, which may use the reserved places.
        """
        network = limited_network(request.remote_addr or "")
        if not self._enter(network, known=known):
            headers = {"Retry-After": str(RETRY_S)}
            return Response("Too many are watching; poll /fragments.json instead.\n", 503, headers)
        response = Response(stream, content_type=content_type)
        response.call_on_close(lambda: self._leave(network))
        return response

    def changes(self, link: ChangeSource[S], alive_s: float = KEEP_ALIVE_S) -> Iterator[S | None]:
        """Yields the snapshot now and after each change; None when a sign of life is due.

        Ends when the link or the streams are closed, or the phone disconnects. Must be called in
        the context of the request.

        Args:
            link: client of the table, or another source of snapshots.
            alive_s: seconds of silence after which a sign of life is due.
        """
        is_cut = request.environ.get("waitress.client_disconnected", lambda: False)

        def changes() -> Iterator[S | None]:
            news, silence = link.news, 0.0
            yield news
            while not (link.closed or self._closed or is_cut()):
                newer = link.wait(news.serial, GLANCE_S)
                if newer.serial != news.serial:
                    news, silence = newer, 0.0
                    yield news
                    continue
                silence += GLANCE_S
                if silence >= alive_s:
                    silence = 0.0
                    yield None

        return changes()
