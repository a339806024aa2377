"""Checks of how phones reach the score page: by an address, and by a name."""

import platform
import re

from firmware.commands.checks.check import Check, fine, unknown, wrong
from firmware.commands.network import is_loopback, missing_address, page_urls
from firmware.machine.computer import Computer
from firmware.machine.units import NAME_SERVICE, Unit
from firmware.settings import PageSettings


def check_address(settings: PageSettings, *, is_served: bool) -> Check:
    """Checks that phones can reach this computer.

    Args:
        settings: the page of the settings.
        is_served: True if a service serves the page here. Elsewhere a computer without a network
            is fine.
    """
    urls = page_urls(settings.host, settings.port)
    if urls:
        return fine("address", " or ".join(urls))
    why = missing_address(settings.host)
    if not is_served:
        return fine("address", f"none now: {why}")
    if is_loopback(settings.host) or "page.host" in why:
        remedy = "sudoedit /etc/cornerlight/table.toml"
    else:
        remedy = "sudo nmtui"
    return wrong("address", why, remedy)


def check_name(computer: Computer, unit: Unit | None, port: int) -> Check:
    """Checks that the network is told the computer's name.

    Args:
        computer: the computer.
        unit: the service that tells it; None if systemd did not answer.
        port: port of the page.
    """
    if unit is None:
        return unknown("name", f"systemd does not tell if {NAME_SERVICE} runs")
    if not unit.is_there:
        found = "none, as avahi-daemon is not installed; phones take the address"
        return fine("name", found)
    if unit.state != "active":
        found = f"avahi-daemon, which tells it to the network, is {unit.state}"
        return wrong("name", found, f"sudo systemctl enable --now {NAME_SERVICE}")
    bus = ("org.freedesktop.Avahi", "/", "org.freedesktop.Avahi.Server", "GetHostNameFqdn")
    published = re.search('"(.+)"', computer.ask(("busctl", "call", *bus)) or "")
    if published is None:
        name = platform.node().partition(".")[0]
        return unknown("name", f"avahi-daemon runs and does not tell it; try {name}.local")
    return fine("name", f"http://{published[1]}:{port}/")
