"""Which phones may speak as arbiter: numbers that the table shows, tokens for who types them.

A number is shown where only people at the table see it, and lives for a few
minutes. The right one is exchanged for a token, which the phone keeps; the table keeps only a
hash of it. Wrong numbers cost ever more time, whoever sends them, so that guessing one
within its life is out of reach; a few of them and a short number is gone altogether.

Anybody may have the lights show a number, so that it never takes the place of one that was drawn
at the table by command, nor does guessing: the two are kept apart.

Times are seconds of the machine's monotonic clock, which all its processes share: a number may
be drawn in one process and typed to another.
"""

import hashlib
import hmac
import json
import logging
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.errors import UnreadableError

NUMBER_LIVES_S: Final = 300.0
MOST_WRONG: Final = 5
"""Wrong numbers after which one that the lights show is of no use any more. One by command has
six digits: the delays leave ten guesses while it lives, one chance in 100,000."""

SHOWN_DIGITS: Final = 4
"""Of a number that lights show: a board of 14 squares has room for as many."""

DRAWN_DIGITS: Final = 6

MOST_PHONES: Final = 32
"""Paired at a time; one more and the oldest is forgotten."""

_FIRST_DELAY_S: Final = 1.0
_LONGEST_DELAY_S: Final = 300.0
_KINDS: Final = ("offered", "shown")
"""Keys of the file under which numbers by command and for the lights are kept."""

_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Paired:
    """The number was right; the phone gets this token."""

    token: str


@dataclass(frozen=True, slots=True)
class Wrong:
    """It was not the number, or there is none."""


@dataclass(frozen=True, slots=True)
class Wait:
    """It was not looked at: too soon after a wrong one.

    Attributes:
        seconds: until one is.
    """

    seconds: float


class Pairing:
    """The paired phones of one table.

    Args:
        path: the file that remembers them.
    """

    def __init__(self, path: Path) -> None:
        self._path: Final = path
        self._wrong = 0
        self._not_before = float("-inf")

    def offer(self, now: float) -> str:
        """Draws a number that pairs one phone; one drawn so before is void.

        Args:
            now: when.

        Raises:
            UnreadableError: it cannot be kept.
        """
        return self._draw("offered", now, DRAWN_DIGITS)

    def show(self, now: float) -> str:
        """Draws a number for the lights to show; one drawn so before is void.

        Args:
            now: when.

        Raises:
            UnreadableError: it cannot be kept.
        """
        return self._draw("shown", now, SHOWN_DIGITS)

    def _draw(self, kind: str, now: float, digits: int) -> str:
        number = f"{secrets.randbelow(10**digits):0{digits}}"
        salt = secrets.token_hex(8)
        drawn = {
            "salt": salt,
            "hash": _hash(salt + number),
            "until": now + NUMBER_LIVES_S,
            "boot": _boot(),
        }
        self._write({**self._read(), kind: drawn})
        return number

    def attempt(self, number: str, now: float) -> Paired | Wrong | Wait:
        """Looks at a number that a phone sent.

        Raises:
            UnreadableError: the phone cannot be remembered.
        """
        if now < self._not_before:
            return Wait(self._not_before - now)
        kept = self._read()
        right = [kind for kind in _KINDS if _holds(kept.get(kind), number, now)]
        if not right:
            self._miss(kept, now)
            return Wrong()
        token = secrets.token_urlsafe(32)
        phones = [*_phones(kept), _hash(token)][-MOST_PHONES:]
        left = {kind: one for kind, one in kept.items() if kind not in right}
        self._write({**left, "phones": phones})
        self._wrong = 0
        return Paired(token)

    def _miss(self, kept: Mapping[str, object], now: float) -> None:
        self._wrong += 1
        self._not_before = now + min(_FIRST_DELAY_S * 2 ** (self._wrong - 1), _LONGEST_DELAY_S)
        if self._wrong >= MOST_WRONG and kept.get("shown"):
            self._write({kind: one for kind, one in kept.items() if kind != "shown"})

    def knows(self, token: str) -> bool:
        """Whether a token is that of a paired phone."""
        hashed = _hash(token)
        return any(hmac.compare_digest(hashed, one) for one in _phones(self._read()))

    def forget(self) -> None:
        """Forgets every phone.

        Raises:
            UnreadableError: the file cannot be written.
        """
        self._write({"phones": []})

    def _read(self) -> dict[str, object]:
        try:
            kept = json.loads(self._path.read_bytes())
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            _log.error("the paired phones in %s cannot be read: %s", self._path, error)
            return {}
        return kept if isinstance(kept, dict) else {}

    def _write(self, kept: Mapping[str, object]) -> None:
        aside = self._path.with_suffix(".new")
        try:
            aside.unlink(missing_ok=True)
            with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as new:
                json.dump(kept, new)
                new.flush()
                os.fsync(new.fileno())
            aside.replace(self._path)
        except OSError as error:
            message = f"cannot remember paired phones in {self._path}: {error.strerror}"
            raise UnreadableError(message) from error


def _phones(kept: Mapping[str, object]) -> list[str]:
    """The hashed tokens of the phones that are paired."""
    phones = kept.get("phones")
    return list(map(str, phones)) if isinstance(phones, list) else []


def _holds(offered: object, number: str, now: float) -> bool:
    if not isinstance(offered, dict):
        return False
    salt, hashed, until = offered.get("salt"), offered.get("hash"), offered.get("until")
    if not (isinstance(salt, str) and isinstance(hashed, str) and isinstance(until, float)):
        return False
    # Seconds of another boot say nothing.
    alive = offered.get("boot") == _boot() and now <= until
    return hmac.compare_digest(_hash(salt + number), hashed) and alive


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _boot() -> str:
    """What tells this run of the machine from others; empty where nobody knows."""
    try:
        return _BOOT.read_text().strip()
    except OSError:
        return ""
