"""Ports and addresses that nobody else listens on."""

import os
import socket


def free_port() -> int:
    """Returns a port of this machine that is free at the moment."""
    with socket.create_server(("", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def own_host() -> str:
    """Returns a loopback address for ports that cannot be chosen: each process has another."""
    number = os.getpid()
    return f"127.{1 + (number >> 16)}.{number >> 8 & 255}.{number & 255}"
