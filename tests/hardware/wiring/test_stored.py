"""Settings, table and drawing of each build agree, and what does not is named."""

import re
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from firmware.commands.checks.hardware import check_buttons, check_lights
from firmware.errors import SettingsError, UnreadableError
from firmware.settings import load
from hardware.wiring import differences, write
from hardware.wiring.builds import BUILDS
from hardware.wiring.table_text import rows_in
from tests.conftest import ROOT

FOLDERS = [ROOT / "hardware" / name for name in BUILDS]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def build(tmp_path: Path) -> Path:
    """A copy of a build."""
    return shutil.copytree(ROOT / "hardware" / "glowing_board", tmp_path / "glowing_board")


def drawn(path: Path) -> dict[str, ET.Element]:
    return {node.get("id", ""): node for node in ET.parse(path).iter(f"{SVG}g")}  # noqa: S314, our own


def words(group: ET.Element) -> list[str]:
    return ["".join(node.itertext()) for node in group.iter(f"{SVG}text")]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_stored_files_are_those_of_the_settings(folder: Path) -> None:
    assert differences(folder) == []


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_doctor_accepts_each_example(folder: Path) -> None:
    for path in folder.glob("table*.toml"):
        settings = load(path)
        assert settings.lights.driver != "none"
        assert check_lights(settings, opens=False).fine
        assert check_buttons(settings, opens=False).fine


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_table_and_drawing_have_the_same_wires_in_the_same_colours(folder: Path) -> None:
    for table in folder.glob("wiring*.md"):
        rows = rows_in(table.read_text("utf-8"))
        groups = drawn(table.with_suffix(".svg"))
        assert len(rows) > 20
        assert {row[0] for row in rows} == {name for name in groups if re.match(r"W\d", name)}
        for name, _, start, end, pin, gpio, signal, colour, length, _, _ in rows:
            title = groups[name].findtext(f"{SVG}title", "")
            assert title.startswith(f"{name}: {start}")
            assert f"to {end}, {signal}, {colour}, {length} mm" in title
            assert f"stroke:{colour};" in [*groups[name].iter(f"{SVG}path")][-1].get("style", "")
            if pin:
                assert words(groups[f"J8-{pin}"])[0] == pin
                circle = next(groups[f"J8-{pin}"].iter(f"{SVG}circle"))
                assert f"fill:{colour};" in circle.get("style", "")
            if gpio:
                assert words(groups[f"J8-{pin}"])[1] == f"GPIO{gpio}"


def test_a_changed_pin_makes_the_stored_files_stale_and_changes_all_three(build: Path) -> None:
    pytest.importorskip("schemdraw", reason="draws the wiring anew, which needs schemdraw")
    settings = build / "table.toml"
    settings.write_text(settings.read_text("utf-8").replace("[5, 6]", "[5, 13]"), "utf-8")
    stale = differences(build)
    for name in ("wiring.md", "wiring.svg"):
        assert any(name in one and "python -m hardware" in one for one in stale)
    assert not any("wiring-classic" in one for one in stale)

    write(build)
    assert differences(build) == []
    rows = rows_in((build / "wiring.md").read_text("utf-8"))
    (row,) = [row for row in rows if row[3] == "Button 2 a"]
    assert row[4:6] == ("33", "13")
    groups = drawn(build / "wiring.svg")
    assert words(groups["J8-33"]) == ["33", "GPIO13"]
    assert "fill:blue;" in next(groups["J8-33"].iter(f"{SVG}circle")).get("style", "")
    assert "fill:white;" in next(groups["J8-31"].iter(f"{SVG}circle")).get("style", "")
    assert "J8 33 (GPIO13) to Button 2 a" in groups[row[0]].findtext(f"{SVG}title", "")


def test_made_again_the_files_are_equal_byte_for_byte(build: Path) -> None:
    pytest.importorskip("schemdraw", reason="draws the wiring anew, which needs schemdraw")
    stored = {path.name: path.read_bytes() for path in build.glob("wiring*")}
    written = write(build)
    assert {path.name: path.read_bytes() for path in written} == stored


