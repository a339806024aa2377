"""Tells systemd that a service is ready, and that its loop turns; see sd_notify(3).

A program that systemd did not start has nobody to tell, and every call does nothing.
"""

import logging
import os
import socket
from collections.abc import Mapping
from typing import Final

_SHARE: Final = 3
"""Reports of a turning loop in the time after which systemd takes it for hung."""

_log = logging.getLogger(__name__)


class ServiceManager:
    """The systemd that started this process, if one did.

    Args:
        environment: variables of the process, of which systemd sets NOTIFY_SOCKET and
            WATCHDOG_USEC.
    """

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        # A name that begins with @ is of the abstract namespace, unix(7).
        self._address: Final = "\0" + address[1:] if address.startswith("@") else address
        limit_us = environment.get("WATCHDOG_USEC", "")
        self._period_s: Final = int(limit_us) / 1e6 / _SHARE if limit_us.isdecimal() else None
        self._notified_s = float("-inf")

    def ready(self) -> None:
        """Tells that the service serves."""
        self._notify("READY=1")

    def turned(self, now_s: float) -> None:
        """Tells that the loop has turned, as often as is needed.

        Args:
            now_s: time of a monotonic clock, in seconds.
        """
        if self._period_s is not None and now_s - self._notified_s >= self._period_s:
            self._notified_s = now_s
            self._notify("WATCHDOG=1")

    def stopping(self) -> None:
        """Tells that the service ends."""
        self._notify("STOPPING=1")

    def _notify(self, state: str) -> None:
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
                sender.setblocking(False)  # noqa: FBT003 - the library's own signature
                sender.sendto(state.encode(), self._address)
        except OSError as error:
            # A lost report is repeated; systemd restarts a service that it hears nothing of.
            _log.warning("systemd was not told %s: %s", state, error)
