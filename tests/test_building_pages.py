"""The pages of the builds: their commands print what they show, their pictures and links exist."""

import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.cameras.mounting import BoardSize
from firmware.commands.main import main
from tests.conftest import ROOT
from tests.support.pictured_build import camera_jpeg, streaming_camera

BUILDS = ("twenty_minutes",)
PAGES = {build: (ROOT / "hardware" / build / "README.md").read_text() for build in BUILDS}
OVERVIEW = (ROOT / "hardware" / "README.md").read_text()
PHONE = "http://192.168.1.20:8080/video"
"""Address of the phone on the pages."""

COMMANDS = [
    (build, line.removeprefix("$ "), block.split(line + "\n", 1)[1].split("\n$ ")[0])
    for build, page in PAGES.items()
    for block in re.findall(r"```console\n(.*?)```", page, re.DOTALL)
    for line in re.findall(r"^\$ .*$", block, re.MULTILINE)
]
CONSOLE = [one for one in COMMANDS if not one[1].startswith("cornerlight run")]
RUNS = [one for one in COMMANDS if one[1].startswith("cornerlight run")]

OTHERS_THERE = {r"\d{4} \d{4} \d{4}": "1234 5678 9012", r"192\.168\.1\.10": "192.168.1.10"}
"""What is another number or address on each computer, and what the pages write."""

PATIENCE_S = 60.0


def steps(page: str) -> list[str]:
    return re.split(r"^## Step ", page, flags=re.MULTILINE)[1:]


def expression(shown: str) -> str:
    """Returns a regular expression for output of which some lines may be left out as `...`."""
    kept = re.split(r"^\.\.\.$", shown, flags=re.MULTILINE)
    parts = [re.escape(part.strip("\n")) for part in kept]
    text = r"\s*(?:.*\n)*?\s*".join(parts)
    for pattern, written in OTHERS_THERE.items():
        text = text.replace(re.escape(written), r"\S+" if "192" in written else pattern)
    return rf"\s*{text}\s*"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what a person has: this program, and a photograph of the table."""
    for name in ("hardware", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "photo.jpg").write_bytes(camera_jpeg("phone", BoardSize.usual(14)))
    monkeypatch.chdir(tmp_path)
    for name in ("XDG_STATE_HOME", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
        (tmp_path / name).mkdir(mode=0o700)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    return tmp_path


@pytest.fixture(scope="module")
def phone() -> Iterator[str]:
    with streaming_camera("phone", BoardSize.usual(14)) as server:
        yield server.url()


@pytest.mark.slow
@pytest.mark.parametrize(("build", "command", "shown"), CONSOLE, ids=[c[1] for c in CONSOLE])
def test_a_command_prints_what_its_page_shows(
    build: str,
    command: str,
    shown: str,
    desk: Path,
    phone: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    program, *words = command.split()
    assert program == "cornerlight"
    main([word.replace(PHONE, phone) for word in words])
    printed = capsys.readouterr().out.replace(phone, PHONE)
    # A rate is never the same twice.
    printed, shown = (re.sub(r"[\d.]+ a second", "N a second", text) for text in (printed, shown))
    assert re.fullmatch(expression(shown), printed), f"{build} shows:\n{shown}\nnot:\n{printed}"


@pytest.mark.slow
@pytest.mark.parametrize(("build", "command", "shown"), RUNS, ids=[c[1] for c in RUNS])
def test_a_table_that_starts_says_what_its_page_shows(
    build: str, command: str, shown: str, desk: Path, phone: str
) -> None:
    words = [word.replace(PHONE, phone) for word in command.split()[1:]]
    python = [sys.executable, "-u", "-c", "from firmware.commands.main import main; main()"]
    table = subprocess.Popen(
        [*python, *words, "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(desk)},
    )
    stop = threading.Timer(PATIENCE_S, table.kill)
    stop.start()
    assert table.stdout is not None
    lines: list[str] = []
    with table:
        for line in table.stdout:
            lines.append(line)
            if len(lines) == len(shown.splitlines()):
                table.send_signal(signal.SIGINT)
                break
    stop.cancel()
    printed = "".join(sorted(lines))
    wanted = expression("\n".join(sorted(shown.splitlines()))).replace("8000", r"\d+")
    assert re.fullmatch(wanted, printed), f"{build}: {printed}"


def test_a_page_that_shows_something_else_is_found() -> None:
    assert re.fullmatch(expression("one\n...\nthree"), "one\ntwo\nthree\n")
    assert re.fullmatch(expression("type 1234 5678 9012"), "type 4321 1111 2222\n")
    assert not re.fullmatch(expression("one\nthree"), "one\ntwo\nthree\n")
    assert not re.fullmatch(expression("one\n...\nfour"), "one\ntwo\nthree\n")


@pytest.mark.parametrize("build", BUILDS)
def test_every_step_has_a_picture_and_a_check_of_its_own(build: str) -> None:
    found = steps(PAGES[build])
    assert len(found) >= 5
    for number, step in enumerate(found, 1):
        assert step.startswith(f"{number}: "), step.splitlines()[0]
        assert f"](step-{number}.svg)" in step
        assert "**Check:**" in step


@pytest.mark.parametrize("build", BUILDS)
def test_every_picture_of_a_build_is_on_its_page(build: str) -> None:
    folder = ROOT / "hardware" / build
    shown = set(re.findall(r"\]\(([\w.-]+\.(?:svg|png|pdf))\)", PAGES[build]))
    drawn = {path.name for path in folder.iterdir() if path.suffix in {".svg", ".png", ".pdf"}}
    assert shown == drawn
    assert {"whole.svg", "whole.png"} & shown


@pytest.mark.parametrize("build", BUILDS)
def test_a_page_says_all_that_a_builder_asks_first(build: str) -> None:
    page = PAGES[build]
    for told in (
        "**Not built in the flesh.**",
        "## Parts",
        "what matters when buying",
        "## Safety",
    ):
        assert told in page
    for told in ("**Tools:**", "**Skills:**", "**Time:**", "**Games:**"):
        assert told in page


def test_the_overview_leads_to_every_build() -> None:
    for build in BUILDS:
        assert f"]({build}/README.md)" in OVERVIEW
    for told in ("Supply", "Fuse", "Heat", "Cables", "Mast", "lithium", "MIT", "in the flesh"):
        assert told in OVERVIEW


def test_every_documented_option_file_is_there() -> None:
    for build, command, _ in COMMANDS:
        for path in re.findall(r"hardware/\S+", command):
            assert (ROOT / path).exists(), f"{build}: {path}"


def test_console_commands_are_found_in_every_page() -> None:
    assert shutil.which("sh"), "pages are for a shell"
    for build in BUILDS:
        assert sum(one[0] == build for one in COMMANDS) >= 4, build
