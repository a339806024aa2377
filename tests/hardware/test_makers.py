"""All files are made in order; what differs, and what cannot be made, is said."""

from pathlib import Path

import pytest

from hardware import makers
from hardware.__main__ import main
from hardware.makers import FOLDER, Maker, differences, make, of_each


class Notes:
    """Makes nothing, and remembers for which folders it was asked."""

    def __init__(self, sentences: list[str]) -> None:
        self.sentences = sentences
        self.written: list[Path] = []

    def write(self, folder: Path) -> None:
        self.written.append(folder)

    def differences(self, folder: Path) -> list[str]:
        return [f"{folder.name}: {one}" for one in self.sentences]

    def maker(self, needs: str = "") -> Maker:
        return Maker("notes", self.write, self.differences, needs)


def test_everything_is_made_below_the_folder(tmp_path: Path) -> None:
    one, other = Notes([]), Notes([])
    assert list(make([one.maker(), other.maker()], tmp_path)) == ["notes: made"] * 2
    assert one.written == other.written == [tmp_path]


def test_a_comparison_writes_nothing_and_tells_what_differs(tmp_path: Path) -> None:
    notes = Notes(["it differs"])
    assert list(differences([notes.maker()], tmp_path)) == [f"{tmp_path.name}: it differs"]
    assert notes.written == []


def test_what_needs_a_missing_library_is_left_out_and_said(tmp_path: Path) -> None:
    notes = Notes(["it differs"])
    maker = notes.maker("no_such_library")
    [line] = make([maker], tmp_path)
    assert line.startswith("notes: left out, no_such_library is not installed")
    assert list(differences([maker], tmp_path)) == []
    assert notes.written == []


def test_files_of_builds_are_made_in_the_folder_of_each(tmp_path: Path) -> None:
    notes = Notes(["it differs"])
    maker = of_each("notes", ("one", "other"), notes)
    maker.write(tmp_path)
    assert notes.written == [tmp_path / "one", tmp_path / "other"]
    assert maker.differences(tmp_path) == ["one: it differs", "other: it differs"]


@pytest.mark.parametrize(("sentences", "status"), [([], 0), (["it differs"], 1)])
def test_the_command_ends_with_1_if_anything_differs(
    sentences: list[str],
    status: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("hardware.__main__.MAKERS", (Notes(sentences).maker(),))
    assert main(["--check"]) == status
    assert (
        capsys.readouterr().out == f"hardware: {sentences[0]}\n"
        if sentences
        else "nothing differs\n"
    )


def test_parts_come_before_what_shows_them() -> None:
    names = [maker.name for maker in makers.MAKERS]
    assert names[0] == "parts"
    assert {"drawings", "tables"} < set(names)
    assert FOLDER.name == "hardware"
