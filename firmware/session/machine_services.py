"""Services of the computer that a table runs on: its heat and supply voltage, its power switch.

The table has no right to switch anything off. Its unit names a file; systemd waits for that file
and does it, see `systemd/cornerlight-power-off.path`.
"""

import logging
from dataclasses import replace
from pathlib import Path
from typing import Final

from firmware.machine.health import celsius, is_hot, undervoltage
from firmware.session.service import ServiceStatus, TableService
from web.contract import Command, MachineStatus, RefusalReason, SwitchOff

_EVERY_S: Final = 10.0
"""Seconds from one look to the next. A look at a stand-in took 0.05 ms of a PC's core."""

POWER_OFF_VARIABLE: Final = "CORNERLIGHT_POWER_OFF"
"""Environment variable that names the file; without it nothing is offered."""

SAID_S: Final = 2.0
"""Seconds until the file is written: every screen has shown by then that the table switches off."""

GIVES_UP_S: Final = 60.0
"""Seconds after which a machine that still runs will not switch off."""

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
        player = status.machine
        status.machine = replace(
            self._status, highest_level=player.highest_level, player_start=player.player_start
        )

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


class PowerSwitch(TableService):
    """Writes the file for which systemd waits.

    All that was played is on the disk at any time, and the table closes as at any other end: the
    request needs no more than the file.

    Args:
        file: the file.
    """

    def __init__(self, file: Path) -> None:
        self._file: Final = file
        self._asked_s: float | None = None
        self._is_written = self._stays_on = False

    def executes(self, command: Command) -> bool:
        """True for the request to switch off."""
        return isinstance(command, SwitchOff)

    def execute(self, _: Command) -> RefusalReason | None:
        """Begins to switch off."""
        self._asked_s, self._is_written, self._stays_on = self.table.now, False, False
        return None

    def poll(self) -> None:
        """Writes the file when everybody has been told."""
        if self._asked_s is None:
            return
        since_s = self.table.now - self._asked_s
        if since_s >= GIVES_UP_S:
            self._give_up("see systemctl status 'cornerlight-power-off.*'")
        elif since_s >= SAID_S and not self._is_written:
            self._is_written = True
            try:
                self._file.touch()
            except OSError as error:
                self._give_up(f"{self._file}: {error.strerror}")

    def _give_up(self, why: str) -> None:
        self._asked_s, self._stays_on = None, True
        _log.error("the machine stays on: %s", why)

    def show(self, status: ServiceStatus) -> None:
        """Offers it, says that the table switches off, or that it did not."""
        status.machine = replace(status.machine, stays_on=self._stays_on)
        status.can_switch_off = self._asked_s is None
        status.is_switching_off = self._asked_s is not None
