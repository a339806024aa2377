"""Programs that are asked, and a computer of which nothing can be read."""

import os
from pathlib import Path

import pytest

from firmware.machine import computer
from firmware.machine.accounts import account, groups
from firmware.machine.boot_configuration import boot_configuration
from firmware.machine.computer import Computer, ask_program, is_there
from firmware.machine.device_nodes import named_cameras
from firmware.machine.running_system import file_system, throttling
from firmware.machine.units import units
from tests.support.stand_in_computer import StandInComputer

FILES = (
    "proc/device-tree/model",
    "proc/self/mounts",
    "etc/os-release",
    "etc/passwd",
    "etc/group",
    "boot/firmware/config.txt",
    "boot/firmware/cmdline.txt",
    "sys/module/spidev/parameters/bufsiz",
)


def test_a_program_answers_in_plain_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert ask_program(("sh", "-c", "echo $LC_ALL")) == "C"


def test_a_program_that_is_missing_fails_or_hangs_tells_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(computer, "_ANSWERS_S", 0.2)
    for words in (("no-such-program",), ("false",), ("sleep", "5")):
        assert ask_program(words) is None


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00::::,,,\n[\n=\n", b"9" * 10_000])
def test_nonsense_in_every_file_raises_nothing(tmp_path: Path, content: bytes) -> None:
    pi = StandInComputer(tmp_path)
    for name in FILES:
        (tmp_path / name).write_bytes(content)
    for key in pi.outputs:
        pi.outputs[key] = content.decode("latin-1")
    found = pi.computer
    assert not found.is_raspberry_pi
    assert found.system.startswith("Linux")
    assert account(found, "cornerlight") is None
    assert groups(found) == {}
    assert file_system(found, Path("/var/lib/cornerlight")) is None
    assert throttling(found) is None
    assert named_cameras(found) == {}
    boot = boot_configuration(found)
    assert boot is not None
    assert boot.spi is False
    assert boot.buffer is None
    assert units(Computer(tmp_path, lambda _: content.decode("latin-1"))) == {}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look into every folder")
def test_what_lies_in_a_closed_folder_is_not_known(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0)
    assert is_there(closed / "file") is None
    assert is_there(tmp_path / "none") is False


def test_a_path_that_no_file_can_have_is_not_there() -> None:
    assert is_there(Path("a\0b")) is False
