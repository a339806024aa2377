"""Checks of what the user of the table may do: read the settings, use devices, write the games."""

import ipaddress
import shlex
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from stat import S_IMODE
from typing import Final
from urllib.parse import urlsplit

from firmware.cameras.network_address import is_in_network, with_scheme
from firmware.commands.checks.boot import needs_spi
from firmware.commands.checks.check import AS_ROOT, Check, fine, unknown, wrong
from firmware.machine.accounts import READ, SEARCH, WRITE, Account, groups
from firmware.machine.computer import Computer, is_there
from firmware.machine.device_nodes import PATTERNS, nodes
from firmware.machine.units import TABLE, Unit
from firmware.settings import Settings

_RULES: Final = "/etc/udev/rules.d/60-cornerlight.rules"
"""Rules of an installation that give devices to groups."""

_WAY: Final = (
    "sudo sh -c 'cd /etc/systemd/system && mkdir -p cornerlight-table.service.d && "
    'sed "s/^IPAddressAllow=.*/IPAddressAllow={addresses}/" '
    "/opt/cornerlight/current/systemd/network-camera.conf "
    "> cornerlight-table.service.d/network-camera.conf && "
    "systemctl daemon-reload && systemctl restart cornerlight-table'"
)
"""Command that lets the service reach some addresses, and no others."""

_Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_PERIPHERALS: Final = {"media*", "dma_heap/*"}
"""Devices that only the camera of a Raspberry Pi needs."""


@dataclass(frozen=True, slots=True)
class User:
    """The user that runs the table.

    Attributes:
        account: the user with all groups.
        unit: the unit of an installed table; None where a person starts the table.
    """

    account: Account
    unit: Unit | None = None


def check_groups(computer: Computer, settings: Settings, user: User) -> Check:
    """Checks that the user is in the groups of the devices of the settings."""
    account, there = user.account, groups(computer)
    if user.unit is not None:
        missing = [name for name in user.unit.groups if name not in there]
        if missing:
            found = f"there is no group {' and no '.join(missing)}, so {TABLE} cannot start"
            return wrong("groups", found, "sudo systemd-sysusers")
    lacking = [
        group
        for group in sorted({PATTERNS[one] for one in _needed(computer, settings)})
        if group in there and there[group] not in account.gids
        if not _may_use(computer, settings, account, group)
    ]
    if lacking and account.uid:
        again = f" && sudo systemctl restart {TABLE}" if user.unit else "; then log in again"
        command = f"sudo usermod -aG {','.join(lacking)} {account.name}{again}"
        return wrong("groups", f"{account.name} is not in {', '.join(lacking)}", command)
    own = [name for name in sorted(set(PATTERNS.values())) if there.get(name) in account.gids]
    if account.uid == 0:
        return fine("groups", "root needs none")
    return fine("groups", f"{account.name} is in {', '.join(own) or 'no group of devices'}")


def check_devices(computer: Computer, settings: Settings, user: User) -> Check:
    """Lists the devices of a table, and checks that their groups may use them.

    Devices that the settings do not need are listed only. One that is missing is told where it is
    used: by the checks of camera, lights and buttons, and of the boot configuration.
    """
    there = groups(computer)
    for pattern in _needed(computer, settings):
        group = PATTERNS[pattern]
        for path in nodes(computer, pattern):
            if _is_given(path, there.get(group)):
                continue
            if user.account.may(path, READ | WRITE) is False:
                device = f"/dev/{path.relative_to(computer.root / 'dev')}"
                found = (
                    f"{user.account.name} may not use {device}, which is not given to group {group}"
                )
                return wrong("devices", found, _given(computer, device, group))
    listed = [(one, _listed(one, nodes(computer, one), there)) for one in PATTERNS]
    lacking = [one for one, text in listed if not text and one not in _PERIPHERALS]
    rights = ", ".join(text for _, text in listed if text)
    none = f"no {', no '.join(f'/dev/{one}' for one in lacking)}" if lacking else ""
    return fine("devices", "; ".join(filter(None, (rights, none))))


def check_settings_file(computer: Computer, path: Path | None, user: User) -> Check:
    """Tells which settings are checked, and checks that the user may read them."""
    if path is None:
        return fine("settings", "the defaults, as there is no file of an installation")
    place = computer.at(path)
    is_open = user.account.may(place, READ) and user.account.reaches(computer, place)
    if user.unit is not None and not is_open:
        command = f"sudo chgrp {user.unit.group} {path} && sudo chmod 640 {path}"
        return wrong("settings", f"{user.account.name} may not read {path}", command)
    return fine("settings", f"those in {path}")


def check_folder(computer: Computer, folder: Path, user: User) -> Check:
    """Checks that the user may write the files of the table."""
    seen = is_there(computer.at(folder))
    if seen is None:
        return unknown("folder", f"this user may not look for {folder}", AS_ROOT)
    if seen:
        return _files(computer, folder, user)
    if user.unit is None:
        return fine("folder", f"{folder} is not there yet")
    owner = f"-o {user.account.name} -g {user.unit.group}"
    command = f"sudo install -d {owner} -m 700 {_quoted(folder)}"
    return wrong("folder", f"there is no {folder}", command)


