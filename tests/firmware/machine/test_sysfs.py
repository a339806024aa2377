"""Files in which the kernel tells facts, and the folder that stands in for them."""

import os
from pathlib import Path

import pytest

from firmware.machine.sysfs import SYSFS, SYSFS_VARIABLE, entries, number, sysfs_folder, text


def test_facts_come_from_the_kernel(caplog: pytest.LogCaptureFixture) -> None:
    assert sysfs_folder({}) == SYSFS
    assert sysfs_folder({SYSFS_VARIABLE: ""}) == SYSFS
    assert not caplog.records


def test_a_folder_that_stands_in_is_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert sysfs_folder({SYSFS_VARIABLE: str(tmp_path)}) == tmp_path
    assert f"facts of the computer come from {tmp_path}" in caplog.text


def test_a_stand_in_that_is_no_folder_is_named_with_the_remedy(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    absent = tmp_path / "absent"
    assert sysfs_folder({SYSFS_VARIABLE: str(absent)}) == absent
    assert f"{absent} is no folder: no fact of the computer is known; unset it" in caplog.text


def test_a_text_has_no_space_around_it(tmp_path: Path) -> None:
    (tmp_path / "type").write_text(" cpu-thermal\n", encoding="ascii")
    assert text(tmp_path / "type") == "cpu-thermal"
    assert number(tmp_path / "type") is None


def test_a_number_may_be_negative(tmp_path: Path) -> None:
    (tmp_path / "temp").write_text("-1500\n", encoding="ascii")
    assert number(tmp_path / "temp") == -1500


def test_what_cannot_be_read_is_none(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "bytes").write_bytes(b"\xff\x00")
    for path in (tmp_path, tmp_path / "absent", tmp_path / "bytes", tmp_path / "pipe" / "within"):
        assert text(path) is None, path
        assert number(path) is None, path
    assert number(tmp_path / "pipe") is None


def test_a_text_that_never_ends_is_none() -> None:
    assert text(Path("/proc/self/pagemap")) is None
    assert text(Path("/dev/zero")) is None


def test_entries_are_those_of_the_name_in_order(tmp_path: Path) -> None:
    for name in ("hwmon1", "hwmon0", "cooling_device0"):
        (tmp_path / name).mkdir()
    assert [path.name for path in entries(tmp_path, "hwmon")] == ["hwmon0", "hwmon1"]
    assert entries(tmp_path / "absent", "hwmon") == []


def test_a_folder_that_may_not_be_listed_has_no_entries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", refuse)
    assert entries(tmp_path, "hwmon") == []
