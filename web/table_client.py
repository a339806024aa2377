"""The page's side of the socket: hears the table, for ever, keeps the newest, and asks.

`subscribe` connects, reads and reconnects with growing delays until it is stopped. `TableClient`
runs it in a thread and hands each stream the newest `TableSnapshot`; the streams wait for it to
change. What people ask goes the other way on the same connection, and the answer finds who waits
for it.

A question that could be sent only in part ends the connection: whatever came next would be read
as the rest of it.
"""

import itertools
import logging
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Self

from web.contract import (
    CommandRequest,
    ContractError,
    FrameDecoder,
    LivePicture,
    Message,
    Page,
    PairedPhones,
    PairRequest,
    Reply,
    encode,
)

SILENCE_S: Final = 8.0
"""Without a word for so long the connection is taken for dead. The table says one every 2 s."""

ANSWER_S: Final = 3.0
"""How long somebody who asked waits for the table's answer."""

FIRST_DELAY_S: Final = 0.2
LONGEST_DELAY_S: Final = 5.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ConnectionLost:
    """The connection is not there.

    Attributes:
        reason: why, as one sentence for the log.
    """

    reason: str


@dataclass(frozen=True, slots=True)
class TableSnapshot:
    """The newest that the table said, as one immutable value.

    Attributes:
        serial: counts up whenever `page`, `connected` or the paired phones change.
        page: the newest page; None until the table has said one.
        connected: whether the table is there now.
        picture_serial: counts up with every picture.
        picture: the newest picture; None until the table has offered one.
        phones: which phones the table knows; None while it has not said so, or is away.
        paged_at: when `page` was heard, in seconds of `time.monotonic`.
    """

    serial: int = 0
    page: Page | None = None
    connected: bool = False
    picture_serial: int = 0
    picture: LivePicture | None = None
    phones: PairedPhones | None = None
    paged_at: float = 0.0

    def age_ms(self) -> int:
        """Milliseconds since the page was heard: running clocks have gone on so long."""
        return round(1000 * (time.monotonic() - self.paged_at)) if self.page else 0


class StopFlag:
    """A flag that can be waited for together with a socket."""

    __slots__ = ("_reader", "_writer", "is_set")

    def __init__(self) -> None:
        self._reader, self._writer = socket.socketpair()
        self.is_set = False

    def set(self) -> None:
        """Raises the flag, for good."""
        self.is_set = True
        with suppress(OSError):
            self._writer.send(b"!")

    def close(self) -> None:
        """Gives the sockets back, when nobody waits any more."""
        self._reader.close()
        self._writer.close()

    def wait(self, seconds: float, connection: socket.socket | None = None) -> bool:
        """Waits so long at most for the flag or for the connection to have something.

        Returns:
            Whether the connection has something and the flag is not up.
        """
        waiting = select.poll()
        waiting.register(self._reader, select.POLLIN)
        if connection is not None:
            waiting.register(connection, select.POLLIN)
        return bool(waiting.poll(1000 * seconds)) and not self.is_set


def subscribe(
    path: Path, stop: StopFlag, opened: Callable[[socket.socket], None] = lambda _: None
) -> Iterator[Message | ConnectionLost]:
    """The messages of a table, and `ConnectionLost` whenever it cannot be heard, until stopped.

    Reconnects for ever; the delay between attempts grows from 0.2 s to 5 s and begins anew
    once the table has been heard.

    Args:
        path: the table's socket.
        stop: ends it.
        opened: called with each connection, to ask over; it is closed before `ConnectionLost` is
            told.
    """
    delay = FIRST_DELAY_S
    while not stop.is_set:
        lost = "it hung up"
        try:
            for message in _conversation(path, stop, opened):
                delay = FIRST_DELAY_S
                yield message
        except (OSError, ContractError) as error:
            lost = str(error)
        if stop.is_set:
            return
        yield ConnectionLost(f"the table at {path} cannot be heard: {lost}")
        stop.wait(delay)
        delay = min(2 * delay, LONGEST_DELAY_S)


def _conversation(
    path: Path, stop: StopFlag, opened: Callable[[socket.socket], None]
) -> Iterator[Message]:
    decoder = FrameDecoder()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(ANSWER_S)  # of sending; what is received was waited for before
        connection.connect(str(path))
        opened(connection)
        until = time.monotonic() + SILENCE_S
        while stop.wait(max(until - time.monotonic(), 0.0), connection):
            data = connection.recv(1 << 16)
            if not data:
                return
            yield from decoder.feed(data)
            until = time.monotonic() + SILENCE_S
        if not stop.is_set:
            raise TimeoutError(f"it was silent for {SILENCE_S:g} s")


class _Waiting:
    """Somebody who has asked the table."""

    __slots__ = ("answer", "answered")

    def __init__(self) -> None:
        self.answered: Final = threading.Event()
        self.answer: Reply | None = None


