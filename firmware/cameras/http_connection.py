"""Connections over http or https that never block.

Work in the network is written as generators, called steps, that yield a `SocketWait` while there is
nothing to do. Whoever continues them decides how long to wait, and may stop between two steps.
"""

import select
import socket
import ssl
import threading
import time
from collections.abc import Generator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from firmware.cameras.network_address import NetworkAddress

PIECE: Final = 1 << 16
"""Bytes that are received at once."""

READABLE: Final = select.POLLIN
"""Event of a socket that has data, or has ended."""

WRITABLE: Final = select.POLLOUT
"""Event of a socket that takes data, or is connected."""

T = TypeVar("T")

_Found = tuple[socket.AddressFamily, socket.SocketKind, int, str, Any]
"""An IP address as `socket.getaddrinfo` returns it."""


@dataclass(frozen=True, slots=True)
class SocketWait:
    """Something that steps wait for.

    Attributes:
        line: the socket; None to wait for a time only.
        events: events of `select.poll` at the socket.
        until: latest time to go on, in seconds of `time.monotonic`.
    """

    line: socket.socket | ssl.SSLSocket | None = None
    events: int = 0
    until: float = float("inf")


Steps = Generator[SocketWait, None, T]
"""Work in the network that yields while it waits, and returns its result."""


class CameraConnection:
    """A connection to a device; a lost one counts as one that the device has closed.

    Args:
        line: connected socket that does not block.
        address: an address at the device.
    """

    def __init__(self, line: socket.socket | ssl.SSLSocket, address: NetworkAddress) -> None:
        self.line: Final = line
        self.address: Final = address

    def receive_now(self) -> bytes | None:
        """The bytes that have arrived, at most `PIECE`; None if there are none, b"" at the end."""
        try:
            return self.line.recv(PIECE)
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return None
        except OSError:
            return b""

    def receive(self) -> Steps[bytes]:
        """Waits for what arrives; returns b"" at the end."""
        while (data := self.receive_now()) is None:
            yield SocketWait(self.line, READABLE)
        return data

    def send(self, data: bytes) -> Steps[None]:
        """Sends data; if the connection is lost, `receive` returns the end."""
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[self.line.send(rest) :]
            except (BlockingIOError, ssl.SSLWantWriteError):
                yield SocketWait(self.line, WRITABLE)
            except ssl.SSLWantReadError:
                yield SocketWait(self.line, READABLE)
            except OSError:
                return

    def close(self) -> None:
        """Closes the socket; further calls do nothing."""
        self.line.close()


def connect(address: NetworkAddress, until: float) -> Steps[CameraConnection]:
    """Connects to the first IP address of a device that answers.

    Args:
        address: an address at the device.
        until: latest time, in seconds of `time.monotonic`.

    Raises:
        OSError: none answers.
    """
    failure: OSError = TimeoutError()
    for family, kind, protocol, _, where in (yield from _looked_up(address, until)):
        with ExitStack() as stack:
            line = socket.socket(family, kind, protocol)
            stack.callback(line.close)
            line.settimeout(0.0)
            try:
                yield from _joined(line, where, until)
            except OSError as error:
                failure = error
                continue
            stack.pop_all()
        return CameraConnection((yield from _secured(line, address, until)), address)
    raise failure


def _joined(line: socket.socket, where: Any, until: float) -> Steps[None]:
    """Connects a socket.

    Raises:
        OSError: nobody answers.
    """
    with suppress(BlockingIOError):
        line.connect(where)
    yield from _ready(line, WRITABLE, until)
    if number := line.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
        raise OSError(number, "no connection")  # an object of the subclass for the number


def _looked_up(address: NetworkAddress, until: float) -> Steps[list[_Found]]:
    """The IP addresses of a device, those of version 4 first, as most cameras use it.

    Raises:
        OSError: there is no such device.
    """
    found: list[Sequence[_Found] | OSError] = []
    reader, writer = socket.socketpair()

    def look_up() -> None:
        with writer:
            try:
                found.append(
                    socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
                )
            except OSError as error:
                found.append(error)

    with reader:
        threading.Thread(target=look_up, daemon=True, name="look-up").start()
        yield from _ready(reader, READABLE, until)
    result = found[0]
    if isinstance(result, OSError):
        raise result
    return sorted(result, key=lambda one: one[0] != socket.AF_INET)


def _secured(
    line: socket.socket, address: NetworkAddress, until: float
) -> Steps[socket.socket | ssl.SSLSocket]:
    """Puts TLS on a connection if the address asks for it.

    Raises:
        OSError: the certificate is not trusted, or the device knows no TLS.
    """
    if address.scheme == "http":
        return line
    with ExitStack() as stack:
        stack.callback(line.close)
        secure = ssl.create_default_context().wrap_socket(
            line, server_hostname=address.host, do_handshake_on_connect=False
        )
        stack.callback(secure.close)
        while True:
            try:
                secure.do_handshake()
            except ssl.SSLWantReadError:
                yield from _ready(secure, READABLE, until)
            except ssl.SSLWantWriteError:
                yield from _ready(secure, WRITABLE, until)
            else:
                stack.pop_all()
                return secure


def _ready(line: socket.socket | ssl.SSLSocket, events: int, until: float) -> Steps[None]:
    """Waits for a socket.

    Raises:
        TimeoutError: nothing happens until the time.
    """
    poll = select.poll()
    poll.register(line, events)
    while not poll.poll(0):
        if time.monotonic() >= until:
            raise TimeoutError
        yield SocketWait(line, events, until)
