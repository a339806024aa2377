"""Pairs phones that may send an arbiter's commands: numbers of the table become tokens.

A number is known only at the table: `cornerlight pair` prints it, the lights show it, or the screen
at the computer does. It has twelve digits, is valid for five minutes and pairs one phone. The phone
exchanges it for a token of 256 bits; the table stores only a fingerprint of the token. A phone
stays paired until it asks to be removed, somebody runs `cornerlight pair --forget`, or 32 others
were paired after it.

There is no delay after wrong numbers. An attacker could use any delay to keep out the person at the
table who has the right number. The length of the number alone is the protection. The page checks at
most 500 numbers a second, from all addresses together (`web.rate_limit.GuessLimiter`),
which is 43.2 million a day. At most five numbers are valid at the same time: one by command, one in
the lights, one for the camera, and two of the screen, while no phone is paired. So the odds that
anybody guesses one within a day are at most 5 * 43.2e6 / 1e12, which is 1 in 4,629. With the
screen's two valid all day long, a number by command every hour and one in the lights every hour,
each valid for five minutes, they are 1 in 10,684, and 1 in 138,888 once a phone is paired.
`python -m tests.evaluation guessing` counts the case with a paired phone.

The page refuses a wrong number by itself, by the fingerprints in `Pairing.phones`, so that no flood
of wrong numbers reaches the table. Only the table exchanges a number for a token.

Anybody can make the lights show a number, and the screen draws one by itself. Therefore neither
replaces a number that was drawn by command: each kind is stored separately.

Times are seconds of the machine's monotonic clock, which all its processes share: a number may
be drawn in one process and typed to another.

If the disk refuses a change, this process keeps it in memory, and writes it with the next access
that succeeds.
"""

import json
import logging
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from firmware.codec import json_table
from firmware.errors import read_file
from firmware.lights.digit_font import GROUP
from firmware.machine.sysfs import text
from firmware.storage.atomic_file import PRIVATE, write_whole
from web.contract import NUMBER_DIGITS, PairedPhones, fingerprint, is_fingerprint

NUMBER_LIVES_S: Final = 300.0
"""Seconds for which a number is valid."""

MOST_PHONES: Final = 32
"""Greatest number of paired phones; a further one replaces the oldest."""

_KINDS: Final = ("offered", "shown", "screen", "screen-before")
"""Keys of the file for numbers by command, for the lights, and for the screen at the computer."""

_CAMERA: Final = "camera-number"
"""Key of the file for the number by which a phone becomes the camera."""

_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")
"""File of the kernel with an id of this run of the machine."""

_log = logging.getLogger(__name__)


def grouped(number: str) -> str:
    """Formats a number for people, in groups of four digits."""
    return " ".join(number[at : at + GROUP] for at in range(0, len(number), GROUP))


