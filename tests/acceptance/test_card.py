"""A freshly written card, with the folder of a release on it, becomes a table that referees.

It is tried in a container whose network comes late. `make machine` tries it on an emulated arm64
machine whose network comes after ten minutes, whose clock says 1970, and whose power fails in the
middle.
"""

import logging
import os
import platform
import re
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Final
from urllib.request import urlopen

import pytest
from card import PYTHON

from tests.acceptance.test_machine import PATIENCE, SLOWNESS, shown, step
from tests.support.container import booted as booted_container
from tests.support.container import no_container
from tests.support.emulated_machine import EmulatedMachine, booted, no_machine
from tests.support.free_port import free_port
from tests.support.fresh_network import packages_served, time_served
from tests.support.installed_release import InstalledRelease, built_release
from tests.support.phones import PagePhone
from tests.support.shared_shell import MachineError, SharedShell
from tests.support.waiting import eventually
from tests.support.written_card import INSTANCE, NAME, SEED, USER, WRITTEN, write_card

ASKED: Final = "CORNERLIGHT_MACHINE" in os.environ
REASON: Final = no_machine() if ASKED else "an hour of emulation; make machine runs it"

NO_CONTAINER: Final = no_container()

AWAY_S: Final = 600.0
"""Seconds without a network."""

HOST: Final = "127.0.0.1"
"""Address of the servers of packages and time."""

HOST_SEEN: Final = "10.0.2.2"
"""The same in the emulated machine."""

NUMBER: Final = re.compile(r"\b\d{4} \d{4} \d{4}\b")
"""A number that pairs a phone."""

_log = logging.getLogger(__name__)


NEVER: Final = "[Unit]\nConditionPathExists=!/\n"
"""Keeps a unit from its work: compiling the player would take hours here."""

FILES: Final = {
    "etc/systemd/timesyncd.conf.d/host.conf": f"[Time]\nNTP={HOST_SEEN}\n",
    "etc/systemd/system/cornerlight-table.service.d/patience.conf": PATIENCE,
    "etc/systemd/system/cornerlight-warm.service.d/never.conf": NEVER,
}
"""Files of the machine that a Raspberry Pi has not."""


CABLE: Final = "cornercard"
"""End of the container's network cable in this machine."""

OUTSIDE, INSIDE = "192.168.217.1", "192.168.217.2"
"""Addresses of both ends."""

IN_CONTAINER: Final = {
    "etc/systemd/network/05-eth0.network": (
        f"[Match]\nName=eth0\n[Network]\nAddress={INSIDE}/24\nGateway={OUTSIDE}\n"
    ),
    # The container has the clock of this machine.
    "etc/tmpfiles.d/time.conf": "f /run/systemd/timesync/synchronized\n",
    "etc/systemd/system/cornerlight-warm.service.d/never.conf": NEVER,
}
"""Files of a container that a Raspberry Pi has not."""


@pytest.mark.skipif(bool(NO_CONTAINER), reason=NO_CONTAINER or "containers can be started")
def test_a_card_becomes_a_table(tmp_path: Path) -> None:
    _, card = built_release(tmp_path / "release", platform.machine(), PYTHON)
    with ExitStack() as stack:
        source = stack.enter_context(packages_served(tmp_path / "packages", ""))
        files = {**SEED, **IN_CONTAINER, "etc/apt/sources.list": source.format(OUTSIDE)}

        def prepare(root: Path) -> None:
            write_card(root / "boot" / "firmware", card)
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            wanted = root / "etc/systemd/system/multi-user.target.wants"
            unit = Path("/usr/lib/systemd/system/systemd-networkd.service")
            (wanted / unit.name).symlink_to(unit)

        words = (f"--network-veth-extra={CABLE}:eth0", INSTANCE)
        more = ("avahi-daemon", "cloud-init")
        try:
            container = stack.enter_context(
                booted_container("trixie", tmp_path, more, prepare, words)
            )
        except MachineError as error:
            pytest.skip(str(error))
        eventually(lambda: "no network yet" in issue(container), 150, 1)
        assert not container.done("ls /opt")
        subprocess.run(["ip", "address", "add", f"{OUTSIDE}/24", "dev", CABLE], check=True)
        subprocess.run(["ip", "link", "set", CABLE, "up"], check=True)
        seen: list[str] = []
        eventually(lambda: look(seen) == "score page", 400, 0.2)
        container.restarts(60)
        assert [*dict.fromkeys(seen)][-3:] == ["5", "6", "score page"]
        has_what_it_needs(container)
        log = container.done("journalctl --boot --unit=cornerlight-first-boot")
        assert "step" not in log, "the next start installs nothing"


