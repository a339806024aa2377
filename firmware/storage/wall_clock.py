"""The time of day, and whether it can be believed.

A Raspberry Pi has no clock that goes on without power: until it has asked the network, its time
of day is about that of the last time it was switched off. So every time of day is kept with a
word on whether the system's clock was set; what follows what never depends on it.
"""

import ctypes
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

SYNCHRONISED: Final = Path("/run/systemd/timesync/synchronized")
"""Made by systemd-timesyncd once it has set the clock (systemd-timesyncd.service(8))."""

_TIMEX_BYTES: Final = 512
"""More than `struct timex` has on any Linux; zeros ask for nothing to be changed."""

_TIME_ERROR: Final = 5
"""adjtimex(2): the clock is not synchronised to a reliable server."""


@dataclass(frozen=True, slots=True)
class TimeOfDay:
    """A time of day.

    Attributes:
        text: ISO 8601 with the offset from UTC, in seconds.
        trusted: whether the system's clock was known to be right.
    """

    text: str
    trusted: bool

    @property
    def date(self) -> str | None:
        """The date, YYYY-MM-DD, if it can be believed."""
        return self.text[:10] if self.trusted else None


def time_of_day() -> TimeOfDay:
    """The time of day, now."""
    now = datetime.now(UTC).astimezone()
    return TimeOfDay(now.isoformat(timespec="seconds"), is_set())


def is_set() -> bool:
    """Whether something has set the system's clock since it started."""
    if SYNCHRONISED.exists():
        return True
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "adjtimex"):
        return False  # not Linux: nobody can tell
    state = int(libc.adjtimex(ctypes.create_string_buffer(_TIMEX_BYTES)))
    return 0 <= state < _TIME_ERROR
