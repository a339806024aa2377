"""Checks of the computer, on one that a folder stands in for: fine, wrong, and not known."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from firmware.commands.checks import computer as checks
from firmware.commands.checks.check import Check
from firmware.machine.computer import Computer
from tests.support.stand_in_computer import MODEL, StandInComputer

NOW = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)
STATE = Path("/var/lib/cornerlight")
THROTTLED = ("vcgencmd", "get_throttled")
KERNEL_BITS = "sys/devices/platform/soc/soc:firmware/get_throttled"


@pytest.fixture
def pi(tmp_path: Path) -> StandInComputer:
    return StandInComputer(tmp_path)


@pytest.fixture
def laptop(tmp_path: Path) -> Computer:
    return Computer(tmp_path, lambda _: None)


def clock(pi: StandInComputer, now: datetime = NOW) -> Check:
    return checks.check_clock(pi.computer, now)


def power(pi: StandInComputer) -> Check:
    found, _ = checks.check_sensors(pi.computer)
    return found


def heat(pi: StandInComputer) -> Check:
    _, found = checks.check_sensors(pi.computer)
    return found


def disk(pi: StandInComputer) -> Check:
    return checks.check_disk(pi.computer, STATE)


def test_the_model_and_the_system_are_named(pi: StandInComputer, laptop: Computer) -> None:
    found = checks.check_machine(pi.computer).found
    assert found.startswith(f"{MODEL}, Linux ")
    assert "Debian GNU/Linux 13 (trixie), Python 3." in found
    pi.remove("proc/device-tree/model")
    (pi.root / "proc/device-tree/system").mkdir()
    (pi.root / "proc/device-tree/system/linux,revision").write_bytes(bytes.fromhex("00a02082"))
    named = checks.check_machine(pi.computer).found
    assert named.startswith("Raspberry Pi of revision a02082, ")
    assert pi.computer.is_raspberry_pi


def test_a_laptop_is_no_raspberry_pi_and_has_none_of_its_sensors(laptop: Computer) -> None:
    assert checks.check_machine(laptop).found.startswith("no Raspberry Pi, ")
    assert not checks.check_sensors(laptop)


def test_a_good_supply_is_fine(pi: StandInComputer) -> None:
    assert power(pi).found == "the supply gives enough voltage, and did since the start"
    pi.outputs[THROTTLED] = None
    assert power(pi) == Check("power", fine=True, found="the supply gives enough voltage")


@pytest.mark.parametrize("bits", ["throttled=0x50005", "throttled=0x1"])
def test_low_voltage_that_the_firmware_tells_is_wrong(pi: StandInComputer, bits: str) -> None:
    pi.outputs[THROTTLED] = bits
    assert power(pi).fine is False
    assert power(pi).remedy.startswith("use a supply of 5.1 V and 3 A")


def test_low_voltage_that_the_kernel_tells_is_wrong(pi: StandInComputer) -> None:
    pi.sys.set_undervoltage(is_low=True)
    assert power(pi).fine is False
    pi.sys.set_undervoltage(is_low=False)
    pi.write(KERNEL_BITS, "50000\n")
    assert power(pi).found == "the supply gave less than 4.63 V at some time since the start"
    assert power(pi).fine is False


@pytest.mark.parametrize("output", [None, "", "error=1", "throttled=0xzz"])
def test_a_voltage_that_nobody_tells_is_not_known(pi: StandInComputer, output: str | None) -> None:
    pi.outputs[THROTTLED] = output
    pi.sys.alarm.unlink()
    assert power(pi).fine is None


def test_heat_is_fine_wrong_or_not_known(pi: StandInComputer) -> None:
    assert heat(pi).found == "51 °C, slowed from 80 °C"
    pi.outputs[THROTTLED] = "throttled=0xe0000"
    assert heat(pi).fine is True
    assert heat(pi).found.endswith("it was slowed at some time since the start")
    pi.outputs[THROTTLED] = "throttled=0xe0008"
    assert heat(pi).fine is False
    pi.outputs[THROTTLED] = None
    pi.sys.set_celsius(84.2)
    assert (heat(pi).fine, heat(pi).found) == (False, "84 °C, the processor is slowed")
    assert heat(pi).remedy == "give it air, a heat sink or a fan"
    pi.sys.temperature.unlink()
    assert heat(pi).fine is None


def test_a_clock_set_from_the_network_is_fine(pi: StandInComputer) -> None:
    assert clock(pi).found == "2026-11-23 12:00 UTC, set from the network"
    pi.outputs["timedatectl",] = None
    pi.write("run/systemd/timesync/synchronized", "")
    assert clock(pi).fine is True


@pytest.mark.parametrize(
    ("asks", "remedy"),
    [("no", "sudo timedatectl set-ntp true"), ("yes", "sudo date -s 'YEAR-MONTH-DAY HOUR:MINUTE'")],
)
def test_a_clock_that_nobody_sets_is_wrong(pi: StandInComputer, asks: str, remedy: str) -> None:
    pi.outputs["timedatectl",] = f"NTP={asks}\nNTPSynchronized=no"
    assert (clock(pi).fine, clock(pi).remedy) == (False, remedy)
    pi.remove("proc/device-tree/model")
    assert clock(pi).fine is True, "the clock of another computer has a battery"


def test_a_clock_of_the_last_century_is_wrong_on_every_computer(laptop: Computer) -> None:
    check = checks.check_clock(laptop, datetime(1970, 1, 1, tzinfo=UTC))
    assert check.fine is False
    assert check.remedy.startswith("sudo date -s")


def test_a_clock_of_which_systemd_tells_nothing_is_not_known(
    pi: StandInComputer, laptop: Computer
) -> None:
    pi.outputs["timedatectl",] = None
    assert clock(pi).fine is None
    pi.write("run/systemd/container", "systemd-nspawn")
    assert clock(pi).found.endswith("of the computer around this container")


def test_a_computer_without_systemd_says_so_of_its_clock(laptop: Computer) -> None:
    assert "no systemd is here" in checks.check_clock(laptop, NOW).found
    assert checks.check_clock(laptop, NOW).fine is True


def test_a_disk_with_space_is_fine(pi: StandInComputer) -> None:
    assert disk(pi).fine is True
    assert disk(pi).found.startswith("/var/lib/cornerlight is on the disk at /, ")


def test_a_disk_that_cannot_be_written_is_wrong(pi: StandInComputer) -> None:
    mounts = "/dev/mmcblk0p2 / ext4 rw 0 0\n/dev/sda1 /var/lib ext4 ro,noatime 0 0\n"
    pi.write("proc/self/mounts", mounts)
    assert disk(pi).fine is False
    assert disk(pi).remedy == "sudo mount -o remount,rw /var/lib"
    pi.write("proc/self/mounts", f"{mounts}tmpfs /var/lib tmpfs rw 0 0\n")
    assert disk(pi).fine is True, "the last one lies over the others"


def test_a_disk_that_is_in_memory_is_wrong(pi: StandInComputer) -> None:
    pi.write("proc/self/mounts", "overlayroot / overlay rw,lowerdir=/lower 0 0\n")
    assert disk(pi).remedy == "sudo raspi-config nonint disable_overlayfs"
    pi.write("proc/self/mounts", "overlay / overlay rw,lowerdir=/docker 0 0\n")
    assert disk(pi).fine is True, "a container's disk stays"


def test_a_full_disk_is_wrong(pi: StandInComputer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "_LEAST_MB", 1e12)
    assert disk(pi).fine is False
    assert disk(pi).remedy.startswith("sudo apt-get clean")


def test_a_disk_that_nobody_tells_is_not_known(pi: StandInComputer) -> None:
    pi.remove("proc/self/mounts")
    assert disk(pi).fine is None
