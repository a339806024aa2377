"""`lights-test`: pictures on the LEDs, questions, and what to change for each wrong answer."""

import io
import json
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from firmware.commands.main import main
from firmware.drivers.wled import DDP_PORT
from firmware.lights import delay_probe, layout_probe
from firmware.lights.led_layout import LedLayout
from firmware.rules.variants import EDITIONS, GAMES
from firmware.simulator.camera import SimulatedCamera
from firmware.simulator.table import VirtualTable
from firmware.simulator.ws2812_chain import under
from tests.support.free_port import own_host
from tests.support.http_camera import CameraRequest, HttpCameraServer, answer
from tests.support.wled_controller import WledController
from vision.camera import Frame
from vision.io.image_file import encode_jpeg
from vision.synthetic.renderer import Renderer

SETTINGS = """
[game]
game = "duo"
[lights]
driver = "ws2812-pio"
device = "{leds}"
limit_ma = 1000
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    leds = tmp_path / "leds0"
    leds.touch()
    file = tmp_path / "table.toml"
    file.write_text(SETTINGS.format(leds=leds))
    return file


def answered(config: Path, monkeypatch: pytest.MonkeyPatch, *lines: str) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    monkeypatch.setattr("firmware.commands.lights_test.DOT_S", 0.0)
    return main(["lights-test", "--config", str(config)])


def test_all_right_is_said_and_the_leds_are_dark_at_the_end(
    config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert answered(config, monkeypatch, "y", "", "what?", "yes", *["y"] * 7) == 0
    output = capsys.readouterr().out
    assert output.count("Every light is green. Is it so?") == 3, "Enter shows it again"
    assert output.endswith("The LEDs are as the settings say.\n")
    assert not any((config.parent / "leds0").read_bytes())


@pytest.mark.parametrize(
    ("answers", "remedy"),
    [
        ("nny", 'Set lights.order = "RGB". Then run this again.'),
        ("nnn", 'Set lights.order = "BGR" / "RBG". Then run this again.'),
        ("yyyn", "Set lights.first to the corner where the white light is"),
        ("yyyyn", 'Set lights.along = "columns"'),
        ("yyyyyn", "Set lights.serpentine = false"),
        ("yyyyyyn", "Set lights.left and lights.top"),
        ("yyyyyyyn", "A light that stays dark is broken"),
        ("yyyyyyyyn", "Connect the ground"),
    ],
)
def test_each_wrong_answer_ends_with_what_to_change(
    config: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    answers: str,
    remedy: str,
) -> None:
    assert answered(config, monkeypatch, *answers) == 1
    assert remedy in capsys.readouterr().out


def test_with_json_nothing_is_asked(
    config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("firmware.commands.lights_test.DOT_S", 0.0)
    assert main(["lights-test", "--config", str(config), "--json", "--seconds", "0.1"]) == 0
    steps = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["step"] for one in steps][-1] == "dark"
    assert all({"step", "expected", "rows"} == one.keys() for one in steps)
    assert steps[3]["rows"][0] == "W............."


def test_without_lights_or_answers_there_is_a_sentence(
    config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert answered(config, monkeypatch) == 2
    assert "give --json" in capsys.readouterr().err
    config.write_text("")
    assert answered(config, monkeypatch) == 0
    assert "lights.driver is 'none'" in capsys.readouterr().out


@pytest.fixture
def lit_board(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, str]]:
    """LEDs of WLED under a board, and a camera in the network: the addresses of both."""
    monkeypatch.setattr(layout_probe, "MOST", 60)
    monkeypatch.setattr(delay_probe, "_PHASE_S", (0.5, 12.0))
    table, layout, renderer = VirtualTable(GAMES["duo"]), LedLayout(14, 14).layout(14), Renderer(2)
    camera = SimulatedCamera(table, EDITIONS["purple-orange"], time.monotonic, renderer, (800, 600))
    wled = WledController(196, host=own_host(), ddp_port=DDP_PORT)
    light = under(table, layout)

    def respond(_: CameraRequest, line: socket.socket) -> object:
        light(wled.shown)
        frame = camera.read()
        assert isinstance(frame, Frame)
        jpeg = encode_jpeg(frame.image, 90)
        line.sendall(answer("200 OK", "Content-Type: image/jpeg", body=jpeg))
        return True

    with closing(wled), HttpCameraServer(respond) as server:
        yield wled.address, server.url("/shot.jpg")


@pytest.mark.slow
@pytest.mark.parametrize("serpentine", [True, False])
def test_a_camera_finds_the_wiring(
    lit_board: tuple[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    *,
    serpentine: bool,
) -> None:
    device, source = lit_board
    config = tmp_path / "table.toml"
    config.write_text(
        f'[game]\ngame = "duo"\n[lights]\ndriver = "wled"\ndevice = "{device}"\n'
        f"serpentine = {str(serpentine).lower()}\n"
    )
    status = main(["lights-test", "--config", str(config), "--camera", source])
    output = capsys.readouterr().out
    assert status == (0 if serpentine else 1)
    assert ("The LEDs are as the settings say" in output) == serpentine
    assert ("serpentine = true" in output) != serpentine
