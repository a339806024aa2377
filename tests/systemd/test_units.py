"""The units: accepted by systemd, narrow in their rights, and true to the program."""

import re
import shlex
import shutil
import subprocess
from argparse import ArgumentParser
from configparser import ConfigParser
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from installer import _CONSOLE, _PLACED, _STARTED, _WARM

from firmware.commands.main import module_of
from firmware.player.search_process import SOCKET_VARIABLE
from firmware.session.console_screen import _RELOAD, CONSOLE_VARIABLE
from firmware.session.machine_services import POWER_OFF_VARIABLE
from firmware.settings import ButtonsSettings, LightsSettings, load
from tests.conftest import ROOT

UNITS = sorted((ROOT / "systemd").glob("cornerlight-*"))
SERVICES = [path for path in UNITS if path.suffix == ".service"]
RUNNING = [path for path in SERVICES if "\nExecStart=" in path.read_text()]
"""Services with a program; the one that switches the machine off has none."""

DRIVEN = (LightsSettings, ButtonsSettings)
MOST_EXPOSED = 1.2
"""Highest score of a unit by `systemd-analyze security`."""

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="no systemd here; apt-get install systemd"
)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root folder with our units, those of the system, and programs at their places."""
    root = tmp_path_factory.mktemp("root")
    (root / "etc" / "systemd" / "system").mkdir(parents=True)
    for unit in UNITS:
        shutil.copy(unit, root / "etc" / "systemd" / "system")
    shutil.copytree("/lib/systemd/system", root / "lib" / "systemd" / "system", symlinks=True)
    programs = root / "opt" / "cornerlight" / "current" / "venv" / "bin"
    programs.mkdir(parents=True)
    for name in ("cornerlight", "python"):
        (programs / name).write_text("#!/bin/sh\n")
        (programs / name).chmod(0o755)
    (root / "bin").mkdir()
    shutil.copy("/bin/rm", root / "bin")
    return root


def analysed(root: Path, *words: str) -> str:
    command = ["systemd-analyze", f"--root={root}", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout + done.stderr


@needs_systemd
def test_systemd_finds_nothing_to_say_about_them(root: Path) -> None:
    placed = [str(root / "etc" / "systemd" / "system" / unit.name) for unit in UNITS]
    assert analysed(root, "verify", *placed) == ""


@needs_systemd
def test_the_first_start_of_an_image_enables_all_but_the_share(tmp_path: Path) -> None:
    """systemd presets every unit while the machine has no identity yet."""
    units = tmp_path / "etc" / "systemd" / "system"
    units.mkdir(parents=True)
    for unit in UNITS:
        shutil.copy(unit, units)
    preset = tmp_path / str(_PLACED["cornerlight.preset"]).removeprefix("/")
    preset.parent.mkdir(parents=True)
    shutil.copy(ROOT / "systemd" / "cornerlight.preset", preset)
    words = ["systemctl", f"--root={tmp_path}", "preset-all", "--preset-mode=enable-only"]
    subprocess.run(words, capture_output=True, check=True)
    enabled = {path.name for path in units.glob("*.wants/*")}
    assert enabled == {*_STARTED, _WARM}


@needs_systemd
@pytest.mark.parametrize("unit", RUNNING, ids=lambda unit: unit.stem)
def test_a_service_has_few_rights(root: Path, unit: Path) -> None:
    placed = root / "etc" / "systemd" / "system" / unit.name
    found = re.search(
        r"exposure level .*: ([\d.]+)", analysed(root, "security", "--offline=yes", str(placed))
    )
    assert found
    assert float(found[1]) <= MOST_EXPOSED


def read(unit: Path) -> ConfigParser:
    parser = ConfigParser(strict=False, interpolation=None, delimiters=("=",))
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(unit.read_text())
    return parser


NODES = {
    "spi": {"char-spi"},
    "rpi-ws281x": {"char-spi", "/dev/gpiomem"},
    "ws2812-pio": {"/dev/leds0"},
    "wled": set(),
    "gpiozero": {"char-gpiochip"},
    "none": set(),
}
"""What each driver of LEDs and buttons opens, as a unit names it."""


def test_every_driver_has_its_nodes() -> None:
    of_lights, of_buttons = (get_args(get_type_hints(kind)["driver"]) for kind in DRIVEN)
    assert {*of_lights, *of_buttons} == NODES.keys()


@pytest.mark.parametrize(
    "settings",
    sorted(ROOT.glob("hardware/*/table*.toml")),
    ids=lambda path: f"{path.parent.name}-{path.stem}",
)
def test_the_unit_allows_every_node_of_a_build(settings: Path) -> None:
    text = (ROOT / "systemd" / "cornerlight-table.service").read_text()
    assert "DevicePolicy=closed" in text
    allowed = set(re.findall(r"(?m)^DeviceAllow=(\S+) rw$", text))
    chosen = load(settings)
    assert chosen.lights.driver == "spi", "the boot block is for this driver"
    assert NODES[chosen.lights.driver] | NODES[chosen.buttons.driver] <= allowed
    assert set().union(*NODES.values()) <= allowed


def commands() -> list[tuple[str, str]]:
    """Every program of ours that a unit starts: unit with key, and its command line."""
    return [
        (f"{unit.name} {key}", line.lstrip("-"))
        for unit in SERVICES
        for key, line in re.findall(r"(?m)^(Exec\w+)=([^+].*)$", unit.read_text())
    ]


@pytest.mark.parametrize(("name", "line"), commands())
def test_every_option_of_a_unit_exists_in_the_program(name: str, line: str) -> None:
    program, *words = shlex.split(line)
    assert program.startswith("/opt/cornerlight/current/venv/bin/"), name
    if program.endswith("/python"):
        assert words[:2] == ["-m", "firmware.player.search"]
        assert words[2] in ("serve", "warm")
        return
    command = module_of(words[0])
    parser = ArgumentParser(exit_on_error=False)
    command.configure(parser)
    chosen = parser.parse_args(words[1:])
    assert chosen.config == Path("/etc/cornerlight/table.toml")


def test_the_table_and_its_player_agree_on_their_socket() -> None:
    table, player = (
        read(ROOT / "systemd" / name)
        for name in ("cornerlight-table.service", "cornerlight-player.socket")
    )
    (named,) = re.findall(
        rf"{SOCKET_VARIABLE}=(\S+)", (ROOT / "systemd" / "cornerlight-table.service").read_text()
    )
    assert named == player["Socket"]["ListenStream"]
    assert table["Service"]["Type"] == "notify"
    assert player["Socket"]["SocketGroup"] == table["Service"]["Group"]


def test_the_console_shows_the_file_that_the_table_writes() -> None:
    table = read(ROOT / "systemd" / "cornerlight-table.service")["Service"]
    unit = (ROOT / "systemd" / "cornerlight-table.service").read_text()
    placed = (ROOT / "systemd" / "cornerlight.tmpfiles").read_text()
    (named,) = re.findall(rf"{CONSOLE_VARIABLE}=%t(\S+)", unit)
    links = dict(re.findall(r"(?m)^L\+ (\S+) - - - - (\S+)$", placed))
    assert links == {str(_CONSOLE): f"/run{named}"}
    assert Path(named).parent.name in table["RuntimeDirectory"].split()
    assert f"f {_RELOAD} 0664 root {table['Group']} -" in placed
    assert table["ReadWritePaths"].replace("%t", "/run") == f"-{_RELOAD}"
    away = _PLACED["cornerlight.issue"]
    assert away.parent == _CONSOLE.parent
    assert away.name < _CONSOLE.name, "what the table has is shown after it, and clears the screen"


def test_systemd_switches_off_by_the_file_that_the_table_writes() -> None:
    table = (ROOT / "systemd" / "cornerlight-table.service").read_text()
    path, service = (
        read(ROOT / "systemd" / f"cornerlight-power-off.{kind}") for kind in ("path", "service")
    )
    (named,) = re.findall(rf"{POWER_OFF_VARIABLE}=(\S+)", table)
    assert named == path["Path"]["PathChanged"] == service["Unit"]["ConditionPathExists"]
    assert (
        Path(named).parent.name
        in read(ROOT / "systemd" / "cornerlight-table.service")["Service"][
            "RuntimeDirectory"
        ].split()
    )
    assert service["Unit"]["SuccessAction"] == "poweroff"
    assert set(SERVICES) - set(RUNNING) == {ROOT / "systemd" / "cornerlight-power-off.service"}
