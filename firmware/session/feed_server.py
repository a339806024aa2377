"""The feed: sends the newest page, picture and so on to listeners on a Unix socket.

Only the newest state counts, and nothing is queued: a listener that connects, or has just received
a message, gets the newest message of each kind that it does not have. So a late listener has the
whole state at once, a slow one skips messages, and a dead one is dropped; none of them delays the
others, nor the table, for which publishing only sets a field.

A listener may send the pictures of a phone that is the table's camera; the newest counts. And it
may send requests: commands of an arbiter, gestures of players, or pairing. A request
waits until the table takes it with `take_requests`, and the answer goes to the sender. A listener
that sends anything else is disconnected, and so is one that leaves a message incomplete for long:
its next message might be read as the rest.

Heartbeats come from the loop of the table: while it stands, no listener gets one, and a new
listener gets nothing at all. So no screen takes a table that stands for one that lives.
"""

import logging
import os
import selectors
import socket
import stat
import threading
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from firmware.errors import UnreadableError
from web.contract import (
    CameraPicture,
    ClubTable,
    ContractError,
    FrameDecoder,
    Heartbeat,
    LivePicture,
    Page,
    PairedPhones,
    RefusalReason,
    Reply,
    Request,
    SimulatedTable,
    encode,
    unix_address,
)

if TYPE_CHECKING:
    from collections.abc import Callable

KEEP_ALIVE_S: Final = 0.5
"""Seconds from one heartbeat to the next, while the loop turns."""

PATIENCE_S: Final = 10.0
"""Seconds for which a listener may receive nothing, or leave a message incomplete, until it is
dropped."""

MOST_LISTENERS: Final = 16
"""Greatest number of listeners at a time."""

MOST_ASKED: Final = 32
"""Number of requests that may wait for the table; more are answered with busy."""

_LONGEST_COMMAND: Final = 1 << 15
"""Greatest bytes of a request; the longest, a whole position of Classic, has about 6,000."""

_MOST_UNHEARD: Final = 2 * MOST_ASKED
"""Number of answers that may wait for a listener; with more it is dropped."""

Published = Heartbeat | Page | LivePicture | PairedPhones | SimulatedTable | ClubTable
"""Messages of which only the newest of each kind counts."""

