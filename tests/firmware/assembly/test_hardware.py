"""The lights of the settings: opened or refused, and put out by `lights-off`."""

import json
import os
import signal
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.assembly.hardware import (
    build_buttons,
    button_pins,
    hour_of_day,
)
from firmware.commands.main import main
from firmware.drivers.gpio_buttons import GpioButtons
from firmware.errors import SettingsError
from firmware.settings import ButtonsSettings, LightsSettings, parse
from firmware.simulator.spi_line import SpiLine
from firmware.simulator.ws2812_chain import Ws2812Chain
from tests.conftest import ROOT
from tests.support.driver_machine import compiled


def test_the_hour_is_one_of_the_day() -> None:
    assert 0 <= hour_of_day() < 24


def configured(folder: Path, text: str) -> Path:
    path = folder / "table.toml"
    path.write_text(f"[lights]\n{text}\n")
    return path


@pytest.mark.parametrize(
    ("text", "message", "status"),
    [
        ('driver = "none"', "none, lights.driver is 'none'", 0),
        ('driver = "spi"\ndevice = "{}/no"', "switch SPI on with dtparam=spi=on", 1),
        ('driver = "ws2812-pio"\ndevice = "{}/leds0"', "196 LEDs by ws2812-pio, dark now", 0),
        ('driver = "ws2812-pio"\ncolumns = 13', "does not lie over", 1),
    ],
)
def test_doctor_says_whether_the_lights_can_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str, status: int
) -> None:
    (tmp_path / "leds0").write_bytes(b"")
    config = configured(tmp_path, text.format(tmp_path))
    assert main(["doctor", "--config", str(config), "--json"]) == status
    checks = json.loads(capsys.readouterr().out)["checks"]
    assert message in next(one["found"] for one in checks if one["name"] == "lights")


SHINE = """
import sys, time
from pathlib import Path
from firmware.drivers.spidev import Spidev
from firmware.drivers.ws2812_spi import Ws2812Spi
Ws2812Spi(Spidev(Path("/dev/spidev0.0")), 196).write(b"\\x40" * 588)
print("lit", flush=True)
time.sleep(60)
"""


def test_lights_left_by_a_killed_program_are_put_out(tmp_path: Path) -> None:
    library = compiled(tmp_path)
    config = configured(tmp_path, 'driver = "spi"')
    sent = tmp_path / "sent"
    machine = {**os.environ, "LD_PRELOAD": str(library), "FAKEPI_SENT": str(sent)}
    words = [sys.executable, "-c", SHINE]
    with subprocess.Popen(words, env=machine, cwd=ROOT, stdout=subprocess.PIPE, text=True) as shine:
        assert shine.stdout is not None
        assert shine.stdout.readline() == "lit\n"
        shine.send_signal(signal.SIGKILL)
    chain = Ws2812Chain(196, lambda: 0.0)
    assert all(any(one) for one in replayed(sent, chain))
    words = [sys.executable, "-m", "firmware", "dark", "--config", str(config)]
    subprocess.run(words, env=machine, cwd=ROOT, check=True)
    assert not any(any(one) for one in replayed(sent, chain))


def replayed(sent: Path, chain: Ws2812Chain) -> tuple[tuple[int, int, int], ...]:
    data = sent.read_bytes()
    while data:
        size, hz = struct.unpack("<II", data[:8])
        wire = SpiLine(chain)
        wire.open(hz)
        wire.send(data[8 : 8 + size])
        data = data[8 + size :]
    return chain.shown


def test_without_lights_there_is_nothing_to_put_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dark"]) == 0
    assert "lights.driver is 'none'" in capsys.readouterr().out


def test_buttons_are_fitted_to_as_many_people_as_play() -> None:
    table = parse({"buttons": {"driver": "gpiozero", "pins": [22, 23, 24]}})
    assert button_pins(table.buttons, 2, table.lights) == (22, 23)
    assert build_buttons(ButtonsSettings(), 2, table.lights) is None
    assert isinstance(build_buttons(table.buttons, 3, table.lights), GpioButtons)


@pytest.mark.parametrize(
    ("pins", "why"),
    [
        ((5,), "2 people need 2 buttons; buttons.pins has 1"),
        ((5, 5), r"must be different numbers, not \[5, 5\]"),
        ((5, 10), "cannot be GPIO10: the board needs it for other things"),
        ((5, 2), "cannot be GPIO2: the board needs it"),
        ((5, 18), "cannot be GPIO18: the lights have it"),
    ],
)
def test_pins_that_cannot_have_a_button_are_refused(pins: tuple[int, ...], why: str) -> None:
    lights = LightsSettings(driver="rpi-ws281x", bus="pwm")
    with pytest.raises(SettingsError, match=why):
        button_pins(ButtonsSettings(driver="gpiozero", pins=pins), 2, lights)


def test_buttons_that_cannot_be_read_here_are_reported_by_doctor(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.toml"
    path.write_text('[buttons]\ndriver = "gpiozero"\n')
    assert main(["doctor", "--config", str(path), "--json"]) == 1
    checks = {one["name"]: one for one in json.loads(capsys.readouterr().out)["checks"]}
    assert checks["buttons"]["found"].startswith("the buttons on GPIO5, GPIO6 cannot be read: ")
    assert checks["lights"]["fine"]
