"""The pages of the builds: their commands print what they show, their pictures and links exist."""

import re
import signal
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from firmware.assembly.led_strip import build_led_layout
from firmware.cameras.mounting import BoardSize
from firmware.commands import lights_off
from firmware.commands.checks import hardware as hardware_checks
from firmware.commands.main import main
from firmware.settings import parse
from hardware.parts.catalogue import PARTS
from hardware.parts.placement import board_of
from tests.conftest import ROOT
from tests.support.pictured_build import camera_jpeg, streaming_camera
from web.i18n.languages import wording_of

BUILDS = ("twenty_minutes", "club_table", "glowing_board")
PAGES = {build: (ROOT / "hardware" / build / "README.md").read_text() for build in BUILDS}
OVERVIEW = (ROOT / "hardware" / "README.md").read_text()
PHONE = "http://192.168.1.20:8080/video"
"""Address of the phone on the pages."""

CAMERAS = {
    "twenty_minutes": (PHONE, "phone"),
    "club_table": ("picamera2", "module-3"),
    "glowing_board": ("picamera2", "module-3"),
}
"""What the page of a build calls its camera, and the camera of `firmware.cameras.mounting`."""


@dataclass(frozen=True)
class PageCommand:
    """A command of a page, what it prints there, and True if the page says it needs devices."""

    build: str
    command: str
    output: str
    needs_devices: bool

    def __str__(self) -> str:
        return f"{self.build}: {self.command}"


def commands() -> Iterator[PageCommand]:
    for build, page in PAGES.items():
        for kind, block in re.findall(r"```console( device)?\n(.*?)```", page, re.DOTALL):
            for line in re.findall(r"^\$ .*$", block, re.MULTILINE):
                output = block.split(line + "\n", 1)[1].split("\n$ ")[0]
                yield PageCommand(build, line.removeprefix("$ "), output, bool(kind))


COMMANDS = list(commands())
CONSOLE = [one for one in COMMANDS if not one.command.startswith("cornerlight run")]
RUNS = [one for one in COMMANDS if one.command.startswith("cornerlight run")]

OTHERS_THERE = {r"\d{4} \d{4} \d{4}": "1234 5678 9012", r"192\.168\.1\.10": "192.168.1.10"}
"""What is another number or address on each computer, and what the pages write."""

PATIENCE_S = 60.0


def steps(page: str) -> list[str]:
    return re.split(r"^## Step ", page, flags=re.MULTILINE)[1:]


def expression(shown: str) -> str:
    """Returns a regular expression for output of which some lines may be left out as `...`."""
    shown_parts = re.split(r"^\.\.\.$", shown, flags=re.MULTILINE)
    parts = [re.escape(part.strip("\n")) for part in shown_parts]
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
def cameras() -> Iterator[dict[str, str]]:
    """Addresses of cameras that show the table of each build."""
    with ExitStack() as stack:
        yield {
            build: stack.enter_context(streaming_camera(model, board_of(build, "duo"))).url()
            for build, (_, model) in CAMERAS.items()
        }


