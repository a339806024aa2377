"""Limits of the rate of changes and of checked numbers.

Each limiter stores a bounded number of addresses and drops the one without requests for the
longest time. `now` is an argument, in seconds of a monotonic clock.
"""

import re
import socket
import threading
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final

from web.bounded_map import BoundedMap
from web.contract import NUMBER_DIGITS, PairedPhones, RefusalReason

_MOST_ADDRESSES: Final = 4096
"""Addresses that are stored."""

CROWD: Final = 0.75
"""Part of all connections and streams that unknown phones of one network may have together."""

_SEPARATORS: Final = re.compile(r"[\s-]")
"""Separators that people type between the groups of a number."""

_NUMBER: Final = re.compile(f"[0-9]{{{NUMBER_DIGITS}}}")
"""A complete number for pairing, without its separators."""


@lru_cache(maxsize=_MOST_ADDRESSES)
def network_of(address: str) -> str:
    """Returns the network of an address: an IPv4 address, or the /64 of an IPv6 address.

    A device may use any IPv6 address of its network. Text that is no address is returned as it is.
    """
    found = _parsed(address)
    if isinstance(found, IPv6Address):
        return str(IPv6Network((int(found), 64), strict=False))
    return address if found is None else str(found)


@lru_cache(maxsize=_MOST_ADDRESSES)
def sender_of(address: str) -> str:
    """Returns the part of its network that counts as one sender, for limits that are for each.

    That is the network itself, but an IPv6 address of its own if this machine is in that network,
    as each phone at home has some there. A limit for the whole network goes with it, as one phone
    could have them all. Empty for this machine, where a reverse proxy serves many phones.
    """
    if is_this_machine(address):
        return ""
    network = network_of(address)
    if "/" in network:
        with suppress(OSError), socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as asker:
            asker.connect((address, 9))  # sends nothing, but chooses which of our addresses would
            return address if network_of(asker.getsockname()[0]) == network else network
    return network


def is_this_machine(address: str) -> bool:
    """True if an address is one of this machine's loopback interface."""
    found = _parsed(address)
    return found is not None and found.is_loopback


def _parsed(address: str) -> IPv4Address | IPv6Address | None:
    """Returns an address, also an IPv4 address in the form of IPv6; None if the text is none."""
    try:
        found = ip_address(address)
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


@dataclass(slots=True)
class TokenBucket:
    """A token bucket: a burst, then a steady rate.

    Attributes:
        burst: requests allowed at once.
        per_s: requests allowed a second thereafter.
        level: requests allowed at the time `at`.
        at: time of the last update, in seconds.
    """

    burst: float
    per_s: float
    level: float
    at: float

    @classmethod
    def full(cls, burst: float, per_s: float, now: float) -> "TokenBucket":
        """Returns a full bucket."""
        return cls(burst, per_s, burst, now)

    def take(self, now: float) -> bool:
        """True if one more request is allowed; counts it if so."""
        gained = max(now - self.at, 0.0) * self.per_s
        self.level, self.at = min(self.burst, self.level + gained), max(self.at, now)
        if self.level < 1.0:
            return False
        self.level -= 1.0
        return True


class RateLimiter:
    """A token bucket for each sender.

    There is no limit for all senders together: a sender with many addresses could use it up and
    lock everybody else out.

    Args:
        burst: requests allowed at once.
        per_s: requests allowed a second thereafter.
    """

    def __init__(self, burst: int = 20, per_s: float = 4.0) -> None:
        self._burst: Final = float(burst)
        self._per_s: Final = per_s
        self._buckets: Final[BoundedMap[str, TokenBucket]] = BoundedMap(_MOST_ADDRESSES)

    def allow(self, sender: str, now: float) -> bool:
        """True if one more request of this sender is allowed; counts it if so."""
        bucket = self._buckets.get(sender) or TokenBucket.full(self._burst, self._per_s, now)
        self._buckets[sender] = bucket
        return bucket.take(now)


class GuessLimiter:
    """Limit of the numbers for pairing that are checked, for all addresses together.

    At most 500 a second are checked, so that the probability of guessing a number of twelve digits
    stays under one in 10,000 a day: `firmware.session.pairing` has the arithmetic. Half of them are
    reserved for addresses that try seldom: three times, and then every 20 s. A thousand addresses
    that guess without a pause use up the other half, but only 50 a second of the reserved half,
    once they have tried three times each, which takes 12 s. So a number from another address is
    checked at once, or after 12 s at most; one from the address of a guesser as often as theirs.
    """

    PER_S: Final = 500
    """Numbers checked a second."""

    def __init__(self) -> None:
        half = self.PER_S / 2
        self._for_seldom: Final = TokenBucket.full(half, half, 0.0)
        self._for_all: Final = TokenBucket.full(half, half, 0.0)
        self._seldom: Final = RateLimiter(burst=3, per_s=1 / 20)

    def allow(self, address: str, now: float) -> bool:
        """True if a number from this address may be checked; counts it if so."""
        seldom = self._seldom.allow(address, now)
        return (seldom and self._for_seldom.take(now)) or self._for_all.take(now)


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
