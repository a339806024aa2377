"""Client of the table's socket: receives its messages, stores the newest, sends requests.

`subscribe` connects, reads and reconnects with growing delays until it is stopped. `TableClient`
runs it in a thread and gives each stream the newest `TableSnapshot`; the streams wait for it to
change. Requests of people go the other way on the same connection; each reply is matched by id
to the thread that waits for it.

A request that was sent only in part closes the connection: the table would read the next bytes
as the rest of it.
"""

import logging
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Self

from web.contract import (
    CameraPicture,
    ClubTable,
    ContractError,
    FrameDecoder,
    Heartbeat,
    LivePicture,
    Message,
    Page,
    PairedPhones,
    Reply,
    Request,
    SimulatedTable,
    encode,
    unix_address,
)
from web.doubt_picture import DoubtPicture, doubt_picture

SILENCE_S: Final = 2.5
"""Seconds without a heartbeat after which the table is lost; its loop sends one every 0.5 s. The
slowest screen, which polls every 2 s, says so within 5 s."""

ANSWER_S: Final = 3.0
"""Seconds to wait for the table's reply."""

FIRST_DELAY_S: Final = 0.2
"""Seconds before the first attempt to reconnect; doubled after each attempt."""

LONGEST_DELAY_S: Final = 5.0
"""Seconds between attempts to reconnect at most."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ConnectionLost:
    """Loss of the table.

    Attributes:
        reason: cause, one sentence for the log.
        is_open: True if the table stands, and the connection stays for when it goes on.
    """

    reason: str
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class TableSnapshot:
    """The newest state received from the table, immutable.

    Attributes:
        serial: counter, incremented whenever `page`, `table`, `club`, `doubt`, `connected` or the
            paired phones change.
        page: the newest page; None before the first.
        connected: True while the table is connected, and its loop turns.
        picture_serial: counter, incremented with every picture.
        picture: the newest picture; None before the first.
        phones: phones that the table knows; None before it has sent them and while it is away.
        doubt: the picture that belongs to an open question; None without a question.
        table: the simulated table; None if the table is real, or before the first.
        club: what happens at the table besides its game; None before the first.
        paged_at: time at which `page` was received, in seconds of `time.monotonic`.
        club_at: time at which `club` was received, likewise.
        lost_at: time at which the table was lost, likewise; None while `connected`, and before the
            first connection.
    """

    serial: int = 0
    page: Page | None = None
    connected: bool = False
    picture_serial: int = 0
    picture: LivePicture | None = None
    phones: PairedPhones | None = None
    doubt: DoubtPicture | None = None
    table: SimulatedTable | None = None
    club: ClubTable | None = None
    paged_at: float = 0.0
    club_at: float = 0.0
    lost_at: float | None = None

    @property
    def takes_camera(self) -> bool:
        """True if a phone can be the camera of the table."""
        return self.phones is not None and self.phones.takes_camera

    def silent_ms(self) -> int:
        """Milliseconds since the table was lost; 0 while it is connected."""
        return 0 if self.lost_at is None else round(1000 * (time.monotonic() - self.lost_at))

    def late_ms(self) -> int:
        """Milliseconds by which `club` was received after `page`; negative before it."""
        return round(1000 * (self.club_at - self.paged_at))

    def age_ms(self) -> int:
        """Milliseconds since the page was received, by which running clocks have advanced."""
        return round(1000 * (time.monotonic() - self.paged_at)) if self.page else 0


def subscribe(
    path: Path, stop: threading.Event, opened: Callable[[socket.socket], None] = lambda _: None
) -> Iterator[Message | ConnectionLost]:
    """Yields the messages of a table, and `ConnectionLost` after each failure, until stopped.

    It is yielded as well whenever the table was silent for `SILENCE_S`.

    The delay between attempts to reconnect grows from 0.2 s to 5 s and is reset by a message.

    Args:
        path: path of the table's socket.
        stop: set to end the generator; whoever sets it also shuts the connection down.
        opened: called with each connection, for requests.
    """
    delay = FIRST_DELAY_S
    while not stop.is_set():
        lost = "it hung up"
        try:
            for message in _conversation(path, stop, opened):
                delay = FIRST_DELAY_S
                yield message
        except (FileNotFoundError, ConnectionRefusedError):
            lost = "no table runs there"
        except (OSError, ContractError) as error:
            lost = str(error)
        if stop.is_set():
            return
        yield ConnectionLost(f"the table at {path} cannot be heard: {lost}")
        stop.wait(delay)
        delay = min(2 * delay, LONGEST_DELAY_S)


def _conversation(
    path: Path, stop: threading.Event, opened: Callable[[socket.socket], None]
) -> Iterator[Message | ConnectionLost]:
    decoder, poller = FrameDecoder(), select.poll()
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(ANSWER_S)  # of sending; the poll waits before each receive
        with unix_address(path) as address:
            connection.connect(address)
        poller.register(connection, select.POLLIN)
        opened(connection)
        until = time.monotonic() + SILENCE_S
        while not stop.is_set():
            if poller.poll(1000 * max(until - time.monotonic(), 0.0)):
                data = connection.recv(1 << 16)
                if not data:
                    return
                for message in decoder.feed(data):
                    if isinstance(message, Heartbeat):
                        until = time.monotonic() + SILENCE_S
                    yield message
            if time.monotonic() >= until:
                until = time.monotonic() + SILENCE_S
                reason = f"the table at {path} was silent for {SILENCE_S:g} s"
                yield ConnectionLost(reason, is_open=True)


class TableClient:
    """The newest state of a table, for any number of threads to wait for.

    Args:
        path: path of the table's socket, which need not exist yet.
    """

    def __init__(self, path: Path) -> None:
        self._path: Final = path
        self._stop: Final = threading.Event()
        self._lock: Final = threading.Lock()
        self._paged: Final = threading.Condition(self._lock)
        self._news = TableSnapshot()
        self._connection: socket.socket | None = None
        self._sending: Final = threading.Lock()
        self._pending: Final[list[tuple[str, Future[Reply | None]]]] = []
        self._reason = ""
        self._thread: threading.Thread | None = None

    @property
    def news(self) -> TableSnapshot:
        """The newest snapshot."""
        return self._news

    @property
    def closed(self) -> bool:
        """True if no message will follow."""
        return self._stop.is_set()

    def start(self) -> None:
        """Starts to receive, in a thread of its own."""
        self._thread = threading.Thread(target=self._follow, name="link")
        self._thread.start()

    def close(self) -> None:
        """Stops receiving and wakes all waiting threads."""
        with self._lock:
            self._stop.set()
            self._paged.notify_all()
            if self._connection is not None:
                with suppress(OSError):
                    self._connection.shutdown(socket.SHUT_RDWR)
        if self._thread is not None:
            self._thread.join()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(self, question: Request, patience_s: float = ANSWER_S) -> Reply | None:
        """Sends a request to the table and waits for its reply.

        Returns:
            The reply; None if the table is away or does not reply in time. The table may have
            received the request all the same.
        """
        until = time.monotonic() + patience_s
        waiting: Future[Reply | None] = Future()
        with self._lock:
            connection = self._connection
            if connection is None:
                return None
            self._pending.append((question.id, waiting))
        try:
            self._send(connection, encode(question))
            wait([waiting], until - time.monotonic())
        except OSError as error:
            _log.warning("the table could not be asked: %s", error)
        finally:
            with self._lock, suppress(ValueError):  # it is removed with its reply
                self._pending.remove((question.id, waiting))
        return waiting.result() if waiting.done() else None

    def tell(self, picture: CameraPicture) -> bool:
        """Sends a picture to the table, which does not reply; False if that is away."""
        with self._lock:
            connection = self._connection
        if connection is None:
            return False
        try:
            self._send(connection, encode(picture))
        except OSError as error:
            _log.warning("the table takes no picture: %s", error)
            return False
        return True

    def _send(self, connection: socket.socket, message: bytes) -> None:
        """Sends a whole message; closes a connection that took only a part of it.

        Raises:
            OSError: the message was not sent.
        """
        with self._sending:
            try:
                connection.sendall(message)
            except OSError:
                # Nothing may follow half a message; the reading thread reconnects.
                with self._lock:
                    if self._connection is connection:
                        self._connection = None
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
                raise

    def hear(self, message: Message | ConnectionLost) -> None:
        """Updates the state from one item of `subscribe`."""
        if isinstance(message, Reply):
            self._pass_on(message)
            return
        with self._lock:
            old = self._news
            news = replace(old, connected=not isinstance(message, ConnectionLost), lost_at=None)
            if isinstance(message, ConnectionLost):
                lost_at = time.monotonic() if old.connected else old.lost_at
                news = replace(news, lost_at=lost_at)
                if not message.is_open:
                    news = replace(news, phones=None)
                    self._let_go()
            elif isinstance(message, PairedPhones):
                news = replace(news, phones=message)
            elif isinstance(message, Page):
                news = replace(news, page=message, paged_at=time.monotonic())
            elif isinstance(message, SimulatedTable):
                news = replace(news, table=message)
            elif isinstance(message, ClubTable):
                news = replace(news, club=message, club_at=time.monotonic())
            elif isinstance(message, LivePicture):
                news = replace(news, picture=message, picture_serial=old.picture_serial + 1)
            doubt = doubt_picture(
                old.doubt,
                news.page,
                news.picture,
                news.picture_serial,
                is_new=isinstance(message, LivePicture),
            )
            news = replace(news, doubt=doubt)
            if _visible_state(news) != _visible_state(old):
                news = replace(news, serial=old.serial + 1)
                self._paged.notify_all()
            self._news = news

    def _let_go(self) -> None:
        """Forgets a connection that is lost, and those who wait for a reply; needs the lock."""
        self._connection = None
        for _, waiting in self._pending:
            waiting.set_result(None)
        self._pending.clear()

    def wait(self, serial: int, timeout: float) -> TableSnapshot:
        """Returns the snapshot as soon as its `serial` differs, or after `timeout` seconds."""
        with self._paged:
            self._paged.wait_for(lambda: self.closed or self._news.serial != serial, timeout)
            return self._news

    def _pass_on(self, answer: Reply) -> None:
        """Gives a reply to the thread that asked, which may wait no more.

        A form that was sent twice at once has two pending replies under the same id.
        """
        with self._lock:
            pending = next((one for one in self._pending if one[0] == answer.id), None)
            if pending is not None:
                pending[1].set_result(answer)
                self._pending.remove(pending)

    def _opened(self, connection: socket.socket) -> None:
        with self._lock:
            self._connection = connection

    def _follow(self) -> None:
        for message in subscribe(self._path, self._stop, self._opened):
            if isinstance(message, ConnectionLost) and message.reason != self._reason:
                _log.warning("%s", message.reason)
            self._reason = message.reason if isinstance(message, ConnectionLost) else ""
            self.hear(message)


def _visible_state(news: TableSnapshot) -> tuple[object, ...]:
    """The parts of a snapshot whose change is visible on the page."""
    paired = news.phones and news.phones.tokens
    return news.page, news.table, news.club, news.connected, news.doubt, paired
