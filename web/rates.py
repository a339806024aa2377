"""How often somebody may ask for a change, and how long to wait after wrong numbers. Pure.

Both keep few addresses, and forget the one that was quiet the longest. `now` is passed in, in
seconds of a clock that never goes back.
"""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

_MOST_ADDRESSES: Final = 1024


@dataclass(slots=True)
class _Bucket:
    level: float
    at: float


class Rates:
    """Token buckets: so many changes at once for an address, and so many a second thereafter.

    Args:
        burst: how many may come at once.
        per_s: how many a second may follow.
        everybody: how many times that all addresses together may have.
    """

    def __init__(self, burst: int = 20, per_s: float = 4.0, everybody: int = 5) -> None:
        self._burst: Final = float(burst)
        self._per_s: Final = per_s
        self._everybody: Final = float(everybody)
        self._all = _Bucket(burst * everybody, 0.0)
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def allow(self, address: str, now: float) -> bool:
        """Whether one more from this address may be answered; counts it if so."""
        bucket = self._buckets.pop(address, None) or _Bucket(self._burst, now)
        self._buckets[address] = bucket
        if len(self._buckets) > _MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        self._fill(bucket, now, 1.0)
        self._fill(self._all, now, self._everybody)
        # An address that has used up its own does not use up that of the others.
        if bucket.level < 1.0 or self._all.level < 1.0:
            return False
        bucket.level -= 1.0
        self._all.level -= 1.0
        return True

    def _fill(self, bucket: _Bucket, now: float, share: float) -> None:
        gained = (now - bucket.at) * self._per_s * share
        bucket.level = min(self._burst * share, bucket.level + max(gained, 0.0))
        bucket.at = now


@dataclass(slots=True)
class _Tries:
    wrong: int = 0
    until: float = 0.0


class Delays:
    """Growing delays after wrong numbers: for an address, and milder for all together.

    After the third wrong number an address waits 2 s, then 4 s, up to five minutes. All together
    wait for half a second after each wrong one, up to four: whoever guesses from many addresses
    is slowed, and cannot lock out for long the person who stands at the table.
    """

    FREE: Final = 2
    LONGEST_S: Final = 300.0
    LONGEST_FOR_ALL_S: Final = 4.0

    def __init__(self) -> None:
        self._all = _Tries()
        self._tries: OrderedDict[str, _Tries] = OrderedDict()

    def wait_s(self, address: str, now: float) -> float:
        """Seconds until a number from this address is looked at; 0 now."""
        tries = self._tries.get(address, _Tries())
        return max(tries.until - now, self._all.until - now, 0.0)

    def wrong(self, address: str, now: float) -> None:
        """A number was wrong."""
        tries = self._tries.pop(address, None) or _Tries()
        self._tries[address] = tries
        if len(self._tries) > _MOST_ADDRESSES:
            self._tries.popitem(last=False)
        tries.wrong += 1
        if tries.wrong > self.FREE:
            tries.until = now + min(2.0 ** (tries.wrong - self.FREE), self.LONGEST_S)
        quiet = now - self._all.until > self.LONGEST_S
        self._all.wrong = 1 if quiet else self._all.wrong + 1
        if self._all.wrong > self.FREE:
            self._all.until = now + min(0.5 * (self._all.wrong - self.FREE), self.LONGEST_FOR_ALL_S)

    def right(self, address: str) -> None:
        """A number was right."""
        self._tries.pop(address, None)
