"""Streams of changes: limits of their number, and the changes themselves.

A phone without a free place polls every few seconds instead, which needs no place. An address
may use at most half of its connections for streams, so that many people behind one address, as
in a club, can all watch: some by a stream, the others by polling. Phones that are paired or have
a seat count for no address.
"""

import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final, Protocol, TypeVar

from flask import Response, request

from web.rate_limit import CROWD, network_of, sender_of

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
        self._count = 0
        self._open: Counter[str] = Counter()
        self._closed = False

    @property
    def closed(self) -> bool:
        """True once every stream has to end."""
        return self._closed

    def close(self) -> None:
        """Ends every stream, within two seconds."""
        self._closed = True

    def _enter(self, limits: Mapping[str, int], *, known: bool) -> bool:
        """Reserves a place for a phone with limits for its sender; False if none is free."""
        with self._lock:
            if any(self._open[one] >= most for one, most in limits.items()):
                return False
            if self._count >= self.limit + (RESERVED if known else 0):
                return False
            self._count += 1
            self._open.update(limits.keys())
            return True

    def _leave(self, limits: Mapping[str, int]) -> None:
        """Frees the place."""
        with self._lock:
            self._count -= 1
            self._open -= Counter(limits.keys())  # drops those without a stream

    def admit(self, stream: Iterator[bytes], content_type: str, *, known: bool = False) -> Response:
        """Returns the stream as a response; if all places are taken, an error with advice to poll.

        Args:
            stream: content of the stream.
            content_type: media type of the response.
            known: True if the table knows the phone, which may use the reserved places.
        """
        limits: dict[str, int] = {}
        address = request.remote_addr or ""
        if not known and (sender := sender_of(address)):
            whole = max(PER_ADDRESS, int(CROWD * self.limit))
            limits = {network_of(address): whole, sender: PER_ADDRESS}
        if not self._enter(limits, known=known):
            headers = {"Retry-After": str(RETRY_S)}
            return Response("Too many are watching; poll /fragments.json instead.\n", 503, headers)
        response = Response(stream, content_type=content_type)
        response.call_on_close(lambda: self._leave(limits))
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
