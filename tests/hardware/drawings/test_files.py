"""The pictures of the repository are those that the program draws."""

from pathlib import Path

import pytest

from hardware.__main__ import FOLDER, main
from hardware.drawings import files
from hardware.drawings.drawing import Drawing
from hardware.drawings.solids import box

pytestmark = pytest.mark.slow


def test_the_pictures_of_the_repository_are_those_that_are_drawn() -> None:
    assert files.differences(FOLDER) == []


def a_box() -> Drawing:
    drawn = Drawing("a box")
    drawn.add(box(40, 30, 20))
    return drawn


def test_another_picture_and_a_missing_one_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    few = dict.fromkeys(("whole", "step-1"), a_box())
    monkeypatch.setattr(files, "_BUILDS", {"twenty_minutes": lambda: few})
    assert main(["--folder", str(tmp_path)]) == 0
    assert main(["--check", "--folder", str(tmp_path)]) == 0
    drawn = tmp_path / "twenty_minutes"
    (drawn / "whole.svg").write_text("<svg/>")
    (drawn / "step-1.svg").unlink()
    (drawn / "markers-duo-a4.pdf").write_bytes(b"%PDF")
    capsys.readouterr()
    assert main(["--check", "--folder", str(tmp_path)]) == 1
    told = capsys.readouterr().out
    for name in ("whole.svg is not", "step-1.svg is missing", "markers-duo-a4.pdf is not"):
        assert name in told
