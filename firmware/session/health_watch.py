"""Heat and supply voltage of the computer during a game: looked at now and then, and reported."""

import logging
from dataclasses import replace
from pathlib import Path
from typing import Final

from firmware.machine.health import celsius, is_hot, undervoltage
from firmware.session.service import ServiceStatus, TableService
from web.contract import MachineStatus

_EVERY_S: Final = 10.0
"""Seconds from one look to the next. A look at a stand-in took 0.05 ms of a PC's core."""

_log = logging.getLogger(__name__)


class HealthWatch(TableService):
    """Looks at the computer every few seconds.

    Args:
        sysfs: the folder `/sys`, or one that stands in for it.
    """

    def __init__(self, sysfs: Path) -> None:
        self._sysfs: Final = sysfs
        self._looked_s = float("-inf")
        self._status = MachineStatus()

    def poll(self) -> None:
        """Looks at the computer now and then."""
        self.look(self.table.now)

    def show(self, status: ServiceStatus) -> None:
        """Adds the computer."""
        status.machine = replace(self._status, highest_level=status.machine.highest_level)

    def look(self, now: float) -> MachineStatus:
        """Returns the present status; reads it if the last one is old.

        Args:
            now: time in seconds, for the interval.
        """
        if now - self._looked_s >= _EVERY_S:
            self._looked_s = now
            before, temperature = self._status, celsius(self._sysfs)
            hot = is_hot(temperature, was_hot=before.hot)
            # While it is cool, each degree would be a page for every phone.
            shown = None if temperature is None or not hot else round(temperature)
            self._status = MachineStatus(hot, shown, undervoltage(self._sysfs))
            _report(before, self._status, temperature)
        return self._status


def _report(before: MachineStatus, now: MachineStatus, temperature: float | None) -> None:
    """Logs what has changed; a fact that is not known any more is none."""
    if now.hot and not before.hot:
        _log.warning("the computer is hot (%.0f °C) and slows down; give it air", temperature)
    elif before.hot and now.hot is False:
        _log.warning("the computer is no longer hot (%.0f °C)", temperature)
    if now.undervoltage and not before.undervoltage:
        _log.warning(
            "the power supply gives the computer too little voltage; use the one made for it"
        )
    elif before.undervoltage and now.undervoltage is False:
        _log.warning("the power supply gives enough voltage again")