class LitStrip:
    """A strip that takes every frame."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []

    def write(self, frame: bytes) -> None:
        self.frames.append(frame)

    def close(self) -> None:
        pass


class FreeButtons:
    """Buttons that nobody presses."""

    def __init__(self, pins: Sequence[int], hold_s: float) -> None:
        assert len(pins) >= 2
        assert hold_s > 0

    def down(self) -> tuple[int, ...]:
        return ()

    def close(self) -> None:
        pass


@pytest.fixture
def strip(monkeypatch: pytest.MonkeyPatch) -> LitStrip:
    """Stands in for the strip and the buttons of a table."""
    one = LitStrip()
    for module in (hardware_checks, lights_off):
        monkeypatch.setattr(module, "build_led_strip", lambda *_: one)
    monkeypatch.setattr(hardware_checks, "GpioButtons", FreeButtons)
    return one


@pytest.mark.slow
@pytest.mark.parametrize("shown", CONSOLE, ids=str)
def test_a_command_prints_what_its_page_shows(
    shown: PageCommand,
    desk: Path,
    cameras: dict[str, str],
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if shown.needs_devices:
        request.getfixturevalue("strip")
    program, *words = shown.command.split()
    assert program == "cornerlight"
    source, address = CAMERAS[shown.build][0], cameras[shown.build]
    main([word.replace(source, address) for word in words])
    printed = capsys.readouterr().out.replace(address, source)
    # A rate is never the same twice.
    printed, wanted = (
        re.sub(r"[\d.]+ a second", "N a second", text) for text in (printed, shown.output)
    )
    assert re.fullmatch(expression(wanted), printed), f"{shown.output}\nnot:\n{printed}"


@pytest.mark.slow
@pytest.mark.parametrize("build", ["club_table", "glowing_board"])
def test_a_command_that_prints_nothing_has_put_every_led_out(
    build: str, desk: Path, strip: LitStrip
) -> None:
    assert main(["lights-off", "--config", f"hardware/{build}/table.toml"]) == 0
    leds = {"club_table": 256, "glowing_board": 196}[build]
    assert strip.frames == [bytes(3 * leds)]


@pytest.mark.slow
@pytest.mark.parametrize("shown", RUNS, ids=str)
def test_a_table_that_starts_says_what_its_page_shows(
    shown: PageCommand, desk: Path, cameras: dict[str, str]
) -> None:
    source, address = CAMERAS[shown.build][0], cameras[shown.build]
    words = [word.replace(source, address) for word in shown.command.split()[1:]]
    if "--config" in words:
        without_devices(desk, words)
    python = [sys.executable, "-u", "-c", "from firmware.commands.main import main; main()"]
    table = subprocess.Popen(
        [*python, *words, "--port", "0", "--folder", "kept"],
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
            if len(lines) == len(shown.output.splitlines()):
                table.send_signal(signal.SIGINT)
                break
    stop.cancel()
    printed = "".join(sorted(lines)).replace(" --folder kept", "")
    printed = printed.replace("bare.toml", f"hardware/{shown.build}/table.toml")
    wanted = expression("\n".join(sorted(shown.output.splitlines()))).replace("8000", r"\d+")
    assert re.fullmatch(wanted, printed), printed


def without_devices(desk: Path, words: list[str]) -> None:
    """Writes the settings that a command names once more, without lights and buttons."""
    place = words.index("--config") + 1
    text = (desk / words[place]).read_text()
    (desk / "bare.toml").write_text(re.sub(r'driver = ".*"', 'driver = "none"', text))
    words[place] = "bare.toml"


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
    texts = "".join(path.read_text() for path in folder.glob("*.md"))
    shown = set(re.findall(r"\]\(([\w.-]+\.(?:svg|jpg|pdf))\)", texts))
    drawn = {path.name for path in folder.iterdir() if path.suffix in {".svg", ".jpg", ".pdf"}}
    assert shown == drawn
    assert {"whole.svg", "whole.jpg"} <= shown


@pytest.mark.parametrize("build", BUILDS)
def test_a_page_says_all_that_a_builder_asks_first(build: str) -> None:
    page = PAGES[build]
    for required in (
        "**Not built in the flesh.**",
        "## Parts",
        "what to ask for in a shop",
        "estimated",
        "## Safety",
    ):
        assert required in page
    for required in ("**Tools:**", "**Skills:**", "**Time:**", "**Games:**"):
        assert required in page


def test_the_overview_leads_to_every_build() -> None:
    for build in BUILDS:
        assert f"]({build}/README.md)" in OVERVIEW
    for required in ("Supply", "Fuse", "Heat", "Cables", "Mast", "lithium", "MIT", "in the flesh"):
        assert required in OVERVIEW


@pytest.mark.parametrize("build", BUILDS)
def test_every_step_has_a_command_of_the_program(build: str) -> None:
    for step in steps(PAGES[build]):
        assert re.search("[$`] ?cornerlight ", step), step.splitlines()[0]


def test_the_phone_of_build_a_is_its_camera_without_an_app_or_an_address() -> None:
    page = PAGES["twenty_minutes"]
    to_first_move, _, other_ways = page.partition("\n## Another camera")
    assert len(steps(to_first_move)) == 5
    words, text = wording_of("en"), " ".join(page.split())
    for button in (
        words.play("board"),
        words.camera("use"),
        words.camera("camera-code"),
        words.label("setup"),
    ):
        assert f"**{button}**" in text
    for app in ("IP Webcam", "DroidCam", "IP Camera Lite"):
        assert app in other_ways
        assert app not in to_first_move
    assert [one.command for one in RUNS if one.build == "twenty_minutes"] == [
        "cornerlight run --camera phone",
        f"cornerlight run --camera {PHONE} --no-browser",
    ]
    assert "rtsp://" not in to_first_move
    assert PHONE not in to_first_move


def test_a_panel_of_16_by_16_is_refused_for_classic(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (desk / "hardware/club_table/table.toml").read_text()
    (desk / "classic.toml").write_text(text.replace('game = "duo"', 'game = "classic"'))
    assert main(["doctor", "--release", "--config", "classic.toml"]) == 1
    assert "a board of 20x20 does not lie over 16x16 LEDs" in capsys.readouterr().out


@pytest.mark.parametrize(
    "row", re.findall(r"^\| (?:Duo|Classic).*$", PAGES["club_table"], re.MULTILINE)
)
def test_the_panels_of_the_club_table_show_the_squares_of_their_games(row: str) -> None:
    lines = "\n".join(re.findall(r"`(\w+ = [^`]+)`", row))
    size = 14 if row.startswith("| Duo") else 20
    lights = parse({"lights": tomllib.loads(f'place = "beside"\n{lines}')}).lights
    layout = build_led_layout(lights, size)
    squares = [square for square in layout.layout(size) if square is not None]
    assert sorted(squares) == list(range(size * size))


@pytest.mark.parametrize("build", BUILDS)
def test_a_part_that_a_page_names_is_one_of_the_registry(build: str) -> None:
    named = re.findall(r"`((?:mast|head|phone|panel|button|piece|pitch)-[\w-]+)`", PAGES[build])
    assert set(named) <= set(PARTS)


def test_pitches_and_strips_fit_each_other() -> None:
    rows = re.findall(r"^\| \**([\d.]+)\** \| \**(\d+)\** \|", PAGES["glowing_board"], re.MULTILINE)
    assert len(rows) == 4
    for pitch, leds in rows:
        assert float(pitch) == pytest.approx(1000 / int(leds), abs=0.05)


def test_every_file_that_a_command_names_is_there() -> None:
    for shown in COMMANDS:
        for path in re.findall(r"hardware/\S+", shown.command):
            assert (ROOT / path).exists(), str(shown)