_Encoded = dict[type[Published], tuple[int, bytes]]
"""Newest message of each kind, encoded, with its serial."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class IncomingRequest:
    """A request of a listener.

    Attributes:
        who: number of the listener, for `FeedServer.answer`.
        message: the request.
    """

    who: int
    message: Request


class FeedServer:
    """The table's side of the socket, with a thread of its own between `start` and `close`.

    Args:
        path: path of the socket; an abandoned one is replaced.

    Raises:
        UnreadableError: on `start`, if no socket can be created or another table serves it.
    """

    def __init__(self, path: Path) -> None:
        self.on_picture: Callable[[bytes], None] | None = None
        self._path: Final = path
        self._lock: Final = threading.Lock()
        self._newest: dict[type[Published], tuple[int, Published]] = {}
        self._encoded: _Encoded = {}
        self._serial = 0
        self._stopping = False
        self._thread: threading.Thread | None = None
        self._socket: socket.socket | None = None
        self._inode = 0
        self._wake_reader, self._wake_writer = socket.socketpair()
        self._wake_reader.settimeout(0.0)
        self._wake_writer.settimeout(0.0)
        self._selector = selectors.DefaultSelector()
        self._listeners: set[_Listener] = set()
        self._requests: deque[IncomingRequest] = deque()
        self._answers: deque[tuple[int, Reply]] = deque()
        self._joined = self._greeted = 0
        self._beat_s = float("-inf")

    def turned(self) -> None:
        """Tells all listeners that the loop has turned, as often as is needed; returns at once."""
        now = time.monotonic()
        if self._joined != self._greeted or now - self._beat_s >= KEEP_ALIVE_S:
            self._greeted, self._beat_s = self._joined, now
            self.publish(Heartbeat())

    @property
    def joined(self) -> int:
        """Number of all connections so far; each got the newest page at once."""
        return self._joined

    def publish(self, message: Published) -> None:
        """Publishes a message to all listeners as the newest of its kind; returns at once.

        Paired phones arrive before any later answer.
        """
        with self._lock:
            self._serial += 1
            self._newest[type(message)] = (self._serial, message)
        self._wake()

    @property
    def club(self) -> ClubTable | None:
        """The newest published state of seats, match and hall; None before the first."""
        newest = self._newest.get(ClubTable, (0, None))[1]
        return newest if isinstance(newest, ClubTable) else None

    def take_requests(self) -> list[IncomingRequest]:
        """Returns the requests since the last call, in order; returns at once."""
        with self._lock:
            taken = list(self._requests)
            self._requests.clear()
        return taken

    def answer(self, who: int, answer: Reply) -> None:
        """Sends an answer to a listener, if it is still connected; returns at once."""
        with self._lock:
            self._answers.append((who, answer))
        self._wake()

    def start(self) -> None:
        """Opens the socket and begins to serve it.

        Raises:
            UnreadableError: no socket can be created, or another table serves it.
        """
        try:
            self._socket = _listening(self._path)
        except UnreadableError:
            self.close()
            raise
        self._inode = self._path.stat().st_ino
        self._selector.register(self._socket, selectors.EVENT_READ)
        self._selector.register(self._wake_reader, selectors.EVENT_READ)
        self._thread = threading.Thread(target=self._serve, name="feed")
        self._thread.start()

    def close(self) -> None:
        """Stops serving, closes all connections and removes the socket."""
        self._stopping = True
        self._wake()
        if self._thread is not None:
            self._thread.join()
        for listener in tuple(self._listeners):
            self._drop(listener)
        if self._socket is not None:
            self._socket.close()
            with suppress(FileNotFoundError):
                # Another table may have created its own socket there meanwhile.
                if self._path.stat().st_ino == self._inode:
                    self._path.unlink()
        self._selector.close()
        self._wake_reader.close()
        self._wake_writer.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _wake(self) -> None:
        with suppress(OSError):  # full: it is awake already; closed: the server has ended
            self._wake_writer.send(b"!")

    def _serve(self) -> None:
        while not self._stopping:
            for key, _ in self._selector.select(timeout=KEEP_ALIVE_S):
                if key.fileobj is self._socket:
                    self._accept()
                elif key.fileobj is self._wake_reader:
                    with suppress(BlockingIOError):
                        self._wake_reader.recv(1 << 16)
                else:
                    self._receive(key.data)
            self._send()

    def _receive(self, listener: "_Listener") -> None:
        try:
            messages = listener.receive()
        except OSError:
            self._drop(listener)  # it has disconnected
            return
        except ContractError as error:
            _log.warning("a listener was hung up on: %s", error)
            self._drop(listener)
            return
        for message in messages:
            if isinstance(message, CameraPicture):
                self._take_picture(message)
                continue
            with self._lock:
                busy = len(self._requests) >= MOST_ASKED
                if busy:
                    self._answers.append((listener.number, Reply(message.id, RefusalReason.BUSY)))
                else:
                    self._requests.append(IncomingRequest(listener.number, message))

    def _take_picture(self, message: CameraPicture) -> None:
        """Passes on a picture of the phone that is the camera, and of no other."""
        phones = self._newest.get(PairedPhones, (0, None))[1]
        is_camera = isinstance(phones, PairedPhones) and phones.is_camera(message.token)
        if self.on_picture is not None and is_camera:
            self.on_picture(message.jpeg)

    def _accept(self) -> None:
        assert self._socket is not None
        try:
            connection, _ = self._socket.accept()
        except OSError as error:
            # It has disconnected already, or the process is out of file descriptors.
            _log.warning("a listener could not be accepted: %s", error)
            return
        if len(self._listeners) >= MOST_LISTENERS:
            _log.warning("more than %d listeners: one was turned away", MOST_LISTENERS)
            connection.close()
            return
        listener = _Listener(connection, self._joined + 1, time.monotonic(), self._serial)
        self._joined += 1
        self._listeners.add(listener)
        self._selector.register(connection, selectors.EVENT_READ, listener)

    def _send(self) -> None:
        if not self._listeners:
            self._answers.clear()
            return
        now = time.monotonic()
        with self._lock:
            newest = dict(self._newest)
            answers = list(self._answers)
            self._answers.clear()
        for listener in self._listeners:
            listener.answers.extend(answer for who, answer in answers if who == listener.number)
        for kind, (serial, message) in newest.items():
            if self._encoded.get(kind, (0, b""))[0] != serial:
                self._encoded[kind] = (serial, encode(message))
        for listener in tuple(self._listeners):
            try:
                blocked = listener.send(self._encoded, now)
            except OSError:
                self._drop(listener)
                continue
            stuck = len(listener.answers) > _MOST_UNHEARD
            if stuck or (blocked and now - listener.progress > PATIENCE_S):
                _log.warning("a listener swallowed nothing for %g s and was dropped", PATIENCE_S)
                self._drop(listener)
                continue
            if now - listener.halfway_since > PATIENCE_S:
                _log.warning("a listener left a message half said and was dropped")
                self._drop(listener)
                continue
            write = selectors.EVENT_WRITE if blocked else 0
            self._selector.modify(listener.socket, selectors.EVENT_READ | write, listener)

    def _drop(self, listener: "_Listener") -> None:
        self._selector.unregister(listener.socket)
        self._listeners.discard(listener)
        listener.socket.close()


class _Listener:
    """One connection: the newest messages sent, and the rest of the present one.

    Args:
        connection: the connection.
        number: number of the listener.
        now: time in seconds.
        serial: serial of the newest message; the listener gets nothing before a later heartbeat.
    """

    __slots__ = (
        "_decoder", "_rest", "_sent", "_since", "answers", "halfway_since", "number", "progress",
        "socket",
    )  # fmt: skip

    def __init__(self, connection: socket.socket, number: int, now: float, serial: int) -> None:
        connection.settimeout(0.0)
        self.socket = connection
        self.number = number
        self.progress = now
        self.halfway_since = float("inf")
        self.answers: deque[Reply] = deque()
        self._decoder = FrameDecoder(_LONGEST_COMMAND)
        self._rest = memoryview(b"")
        self._since = serial
        self._sent: dict[type[Published], int] = {}

    def receive(self) -> list[Request | CameraPicture]:
        """Returns the received requests and pictures.

        Raises:
            OSError: it has disconnected.
            ContractError: it sent something else.
        """
        try:
            data = self.socket.recv(1 << 16)
        except BlockingIOError:
            return []
        if not data:
            raise ConnectionResetError
        messages: list[Request | CameraPicture] = []
        for message in self._decoder.feed(data):
            if not isinstance(message, Request | CameraPicture):
                raise ContractError("a listener only asks, and sends pictures")
            messages.append(message)
        if not self._decoder.is_halfway:
            self.halfway_since = float("inf")
        elif messages or self.halfway_since == float("inf"):
            self.halfway_since = time.monotonic()
        return messages

    def send(self, newest: _Encoded, now: float) -> bool:
        """Sends the messages that it does not have; returns True if its buffer is full.

        Raises:
            OSError: the connection is broken.
        """
        while True:
            if not self._rest:
                self._rest = memoryview(self._next(newest))
            if not self._rest:
                return False
            try:
                sent = self.socket.send(self._rest)
            except BlockingIOError:
                return True
            self._rest = self._rest[sent:]
            self.progress = now

    def _next(self, newest: _Encoded) -> bytes:
        if newest.get(Heartbeat, (0, b""))[0] <= self._since:
            return b""  # nothing tells yet that the loop lives
        # Phones go before answers, so that a paired phone is known before it gets its token.
        for kind in (Heartbeat, PairedPhones, Page, SimulatedTable, ClubTable, LivePicture):
            if kind is Page and self.answers:
                return encode(self.answers.popleft())
            serial, message = newest.get(kind, (0, b""))
            if serial > self._sent.get(kind, 0):
                self._sent[kind] = serial
                return message
        return b""


def _listening(path: Path) -> socket.socket:
    """Opens a listening socket at the path; replaces an abandoned one."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        _clear(path)
        with unix_address(path) as address:
            listening.bind(address)
        # Nobody can connect before `listen`, so the permissions are set in time.
        path.chmod(stat.S_IRUSR | stat.S_IWUSR | stat.S_IRGRP | stat.S_IWGRP)
        listening.listen(MOST_LISTENERS)
    except UnreadableError:
        listening.close()
        raise
    except OSError as error:
        listening.close()
        why = os.strerror(error.errno) if error.errno else str(error)
        raise UnreadableError(f"cannot serve the page at {path}: {why}") from error
    listening.settimeout(0.0)
    return listening


def _clear(path: Path) -> None:
    if not path.is_socket():
        return  # nothing there, or something of another kind, for which `bind` fails
    with socket.socket(socket.AF_UNIX) as caller, unix_address(path) as address:
        caller.settimeout(1.0)
        try:
            caller.connect(address)
        except ConnectionRefusedError:
            path.unlink()
            return
    raise UnreadableError(f"cannot serve the page at {path}: another table serves it already")
