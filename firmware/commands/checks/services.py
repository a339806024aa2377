"""Checks of what runs: the units of systemd, the table behind its socket, and the score page.

Then how phones reach the page: by an address, and by a name.
"""

import json
import os
import platform
import re
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPException
from typing import Final

from firmware.assembly.table_places import TablePlaces
from firmware.commands.checks.check import AS_ROOT, Check, fine, unknown, wrong
from firmware.machine.computer import Computer, is_there
from firmware.machine.network import is_loopback, missing_address, page_url, page_urls
from firmware.machine.units import NAME_SERVICE, PAGE, PLAYER, POWER_OFF, TABLE, Unit
from firmware.settings import PageSettings
from web.contract import Page
from web.table_client import TableClient

_ANSWERS_S: Final = 10.0
"""Seconds in which a table sends its page, and a page answers, also on a busy computer."""

_ANY: Final = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}  # noqa: S104, a comparison
"""Address of this computer itself, by the one that stands for each of its addresses."""

_LARGEST: Final = 1 << 24
"""Bytes of a page at most; that of a long game of Classic has under 100,000."""


@dataclass(frozen=True, slots=True)
class TableAnswer:
    """The answer of a table at its socket.

    Attributes:
        runs: True if it serves its socket; None if this user may not ask.
        page: its newest page; None if it sent none.
    """

    runs: bool | None
    page: Page | None = None


def ask_table(places: TablePlaces) -> TableAnswer:
    """Asks the table of a socket for its page."""
    folder = places.socket.parent
    if is_there(folder) is not False and not os.access(folder, os.X_OK):
        return TableAnswer(runs=None)
    if not places.is_running:
        is_closed = is_there(places.socket) and not os.access(places.socket, os.W_OK)
        return TableAnswer(runs=None if is_closed else False)
    with TableClient(places.socket) as link:
        until_s, news = time.monotonic() + _ANSWERS_S, link.news
        while news.page is None and time.monotonic() < until_s:
            news = link.wait(news.serial, until_s - time.monotonic())
    return TableAnswer(runs=True, page=news.page)


def check_table(places: TablePlaces, table: TableAnswer, unit: Unit | None = None) -> Check:
    """Tells if a table runs, and what has failed at it.

    Args:
        places: its places.
        table: its answer.
        unit: the unit that should run it; None where a person starts it.
    """
    if table.runs is None:
        return unknown("table", f"this user may not ask at {places.socket}", AS_ROOT)
    restart = f"sudo systemctl restart {TABLE}" if unit else ""
    if not table.runs:
        if unit is not None and unit.state == "active":
            return wrong("table", f"it runs, and does not answer at {places.socket}", restart)
        found = "none runs"
        if is_there(places.folder):
            found += f"; the files of the last one are in {places.folder}"
        return fine("table", found)
    where = f"one runs; its files are in {places.folder}"
    if table.page is None:
        return wrong("table", f"{where}; it sends no page", restart)
    failed = [
        text
        for is_fine, text in (
            (table.page.saved, "the game is not saved"),
            (table.page.lights, "its lights have failed"),
            (table.page.buttons, "its buttons have failed"),
        )
        if not is_fine
    ]
    if failed:
        return wrong("table", f"{where}; {', '.join(failed)}", restart)
    return fine("table", where)


def check_units(found: dict[str, Unit]) -> list[Check]:
    """Checks the units of an installed table: there, active, started with the computer."""
    if not found:
        return [unknown("services", "systemd does not answer; run it as root", AS_ROOT)]
    return [_unit(found[name]) for name in (TABLE, PAGE, PLAYER, POWER_OFF) if name in found]


def _unit(unit: Unit) -> Check:
    name = unit.name.rpartition(".")[0]
    if not unit.is_there:
        command = "sudo make install, in the folder of a release"
        return wrong(name, "systemd does not know it", command)
    log = f"journalctl -u {unit.name} -n 20"
    if unit.state == "failed" or unit.detail.startswith("auto-restart"):
        found = f"it ended with {unit.result}, after {unit.restarts} starts by systemd"
        return wrong(name, found, f"{log}; then sudo systemctl restart {unit.name}")
    starting = unit.state in ("activating", "reloading")
    if unit.state == "active" or starting:
        again = f", started again {unit.restarts} times, see {log}" if unit.restarts else ""
        if unit.starts_at_boot:
            return fine(name, f"{unit.state}, starts with the computer{again}")
        found = f"{unit.state}, but does not start with the computer{again}"
        return wrong(name, found, f"sudo systemctl enable {unit.name}")
    return wrong(name, unit.state or "gone", f"sudo systemctl enable --now {unit.name}")


def check_page(settings: PageSettings) -> Check:
    """Asks the score page over HTTP, as a phone does."""
    if settings.port == 0:
        return unknown("page", "page.port is 0, any free one, so it cannot be asked")
    # A small system may not know the name localhost.
    host = _ANY.get(settings.host, settings.host)
    address = page_url(host, settings.port)
    restart = f"sudo systemctl restart {PAGE}"
    # A proxy is for other computers.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"{address}page.json", timeout=_ANSWERS_S) as reply:
            answer = json.loads(reply.read(_LARGEST))
    except urllib.error.HTTPError as error:
        if error.code == HTTPStatus.SERVICE_UNAVAILABLE:
            found = f"it answers at {address}, and has no table to show"
            return wrong("page", found, f"sudo systemctl restart {TABLE}")
        answer = None
    except OSError as error:
        cause = getattr(error, "reason", error)
        why = getattr(cause, "strerror", None) or cause
        return wrong("page", f"it does not answer at {address}: {why}", restart)
    except (ValueError, HTTPException):
        answer = None
    if not (isinstance(answer, dict) and "revision" in answer):
        who = f"sudo ss -ltnp 'sport = :{settings.port}' tells which; end it"
        return wrong("page", f"another program answers at {address}", who)
    return fine("page", f"it answers at {address}")


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
