"""The pictures of the repository are those that the program draws."""

from pathlib import Path

import pytest

from hardware.drawings import files
from hardware.drawings.drawing import Drawing
from hardware.drawings.solids import box
from hardware.makers import FOLDER

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("build", files.BUILDS)
def test_the_pictures_of_the_repository_are_those_that_are_drawn(build: str) -> None:
    assert files.differences(FOLDER / build) == []


def a_box() -> Drawing:
    drawn = Drawing("a box")
    drawn.add(box(40, 30, 20))
    return drawn


def test_another_picture_a_missing_one_and_one_too_many_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = dict.fromkeys(("whole", "step-1"), a_box())
    monkeypatch.setitem(files.BUILDS, "twenty_minutes", lambda: few)
    folder = tmp_path / "twenty_minutes"
    folder.mkdir()
    files.write(folder)
    assert files.differences(folder) == []
    (folder / "whole.svg").write_text("<svg/>")
    (folder / "step-1.svg").unlink()
    (folder / "step-9.svg").write_text("<svg/>")
    differences = "\n".join(files.differences(folder))
    assert "whole.svg is not the picture" in differences
    assert "step-1.svg is missing" in differences
    assert "step-9.svg is drawn by no program" in differences
