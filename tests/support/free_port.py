"""A port that nobody listens on."""

import socket


def free_port() -> int:
    """Returns a port of this machine that is free at the moment."""
    with socket.create_server(("", 0)) as server:
        port: int = server.getsockname()[1]
        return port
