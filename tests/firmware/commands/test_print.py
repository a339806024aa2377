"""`cornerlight print` writes sheets, tells heights, and refuses in one sentence."""

import json
from pathlib import Path

import pytest

from firmware.cameras.mounting import MODELS
from firmware.commands.main import WRONG_USE, main
from firmware.commands.print import language_of
from tests.support.printed_pages import texts


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Returns the one line with which a call is refused."""
    try:
        status = main(["print", *words])
    except SystemExit as ended:
        status = int(str(ended.code))
    captured = capsys.readouterr()
    assert status == WRONG_USE
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


def test_a_camera_that_is_not_listed_is_refused_with_the_list(
    capsys: pytest.CaptureFixture[str],
) -> None:
    output = refused(capsys, "height", "--camera", "module-9")
    assert all(key in output for key in MODELS)


@pytest.mark.parametrize("pitch", ["7.9", "40.1", "nan", "wide", "-14"])
@pytest.mark.parametrize("what", ["height", "markers"])
def test_a_pitch_that_no_board_has_is_refused(
    capsys: pytest.CaptureFixture[str], what: str, pitch: str
) -> None:
    assert "8 to 40 mm" in refused(capsys, what, f"--pitch-mm={pitch}")


def test_an_output_that_cannot_be_written_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for name in (tmp_path, tmp_path / "none" / "markers.pdf"):
        assert "cannot write" in refused(capsys, "markers", "--output", str(name))


@pytest.mark.parametrize("size", ["1920", "1920x", "x", "99x99", "1920x1080x3", "-5x20"])
def test_a_size_of_pictures_that_is_none_is_refused(
    capsys: pytest.CaptureFixture[str], size: str
) -> None:
    assert repr(size) in refused(capsys, "height", f"--size={size}")


@pytest.mark.parametrize("name", ["-x", "two words", "x.local", "a" * 64, "http://x"])
def test_a_name_that_no_machine_has_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    assert "hyphens" in refused(capsys, "card", f"--name={name}")
    monkeypatch.setattr("firmware.commands.print.gethostname", lambda: "my_pc.home")
    assert "--name" in refused(capsys, "card")


def test_the_card_has_the_name_of_this_machine(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("firmware.commands.print.gethostname", lambda: "club-table.home.arpa")
    path = tmp_path / "card.pdf"
    assert main(["print", "card", "--port", "8080", "--output", str(path)]) == 0
    assert "1 page of a4" in capsys.readouterr().out
    assert "club-table.local:8080/arbiter" in texts(path.read_bytes())[0]


def test_a_sheet_is_written_and_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "markers.pdf"
    assert main(["print", "markers", "--language", "de", "--output", str(path), "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert row == {
        "sheet": "markers",
        "file": str(path),
        "pages": 3,
        "paper": "a4",
        "language": "de",
    }
    assert path.read_bytes().startswith(b"%PDF")


def test_heights_are_told_for_every_camera_and_for_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["print", "height", "--json"]) == 0
    output = json.loads(capsys.readouterr().out)
    assert [one["camera"] for one in output["cameras"]] == list(MODELS)
    assert output["board"] == {"squares": 14, "pitch_mm": 14.0, "rim_mm": 25.0}
    assert main(["print", "height", "--camera", "phone", "--height-mm", "3000"]) == 0
    text = capsys.readouterr().out
    assert "pixels in pictures of 1920x1080" in text
    assert "warning: a square is only" in text


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
        ({}, "en"),
    ],
)
def test_sheets_have_the_language_of_the_terminal(
    environment: dict[str, str], language: str
) -> None:
    assert language_of(environment) == language
