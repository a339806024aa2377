"""Settings: frozen, bounded; a message on a wrong one names the nearest right one."""

import dataclasses
import json
import os
import re
import tomllib
from pathlib import Path
from typing import Annotated

import pytest

from firmware.codes import Scoring
from firmware.errors import SettingsError, UnreadableError
from firmware.rules.variants import EDITIONS, VARIANTS
from firmware.settings import GameSettings, Range, Settings, _section, describe, load, parse
from tests.conftest import ROOT


def test_without_a_file_every_setting_has_its_default() -> None:
    assert parse({}) == Settings()
    assert parse({"game": {}}) == Settings()


def test_settings_are_read_from_toml(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text('[game]\ngame = "classic"\nscoring = "basic"\n')
    settings = load(path)
    assert (settings.game.game, settings.game.scoring) == ("classic", "basic")
    assert settings.game.edition == "auto"


@pytest.mark.parametrize(
    ("names", "pins"),
    [
        ('["Ada", "Ben"]', "[22, 23, 24]"),
        ('"Ada, Ben"', '"22, 23,24"'),
        ('"Ada,Ben"', '"22,23,24"'),
    ],
)
def test_a_list_is_an_array_or_text_with_commas(tmp_path: Path, names: str, pins: str) -> None:
    path = tmp_path / "table.toml"
    path.write_text(f"game.names = {names}\nbuttons.pins = {pins}\n")
    settings = load(path)
    assert settings.game.names == ("Ada", "Ben")
    assert settings.buttons.pins == (22, 23, 24)


def test_an_empty_text_is_an_empty_list() -> None:
    assert parse({"game": {"names": ""}}).game.names == ()


def test_settings_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Settings().game.game = "classic"  # type: ignore[misc,assignment]


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ({"gmae": {}}, r"there is no section \[gmae\]; the nearest is game"),
        ({"game": {"scorng": "basic"}}, "no setting game.scorng; the nearest is game.scoring"),
        ({"game": {"scoring": "best"}}, "game.scoring must be one of advanced, basic, not 'best'"),
        ({"game": {"scoring": 1}}, "must be one of advanced, basic, not 1"),
        ({"game": "duo"}, r"game is a section; write \[game\] above its keys"),
        ({"game": {"names": ["Ada", 7]}}, r"game.names must be a list of texts, not \['Ada', 7\]"),
        ({"game": {"names": 7}}, "game.names must be a list of texts, not 7"),
        (
            {"buttons": {"pins": "5,six"}},
            "buttons.pins must be a list of whole numbers, not '5,six'",
        ),
        ({"buttons": {"pins": "5,,6"}}, "buttons.pins must be a list of whole numbers, not '5,,6'"),
        (
            {"buttons": {"pins": "9" * 5000}},
            "buttons.pins must be a list of whole numbers, not '99",
        ),
        ({"camera": {"turn": 45}}, "camera.turn must be one of 0, 90, 180, 270, not 45"),
        ({"camera": {"turn": 90.0}}, "camera.turn must be one of 0, 90, 180, 270, not 90.0"),
        ({"camera": {"turn": False}}, "camera.turn must be one of 0, 90, 180, 270, not False"),
        (
            {"camera": {"source": ["http://ann:s3cret@cam"]}},
            r"camera.source must be text, not \['http://\.\.\.@cam'\]",
        ),
        ({"buttons": {"pins": [5, True]}}, r"must be a list of whole numbers, not \[5, True\]"),
    ],
)
def test_a_wrong_setting_is_refused_with_the_remedy(table: dict[str, object], why: str) -> None:
    with pytest.raises(SettingsError, match=why) as caught:
        parse(table, "table.toml")
    assert str(caught.value).startswith("table.toml: ")


def test_a_file_that_is_no_toml_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("[game]\ngame = duo\n")
    with pytest.raises(SettingsError, match=r"is not TOML: .*line 2"):
        load(path)