class TableClient:
    """The newest news from a table, for any number of threads to wait for.

    Args:
        path: the table's socket. It need not be there yet.
    """

    def __init__(self, path: Path) -> None:
        self._path: Final = path
        self._stop: Final = StopFlag()
        self._lock: Final = threading.Lock()
        # Two conditions, so that ten pictures a second do not wake every phone's thread.
        self._paged: Final = threading.Condition(self._lock)
        self._pictured: Final = threading.Condition(self._lock)
        self._news = TableSnapshot()
        self._connection: socket.socket | None = None
        self._sending: Final = threading.Lock()
        self._waiting: dict[str, list[_Waiting]] = {}
        self._reason = ""
        self._thread: threading.Thread | None = None

    @property
    def news(self) -> TableSnapshot:
        """The newest, now."""
        return self._news

    @property
    def closed(self) -> bool:
        """Whether nothing will follow."""
        return self._stop.is_set

    def start(self) -> None:
        """Begins to listen, in a thread of its own."""
        self._thread = threading.Thread(target=self._follow, name="link")
        self._thread.start()

    def close(self) -> None:
        """Stops listening and lets everybody go who waits."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        self._stop.close()
        with self._lock:
            self._paged.notify_all()
            self._pictured.notify_all()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(
        self, question: CommandRequest | PairRequest, patience_s: float = ANSWER_S
    ) -> Reply | None:
        """Asks the table and waits for its answer.

        Returns:
            None if the table is not there or does not answer in time: it may have heard, or not.
        """
        until = time.monotonic() + patience_s
        waiting = _Waiting()
        with self._lock:
            connection = self._connection
            if connection is None:
                return None
            self._waiting.setdefault(question.id, []).append(waiting)
        try:
            self._send(connection, encode(question))
            waiting.answered.wait(until - time.monotonic())
        except OSError as error:
            _log.warning("the table could not be asked: %s", error)
        finally:
            with self._lock:
                self._stop_waiting(question.id, waiting)
        return waiting.answer

    def _send(self, connection: socket.socket, message: bytes) -> None:
        """Sends a whole message; a connection that took only a part of it is given up.

        Raises:
            OSError: the message was not sent.
        """
        with self._sending:
            try:
                connection.sendall(message)
            except OSError:
                # Nobody may send after half a message, and who listens begins anew.
                with self._lock:
                    if self._connection is connection:
                        self._connection = None
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
                raise

    def hear(self, said: Message | ConnectionLost) -> None:
        """Takes in one thing that `subscribe` yields."""
        if isinstance(said, Reply):
            self._pass_on(said)
            return
        with self._lock:
            old = self._news
            news = replace(old, connected=not isinstance(said, ConnectionLost))
            if isinstance(said, ConnectionLost):
                self._connection = None
                news = replace(news, phones=None)
                for waiting in itertools.chain.from_iterable(self._waiting.values()):
                    waiting.answered.set()
            if isinstance(said, PairedPhones):
                news = replace(news, phones=said)
            if isinstance(said, Page):
                news = replace(news, page=said, paged_at=time.monotonic())
            elif isinstance(said, LivePicture):
                news = replace(news, picture=said, picture_serial=old.picture_serial + 1)
                self._pictured.notify_all()
            if _shown(news) != _shown(old):
                news = replace(news, serial=old.serial + 1)
                self._paged.notify_all()
            self._news = news

    def wait(self, serial: int, timeout: float) -> TableSnapshot:
        """The news, as soon as its `serial` is another than this, or after so many seconds."""
        with self._paged:
            self._paged.wait_for(lambda: self.closed or self._news.serial != serial, timeout)
            return self._news

    def wait_picture(self, serial: int, timeout: float) -> TableSnapshot:
        """The news, as soon as its `picture_serial` is another than this, or after a while."""
        with self._pictured:
            self._pictured.wait_for(
                lambda: self.closed or self._news.picture_serial != serial, timeout
            )
            return self._news

    def _pass_on(self, answer: Reply) -> None:
        with self._lock:
            asked = self._waiting.get(answer.id)
            if asked:  # who asked may have given up
                waiting = asked[0]
                waiting.answer = answer
                waiting.answered.set()
                self._stop_waiting(answer.id, waiting)

    def _stop_waiting(self, id_: str, waiting: _Waiting) -> None:
        """Takes somebody off the list of who waits for an answer; needs the lock.

        A form that was sent twice at once waits twice under the same id.
        """
        asked = self._waiting.get(id_, [])
        if waiting in asked:
            asked.remove(waiting)
        if not asked:
            self._waiting.pop(id_, None)

    def _opened(self, connection: socket.socket) -> None:
        with self._lock:
            self._connection = connection

    def _follow(self) -> None:
        for said in subscribe(self._path, self._stop, self._opened):
            if isinstance(said, ConnectionLost) and said.reason != self._reason:
                _log.warning("%s", said.reason)
            self._reason = said.reason if isinstance(said, ConnectionLost) else ""
            self.hear(said)


def _shown(news: TableSnapshot) -> tuple[object, ...]:
    """What decides of the news whether people are shown something else."""
    return news.page, news.connected, news.phones and news.phones.tokens
