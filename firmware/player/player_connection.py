"""Connection to a player that systemd starts when somebody connects, with rights of its own.

A service of the table may not run a compiler, and its children inherit that; the player needs one.
"""

import socket
from typing import Final, TextIO

SOCKET_VARIABLE: Final = "CORNERLIGHT_PLAYER_SOCKET"
"""Environment variable with the path of the socket at which systemd starts a player."""

_CONNECT_S: Final = 5.0
"""Seconds to wait for the connection; systemd accepts it before the player has started."""


class PlayerConnection:
    """A player that ends with its connection; used like a process with pipes.

    Args:
        path: path of the socket.

    Raises:
        OSError: nobody listens there.

    Attributes:
        stdin: text stream of requests.
        stdout: text stream of answers.
    """

    def __init__(self, path: str) -> None:
        self._socket: Final = socket.socket(socket.AF_UNIX)
        try:
            self._socket.settimeout(_CONNECT_S)
            self._socket.connect(path)
        except OSError:
            self._socket.close()
            raise
        self._socket.settimeout(None)
        self.stdin: Final[TextIO] = self._socket.makefile("w", encoding="utf-8", newline="\n")
        self.stdout: Final[TextIO] = self._socket.makefile("r", encoding="utf-8", newline="\n")

    def kill(self) -> None:
        """Ends the connection, and with it the player."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:  # it has ended
            return

    def wait(self, timeout: float | None = None) -> int:  # noqa: ARG002 - as of a process
        """Closes the connection; there is nothing to wait for."""
        self._socket.close()
        return 0
