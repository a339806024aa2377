"""The hall as the source of phones and of changes that `web.security` and `web.views` expect."""

import time
from dataclasses import dataclass
from typing import Final

from web.contract import ClubTable, PairedPhones
from web.hall.backend import HallBackend, HallPhones
from web.hall.page import HallPage


@dataclass(frozen=True, slots=True)
class HallNews:
    """The newest state of the hall.

    Attributes:
        page: the page.
        roles: the paired phones by role.
        club: seats of a table; a hall has none.
    """

    page: HallPage
    roles: HallPhones
    club: ClubTable | None = None

    @property
    def serial(self) -> int:
        """Counter of the page."""
        return self.page.serial

    @property
    def phones(self) -> PairedPhones:
        """The paired phones of all roles."""
        return self.roles.all


class HallLink:
    """The hall's process, as the pages of a table have the `web.table_client.TableClient`.

    Args:
        backend: the hall's process.
    """

    def __init__(self, backend: HallBackend) -> None:
        self._backend: Final = backend

    @property
    def news(self) -> HallNews:
        """The newest state."""
        return HallNews(self._backend.snapshot(), self._backend.phones())

    @property
    def closed(self) -> bool:
        """True if no change will follow."""
        return self._backend.closed

    def wait(self, serial: int, timeout: float) -> HallNews:
        """Returns the state as soon as its serial differs, or after `timeout` seconds."""
        return HallNews(self._backend.wait(serial, timeout), self._backend.phones())


def now_ms() -> int:
    """Milliseconds of the clock that all times of `HallPage` are of.

    Scripts add the time since they got it, so that what they show runs on.
    """
    return round(1000 * time.monotonic())
