"""Reading of heat and supply voltage from a folder that stands in for `/sys`."""

import os
from pathlib import Path

import pytest

from firmware.machine.health import celsius, is_hot, undervoltage
from tests.support.stand_in_sysfs import StandInSysfs

Facts = tuple[float | None, bool | None]
"""Temperature and undervoltage."""

UNKNOWN: Facts = None, None


def read_health(path: Path) -> Facts:
    return celsius(path), undervoltage(path)


@pytest.fixture
def pi(tmp_path: Path) -> StandInSysfs:
    return StandInSysfs(tmp_path)


def test_a_cool_computer_with_a_good_supply_is_fine(pi: StandInSysfs) -> None:
    assert read_health(pi.path) == (51.3, False)


def test_a_computer_that_tells_nothing_is_not_known(tmp_path: Path) -> None:
    assert read_health(tmp_path) == UNKNOWN
    assert read_health(tmp_path / "absent") == UNKNOWN


@pytest.mark.parametrize(("degrees", "hot"), [(79.9, False), (80.0, True), (85.0, True)])
def test_it_is_hot_from_where_the_firmware_slows_the_processor(
    pi: StandInSysfs, degrees: float, *, hot: bool
) -> None:
    pi.set_celsius(degrees)
    assert is_hot(celsius(pi.path)) is hot


def test_a_hot_computer_stays_so_until_it_has_cooled_clearly(pi: StandInSysfs) -> None:
    seen: list[bool | None] = [None]
    for degrees in (78, 80, 79, 81, 76, 75, 74, 76, 79, 80):
        pi.set_celsius(degrees)
        seen.append(is_hot(celsius(pi.path), was_hot=seen[-1]))
    assert seen[1:] == [False, True, True, True, True, True, False, False, False, True]


def test_the_alarm_of_the_voltage_is_raised_and_cleared(pi: StandInSysfs) -> None:
    pi.set_undervoltage(is_low=True)
    assert undervoltage(pi.path) is True
    pi.set_undervoltage(is_low=False)
    assert undervoltage(pi.path) is False


def test_a_missing_file_is_not_known_and_hides_no_other(pi: StandInSysfs) -> None:
    pi.temperature.unlink()
    assert read_health(pi.path) == (None, False)
    pi.set_celsius(85)
    pi.alarm.unlink()
    assert read_health(pi.path) == (85.0, None)


@pytest.mark.parametrize(
    "text", ["", "\n", "hot", "4e4", "-", "\xff", "9" * 4000, "999999999", "-274000"]
)
def test_nonsense_is_not_known(pi: StandInSysfs, text: str) -> None:
    pi.temperature.write_text(text, encoding="latin-1")
    pi.alarm.write_text(text, encoding="latin-1")
    assert read_health(pi.path) == UNKNOWN


def test_what_is_no_file_is_not_known(pi: StandInSysfs) -> None:
    for path in (pi.temperature, pi.alarm):
        path.unlink()
    os.mkfifo(pi.temperature)
    pi.alarm.mkdir()
    assert read_health(pi.path) == UNKNOWN


def test_a_file_that_may_not_be_read_is_not_known(
    pi: StandInSysfs, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    assert read_health(pi.path) == UNKNOWN


def test_the_hottest_zone_of_the_processor_counts(pi: StandInSysfs) -> None:
    other = pi.zone.parent / "thermal_zone1"
    other.mkdir()
    (other / "temp").write_text("83000", encoding="ascii")
    (other / "type").write_text("cpu-thermal", encoding="ascii")
    assert celsius(pi.path) == 83.0


def test_zones_and_drivers_of_other_computers_tell_nothing(pi: StandInSysfs) -> None:
    (pi.zone / "type").write_text("x86_pkg_temp", encoding="ascii")
    (pi.monitor / "name").write_text("coretemp", encoding="ascii")
    pi.set_celsius(92)
    pi.set_undervoltage(is_low=True)
    assert read_health(pi.path) == UNKNOWN


def test_links_to_devices_are_followed_as_in_sysfs(tmp_path: Path) -> None:
    device = StandInSysfs(tmp_path / "devices")
    device.set_undervoltage(is_low=True)
    for kind, target in (("thermal", device.zone), ("hwmon", device.monitor)):
        folder = tmp_path / "sys" / "class" / kind
        folder.mkdir(parents=True)
        (folder / target.name).symlink_to(target)
    assert read_health(tmp_path / "sys") == (51.3, True)
