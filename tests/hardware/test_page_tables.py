"""The tables of the pages are those of the parts."""

import re
import shutil
from pathlib import Path

import pytest

from hardware import page_tables
from hardware.makers import FOLDER
from hardware.parts.catalogue import PARTS
from hardware.parts.placement import fasteners, mast_plan, quantities

BUILDS = ("club_table", "glowing_board")


def copied(folder: Path) -> None:
    """Copies the pages of all builds, and the page of all."""
    shutil.copy(FOLDER / "README.md", folder)
    for build in (*BUILDS, "twenty_minutes"):
        (folder / build).mkdir()
        shutil.copy(FOLDER / build / "README.md", folder / build)


def test_the_tables_of_the_pages_are_those_of_the_parts() -> None:
    assert page_tables.differences(FOLDER) == []


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("club_table/README.md", "399 mm", "398 mm"),
        ("glowing_board/README.md", "| **sum** |", "| sum |"),
        ("twenty_minutes/README.md", "25 / 25", "15 / 15"),
        ("README.md", "| cost, estimated in euro |", "| cost, estimated in euro | 1 / 1 |"),
    ],
)
def test_a_table_that_was_changed_by_hand_is_told_and_made_anew(
    tmp_path: Path, name: str, old: str, new: str
) -> None:
    copied(tmp_path)
    page = tmp_path / name
    right = page.read_text()
    assert old in right
    page.write_text(right.replace(old, new))
    [difference] = page_tables.differences(tmp_path)
    assert str(page) in difference
    page_tables.write(tmp_path)
    assert page.read_text() == right


@pytest.mark.parametrize("build", BUILDS)
def test_every_part_that_a_build_needs_is_on_its_page_once(build: str) -> None:
    text = "\n".join(page_tables.parts(build))
    for name, count in quantities(build, "duo", "module-3").items():
        if not name.startswith("piece-"):
            [row] = re.findall(rf"^.*/{name}\.(?:stl|dxf)\).*$", text, re.MULTILINE)
            assert row.startswith(f"| {PARTS[name].title} | {count} |")


def test_pieces_are_counted_in_sets() -> None:
    [row] = [line for line in page_tables.parts("glowing_board") if "pieces" in line]
    assert row.startswith("| set of 21 pieces | 2 | 4 |")
    assert not [line for line in page_tables.parts("club_table") if "pieces" in line]


def test_the_lengths_of_tubes_are_those_of_the_mast() -> None:
    upright, arm = mast_plan("glowing_board", "duo", "module-3").tube_lengths_mm
    [row] = [line for line in page_tables.tubes("glowing_board") if "Module 3 |" in line]
    assert f"| {upright:.0f} mm, {arm:.0f} mm |" in row


@pytest.mark.parametrize("build", BUILDS)
def test_the_screws_are_those_of_the_parts(build: str) -> None:
    table = page_tables.screws(build)[2:]
    few, many = (fasteners(build, game, "module-3") for game in ("duo", "classic"))
    assert table == [f"| {name} | {few[name]} | {many[name]} |" for name in few]


def test_a_page_without_the_place_of_a_table_is_refused(tmp_path: Path) -> None:
    copied(tmp_path)
    (tmp_path / "glowing_board" / "README.md").write_text("# no tables\n")
    with pytest.raises(ValueError, match="lacks the place of its table"):
        page_tables.write(tmp_path)