def look(seen: list[str]) -> str:
    """Notes and returns at which step the page is, or that it is the score page."""
    try:
        with urlopen(f"http://{INSIDE}:8000/", timeout=2) as reply:
            seen.append(reply.headers["Cornerlight-Step"] or "score page")
    except OSError:
        return ""
    return seen[-1]


def issue(shell: SharedShell) -> str:
    """Returns the text above the question for a user's name."""
    return shell.run("cat /run/issue.d/cornerlight.issue")[1]


@pytest.mark.skipif(bool(REASON), reason=REASON)
def test_a_card_becomes_a_refereed_move(tmp_path: Path) -> None:
    release, card = built_release(tmp_path / "release", "aarch64", PYTHON)
    port = free_port()
    with ExitStack() as stack:
        source = stack.enter_context(packages_served(tmp_path / "packages", HOST))
        files = {**FILES, "etc/apt/sources.list": source.format(HOST_SEEN)}
        machine = stack.enter_context(booted(tmp_path, port, card, **files))
        waits_for_a_network(machine)
        stack.enter_context(time_served(HOST))
        begins_anew_after_a_power_cut(machine, port)
        with step("it is installed, and restarts once"):
            machine.restarts(1200)
            machine.answers()
        with step("what the owner chose in Imager stays"):
            has_what_it_needs(machine)
        installed = InstalledRelease(machine, release, port, SLOWNESS)
        stack.enter_context(shown(machine, installed))
        with step("the camera is found, and a picture becomes a page"):
            machine.plug()
            installed.goes_on()
        with step("a phone is paired by the number on the screen"):
            pairs_by_the_screen(machine, port)
        with step("a piece is laid, and refereed"):
            installed.lay()
        with step("the next start installs nothing"):
            machine.cut_power()
            machine.switch_on()
            machine.answers()
            machine.plug()
            installed.goes_on()
            log = machine.done("journalctl --boot --unit=cornerlight-first-boot")
            assert "step" not in log
            assert len(machine.done("ls /opt/cornerlight/releases").split()) == 1


def waits_for_a_network(machine: EmulatedMachine) -> None:
    """Without a network nothing is installed, and the screen says why."""
    machine.plug_network("off")
    with step("the machine starts without a network"):
        machine.answers()
    with step("no network for ten minutes, and the screen says so"):
        eventually(lambda: "There is no network yet" in machine.screen(), 400, 5)
        _log.info("%s", machine.screen())
        time.sleep(AWAY_S)
        assert is_late(machine)
        assert not machine.done("ls /opt")


def is_late(machine: EmulatedMachine) -> bool:
    """True if the clock of the machine is a day behind, as systemd's own least time is."""
    return int(machine.done("date +%s")) < time.time() - 86400


def begins_anew_after_a_power_cut(machine: EmulatedMachine, port: int) -> None:
    """The network comes, and the power fails while the program is installed."""
    with step("the network comes, and the time, and packages"):
        machine.plug_network("on")
        eventually(lambda: "now>installing the program" in steps(port), 400, 1)
        assert not is_late(machine)
        _log.info("%s", machine.screen())
    with step("the power fails in the middle, and it begins anew"):
        venv = "ls /opt/cornerlight/releases/0001-*/venv/lib"
        eventually(lambda: machine.run(venv)[0] == 0, 200, 1)
        assert machine.run("ls /opt/cornerlight/current")[0] != 0
        machine.cut_power()
        machine.switch_on()
        machine.answers()


def has_what_it_needs(machine: SharedShell) -> None:
    """Name and user are those of Imager, one release is there, and the camera's library."""
    assert machine.done("hostname") == NAME
    machine.done(f"id {USER} && ls /chosen")
    current = Path(machine.done("readlink /opt/cornerlight/current")).name
    assert machine.done("ls /opt/cornerlight/releases") == current
    machine.done("python3 -c 'import picamera2'")
    assert machine.run("ls /var/tmp/cornerlight-card")[0] != 0
    assert "spidev.bufsiz" in machine.done("cat /boot/firmware/cmdline.txt")
    before = machine.done("cat /boot/firmware/cmdline.txt.before-cornerlight")
    assert before == WRITTEN["cmdline.txt"].strip()


def pairs_by_the_screen(machine: EmulatedMachine, port: int) -> None:
    """The number stands on the screen alone."""
    eventually(lambda: NUMBER.search(machine.screen()), 60 * SLOWNESS, 5)
    _log.info("%s", machine.screen())
    number = NUMBER.search(machine.screen())
    assert number
    assert number[0] not in machine.done("journalctl")
    PagePhone(port, 1).pair(number[0])


def steps(port: int) -> str:
    """Returns the page of the steps; empty while nothing answers."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/", timeout=10) as reply:
            page: str = reply.read().decode()
    except OSError:
        return ""
    return page