@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        ("wiring.md", "| J8 29 |", "| J8 31 |", "wiring.md has W25 1 J8 31 Button 1 a"),
        ("wiring.md", "74AHCT125", "74HC125", "wiring.md is stale"),
        ("wiring.svg", "J8 29 (GPIO5)", "J8 31 (GPIO6)", "instead of 'W25: J8 29 (GPIO5)"),
        ("wiring.svg", "stroke:yellow", "stroke:pink", "shows W25 in another colour than yellow"),
        ("wiring.svg", "fill:yellow", "fill:white", "shows pin 29 not in yellow"),
        ("wiring.svg", ">GPIO5<", ">GPIO7<", "shows pin 29 not as GPIO5"),
        ("wiring.svg", ">196 mA<", ">19 mA<", "does not show: all dark 196 mA"),
        ("wiring.svg", ">W25<", "><", "does not name W25"),
        ("wiring.svg", "</svg>", "", "is no drawing"),
        ("wiring.svg", 'id="W28"', 'id="W99"', "shows W99, and there is none"),
        ("table.toml", "limit_ma = 1500", "limit_ma = 1590", "does not show: all white, limited"),
        ("table.toml", "limit_ma = 1500", "limit_ma = 1590", "wiring.md is stale"),
        ("table.toml", "translucent", "opaque", None),
    ],
)
def test_each_kind_of_disagreement_is_named(
    build: Path, file: str, old: str, new: str, sentence: str | None
) -> None:
    text = (build / file).read_text("utf-8")
    assert old in text
    (build / file).write_text(text.replace(old, new), "utf-8")
    found = differences(build)
    assert bool(found) is (sentence is not None)
    assert sentence is None or any(sentence in one for one in found), found
    assert all("\n" not in one for one in found)


def test_a_missing_led_in_the_drawing_is_named(build: Path) -> None:
    path = build / "wiring.svg"
    chain, marker, rest = path.read_text("utf-8").partition('<g id="chain">')
    rest = re.sub("<circle [^>]*/>", "", rest, count=1)
    path.write_text(chain + marker + rest, "utf-8")
    assert any("shows 195 LEDs, and there are 196" in one for one in differences(build))


def test_missing_and_orphaned_files_are_named(build: Path) -> None:
    (build / "wiring.svg").unlink()
    (build / "table-classic.toml").unlink()
    found = " ".join(differences(build))
    assert "wiring.svg is not there" in found
    assert "wiring-classic.md belongs to no settings" in found
    assert "wiring-classic.svg belongs to no settings" in found


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("[5, 6]", "[5, 5]", "buttons.pins must be different numbers"),
        ("[5, 6]", "[5, 10]", "buttons.pins cannot be GPIO10"),
        ("[5, 6]", "[2, 6]", "buttons.pins cannot be GPIO2"),
        ("[5, 6]", "[5, 15]", "buttons.pins cannot be GPIO15"),
        ('"spi"\n', '"none"\n', "lights.driver is 'none'"),
        ("limit_ma = 1500", "columns = 32\nrows = 32", "1024 LEDs need power"),
        ("limit_ma = 1500", "limit = 1500", "there is no setting lights.limit"),
    ],
)
def test_wrong_settings_give_one_sentence_that_names_the_file(
    build: Path, old: str, new: str, sentence: str
) -> None:
    path = build / "table.toml"
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    with pytest.raises(SettingsError) as refused:
        differences(build)
    assert re.fullmatch(rf"{re.escape(str(path))}: {re.escape(sentence)}[^\n]*", str(refused.value))


def test_a_folder_without_settings_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"has no table\.toml"):
        differences(tmp_path)


def test_a_file_that_cannot_be_written_is_named(build: Path) -> None:
    pytest.importorskip("schemdraw", reason="draws the wiring anew, which needs schemdraw")
    (build / "wiring.md").unlink()
    (build / "wiring.md").mkdir()
    with pytest.raises(UnreadableError, match=r"cannot write .*wiring\.md: "):
        write(build)
