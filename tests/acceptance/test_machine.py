"""A release on an emulated arm64 machine, with Debian's kernel, a camera, buttons and LEDs.

`make machine` runs it: it takes the better part of an hour, which is why nothing else does.
"""

import logging
import os
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.support import refused_devices
from tests.support.emulated_machine import (
    EmulatedMachine,
    booted,
    no_machine,
)
from tests.support.installed_release import InstalledRelease, unpacked_release
from tests.support.shared_shell import SHARED, MachineError
from tests.support.waiting import eventually

ASKED: Final = "CORNERLIGHT_MACHINE" in os.environ
REASON: Final = no_machine() if ASKED else "half an hour of emulation; make machine runs it"
pytestmark = pytest.mark.skipif(bool(REASON), reason=REASON)

SLOWNESS: Final = 20.0
"""How many times as long as a PC the emulated machine may take."""

SETTINGS: Final = """
[game]
turn_end = "button"
[camera]
source = "/dev/video0"
[lights]
driver = "spi"
[buttons]
driver = "gpiozero"
"""

PINS: Final = (5, 6)
"""Default pins of the buttons, in the order of play."""

PATIENCE: Final = """
[Service]
WatchdogSec=300
TimeoutStartSec=600
TimeoutStopSec=200
Environment=OPENCV_FOR_THREADS_NUM=1
"""
"""Limits for a machine that is slower than every Raspberry Pi, whose two processors wait for each
other longer than they work together."""

NEVER: Final = "[Unit]\\nConditionPathExists=!/\\n"
"""Keeps a unit from its work: compiling the player would take hours here."""

PRESSED_S: Final = 0.3

_log = logging.getLogger(__name__)


class MachineAtTheTable:
    """The machine, its table, its camera, its buttons and its LEDs."""

    def __init__(self, machine: EmulatedMachine, installed: InstalledRelease) -> None:
        self._machine: Final = machine
        self._installed: Final = installed

    def is_installed(self) -> None:
        """Installs the release for the devices of this machine."""
        dropin = "/etc/systemd/system/cornerlight-table.service.d"
        self._machine.done(f"mkdir -p /etc/cornerlight {dropin}")
        (self._machine.shared / "table.toml").write_text(SETTINGS)
        (self._machine.shared / "patience.conf").write_text(PATIENCE)
        self._machine.done(f"cp {SHARED}/table.toml /etc/cornerlight")
        self._machine.done(f"cp {SHARED}/patience.conf {dropin}")
        never = "/etc/systemd/system/cornerlight-warm.service.d"
        self._machine.done(f"mkdir {never}; printf '{NEVER}' >{never}/never.conf")
        status, output = self._installed.install()
        assert status == 0, output
        assert "restart the machine once" in output
        assert "dtparam=spi=on" in self._machine.done("cat /boot/firmware/config.txt")

    def says(self, code: str) -> None:
        """Waits for a state of the page."""
        eventually(lambda: self._installed.page()["state"]["code"] == code, 60 * SLOWNESS)

    def lights_its_leds(self) -> None:
        """The edge of the player to move is lit."""
        before = self._machine.spi_bytes()
        eventually(lambda: self._machine.spi_bytes() > before, 10 * SLOWNESS)

    def refusals(self) -> list[str]:
        """Asks the drivers for what these devices refuse, a line each; the table is stopped."""
        script = Path(refused_devices.__file__)
        shutil.copy(script, self._machine.shared)
        python = "/opt/cornerlight/current/venv/bin/python"
        asked = f"cd $(mktemp -d) && LG_WD=$PWD {python} {SHARED}/{script.name}"
        within_s = 60 * SLOWNESS
        answers = self._machine.done(f"{asked} busy", within_s)
        self._machine.done("systemctl stop cornerlight-table", within_s)
        answers += "\n" + self._machine.done(f"{asked} free", within_s)
        answers += "\n" + self._machine.done(f"su -s /bin/sh nobody -c '{asked} others'", within_s)
        return [line for line in answers.splitlines() if line.startswith("|")]

    def press(self, person: int) -> None:
        """Presses a person's button."""
        self._machine.press(PINS[person])
        time.sleep(PRESSED_S)
        self._machine.release(PINS[person])


@contextmanager
def shown(machine: EmulatedMachine, installed: InstalledRelease) -> Iterator[None]:
    """Shows the camera of the machine a new picture of the table twice a second."""
    ends = threading.Event()

    def show() -> None:
        while not ends.wait(0.5):
            machine.show(installed.picture())

    thread = threading.Thread(target=show)
    thread.start()
    try:
        yield
    finally:
        ends.set()
        thread.join()


@contextmanager
def step(name: str) -> Iterator[None]:
    """Logs the seconds that a step took."""
    begun = time.monotonic()
    yield
    _log.info("%5.0f s  %s", time.monotonic() - begun, name)


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpacked_release(tmp_path_factory.mktemp("release"), "aarch64")


def test_from_an_empty_machine_to_a_refereed_game_and_back(release: Path, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    with ExitStack() as stack:
        with step("the machine is built, and boots"):
            try:
                machine = stack.enter_context(booted(tmp_path, port))
            except MachineError as error:
                pytest.skip(str(error))
        installed = InstalledRelease(machine, release, port, SLOWNESS)
        table = MachineAtTheTable(machine, installed)
        installed.end_turn = table.press
        stack.enter_context(shown(machine, installed))
        with step("make install"):
            table.is_installed()
        with step("what the devices refuse"):
            refused = table.refusals()
            for line in refused:
                _log.info("%s", line)
            assert len(refused) == sum(map(len, refused_devices.ASKED.values()))
            assert not [line for line in refused if "not refused" in line]
        with step("a picture of the camera becomes a page"):
            machine.plug()
            machine.done("systemctl start --no-block cornerlight-table")
            installed.goes_on()
        with step("bytes leave for the LEDs"):
            table.lights_its_leds()
        with step("a button ends a turn"):
            installed.lay()
        with step("the camera is pulled out, and the page says so"):
            machine.unplug()
            table.says("camera-away")
        with step("the camera is back, and the game goes on"):
            machine.plug()
            installed.goes_on()
            installed.lay()
        with step("the rights are narrow, and a phone is paired"):
            installed.systemd_finds_nothing_to_say()
            installed.rights_are_narrow()
            installed.a_phone_can_be_paired()
        with step("a hang is ended, and the game goes on"):
            installed.a_hang_ends_no_game()
        with step("an update, and the game goes on"):
            installed.an_update_ends_no_game()
        with step("a rollback, and the game goes on"):
            installed.a_rollback_ends_no_game()
        with step("removed; games and settings stay"):
            installed.nothing_but_games_stays()
            assert "cornerlight" not in machine.done("cat /boot/firmware/config.txt")