class Pairing:
    """The paired phones of one table.

    Args:
        path: the file that stores them.

    Attributes:
        trouble: reason why the last change is not in the file, one sentence; otherwise empty.
    """

    def __init__(self, path: Path) -> None:
        self._path: Final = path
        self._unwritten: Mapping[str, object] | None = None
        self.trouble = ""

    def issue_code(self, now: float) -> str:
        """Draws a number that pairs one phone; replaces the last one drawn so.

        Args:
            now: time in seconds.
        """
        return self._draw("offered", now)

    def issue_short_code(self, now: float) -> str:
        """Draws a number for the lights to show; replaces the last one drawn so.

        Args:
            now: time in seconds.
        """
        return self._draw("shown", now)

    def issue_screen_code(self, now: float) -> str:
        """Draws a number for the screen at the computer; the last one drawn so stays valid too.

        Args:
            now: time in seconds.
        """
        return self._draw("screen", now, keeps="screen-before")

    def issue_camera_code(self, now: float) -> str:
        """Draws a number by which a phone becomes the camera; replaces the last one drawn so.

        Args:
            now: time in seconds.
        """
        return self._draw(_CAMERA, now)

    def verify_camera_code(self, number: str, now: float) -> str:
        """Exchanges a number for the token of the phone that is the camera from now on.

        Returns:
            The token; empty if the number is not valid.
        """
        stored = self._read()
        if not PairedPhones((), _valid(stored.pop(_CAMERA, None), now)).takes(number):
            return ""
        token = secrets.token_urlsafe(32)
        self._write({**stored, "camera": fingerprint(token)})
        return token

    def _draw(self, kind: str, now: float, keeps: str = "") -> str:
        number = f"{secrets.randbelow(10**NUMBER_DIGITS):0{NUMBER_DIGITS}}"
        salt = secrets.token_hex(8)
        drawn = {
            "salt": salt,
            "hash": fingerprint(salt + number),
            "until": now + NUMBER_LIVES_S,
            "boot": _boot(),
        }
        stored = self._read()
        kept = {keeps: stored.get(kind)} if keeps else {}
        self._write({**stored, **kept, kind: drawn})
        return number

    def verify_code(self, number: str, now: float) -> str:
        """Exchanges a number that a phone sent for a token.

        Returns:
            The token; empty if the number is not valid.
        """
        stored = self._read()
        right = [
            kind for kind in _KINDS if PairedPhones((), _valid(stored.get(kind), now)).takes(number)
        ]
        if not right:
            return ""
        return self._add({kind: one for kind, one in stored.items() if kind not in right})

    def pair(self) -> str:
        """Pairs a phone without a number, where the sender is known to be at the table.

        Returns:
            The token of the phone.
        """
        return self._add(self._read())

    def _add(self, stored: Mapping[str, object]) -> str:
        token = secrets.token_urlsafe(32)
        tokens = [*_tokens(stored), fingerprint(token)][-MOST_PHONES:]
        self._write({**stored, "phones": tokens})
        return token

    def phones(self, now: float) -> PairedPhones:
        """Returns the paired phones, the one that is the camera, and the valid numbers."""
        stored = self._read()
        kinds = (*_KINDS, _CAMERA)
        numbers = [one for kind in kinds for one in _valid(stored.get(kind), now)]
        camera = stored.get("camera")
        holder = str(camera) if is_fingerprint(camera) else ""
        return PairedPhones(tuple(_tokens(stored)), tuple(numbers), holder)

    def knows(self, token: str) -> bool:
        """True if a token is that of a paired phone."""
        return PairedPhones(tuple(_tokens(self._read()))).knows(token)

    def unpair(self, token: str) -> None:
        """Removes the phone with a token."""
        stored = self._read()
        remaining = [one for one in _tokens(stored) if one != fingerprint(token)]
        self._write({**stored, "phones": remaining})

    def forget(self) -> None:
        """Removes all phones and all numbers."""
        self._write({"phones": []})

    def _read(self) -> dict[str, object]:
        if self._unwritten is not None:
            stored = dict(self._unwritten)
            self._write(stored)
            return stored
        try:
            return json_table(read_file(self._path)) if self._path.exists() else {}
        except (OSError, ValueError) as error:
            _log.error("the paired phones in %s cannot be read: %s", self._path, error)
            return {}

    def _write(self, stored: Mapping[str, object]) -> None:
        try:
            write_whole(self._path, json.dumps(stored).encode(), PRIVATE)
        except OSError as error:
            if self._unwritten is None:
                self.trouble = f"cannot remember paired phones in {self._path}: {error.strerror}"
                _log.error("%s; they are forgotten when the table ends", self.trouble)
            self._unwritten = stored
        else:
            self._unwritten, self.trouble = None, ""


def _tokens(stored: Mapping[str, object]) -> list[str]:
    """Returns the fingerprints of the tokens of the paired phones."""
    tokens = stored.get("phones")
    return [str(one) for one in tokens if is_fingerprint(one)] if isinstance(tokens, list) else []


def _valid(drawn: object, now: float) -> tuple[tuple[str, str], ...]:
    """Returns salt and fingerprint of a drawn number, if it is valid."""
    if not isinstance(drawn, dict):
        return ()
    salt, hashed, until = drawn.get("salt"), drawn.get("hash"), drawn.get("until")
    if not (isinstance(salt, str) and is_fingerprint(hashed) and isinstance(until, float)):
        return ()
    # The clock of another boot is not comparable.
    alive = drawn.get("boot") == _boot() and now <= until
    return ((salt, str(hashed)),) if alive else ()


def _boot() -> str:
    """Returns an id of this run of the machine; empty if it is unknown."""
    return text(_BOOT) or ""
