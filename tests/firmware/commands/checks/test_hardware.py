"""The lights and buttons of the settings: they fit the game, and a camera finds the wiring."""

import json
from pathlib import Path

import pytest

from firmware.commands.checks.hardware import check_buttons, check_lights
from firmware.commands.main import main
from firmware.settings import parse

pytestmark = pytest.mark.slow

LIT = {"lights": {"driver": "spi"}, "buttons": {"driver": "gpiozero"}}


def test_devices_that_are_not_opened_are_checked_against_the_game() -> None:
    settings = parse(LIT)
    assert check_lights(settings, opens=False).found == "196 LEDs by spi, not opened"
    assert check_buttons(settings, opens=False).found == "2 on GPIO5, GPIO6, not opened"
    settings = parse({"game": {"game": "classic"}, "buttons": {"driver": "gpiozero", "pins": [5]}})
    check = check_buttons(settings, opens=False)
    assert (check.fine, check.found) == (False, "4 people need 4 buttons; buttons.pins has 1")
    settings = parse({"lights": {"driver": "spi", "columns": 13}})
    assert check_lights(settings, opens=False).fine is False


@pytest.mark.parametrize("words", [["--release"], []])
def test_the_same_faults_are_found_with_and_without_opening(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "table.toml"
    config.write_text('[lights]\ncolumns = 13\n[buttons]\ndriver = "gpiozero"\npins = [5]\n')
    assert main(["doctor", "--config", str(config), "--json", *words]) == 1
    checks = json.loads(capsys.readouterr().out)["checks"]
    wrong = {one["name"]: one["found"] for one in checks if one["fine"] is False}
    assert wrong.keys() == {"lights", "buttons"}
    assert "does not lie over" in wrong["lights"]
