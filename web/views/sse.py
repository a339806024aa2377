"""Answers that do not end: who may hold one, and what it waits for.

Whoever finds no free place asks again every few seconds instead, which needs no place. An
address holds half of the connections that it may have with streams at most, so that many people
behind one address, as in a club, can all watch: some by a stream, the others by asking.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from flask import Response, request

from web.security.rate_limit import limited_network
from web.table_client import TableClient, TableSnapshot

KEEP_ALIVE_S: Final = 10.0
"""Silence after which a stream says a sign of life."""

RETRY_S: Final = 15
"""After how long somebody who found no free stream may ask for one again."""

RESERVED: Final = 8
"""Places beyond the limit, for phones that the table knows."""

PER_ADDRESS: Final = 8
"""Streams of phones that the table does not know, of one address."""

GLANCE_S: Final = 2.0
"""How often a waiting stream looks whether its phone is still there."""


class StreamLimiter:
    """Who may hold a stream: so many at a time, the others are told to poll.

    Args:
        limit: how many; the server has a thread for each.
    """

    def __init__(self, limit: int) -> None:
        self.limit: Final = limit
        self._lock: Final = threading.Lock()
        self._open: Counter[str] = Counter()
        self._closed = False

    def close(self) -> None:
        """Lets every stream end, within two seconds."""
        self._closed = True

    def _enter(self, network: str, *, known: bool) -> bool:
        """Takes a place for a phone of a network, if one is free."""
        with self._lock:
            if network and not known and self._open[network] >= PER_ADDRESS:
                return False
            if self._open.total() >= self.limit + (RESERVED if known else 0):
                return False
            self._open[network] += 1
            return True

    def _leave(self, network: str) -> None:
        """Gives the place back."""
        with self._lock:
            self._open[network] -= 1
            self._open += Counter()  # forgets addresses without a stream

    def admit(self, stream: Iterator[bytes], content_type: str, *, known: bool = False) -> Response:
        """The stream as an answer; or, when all places are taken, the advice to poll.

        Args:
            stream: what is said.
            content_type: of the answer.
            known: whether the table knows the phone: it has places of its own.
        """
        network = limited_network(request.remote_addr or "")
        if not self._enter(network, known=known):
            headers = {"Retry-After": str(RETRY_S)}
            return Response("Too many are watching; poll /fragments.json instead.\n", 503, headers)
        response = Response(stream, content_type=content_type)
        response.call_on_close(lambda: self._leave(network))
        return response

    def changes(
        self, link: TableClient, *, pictures: bool = False
    ) -> Iterator[TableSnapshot | None]:
        """The news now and after each change; None when a sign of life is due.

        Ends when the link closes, the streams are closed, or the phone has gone. Must be called
        while the request is answered.

        Args:
            link: where the news comes from.
            pictures: whether to wait for the next picture instead of the next page.
        """
        is_gone = request.environ.get("waitress.client_disconnected", lambda: False)
        if pictures:
            return self._changes(link, link.wait_picture, lambda news: news.picture_serial, is_gone)
        return self._changes(link, link.wait, lambda news: news.serial, is_gone)

    def _changes(
        self,
        link: TableClient,
        wait: Callable[[int, float], TableSnapshot],
        serial: Callable[[TableSnapshot], int],
        is_gone: Callable[[], bool],
    ) -> Iterator[TableSnapshot | None]:
        news, silence = link.news, 0.0
        yield news
        while not (link.closed or self._closed or is_gone()):
            newer = wait(serial(news), GLANCE_S)
            if serial(newer) != serial(news):
                news, silence = newer, 0.0
                yield news
                continue
            silence += GLANCE_S
            if silence >= KEEP_ALIVE_S:
                silence = 0.0
                yield None
