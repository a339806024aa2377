"""`lights-test`: pictures on the LEDs, questions, and what to change for each wrong answer."""

import io
import json
from pathlib import Path

import pytest

from firmware.commands.main import main

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
    monkeypatch.setattr("firmware.commands.lights_test._DOT_S", 0.0)
    return main(["lights-test", "--config", str(config)])


def test_all_right_is_said_and_the_leds_are_dark_at_the_end(
    config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert answered(config, monkeypatch, "y", "", "what?", "yes", *["y"] * 7) == 0
    output = capsys.readouterr().out
    assert output.count("every LED is green: is it so?") == 3, "Enter shows it again"
    assert output.endswith("The LEDs are as the settings say.\n")
    assert not any((config.parent / "leds0").read_bytes())


@pytest.mark.parametrize(
    ("answers", "remedy"),
    [
        ("nny", "Then set lights.order to 'RGB', and run this again"),
        ("nnn", "Then set lights.order to 'BGR' or 'RBG', and run this again"),
        ("yyyn", "Then set lights.first to the corner where it is"),
        ("yyyyn", "Then set lights.along to 'columns'"),
        ("yyyyyn", "Then set lights.serpentine to false"),
        ("yyyyyyn", "Then set lights.left and lights.top"),
        ("yyyyyyyn", "Then an LED that stays dark is broken"),
        ("yyyyyyyyn", "Then connect the ground"),
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
    monkeypatch.setattr("firmware.commands.lights_test._DOT_S", 0.0)
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
