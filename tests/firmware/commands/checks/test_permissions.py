"""The rights of the user that runs the table: of an installed service, and of a person.

The files belong to the user of this test; the user in question is another one.
"""

import os
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from firmware.assembly.table_places import INSTALLED
from firmware.commands.checks.check import AS_ROOT, Check, fine
from firmware.commands.checks.permissions import (
    User,
    check_devices,
    check_folder,
    check_groups,
    check_settings_file,
    check_ways,
)
from firmware.machine.accounts import Account, account, calling_account
from firmware.machine.units import TABLE, Unit, units
from firmware.settings import CameraSettings, LightsSettings, Settings, parse
from tests.conftest import ROOT
from tests.support.stand_in_computer import StandInComputer

STATE = Path("/var/lib/cornerlight")
LIT = parse({"lights": {"driver": "spi"}, "buttons": {"driver": "gpiozero"}})
MEND = (
    "sudo chown -R cornerlight:cornerlight /var/lib/cornerlight"
    " && sudo chmod -R u+rwX /var/lib/cornerlight"
)


@pytest.fixture
def pi(tmp_path: Path) -> StandInComputer:
    tmp_path.chmod(0o755)
    return StandInComputer(tmp_path)


def unit(pi: StandInComputer) -> Unit:
    return units(pi.computer)[TABLE]


def service(pi: StandInComputer) -> User:
    """The user of the installed service, with the groups of its unit."""
    own = account(pi.computer, "cornerlight")
    assert own is not None
    return User(own.with_groups(pi.computer, unit(pi).groups), unit(pi))


def owner(pi: StandInComputer) -> User:
    """The user of the installed service, who has the files of this test."""
    return User(Account("cornerlight", os.geteuid()), unit(pi))


def person(*gids: int) -> User:
    return User(Account("ann", 4242, frozenset(gids)))


def groups(pi: StandInComputer, user: User, settings: Settings = LIT) -> Check:
    return check_groups(pi.computer, settings, user)


def devices(pi: StandInComputer, user: User, settings: Settings = LIT) -> Check:
    return check_devices(pi.computer, settings, user)


def test_the_groups_of_the_unit_are_those_of_the_service(pi: StandInComputer) -> None:
    assert groups(pi, service(pi)).found == "cornerlight is in gpio, spi, video"
    assert groups(pi, service(pi)).fine is True


def test_a_group_that_is_gone_keeps_the_service_from_starting(pi: StandInComputer) -> None:
    pi.write("etc/group", "gpio:x:986:\nvideo:x:44:\ncornerlight:x:990:\n")
    check = groups(pi, service(pi))
    assert (check.fine, check.remedy) == (False, "sudo systemd-sysusers")
    assert check.found.startswith("there is no group spi, so ")


def test_a_person_in_none_of_the_groups_is_told_the_command(pi: StandInComputer) -> None:
    pi.write("dev/gpiochip0", "").chmod(0o660)
    (pi.root / "dev/spidev0.0").chmod(0o660)
    check = groups(pi, person())
    assert (check.fine, check.found) == (False, "ann is not in gpio, spi")
    assert check.remedy == "sudo usermod -aG gpio,spi ann; then log in again"
    assert groups(pi, person(986, 989)).found == "ann is in gpio, spi"


def test_a_person_whose_settings_need_no_device_needs_no_group(pi: StandInComputer) -> None:
    assert groups(pi, person(), Settings()).fine is True
    pi.write("dev/video0", "").chmod(0o660)
    assert groups(pi, person(), Settings()).remedy.startswith("sudo usermod -aG video ann")
    (pi.root / "dev/video0").chmod(0o666)
    assert groups(pi, person(), Settings()).fine is True, "everybody may use it"


def test_devices_are_listed_with_those_that_are_missing(pi: StandInComputer) -> None:
    pi.write("etc/group", f"spi:x:{os.getegid()}:\n")
    for number in (10, 2, 0):
        pi.write(f"dev/video{number}", "").chmod(0o640)
    (pi.root / "dev/spidev0.0").chmod(0o660)
    found = devices(pi, person(), parse({"camera": {"source": "x.mp4"}}))
    assert found.fine is True
    assert found.found == (
        "/dev/spidev0.0 (spi 660), /dev/video0 to video10 (spi 640); "
        "no /dev/gpiochip*, no /dev/leds*"
    )


def test_a_device_of_another_group_is_given_to_its_own(pi: StandInComputer) -> None:
    (pi.root / "dev/spidev0.0").chmod(0o600)
    check = devices(pi, service(pi))
    assert check.fine is False
    assert check.found.startswith("cornerlight may not use /dev/spidev0.0, ")
    assert check.remedy == "sudo chgrp spi /dev/spidev0.0 && sudo chmod g+rw /dev/spidev0.0"
    pi.write("etc/udev/rules.d/60-cornerlight.rules", "")
    again = "sudo udevadm control --reload && sudo udevadm trigger"
    assert devices(pi, service(pi)).remedy == again
    assert devices(pi, service(pi), Settings()).fine is True, "the settings do not need it"


