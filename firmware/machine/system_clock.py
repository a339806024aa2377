"""The clock of the computer: set from the network or not."""

from dataclasses import dataclass

from firmware.machine.computer import Computer


@dataclass(frozen=True, slots=True)
class ClockSource:
    """The sources of the computer's time.

    Attributes:
        synchronised: True if it was set from the network; None if that is not known.
        asks: True if it is to be set from the network; None if that is not known.
        lasts: True unless this is a Raspberry Pi, whose time stops with its power: the clock of a
            Raspberry Pi 5 has no battery of its own.
    """

    synchronised: bool | None
    asks: bool | None
    lasts: bool


def clock_source(computer: Computer) -> ClockSource:
    """Returns the sources of the computer's time."""
    words = ("timedatectl", "show", "-p", "NTPSynchronized", "-p", "NTP")
    rows = (computer.ask(words) or "").splitlines() if computer.has_systemd else []
    properties = dict(row.partition("=")[::2] for row in rows)
    states = {"yes": True, "no": False}
    synchronised = states.get(properties.get("NTPSynchronized", ""))
    if (computer.root / "run" / "systemd" / "timesync" / "synchronized").exists():
        synchronised = True
    asks = states.get(properties.get("NTP", ""))
    return ClockSource(synchronised, asks, lasts=not computer.is_raspberry_pi)
