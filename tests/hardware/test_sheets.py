"""The sheets of the repository are those that the program makes."""

from pathlib import Path

from hardware import sheets
from hardware.makers import FOLDER


def test_the_sheets_of_the_repository_are_those_that_are_made() -> None:
    assert sheets.differences(FOLDER) == []


def test_another_sheet_is_told(tmp_path: Path) -> None:
    sheets.write(tmp_path)
    assert sheets.differences(tmp_path) == []
    (tmp_path / "twenty_minutes" / "markers-duo-a4.pdf").write_bytes(b"%PDF")
    [difference] = sheets.differences(tmp_path)
    assert "markers-duo-a4.pdf" in difference
