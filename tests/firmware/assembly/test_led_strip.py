"""The strip of the settings: opened or refused, and by few imports."""

import subprocess
import sys
from pathlib import Path

import pytest

from firmware.assembly.led_strip import build_led_layout, build_led_strip, build_reopened_strip
from firmware.drivers.interfaces import DeviceError
from firmware.drivers.ws2812_pio import Ws2812Pio
from firmware.errors import SettingsError
from firmware.settings import LightsSettings, parse
from tests.conftest import ROOT


def test_without_a_driver_there_is_no_strip() -> None:
    assert build_led_strip(LightsSettings(), 196) is None


def test_a_panel_around_the_board_is_fitted_as_the_settings_say() -> None:
    table = {"lights": {"columns": 16, "rows": 16, "left": 1, "top": 1, "first": "bottom-right"}}
    wiring = build_led_layout(parse(table).lights, 14)
    assert wiring.length == 256
    layout = wiring.layout(14)
    # The last LED of all is in a row of the frame, the first of the second row under n1's column.
    assert layout[0] is None
    assert layout[16 + 1] == 13 * 14


def test_leds_that_a_board_does_not_lie_over_are_refused_by_their_settings() -> None:
    with pytest.raises(SettingsError, match=r"20x20 does not lie over 16x16.*lights.columns"):
        build_led_layout(LightsSettings(columns=16, rows=16), 20)


def test_a_panel_of_16_is_for_duo_and_several_are_for_classic() -> None:
    duo = {"place": "beside", "columns": 16, "rows": 16, "left": 1, "top": 1}
    assert build_led_layout(parse({"lights": duo}).lights, 14).length == 256
    with pytest.raises(SettingsError, match=r"20x20 does not lie over 16x16.*panels_across"):
        build_led_layout(parse({"lights": duo}).lights, 20)
    classic = {"place": "beside", "columns": 32, "rows": 24, "left": 6, "top": 2}
    settings = parse({"lights": {**classic, "panels_down": 3, "along": "columns"}}).lights
    assert build_led_layout(settings, 20).length == 768


def test_the_strip_that_is_named_is_opened(tmp_path: Path) -> None:
    device = tmp_path / "leds0"
    device.write_bytes(b"")
    strip = build_led_strip(LightsSettings(driver="ws2812-pio", device=str(device)), 196)
    assert isinstance(strip, Ws2812Pio)
    with pytest.raises(DeviceError, match="no SPI device"):
        build_led_strip(LightsSettings(driver="spi", device=str(device)), 196)


def test_the_strip_of_a_table_is_opened_by_what_it_shows(tmp_path: Path) -> None:
    assert build_reopened_strip(LightsSettings(), 196) is None
    device = tmp_path / "leds0"
    strip = build_reopened_strip(LightsSettings(driver="ws2812-pio", device=str(device)), 196)
    assert strip is not None
    with pytest.raises(DeviceError, match="leds0"):
        strip.write(bytes(3 * 196))
    device.write_bytes(b"")
    strip.write(bytes(3 * 196))
    assert len(device.read_bytes()) == 4 * 196
    strip.close()


def test_putting_the_lights_out_imports_little() -> None:
    """A service does it after every end, also on a slow machine under load."""
    code = "import firmware.commands.lights_off, sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    heavy = {"cv2", "flask", "firmware.game.events", "firmware.lights.scene", "vision.camera"}
    assert heavy.isdisjoint(done.stdout.split())
