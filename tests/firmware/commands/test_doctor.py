"""`cornerlight doctor` as a whole, on computers that a folder stands in for."""

import json
import socket
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import installer
import pytest

from firmware.assembly.table_places import INSTALLED
from firmware.cameras import sources
from firmware.commands import doctor
from firmware.commands.checks import services
from firmware.commands.main import main
from firmware.machine.computer import Computer
from firmware.machine.units import PAGE, PLAYER, POWER_OFF, TABLE
from tests.support.example_pages import empty
from tests.support.stand_in_computer import StandInComputer
from tests.support.turning_feed import TurningFeed

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _no_cameras(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "_DEVICES", tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))


@pytest.fixture
def pi(tmp_path: Path) -> StandInComputer:
    return StandInComputer(tmp_path / "root")


def examined(
    computer: Computer, capsys: pytest.CaptureFixture[str], *words: str
) -> tuple[int, dict[str, Any]]:
    """The exit status, and the checks by their names."""
    parser = ArgumentParser()
    doctor.configure(parser)
    status = doctor.run(parser.parse_args([*words, "--json"]), computer)
    line = json.loads(capsys.readouterr().out)
    return status, {one["name"]: one for one in line["checks"]}


def test_a_laptop_with_nothing_installed_is_fine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "laptop"
    (root / "proc" / "self").mkdir(parents=True)
    (root / "proc" / "self" / "mounts").write_text("/dev/nvme0n1p2 / ext4 rw 0 0\n")
    status, checks = examined(Computer(root, lambda _: None), capsys)
    assert status == 0
    assert [name for name, one in checks.items() if one["fine"] is not True] == []
    assert "power" not in checks
    assert "numba" in checks["player"]["found"]
    assert not {"cornerlight-table", "limits"} & checks.keys()


def test_an_installation_is_found_from_any_folder(
    pi: StandInComputer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    config = pi.root / "etc/cornerlight/table.toml"
    config.write_text(f"{config.read_text()}[page]\nhost = '127.0.0.1'\nport = {port}\n")
    pi.units[PAGE]["ActiveState"] = "inactive"
    pi.units[TABLE]["ActiveState"] = "inactive"
    monkeypatch.setattr(services, "_ANSWERS_S", 0.5)
    status, checks = examined(pi.computer, capsys)
    assert status == 1
    assert checks["settings"]["found"].endswith(str(INSTALLED))
    assert checks["cornerlight-page"]["remedy"] == f"sudo systemctl enable --now {PAGE}"
    assert "page" not in checks, "one fault is told once"
    assert checks["limits"]["fine"] is True
    assert checks["camera"]["fine"] is False, "a table that is installed needs one"
    assert checks["address"]["remedy"] == f"sudoedit {INSTALLED}"
    pi.units[PAGE]["ActiveState"] = "active"
    status, checks = examined(pi.computer, capsys)
    assert checks["page"]["remedy"] == f"sudo systemctl restart {PAGE}"


def test_a_service_without_its_user_is_told_the_command(
    pi: StandInComputer, capsys: pytest.CaptureFixture[str]
) -> None:
    pi.write("etc/passwd", "root:x:0:0:root:/root:/bin/bash\n")
    _, checks = examined(pi.computer, capsys)
    assert checks["groups"]["remedy"] == "sudo systemd-sysusers"
    pi.outputs["systemctl",] = None
    pi.write("etc/passwd", "cornerlight:x:990:990::/:/bin/false\n")
    _, checks = examined(pi.computer, capsys)
    assert checks["groups"]["fine"] is None
    assert checks["services"]["fine"] is None


def test_other_settings_are_not_those_of_the_services(
    pi: StandInComputer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "mine.toml"
    config.write_text(f"[table]\nsocket = '{tmp_path}/feed.sock'\n")
    _, checks = examined(pi.computer, capsys, "--config", str(config))
    assert checks["settings"]["found"] == f"those in {config}"
    assert "cornerlight-table" not in checks


def test_a_release_is_checked_without_any_device(
    pi: StandInComputer, capsys: pytest.CaptureFixture[str]
) -> None:
    status, checks = examined(pi.computer, capsys, "--release")
    assert status == 0
    assert checks.keys() == {"machine", "tables", "moves", "program", "lights", "buttons"}


def test_the_devices_of_a_table_that_runs_are_not_opened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    strip, config = tmp_path / "leds0", tmp_path / "table.toml"
    strip.write_bytes(b"")
    config.write_text(
        f"[lights]\ndriver = 'ws2812-pio'\ndevice = '{strip}'\n[buttons]\ndriver = 'gpiozero'\n"
        f"[camera]\nsource = '/dev/video99'\n[table]\nsocket = '{tmp_path}/feed.sock'\n"
    )
    with TurningFeed(tmp_path / "feed.sock") as feed:
        feed.publish(empty())
        main(["doctor", "--config", str(config), "--json"])
    checks = {one["name"]: one for one in json.loads(capsys.readouterr().out)["checks"]}
    assert strip.read_bytes() == b""
    assert checks["lights"]["found"] == "196 LEDs by ws2812-pio, not opened"
    assert checks["buttons"]["found"] == "2 on GPIO5, GPIO6, not opened"
    assert checks["camera"]["fine"] is True
    main(["doctor", "--config", str(config), "--json"])
    assert strip.read_bytes(), "without the table they are"
    capsys.readouterr()


def test_the_output_begins_and_ends_with_what_is_wrong(
    pi: StandInComputer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "table.toml"
    config.write_text("[lights]\ncolumns = 13\n")
    assert main(["doctor", "--config", str(config), "--release"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("WRONG")
    assert "lights.columns" in lines[0]
    assert lines[-3:] == [f"settings of {config}:", "  lights.columns = 13", "WRONG: lights"]
    assert main(["doctor", "--release"]) == 0
    assert "settings by default" not in capsys.readouterr().out


def test_the_installer_knows_the_same_units_and_places() -> None:
    assert {TABLE, PAGE, PLAYER, POWER_OFF} == set(installer._STARTED)
    assert installer.CONFIG == INSTALLED