def test_settings_that_the_service_may_not_read_are_wrong(pi: StandInComputer) -> None:
    file = pi.root / "etc/cornerlight/table.toml"
    file.chmod(0o600)
    check = check_settings_file(pi.computer, INSTALLED, service(pi))
    assert (check.fine, check.remedy) == (
        False,
        f"sudo chgrp cornerlight {INSTALLED} && sudo chmod 640 {INSTALLED}",
    )
    file.chmod(0o644)
    file.parent.chmod(0o700)
    assert check_settings_file(pi.computer, INSTALLED, service(pi)).fine is False
    # The mask of new files may be narrow here.
    for folder in (file.parent, file.parent.parent, pi.root):
        folder.chmod(0o755)
    assert check_settings_file(pi.computer, INSTALLED, service(pi)).found == f"those in {INSTALLED}"
    assert check_settings_file(pi.computer, None, person()).found.startswith("the defaults")


def test_a_folder_that_the_service_may_not_write_is_mended_by_one_command(
    pi: StandInComputer,
) -> None:
    check = check_folder(pi.computer, STATE, service(pi))
    assert (check.fine, check.remedy) == (False, MEND)
    journal = pi.write("var/lib/cornerlight/journal.jsonl", "")
    (pi.root / "var/lib/cornerlight").chmod(0o777)
    journal.chmod(0o600)
    check = check_folder(pi.computer, STATE, service(pi))
    assert check.found == "cornerlight may not write /var/lib/cornerlight/journal.jsonl"
    assert check.remedy == MEND
    assert check_folder(pi.computer, STATE, owner(pi)).fine is True


def test_a_folder_that_is_gone_is_wrong_for_a_service_alone(pi: StandInComputer) -> None:
    (pi.root / "var/lib/cornerlight").rmdir()
    remedy = "sudo install -d -o cornerlight -g cornerlight -m 700 /var/lib/cornerlight"
    check = check_folder(pi.computer, STATE, service(pi))
    assert (check.fine, check.remedy) == (False, remedy)
    assert check_folder(pi.computer, STATE, person()).found.endswith("is not there yet")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look into every folder")
def test_a_folder_that_this_user_may_not_see_is_not_known(pi: StandInComputer) -> None:
    (pi.root / "var/lib/cornerlight").chmod(0o300)
    check = check_folder(pi.computer, STATE, User(Account("cornerlight", 4242), unit(pi)))
    assert check.fine is False


def seen_by(source: str) -> Settings:
    return replace(Settings(), camera=CameraSettings(source=source))


CAMERA = "http://ann:hunter2@192.168.1.30:8080/video"


def test_a_camera_in_the_network_needs_a_way_of_the_service(pi: StandInComputer) -> None:
    assert check_ways(seen_by("/dev/video0"), unit(pi)) == []
    pi.units[TABLE] |= {"PrivateNetwork": "no", "IPAddressAllow": "127.0.0.0/8 192.168.1.30/32"}
    assert check_ways(seen_by(CAMERA), unit(pi)) == [
        fine("way to the camera", "the service may reach 192.168.1.30")
    ]
    for properties in ({"PrivateNetwork": "yes"}, {"IPAddressAllow": "192.168.1.31/32"}):
        pi.units[TABLE] |= properties
        (check,) = check_ways(seen_by(CAMERA), unit(pi))
        assert check.fine is False
        assert "s/^IPAddressAllow=.*/IPAddressAllow=192.168.1.30/" in check.remedy
        assert "hunter2" not in check.found + check.remedy


@pytest.mark.parametrize("source", ["http://no.such.host.invalid/", "http://[x/", "rtsp:///"])
def test_a_camera_whose_address_is_not_found_is_not_known(pi: StandInComputer, source: str) -> None:
    (check,) = check_ways(seen_by(source), unit(pi))
    assert check.fine is None


def test_lights_in_the_network_need_a_way_beside_that_of_the_camera(pi: StandInComputer) -> None:
    pi.units[TABLE] |= {"PrivateNetwork": "no", "IPAddressAllow": "192.168.1.30/32"}
    lights = LightsSettings(driver="wled", device="192.168.1.50:80")
    camera, way = check_ways(replace(seen_by(CAMERA), lights=lights), unit(pi))
    assert camera.fine is True
    assert way.found == "the service may not reach the lights at 192.168.1.50"
    assert "s/^IPAddressAllow=.*/IPAddressAllow=192.168.1.30 192.168.1.50/" in way.remedy


def test_the_command_for_the_camera_is_about_the_file_that_is_installed() -> None:
    (line,) = re.findall(
        "(?m)^IPAddressAllow=.*", (ROOT / "systemd/network-camera.conf").read_text()
    )
    assert line == "IPAddressAllow=192.168.1.30"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look into every folder")
def test_a_folder_in_a_closed_one_is_not_known(pi: StandInComputer) -> None:
    (pi.root / "var/lib").chmod(0)
    check = check_folder(pi.computer, STATE, service(pi))
    (pi.root / "var/lib").chmod(0o755)
    assert (check.fine, check.remedy) == (None, AS_ROOT)


def test_the_user_of_this_process_is_known() -> None:
    whoami = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True)
    assert calling_account().name == whoami.stdout.strip()
    assert os.getegid() in calling_account().gids
