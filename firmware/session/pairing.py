"""Which phones may speak as arbiter: numbers that the table shows, tokens for who types them.

A number is known only at the table: `cornerlight pair` prints it, or the lights show it. It has
twelve digits, lives for five minutes and pairs one phone. The right one is exchanged for a token
of 256 bits, which the phone keeps; the table keeps only a fingerprint of it. A phone stays paired
until it asks to be forgotten, somebody runs `cornerlight pair --forget`, or 32 others came after.

There is no delay after wrong numbers. Any delay could be used to keep out the person who stands
at the table with the right one, because whoever guesses can cause it. The length of the number
alone holds off who guesses. The page looks at most at 500 numbers a second, from all addresses
together (`web.security.rate_limit.GuessLimiter`), which is 43.2 million a day. At most two numbers
are good at the same time, one by command and one in the lights. So the odds that anybody guesses
one within a day are at most 2 * 43.2e6 / 1e12, which is 1 in 11,574, even if two numbers are good
all day long. With a number by command every hour and one in the lights every hour, each good for
five minutes, they are 1 in 138,888. `python -m tests.evaluation guessing` counts them.

The page refuses a wrong number by itself, by the fingerprints in `Pairing.phones`, so that no
flood of them reaches the table. Only the table exchanges a number for a token.

Anybody may have the lights show a number, so that it never takes the place of one that was drawn
at the table by command: the two are kept apart.

Times are seconds of the machine's monotonic clock, which all its processes share: a number may
be drawn in one process and typed to another.

A disk that refuses keeps nobody from speaking as arbiter: what it does not take is known to this
process, and written with whatever is asked next, once it does.
"""

import json
import logging
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from firmware.lights.digit_font import GROUP
from firmware.storage.atomic_file import PRIVATE, write_whole
from web.contract import NUMBER_DIGITS, PairedPhones, fingerprint, is_fingerprint

NUMBER_LIVES_S: Final = 300.0

MOST_PHONES: Final = 32
"""Paired at a time; one more and the oldest is forgotten."""

_KINDS: Final = ("offered", "shown")
"""Keys of the file under which numbers by command and for the lights are kept."""

_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")

_log = logging.getLogger(__name__)


def grouped(number: str) -> str:
    """A number as people read it: in groups of four digits."""
    return " ".join(number[at : at + GROUP] for at in range(0, len(number), GROUP))


class Pairing:
    """The paired phones of one table.

    Args:
        path: the file that remembers them.

    Attributes:
        trouble: why the file lacks what is known here, one sentence; empty if it has it all.
    """

    def __init__(self, path: Path) -> None:
        self._path: Final = path
        self._unwritten: Mapping[str, object] | None = None
        self.trouble = ""

    def issue_code(self, now: float) -> str:
        """Draws a number that pairs one phone; one drawn so before is void.

        Args:
            now: when.
        """
        return self._draw("offered", now)

    def issue_short_code(self, now: float) -> str:
        """Draws a number for the lights to show; one drawn so before is void.

        Args:
            now: when.
        """
        return self._draw("shown", now)

    def _draw(self, kind: str, now: float) -> str:
        number = f"{secrets.randbelow(10**NUMBER_DIGITS):0{NUMBER_DIGITS}}"
        salt = secrets.token_hex(8)
        drawn = {
            "salt": salt,
            "hash": fingerprint(salt + number),
            "until": now + NUMBER_LIVES_S,
            "boot": _boot(),
        }
        self._write({**self._read(), kind: drawn})
        return number

    def verify_code(self, number: str, now: float) -> str:
        """Exchanges a number that a phone sent for a token.

        Returns:
            The token; empty if no such number is good now.
        """
        kept = self._read()
        right = [
            kind for kind in _KINDS if PairedPhones((), _good(kept.get(kind), now)).takes(number)
        ]
        if not right:
            return ""
        token = secrets.token_urlsafe(32)
        tokens = [*_tokens(kept), fingerprint(token)][-MOST_PHONES:]
        left = {kind: one for kind, one in kept.items() if kind not in right}
        self._write({**left, "phones": tokens})
        return token

    def phones(self, now: float) -> PairedPhones:
        """The phones that are paired, and the numbers that are good now."""
        kept = self._read()
        numbers = [one for kind in _KINDS for one in _good(kept.get(kind), now)]
        return PairedPhones(tuple(_tokens(kept)), tuple(numbers))

    def knows(self, token: str) -> bool:
        """Whether a token is that of a paired phone."""
        return PairedPhones(tuple(_tokens(self._read()))).knows(token)

    def unpair(self, token: str) -> None:
        """Forgets the phone with a token."""
        kept = self._read()
        left = [one for one in _tokens(kept) if one != fingerprint(token)]
        self._write({**kept, "phones": left})

    def forget(self) -> None:
        """Forgets every phone, and every number."""
        self._write({"phones": []})

    def _read(self) -> dict[str, object]:
        if self._unwritten is not None:
            kept = dict(self._unwritten)
            self._write(kept)
            return kept
        try:
            kept = json.loads(self._path.read_bytes())
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            _log.error("the paired phones in %s cannot be read: %s", self._path, error)
            return {}
        return kept if isinstance(kept, dict) else {}

    def _write(self, kept: Mapping[str, object]) -> None:
        try:
            write_whole(self._path, json.dumps(kept).encode(), PRIVATE)
        except OSError as error:
            if self._unwritten is None:
                self.trouble = f"cannot remember paired phones in {self._path}: {error.strerror}"
                _log.error("%s; they are forgotten when the table ends", self.trouble)
            self._unwritten = kept
        else:
            self._unwritten, self.trouble = None, ""


def _tokens(kept: Mapping[str, object]) -> list[str]:
    """The fingerprints of the tokens of the phones that are paired."""
    tokens = kept.get("phones")
    return [str(one) for one in tokens if is_fingerprint(one)] if isinstance(tokens, list) else []


def _good(drawn: object, now: float) -> tuple[tuple[str, str], ...]:
    """Salt and fingerprint of a number that was drawn, if it is good now."""
    if not isinstance(drawn, dict):
        return ()
    salt, hashed, until = drawn.get("salt"), drawn.get("hash"), drawn.get("until")
    if not (isinstance(salt, str) and is_fingerprint(hashed) and isinstance(until, float)):
        return ()
    # Seconds of another boot say nothing.
    alive = drawn.get("boot") == _boot() and now <= until
    return ((salt, str(hashed)),) if alive else ()


def _boot() -> str:
    """What tells this run of the machine from others; empty where nobody knows."""
    try:
        return _BOOT.read_text().strip()
    except OSError:
        return ""
