"""The paired phones of a hall: organisers and helpers, each a `Pairing` in a file of its own."""

import threading
import time
from pathlib import Path
from typing import Final

from firmware.session.pairing import Pairing
from web.hall.backend import HallPhones
from web.hall.commands import Role

_FILES: Final = {Role.ORGANISER: "organisers.json", Role.HELPER: "helpers.json"}
"""Names of the files in the hall's folder."""

_FRESH_S: Final = 1.0
"""Seconds for which a list is used again: every request and every stream asks for it, and another
process (`cornerlight pair`) may change the files."""


class PhoneRoles:
    """The paired phones of a hall; every method may be called from any thread.

    Args:
        folder: folder of the hall.
    """

    def __init__(self, folder: Path) -> None:
        self._pairings: Final = {role: Pairing(folder / name) for role, name in _FILES.items()}
        self._lock: Final = threading.Lock()
        self._read_at = -_FRESH_S
        self._phones = HallPhones()

    def phones(self) -> HallPhones:
        """Returns the paired phones, at most a second old."""
        now = time.monotonic()
        with self._lock:
            if now - self._read_at >= _FRESH_S:
                self._phones = HallPhones(
                    *(self._pairings[role].phones(now) for role in (Role.ORGANISER, Role.HELPER))
                )
                self._read_at = now
            return self._phones

    def issue(self, role: Role) -> str:
        """Draws a number that pairs one phone, valid for five minutes."""
        with self._lock:
            self._read_at = -_FRESH_S
            return self._pairings[role].issue_code(time.monotonic())

    def pair(self, number: str) -> str:
        """Exchanges a number for a token; empty if it is not valid."""
        with self._lock:
            self._read_at = -_FRESH_S
            tokens = (one.verify_code(number, time.monotonic()) for one in self._pairings.values())
            return next((token for token in tokens if token), "")

    def unpair(self, token: str) -> None:
        """Removes the phone with a token."""
        with self._lock:
            self._read_at = -_FRESH_S
            for one in self._pairings.values():
                one.unpair(token)

    @property
    def troubles(self) -> tuple[str, ...]:
        """Reasons why changes are not in the files."""
        return tuple(one.trouble for one in self._pairings.values() if one.trouble)
