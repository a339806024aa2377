"""The feed: says the newest page and the newest picture to whoever listens on a Unix socket.

Newest state wins. Nothing is queued: whoever connects, or has just swallowed one message, gets
the newest of each topic that it has not had. So a late joiner has the whole state at once, a
slow listener skips what it was too slow for, and one that has died is dropped; none of them
holds up the others, nor the table, for which publishing is setting a field.

A listener has nothing to say: what it sends closes its connection.
"""

import logging
import os
import selectors
import socket
import stat
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from firmware.errors import UnreadableError
from web.contract import Alive, Page, Picture, encode

KEEP_ALIVE_S: Final = 2.0
"""Silence after which a listener is told that the table is still there."""

PATIENCE_S: Final = 10.0
"""How long a listener may swallow nothing before it is taken for dead."""

MOST_LISTENERS: Final = 16

_log = logging.getLogger(__name__)


class Feed:
    """The table's side of the socket, with a thread of its own between `start` and `close`.

    Args:
        path: where the socket shall be. One that a dead table left there is replaced.

    Raises:
        UnreadableError: on `start`, when no socket can be made there or another table serves it.
    """

    def __init__(self, path: Path) -> None:
        self._path: Final = path
        self._lock: Final = threading.Lock()
        self._newest: dict[str, tuple[int, Page | Picture]] = {}
        self._encoded: dict[str, tuple[int, bytes]] = {}
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

    def publish(self, page: Page) -> None:
        """Makes this the page that everybody gets; returns at once."""
        self._put("page", page)

    def publish_picture(self, jpeg: bytes) -> None:
        """Makes this the picture that everybody gets; returns at once.

        Raises:
            ContractError: the bytes are not a JPEG.
        """
        self._put("picture", Picture(jpeg))

    def start(self) -> None:
        """Opens the socket and begins to serve it.

        Raises:
            UnreadableError: no socket can be made there, or another table serves it.
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
        """Stops serving, hangs up on everybody and takes the socket away."""
        self._stopping = True
        self._wake()
        if self._thread is not None:
            self._thread.join()
        for listener in tuple(self._listeners):
            self._drop(listener)
        if self._socket is not None:
            self._socket.close()
            with suppress(FileNotFoundError):
                # Another table may have put its own socket there meanwhile.
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

    def _put(self, topic: str, message: Page | Picture) -> None:
        with self._lock:
            self._serial += 1
            self._newest[topic] = (self._serial, message)
        self._wake()

    def _wake(self) -> None:
        with suppress(OSError):  # full: it is awake already; closed: it is over
            self._wake_writer.send(b"!")

    def _serve(self) -> None:
        while not self._stopping:
            for key, _ in self._selector.select(timeout=KEEP_ALIVE_S / 2):
                if key.fileobj is self._socket:
                    self._accept()
                elif key.fileobj is self._wake_reader:
                    with suppress(BlockingIOError):
                        self._wake_reader.recv(1 << 16)
                elif key.data.has_left():
                    self._drop(key.data)
            self._say()

    def _accept(self) -> None:
        assert self._socket is not None
        try:
            connection, _ = self._socket.accept()
        except OSError as error:
            # It hung up before we answered, or the process is out of file descriptors.
            _log.warning("a listener could not be accepted: %s", error)
            return
        if len(self._listeners) >= MOST_LISTENERS:
            _log.warning("more than %d listeners: one was turned away", MOST_LISTENERS)
            connection.close()
            return
        listener = _Listener(connection, time.monotonic())
        self._listeners.add(listener)
        self._selector.register(connection, selectors.EVENT_READ, listener)

    def _say(self) -> None:
        if not self._listeners:
            return
        now = time.monotonic()
        with self._lock:
            newest = dict(self._newest)
        for topic, (serial, message) in newest.items():
            if self._encoded.get(topic, (0, b""))[0] != serial:
                self._encoded[topic] = (serial, encode(message))
        for listener in tuple(self._listeners):
            try:
                blocked = listener.say(self._encoded, now)
            except OSError:
                self._drop(listener)
                continue
            if blocked and now - listener.progress > PATIENCE_S:
                _log.warning("a listener swallowed nothing for %g s and was dropped", PATIENCE_S)
                self._drop(listener)
                continue
            write = selectors.EVENT_WRITE if blocked else 0
            self._selector.modify(listener.socket, selectors.EVENT_READ | write, listener)

    def _drop(self, listener: "_Listener") -> None:
        self._selector.unregister(listener.socket)
        self._listeners.discard(listener)
        listener.socket.close()


class _Listener:
    """One connection: what it has had, and the message it is in the middle of."""

    __slots__ = ("_had", "_rest", "progress", "socket")

    def __init__(self, connection: socket.socket, now: float) -> None:
        connection.settimeout(0.0)
        self.socket = connection
        self.progress = now
        self._rest = memoryview(b"")
        self._had: dict[str, int] = {}

    def has_left(self) -> bool:
        """Whether the other end hung up or, which it has no business to, said something."""
        try:
            self.socket.recv(1)
        except BlockingIOError:
            return False
        except OSError:
            return True
        return True

    def say(self, newest: dict[str, tuple[int, bytes]], now: float) -> bool:
        """Sends what it has not had as far as it goes; whether it could take no more.

        Raises:
            OSError: the connection is broken.
        """
        while True:
            if not self._rest:
                self._rest = memoryview(self._next(newest, now))
            if not self._rest:
                return False
            try:
                sent = self.socket.send(self._rest)
            except BlockingIOError:
                return True
            self._rest = self._rest[sent:]
            self.progress = now

    def _next(self, newest: dict[str, tuple[int, bytes]], now: float) -> bytes:
        for topic in ("page", "picture"):
            serial, message = newest.get(topic, (0, b""))
            if serial > self._had.get(topic, 0):
                self._had[topic] = serial
                return message
        return encode(Alive()) if now - self.progress >= KEEP_ALIVE_S else b""


def _listening(path: Path) -> socket.socket:
    """A listening socket at the path, in place of one that nobody serves any more."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        _clear(path)
        listening.bind(str(path))
        # Before `listen` nobody can connect, so nobody slips in under wider rights.
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
        return  # nothing there, or something that is not ours to take away: bind will say so
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caller:
        caller.settimeout(1.0)
        try:
            caller.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
            return
    raise UnreadableError(f"cannot serve the page at {path}: another table serves it already")