@pytest.mark.parametrize(
    "absurd",
    ["a." * 3000 + "b = 1", "[" + "a." * 3000 + "b]", "a = " + "[" * 5000],
)
def test_what_no_settings_are_is_not_parsed(
    tmp_path: Path, absurd: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "table.toml"
    path.write_text(absurd)
    monkeypatch.setattr("tomllib.loads", lambda _: pytest.fail("it was parsed"))
    with pytest.raises(SettingsError, match="settings are never so long"):
        load(path)


@pytest.mark.parametrize("absurd", ["a = " + "[\n" * 5000, "a = " + "[" * 900])
def test_absurd_toml_is_refused_in_a_sentence(tmp_path: Path, absurd: str) -> None:
    path = tmp_path / "table.toml"
    path.write_text(absurd)
    with pytest.raises(SettingsError, match="is not TOML"):
        load(path)


def test_a_file_that_is_too_large_or_a_pipe_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("# \n" * 60_000)
    with pytest.raises(UnreadableError, match=r"the settings .*: it is larger than 0\.1 MB"):
        load(path)
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(UnreadableError, match="it is a pipe or a device, not a file"):
        load(path)


def test_a_file_of_an_editor_of_windows_is_read(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_bytes(b'\xef\xbb\xbf[lights]\r\ndriver = "none"\r\nbrightness = 0.25\r\n')
    assert load(path).lights.brightness == 0.25


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match="not UTF-8"):
        load(path)


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match=r"cannot read the settings .*No such file"):
        load(tmp_path / "none.toml")


def test_the_games_editions_and_scorings_are_those_of_the_rules() -> None:
    allowed = {name: words for name, words, *_ in describe()}
    assert allowed["game.game"] == "one of auto, " + ", ".join(VARIANTS)
    assert allowed["game.edition"] == "one of auto, " + ", ".join(EDITIONS)
    assert allowed["game.scoring"].split(" of ")[1].split(", ") == [
        Scoring.ADVANCED.value,
        Scoring.BASIC.value,
    ]


def test_every_default_is_a_value_that_may_be_set() -> None:
    table: dict[str, dict[str, object]] = {}
    for name, _, default, meaning in describe():
        section, key = name.split(".")
        table.setdefault(section, {})[key] = default
        assert meaning
    assert parse(table) == Settings()


def test_the_example_shows_every_setting_with_its_default_or_another_value() -> None:
    text = (ROOT / "firmware" / "table.example.toml").read_text()
    everything = tomllib.loads(re.sub(r"^#(?=\w+ = )", "", text, flags=re.MULTILINE))
    settings = {
        f"{s}.{key}": value for s, keys in everything.items() for key, value in keys.items()
    }
    assert list(settings) == [name for name, *_ in describe()]
    explained = " ".join(text.replace("\n#  ", "").split())
    for name, may, default, meaning in describe():
        key = name.split(".")[1]
        assert f"# {meaning} ({may}) " in explained
        assert f"\n#{key} = {json.dumps(default)}\n" in text or f"\n{key} = " in text
    parse(everything)


@dataclasses.dataclass(frozen=True, slots=True)
class _Numbers:
    port: Annotated[int, Range(1, 65535), "port of the page"] = 8000
    steady_s: Annotated[float, Range(0.1, 5), "seconds without a hand"] = 0.45
    loud: Annotated[bool, "whether to beep"] = False
    name: Annotated[str, "name of the table"] = "ours"


@dataclasses.dataclass(frozen=True, slots=True)
class _Table:
    table: _Numbers = dataclasses.field(default_factory=_Numbers)


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("port", 0, "a whole number from 1 to 65535, not 0"),
        ("port", True, "a whole number from 1 to 65535, not True"),
        ("port", 80.5, "a whole number from 1 to 65535, not 80.5"),
        ("steady_s", 9, "a number from 0.1 to 5, not 9"),
        ("steady_s", "1", "a number from 0.1 to 5, not '1'"),
        ("loud", 1, "true or false, not 1"),
        ("name", 1, "text, not 1"),
    ],
)
def test_numbers_have_kinds_and_bounds(key: str, value: object, why: str) -> None:
    with pytest.raises(SettingsError, match=why):
        _section(_Table, {"table": {key: value}}, "x", "")


def test_a_whole_number_will_do_where_a_number_is_asked() -> None:
    found = _section(_Table, {"table": {"steady_s": 1, "loud": True, "name": "a"}}, "x", "")
    assert found.table.steady_s == 1.0
    assert isinstance(found.table.steady_s, float)


def test_game_settings_are_a_section() -> None:
    assert Settings().game == GameSettings()
