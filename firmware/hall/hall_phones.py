"""The paired phones of a hall's organisers, with their file in its folder."""

import threading
import time
from pathlib import Path
from typing import Final

from firmware.session.pairing import Pairing
from web.contract import PairedPhones

_FILE: Final = "organisers.json"
"""Name of the file in the hall's folder."""

_FRESH_S: Final = 1.0
"""Seconds for which the list is used again: every request and every stream asks for it, and another
process (`cornerlight pair`) may change the file."""


class HallPhones:
    """The paired phones of a hall; every method may be called from any thread.

    Args:
        folder: folder of the hall.
    """

    def __init__(self, folder: Path) -> None:
        self._pairing: Final = Pairing(folder / _FILE)
        self._lock: Final = threading.Lock()
        self._read_at = -_FRESH_S
        self._paired = PairedPhones()

    def paired(self) -> PairedPhones:
        """Returns the paired phones, at most a second old."""
        now = time.monotonic()
        with self._lock:
            if now - self._read_at >= _FRESH_S:
                self._paired, self._read_at = self._pairing.phones(now), now
            return self._paired

    def issue(self) -> str:
        """Draws a number that pairs one phone, valid for five minutes."""
        with self._lock:
            self._read_at = -_FRESH_S
            return self._pairing.issue_code(time.monotonic())

    def pair(self, number: str) -> str:
        """Exchanges a number for a token; empty if it is not valid."""
        with self._lock:
            self._read_at = -_FRESH_S
            return self._pairing.verify_code(number, time.monotonic())

    def unpair(self, token: str) -> None:
        """Removes the phone with a token."""
        with self._lock:
            self._read_at = -_FRESH_S
            self._pairing.unpair(token)

    @property
    def trouble(self) -> str:
        """Reason why the last change is not in the file; otherwise empty."""
        return self._pairing.trouble
