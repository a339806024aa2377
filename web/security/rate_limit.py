"""How often somebody may ask for a change, and how many numbers are looked at. Pure.

All keep few addresses, and forget the one that was quiet the longest. `now` is passed in, in
seconds of a clock that never goes back.
"""

from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Final

_MOST_ADDRESSES: Final = 4096


@lru_cache(maxsize=_MOST_ADDRESSES)
def network_of(address: str) -> str:
    """The address that limits count: an IPv4 address, or the /64 network of an IPv6 address.

    One device may take any IPv6 address of its network. Text that is no address counts as it is.
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    mapped = found.ipv4_mapped
    return str(mapped or IPv6Network((int(found), 64), strict=False))


@lru_cache(maxsize=_MOST_ADDRESSES)
def limited_network(address: str) -> str:
    """The network of an address that may hold only so much at a time.

    Empty for this machine, which may hold all: a web server in front of ours stands for many
    phones.
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return "" if (mapped or found).is_loopback else network_of(address)


@dataclass(slots=True)
class TokenBucket:
    """A token bucket: so many at once, and so many a second thereafter.

    Attributes:
        burst: how many may come at once.
        per_s: how many a second may follow.
        level: how many may come now.
        at: when `level` was true.
    """

    burst: float
    per_s: float
    level: float
    at: float

    @classmethod
    def full(cls, burst: float, per_s: float, now: float) -> "TokenBucket":
        """One from which nothing was taken."""
        return cls(burst, per_s, burst, now)

    def take(self, now: float) -> bool:
        """Whether one more may come; counts it if so."""
        gained = max(now - self.at, 0.0) * self.per_s
        self.level, self.at = min(self.burst, self.level + gained), max(self.at, now)
        if self.level < 1.0:
            return False
        self.level -= 1.0
        return True


class RateLimiter:
    """A bucket for each sender.

    There is no limit for all senders together: whoever has many addresses could use it up, and
    so keep everybody else out.

    Args:
        burst: how many may come at once.
        per_s: how many a second may follow.
    """

    def __init__(self, burst: int = 20, per_s: float = 4.0) -> None:
        self._burst: Final = float(burst)
        self._per_s: Final = per_s
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def allow(self, sender: str, now: float) -> bool:
        """Whether one more from this sender may be answered; counts it if so."""
        bucket = self._buckets.pop(sender, None) or TokenBucket.full(self._burst, self._per_s, now)
        self._buckets[sender] = bucket
        if len(self._buckets) > _MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        return bucket.take(now)


class GuessLimiter:
    """How many numbers for pairing are looked at, of all addresses together.

    500 a second at most, so that the odds of guessing a number of twelve digits stay under one in
    10,000 a day: `firmware.session.pairing` has the arithmetic. Half of them are kept for addresses
        that
    try seldom: three times, and then every 20 s. A thousand addresses that guess without a pause
    use up the other half, but only 50 a second of this one, once they have tried three times each,
    which takes 12 s. So somebody with an address of their own is looked at at once, or after 12 s
    at most. Somebody who shares the address of a guesser is looked at as often as the guessers.
    """

    PER_S: Final = 500

    def __init__(self) -> None:
        half = self.PER_S / 2
        self._for_seldom: Final = TokenBucket.full(half, half, 0.0)
        self._for_all: Final = TokenBucket.full(half, half, 0.0)
        self._seldom: Final = RateLimiter(burst=3, per_s=1 / 20)

    def allow(self, address: str, now: float) -> bool:
        """Whether a number from this address is looked at; counts it if so."""
        seldom = self._seldom.allow(address, now)
        return (seldom and self._for_seldom.take(now)) or self._for_all.take(now)
