"""Files in which the kernel tells facts, and the folder that stands in for them."""

import os
from pathlib import Path

import pytest

from firmware.machine.sysfs import SYSFS, SYSFS_VARIABLE, entries, number, sysfs_folder, text


def test_facts_come_from_the_kernel_unless_a_folder_stands_in() -> None:
    assert sysfs_folder({}) == SYSFS
    assert sysfs_folder({SYSFS_VARIABLE: ""}) == SYSFS
    assert sysfs_folder({SYSFS_VARIABLE: "/tmp/sys"}) == Path("/tmp/sys")  # noqa: S108


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


def test_a_text_that_never_ends_is_cut() -> None:
    found = text(Path("/dev/zero"))
    assert found is not None
    assert len(found) <= 4096


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
