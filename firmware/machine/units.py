"""The units of systemd that belong to an installed table."""

from dataclasses import dataclass
from typing import Final

from firmware.machine.computer import Computer

TABLE: Final = "cornerlight-table.service"
"""Unit of `cornerlight run`, which has the devices and the journal of the table."""

PAGE: Final = "cornerlight-page.service"
"""Unit of `cornerlight page`: the port that phones open."""

POWER_OFF: Final = "cornerlight-power-off.path"
"""Unit that waits for the file by which the table asks to be switched off."""

PLAYER: Final = "cornerlight-player.socket"
"""Unit of the socket at which systemd starts a player when the table connects."""

NAME_SERVICE: Final = "avahi-daemon.service"
"""Unit that tells the computer's name to the network."""

_PROPERTIES: Final = (
    "Id,LoadState,ActiveState,SubState,Result,UnitFileState,NRestarts,User,Group,"
    "SupplementaryGroups,PrivateNetwork,IPAddressAllow"
)
"""Properties that systemd is asked for: one for each attribute of `Unit`, in their order."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit, as systemd sees it.

    Attributes:
        name: name with its kind.
        is_there: True if systemd has read its file.
        state: active, inactive, failed, activating and so on.
        detail: state of its kind, as running, dead, auto-restart.
        result: reason that it ended, as exit-code or watchdog.
        starts_at_boot: True if it starts with the computer.
        restarts: number of starts by systemd itself.
        user: name of its user; empty for root.
        group: name of its group.
        groups: names of the groups that it has besides.
        has_network: False if it sees no network of the computer.
        reaches: addresses and networks that it may reach, where not all.
    """

    name: str
    is_there: bool
    state: str
    detail: str
    result: str
    starts_at_boot: bool
    restarts: int
    user: str
    group: str
    groups: tuple[str, ...]
    has_network: bool
    reaches: tuple[str, ...]


def is_installed(computer: Computer) -> bool:
    """True if a release is installed on a computer that systemd runs."""
    places = ("/etc/systemd/system/" + TABLE, "/opt/cornerlight/current")
    return computer.has_systemd and any(computer.at(one).exists() for one in places)


def units(computer: Computer) -> dict[str, Unit]:
    """Returns the units by their names; empty if systemd does not answer."""
    names = (TABLE, PAGE, PLAYER, POWER_OFF, NAME_SERVICE)
    output = computer.ask(("systemctl", "show", "--no-pager", "-p", _PROPERTIES, *names))
    found = [_unit(block) for block in (output or "").split("\n\n")]
    return {unit.name: unit for unit in found if unit.name in names}


def _unit(block: str) -> Unit:
    properties = dict(row.partition("=")[::2] for row in block.splitlines())
    restarts = properties.get("NRestarts", "")
    return Unit(
        properties.get("Id", ""),
        properties.get("LoadState") == "loaded",
        properties.get("ActiveState", ""),
        properties.get("SubState", ""),
        properties.get("Result", ""),
        properties.get("UnitFileState") in {"enabled", "static", "indirect", "alias"},
        int(restarts) if restarts.isdecimal() else 0,
        properties.get("User", ""),
        properties.get("Group", ""),
        tuple(properties.get("SupplementaryGroups", "").split()),
        properties.get("PrivateNetwork") != "yes",
        tuple(properties.get("IPAddressAllow", "").split()),
    )
