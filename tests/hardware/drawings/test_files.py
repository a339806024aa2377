"""The pictures of the repository are those that the program draws."""

from pathlib import Path

import pytest

from hardware.__main__ import FOLDER
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
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = dict.fromkeys(("whole", "step-1"), a_box())
    monkeypatch.setattr(files, "_BUILDS", {"twenty_minutes": lambda: few})
    files.write(tmp_path)
    assert files.differences(tmp_path) == []
    drawn = tmp_path / "twenty_minutes"
    (drawn / "whole.svg").write_text("<svg/>")
    (drawn / "step-1.svg").unlink()
    told = "\n".join(files.differences(tmp_path))
    assert "whole.svg is not the picture" in told
    assert "step-1.svg is missing" in told
