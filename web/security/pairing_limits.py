"""Limits of the numbers for pairing that a page passes on to whoever exchanges them for tokens."""

import re
import threading
from typing import Final

from web.contract import NUMBER_DIGITS, PairedPhones, RefusalReason
from web.security.rate_limit import GuessLimiter, TokenBucket, network_of

_SEPARATORS: Final = re.compile(r"[\s-]")
"""Separators that people type between the groups of a number."""

_NUMBER: Final = re.compile(f"[0-9]{{{NUMBER_DIGITS}}}")
"""A complete number for pairing, without its separators."""


def typed_number(text: str) -> str | None:
    """Returns the digits of a typed number, empty for an empty text; None if it is no number."""
    digits = _SEPARATORS.sub("", text)
    return digits if not digits or _NUMBER.fullmatch(digits) else None


class PairingLimits:
    """Refuses wrong numbers, except one a second, and too many guesses.

    So a number drawn a moment ago, which the list does not have yet, is not called wrong, unless
    somebody floods the page.
    """

    def __init__(self) -> None:
        self._lock: Final = threading.Lock()
        self._guesses: Final = GuessLimiter()
        self._unlikely: Final = TokenBucket.full(2, 1, 0.0)

    def refuses(
        self, number: str, phones: PairedPhones, address: str, now: float
    ) -> RefusalReason | None:
        """Returns the reason not to try a number; None if it is to be tried.

        Args:
            number: the digits.
            phones: the paired phones and the valid numbers, as far as they are known.
            address: address of the phone.
            now: time in seconds of a monotonic clock.
        """
        with self._lock:
            if not self._guesses.allow(network_of(address), now):
                return RefusalReason.BUSY
            if not phones.takes(number) and not self._unlikely.take(now):
                return RefusalReason.WRONG_NUMBER
        return None
