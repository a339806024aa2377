"""The time of day, with a flag for an unset clock.

A Raspberry Pi has no clock that runs without power: until it has asked the network, its time of day
is about that of the last shutdown. So every time of day is stored with a flag that is true if the
system's clock was set; the order of events never depends on it.
"""

import ctypes
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

SYNCHRONISED: Final = Path("/run/systemd/timesync/synchronized")
"""File that systemd-timesyncd creates once it has set the clock (systemd-timesyncd.service(8))."""

_TIMEX_BYTES: Final = 512
"""Bytes of the argument, more than `struct timex` has on any Linux; zeros change nothing."""

_TIME_ERROR: Final = 5
"""Result of adjtimex(2) if the clock is not synchronised to a reliable server."""


@dataclass(frozen=True, slots=True)
class TimeOfDay:
    """A time of day.

    Attributes:
        text: ISO 8601 with the offset from UTC, in seconds.
        trusted: True if the system's clock was known to be right.
    """

    text: str
    trusted: bool

    @property
    def date(self) -> str | None:
        """The date, YYYY-MM-DD, if the clock was right; otherwise None."""
        return self.text[:10] if self.trusted else None


def time_of_day() -> TimeOfDay:
    """Returns the present time of day."""
    now = datetime.now(UTC).astimezone()
    return TimeOfDay(now.isoformat(timespec="seconds"), is_set())


def is_set() -> bool:
    """True if the system's clock was set since it started."""
    if SYNCHRONISED.exists():
        return True
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "adjtimex"):
        return False  # unknown on a system other than Linux
    state = int(libc.adjtimex(ctypes.create_string_buffer(_TIMEX_BYTES)))
    return 0 <= state < _TIME_ERROR
