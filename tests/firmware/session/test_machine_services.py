"""Looks at the computer now and then, and says once what has changed."""

from pathlib import Path

import pytest

from firmware.session.machine_services import HealthWatch
from tests.support.stand_in_sysfs import StandInSysfs
from web.contract import MachineStatus

FINE = MachineStatus(hot=False, undervoltage=False)


@pytest.fixture
def pi(tmp_path: Path) -> StandInSysfs:
    return StandInSysfs(tmp_path)


def test_a_trouble_is_known_within_ten_seconds_and_gone_ten_seconds_later(
    pi: StandInSysfs,
) -> None:
    watch = HealthWatch(pi.path)
    assert watch.look(0.0) == FINE
    pi.set_celsius(85)
    pi.set_undervoltage(is_low=True)
    assert watch.look(9.9) == FINE, "it is not read at every turn of the loop"
    assert watch.look(10.0) == MachineStatus(hot=True, celsius=85, undervoltage=True)
    pi.set_celsius(60)
    pi.set_undervoltage(is_low=False)
    assert watch.look(19.9).has_trouble
    assert watch.look(20.0) == FINE


def test_a_computer_that_tells_nothing_is_not_known_and_logs_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    watch = HealthWatch(tmp_path / "absent")
    for second in range(30):
        assert watch.look(float(second)) == MachineStatus()
    assert not caplog.records


def test_files_that_vanish_in_a_trouble_leave_it_unknown(pi: StandInSysfs) -> None:
    watch = HealthWatch(pi.path)
    pi.set_celsius(90)
    pi.set_undervoltage(is_low=True)
    assert watch.look(0.0).has_trouble
    pi.temperature.unlink()
    pi.alarm.unlink()
    assert watch.look(10.0) == MachineStatus()


def test_each_change_is_logged_once_with_its_remedy(
    pi: StandInSysfs, caplog: pytest.LogCaptureFixture
) -> None:
    watch = HealthWatch(pi.path)
    for look, (celsius, is_low) in enumerate(
        [(50, 0), (82, 1), (81, 1), (79, 1), (60, 0), (60, 0)]
    ):
        pi.set_celsius(celsius)
        pi.set_undervoltage(is_low=bool(is_low))
        watch.look(10.0 * look)
    assert [record.getMessage() for record in caplog.records] == [
        "the computer is hot (82 °C) and slows down; give it air",
        "the power supply gives the computer too little voltage; use the one made for it",
        "the computer is no longer hot (60 °C)",
        "the power supply gives enough voltage again",
    ]


def test_a_cool_computer_has_no_temperature_on_screens(pi: StandInSysfs) -> None:
    watch = HealthWatch(pi.path)
    pi.set_celsius(62)
    assert watch.look(0.0) == MachineStatus(hot=False, undervoltage=False)
    pi.set_celsius(82)
    assert watch.look(10.0) == MachineStatus(hot=True, celsius=82, undervoltage=False)
