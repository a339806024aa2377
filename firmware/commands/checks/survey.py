"""All checks of a computer and of what runs on it, in the order in which people read."""

from datetime import datetime

from firmware.commands.checks.boot import check_boot, check_limits
from firmware.commands.checks.check import AS_ROOT, Check, Examined, unknown, wrong
from firmware.commands.checks.computer import check_clock, check_disk, check_sensors
from firmware.commands.checks.permissions import (
    User,
    check_devices,
    check_folder,
    check_groups,
    check_settings_file,
    check_ways,
)
from firmware.commands.checks.services import (
    TableAnswer,
    check_address,
    check_name,
    check_page,
    check_table,
    check_units,
)
from firmware.machine.accounts import account, calling_account
from firmware.machine.computer import Computer
from firmware.machine.units import NAME_SERVICE, PAGE, TABLE, Unit, units

_SERVICE_USER = "cornerlight"
"""User of the table where systemd tells none; `systemd/cornerlight.sysusers` creates it."""


def survey(computer: Computer, examined: Examined, table: TableAnswer) -> list[Check]:
    """Checks the computer and its services.

    Args:
        computer: the computer.
        examined: the settings to check, and their table.
        table: the answer of the table.
    """
    settings, places, is_served = examined.settings, examined.places, examined.is_served
    there = units(computer) if is_served else {}
    unit = there.get(TABLE)
    checks: list[Check | None] = [
        *check_sensors(computer),
        check_clock(computer, datetime.now().astimezone()),
        check_disk(computer, places.folder),
        check_boot(computer, settings.lights),
        check_limits(computer) if is_served else None,
        *_permissions(computer, examined, unit),
        *(check_units(there) if is_served else ()),
        check_table(places, table, unit),
        check_page(settings.page) if _is_active(there.get(PAGE)) else None,
        check_address(settings.page, is_served=is_served),
        check_name(computer, there.get(NAME_SERVICE), settings.page.port) if is_served else None,
    ]
    return [check for check in checks if check is not None]


def _permissions(computer: Computer, examined: Examined, unit: Unit | None) -> list[Check | None]:
    """Checks the rights of the user that runs the table."""
    settings, user = examined.settings, User(calling_account())
    if examined.is_served:
        name = (unit and unit.user) or _SERVICE_USER
        own = account(computer, name)
        if own is None:
            found = f"there is no user {name}, who runs the table"
            return [wrong("groups", found, "sudo systemd-sysusers")]
        if unit is None:
            found = f"systemd does not tell in which groups {name} runs the table"
            return [unknown("groups", found, AS_ROOT)]
        user = User(own.with_groups(computer, (unit.group, *unit.groups)), unit)
    return [
        check_settings_file(computer, examined.config, user),
        check_groups(computer, settings, user),
        check_devices(computer, settings, user),
        check_folder(computer, examined.places.folder, user),
        *(check_ways(settings, unit) if unit else ()),
    ]


def _is_active(unit: Unit | None) -> bool:
    return unit is not None and unit.state == "active"
