"""The socket on which the score page listens."""

import socket
from typing import Final

_PATIENCE_MS: Final = 30_000
"""Milliseconds without an acknowledgement from a phone after which its connection is closed."""


def listen_at(host: str, port: int) -> socket.socket:
    """Returns a listening socket whose connections close when a phone stops acknowledging.

    Args:
        host: address or name to listen on; `0.0.0.0` for all of IPv4, `::` for IPv6 as well.
        port: port to listen on; 0 for any free one.

    Raises:
        OSError: the address is in use or not permitted.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = family == socket.AF_INET6 and not host.strip(":")
    listening = socket.create_server((host, port), family=family, dualstack_ipv6=both)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; connections inherit it
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _PATIENCE_MS)
    return listening
