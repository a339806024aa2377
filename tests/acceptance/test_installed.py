"""The wheel in an empty environment, outside the checkout: it reads, serves, and gives hints."""

import json
import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from release import own_wheel

from firmware.records.record import Record
from firmware.rules.variants import GAMES
from tests.conftest import ROOT
from tests.support.running_demo import running_demo

PICTURE = ROOT / "tests" / "vision" / "data" / "game_42.jpg"
COMPILED_S = 900
"""Seconds for the first hint: compilation takes 1 to 2 minutes of a free core."""


class Environment:
    """A virtual environment in which the wheel is installed with its locked dependencies."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.programs = folder / "environment" / "bin"
        subprocess.run([sys.executable, "-m", "venv", folder / "environment"], check=True)
        self.install("--require-hashes", "-r", str(ROOT / "requirements.lock"))
        self.install("--no-deps", str(own_wheel(folder)))

    def install(self, *words: str) -> None:
        self.run("python", "-m", "pip", "--quiet", "install", *words).check_returncode()

    def run(self, *words: str, timeout_s: float = 300) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*words),
            capture_output=True,
            text=True,
            cwd=self.folder,
            env=self.variables(),
            check=False,
            timeout=timeout_s,
        )

    def command(self, program: str, *words: str) -> list[str]:
        return [str(self.programs / program), *words]

    def variables(self) -> dict[str, str]:
        return {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("installed"))


def test_its_dependencies_are_there_and_the_checkout_is_not(installed: Environment) -> None:
    checked = installed.run("python", "-m", "pip", "check")
    assert checked.returncode == 0, checked.stdout
    code = "import firmware, vision, web; print(firmware.__file__, vision.__file__)"
    found = installed.run("python", "-c", code).stdout.split()
    assert all(Path(name).is_relative_to(installed.folder / "environment") for name in found)
    assert len(found) == 2


def test_it_reads_a_picture(installed: Environment) -> None:
    done = installed.run("cornerlight", "read", str(PICTURE), "--json")
    assert done.returncode == 0, done.stderr
    row = json.loads(done.stdout)
    assert row["found"]
    assert len(row["cells"]) == row["size"] == 14
    assert len(row["pieces"]) == 7


def test_it_accepts_the_example_of_its_settings(installed: Environment) -> None:
    code = "import firmware; print(*firmware.__path__)"
    package = installed.run("python", "-c", code).stdout.strip()
    done = installed.run("cornerlight", "doctor", "--config", f"{package}/table.example.toml")
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_serves_the_page_in_every_language(installed: Environment) -> None:
    program, folder = installed.command("cornerlight"), installed.folder
    with running_demo(
        "--autoplay", program=program, cwd=folder, env=installed.variables()
    ) as address:
        english = fetch(address, "en")
        assert "Cornerlight" in english
        assert 'lang="de"' in fetch(address, "de")
        assert 'lang="ja"' in fetch(address, "ja")
        files = re.findall(r'(?:href|src)="(/static/[^"]+)"', english)
        assert files
        assert all(fetch(address + name, "en") for name in files)
        assert fetch(f"{address}/arbiter", "en")


def fetch(address: str, language: str) -> str:
    request = urllib.request.Request(address, headers={"Accept-Language": language})  # noqa: S310
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
        return str(answer.read().decode())


def test_hints_need_the_player_extra_and_then_come(installed: Environment) -> None:
    record = installed.folder / "new.blksgf"
    record.write_bytes(Record.new(GAMES["duo"]).write())
    words = ("cornerlight", "hint", str(record), "--level", "1", "--json")
    without = installed.run(*words)
    unsolved = installed.run("cornerlight", "solve", "tetrominoes", "--json")
    assert (without.returncode, unsolved.returncode) == (2, 2)
    for done, needs in ((without, "the player needs numba"), (unsolved, "the solver needs numba")):
        said, _, command = done.stderr.partition("; install it with: ")
        assert said == f"cornerlight: {needs}"
        python, _, asked = command.removeprefix("sudo ").partition(" ")
        assert Path(python).parent == installed.programs
        assert asked == "-m pip install numba\n"
    installed.install("--require-hashes", "-r", str(ROOT / "requirements-player.lock"))
    done = installed.run(*words, timeout_s=COMPILED_S)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["moves"][0]["cells"]
