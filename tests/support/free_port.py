"""Ports and addresses that nobody else listens on."""

import os
import socket
from contextlib import suppress
from random import SystemRandom

_BELOW_OUTGOING = range(12_000, 32_000, 2)
"""Even ports that no system gives to an outgoing connection, or to a server that wants any port.

Linux gives those from 32,768 on, one after the other: between this answer and its use, a
neighbour could take such a port, or the next one, which a table takes for TLS.
"""


def free_port() -> int:
    """Returns a port of this machine that is free, as the next one is."""
    while True:
        port = SystemRandom().choice(_BELOW_OUTGOING)
        with (
            suppress(OSError),
            socket.create_server(("", port)),
            socket.create_server(("", port + 1)),
        ):
            return port


def own_host() -> str:
    """Returns a loopback address for ports that cannot be chosen: each process has another."""
    number = os.getpid()
    return f"127.{1 + (number >> 16)}.{number >> 8 & 255}.{number & 255}"
