"""The port of the hall's broker: TLS, and limits before and after a client is accepted.

Mosquitto has one limit of connections for all addresses, and waits 90 s for the first packet. So
clients connect here, and the broker has a socket of its own, which nobody else can reach:

- An address, or an IPv6 network of /64, may try seldom. This machine, and an address whose client
  the broker has accepted, may always try. Other attempts are closed before they cost anything.
- Whoever is not accepted within some seconds is disconnected.
- When all places of those who wait are taken, a new one replaces the oldest of the address that
  has most.
- A client that was accepted has no place there. It sends at a limited rate, unless it is of this
  machine; more waits at its end of the connection. One that subscribes to anything but what is for
  tables is disconnected: the broker would keep every filter, for hours.
"""

import asyncio
import re
import ssl
import threading
import time
from asyncio import StreamReader, StreamWriter
from collections import Counter
from contextlib import ExitStack, suppress
from pathlib import Path
from socket import SHUT_RDWR, has_dualstack_ipv6, socket
from typing import Any, Final

from firmware.hall.broker_files import MOST_PACKET_BYTES
from firmware.hall.certificates import Certificates
from web.listening import listen_at
from web.rate_limit import RateLimiter, network_of, sender_of

_PLACES: Final = 128
"""Greatest number of connections that the broker has not accepted yet."""

_TRIES: Final = 32
"""Attempts of an address at once: two for each of 16 tables behind one router."""

_TRIES_PER_S: Final = 4.0
"""Attempts of an address a second thereafter."""

_ACCEPTED_S: Final = 5.0
"""Seconds within which the broker has accepted a client."""

_BYTES_PER_S: Final = 64 * 1024
"""Bytes a second that a client may send: a table sends a page of 32 kB each second at most."""

_ACCEPTS: Final = re.compile(rb"\x20..\x00", re.DOTALL)
"""Beginning of the packet by which the broker accepts a client: CONNACK, MQTT 5 section 3.2."""

_SUBSCRIBES: Final = 0x82
"""First byte of a packet that subscribes, MQTT 5 section 3.8."""

_FOR_TABLES: Final = rb"..{1,2}..\0?(\0.%b/(seat/[0-9]{2,3}|hall/status|round/clock).)+"
"""Pattern of such a packet of a table, with the beginning of the hall's topics in place of `%b`."""


class BrokerGate:
    """Passes clients on from its creation until `close`.

    Args:
        port: port for tables.
        certificates: certificates of the hall.
        broker: socket of the broker.
        prefix: beginning of all topics of the hall, without a slash at its end.

    Raises:
        OSError: the port is in use or not permitted.
    """

    def __init__(self, port: int, certificates: Certificates, broker: Path, prefix: str) -> None:
        self._context: Final = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificates.chain, certificates.key)
        self._broker: Final = broker
        self._limits: Final = re.compile(_FOR_TABLES % prefix.encode(), re.DOTALL)
        self._door: Final = _Door(port)
        self._ends: Final = asyncio.Event()
        self._loop: Final = asyncio.new_event_loop()
        self._thread: Final = threading.Thread(target=self._run, name="gate")
        self._thread.start()

    def close(self) -> None:
        """Disconnects all, and frees the port."""
        self._loop.call_soon_threadsafe(self._ends.set)
        self._thread.join()

    # The rest runs in the gate's thread.

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._listen())

    async def _listen(self) -> None:
        server = await asyncio.start_server(
            self._serve, sock=self._door, ssl=self._context, ssl_handshake_timeout=_ACCEPTED_S
        )
        await self._ends.wait()
        server.close()

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Serves a client after the handshake of TLS until its end, or that of the gate."""
        address = writer.get_extra_info("peername")
        limits = self._limits if sender_of(address[0]) else None
        with suppress(OSError, EOFError, asyncio.CancelledError), ExitStack() as stack:
            stack.callback(writer.transport.abort)
            async with asyncio.timeout(_ACCEPTED_S) as patience:
                answers, inner = await asyncio.open_unix_connection(self._broker)
                stack.callback(inner.transport.abort)
                stack.callback(asyncio.create_task(_pass(reader, inner, limits)).cancel)
                answer = await _packet(answers)
                writer.write(answer)
                if _ACCEPTS.match(answer):
                    patience.reschedule(None)
                    self._door.trust(address)
                    await _pass(answers, writer)


class _Door(socket):
    """The listening socket, which accepts whoever may try.

    Args:
        port: port for tables.
    """

    def __init__(self, port: int) -> None:
        listening = listen_at("::" if has_dualstack_ipv6() else "0.0.0.0", port)  # noqa: S104
        super().__init__(fileno=listening.detach())
        self._tries: Final = RateLimiter(_TRIES, _TRIES_PER_S)
        self._trusted: Final = {""}  # senders that were accepted, and this machine
        self._waiting: dict[Any, tuple[socket, str]] = {}

    def accept(self) -> tuple[socket, Any]:
        """Accepts the next connection of whoever may try; closes the others."""
        while True:
            connection, address = super().accept()
            network = network_of(address[0])
            is_trusted = sender_of(address[0]) in self._trusted
            if is_trusted or self._tries.allow(network, time.monotonic()):
                self._make_room()
                self._waiting[address] = connection, network
                return connection, address
            connection.close()

    def trust(self, address: Any) -> None:
        """Frees the place of a client that is accepted; its address may always try."""
        self._waiting.pop(address, None)
        self._trusted.add(sender_of(address[0]))

    def _make_room(self) -> None:
        waiting = {at: one for at, one in self._waiting.items() if one[0].fileno() >= 0}
        if len(waiting) >= _PLACES:
            crowd = Counter(network for _, network in waiting.values()).most_common(1)[0][0]
            oldest = next(at for at, (_, network) in waiting.items() if network == crowd)
            with suppress(OSError):
                waiting.pop(oldest)[0].shutdown(SHUT_RDWR)
        self._waiting = waiting


async def _pass(
    reader: StreamReader, writer: StreamWriter, limits: re.Pattern[bytes] | None = None
) -> None:
    """Passes packets on until an end of the connection; `limits` are those of a table."""
    with suppress(OSError, EOFError):
        while data := await _packet(reader):
            if limits and data[0] == _SUBSCRIBES and not limits.fullmatch(data):
                break
            writer.write(data)
            await writer.drain()
            await asyncio.sleep(len(data) / _BYTES_PER_S if limits else 0.0)
    writer.close()


async def _packet(reader: StreamReader) -> bytes:
    """Returns the next packet of MQTT 5, section 2.1; empty if it is longer than any may be.

    Raises:
        EOFError: the connection has ended.
    """
    packet = await reader.readexactly(2)
    while packet[-1] >= 0x80 and len(packet) < 5:  # a byte of the length with more behind it
        packet += await reader.readexactly(1)
    size = sum((byte & 0x7F) << 7 * at for at, byte in enumerate(packet[1:]))
    return packet + await reader.readexactly(size) if size <= MOST_PACKET_BYTES else b""