def _files(computer: Computer, folder: Path, user: User) -> Check:
    """Checks the rights to a folder that is there, and to each of its files."""
    account, place = user.account, computer.at(folder)
    owner = f"{account.name}:{user.unit.group if user.unit else ''}"
    mend = f"sudo chown -R {owner} {_quoted(folder)} && sudo chmod -R u+rwX {_quoted(folder)}"
    if account.may(place, READ | WRITE | SEARCH) is False:
        return wrong("folder", f"{account.name} may not write in {folder}", mend)
    try:
        files = sorted(path for path in place.iterdir() if path.is_file())
    except OSError:
        return unknown("folder", f"this user may not look into {folder}", AS_ROOT)
    blocked = next((path for path in files if account.may(path, READ | WRITE) is False), None)
    if blocked is not None:
        return wrong("folder", f"{account.name} may not write {folder / blocked.name}", mend)
    return fine("folder", f"{account.name} may write in {folder}")


def check_ways(settings: Settings, unit: Unit) -> list[Check]:
    """Checks that the service may reach the camera and the lights that are in the network.

    Args:
        settings: all settings.
        unit: the unit of the table.
    """
    hosts = dict(_hosts(settings))
    addresses = {what: _address_of(host) for what, host in hosts.items()}
    known = [address for address in addresses.values() if address is not None]
    way = _WAY.format(addresses=" ".join(map(str, known)))
    return [_way(what, address, unit, way) for what, address in addresses.items()]


def _hosts(settings: Settings) -> Iterator[tuple[str, str]]:
    """Yields what of a table is in the network, with its name or address."""
    if is_in_network(settings.camera.source):
        yield "camera", with_scheme(settings.camera.source)
    if settings.lights.driver == "wled":
        yield "lights", f"http://{settings.lights.device}/"


def _address_of(url: str) -> _Address | None:
    """Returns the address of a device; None if it is not found in this network."""
    try:
        host = urlsplit(url).hostname
        return ipaddress.ip_address(socket.gethostbyname(host) if host else "")
    except (OSError, ValueError):
        return None


def _way(what: str, address: _Address | None, unit: Unit, remedy: str) -> Check:
    name = f"way to the {what}"
    if address is None:
        return unknown(name, f"the address of the {what} is not found in this network")
    try:
        networks = [ipaddress.ip_network(one, strict=False) for one in unit.reaches]
    except ValueError:
        return unknown(name, f"systemd does not tell which addresses {TABLE} may reach")
    if unit.has_network and any(address in one for one in networks):
        return fine(name, f"the service may reach {address}")
    return wrong(name, f"the service may not reach the {what} at {address}", remedy)


def _needed(computer: Computer, settings: Settings) -> Iterator[str]:
    """Yields the patterns of the devices that the settings need."""
    if needs_spi(settings.lights):
        yield "spidev*"
    if settings.lights.driver == "ws2812-pio":
        yield "leds*"
    if settings.buttons.driver != "none":
        yield "gpiochip*"
    source = settings.camera.source
    if source in ("auto", "picamera2") or source.isdecimal() or source.startswith("/dev/"):
        yield "video*"
        if computer.is_raspberry_pi and source in ("auto", "picamera2"):
            yield from sorted(_PERIPHERALS)


def _may_use(computer: Computer, settings: Settings, account: Account, group: str) -> bool:
    """True if the user may use every device of a group that is needed, as by an access list."""
    found = [
        path
        for one in _needed(computer, settings)
        if PATTERNS[one] == group
        for path in nodes(computer, one)
    ]
    # A laptop without a camera needs no group.
    return all(account.may(path, READ | WRITE) is not False for path in found)


def _listed(pattern: str, paths: list[Path], there: dict[str, int]) -> str:
    """Returns devices in words, with group and rights of the first; empty if there are none."""
    folder = "/dev/dma_heap/" if pattern.startswith("dma_heap") else "/dev/"
    try:
        status = paths[0].stat()
    except (IndexError, OSError):
        return ""
    group = next((name for name, gid in there.items() if gid == status.st_gid), str(status.st_gid))
    names = ", ".join(folder + path.name for path in paths)
    if len(paths) > 2:
        names = f"{folder}{paths[0].name} to {paths[-1].name}"
    return f"{names} ({group} {S_IMODE(status.st_mode):o})"


def _is_given(path: Path, gid: int | None) -> bool:
    """True if a device belongs to a group that may use it, or is gone by now."""
    try:
        status = path.stat()
    except OSError:
        return True
    return status.st_gid == gid and status.st_mode & 0o060 == 0o060


def _given(computer: Computer, device: str, group: str) -> str:
    """Returns the command that gives a device to its group."""
    if computer.at(_RULES).exists():
        return "sudo udevadm control --reload && sudo udevadm trigger"
    return f"sudo chgrp {group} {device} && sudo chmod g+rw {device}"


def _quoted(path: Path) -> str:
    return shlex.quote(str(path))
