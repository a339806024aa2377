"""Lists of what to buy have all that a build needs, and their sums are those of their lines."""

import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from hardware.buying import cost, lacking, needs_of, purchases
from hardware.makers import FOLDER
from hardware.parts.placement import BUILDS, SQUARES, fasteners

WIRED = ("club_table", "glowing_board")


def rows(build: str) -> list[list[str]]:
    """The cells of the rows of the list on the page of a build."""
    page = (FOLDER / build / "README.md").read_text("utf-8")
    block = page.partition("<!-- buying -->")[2].partition("<!-- end of buying -->")[0]
    return [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for line in block.strip().splitlines()[2:]
    ]


def both(cell: str) -> tuple[int, int]:
    duo, classic = re.findall(r"\d+", cell)
    return int(duo), int(classic)


@pytest.mark.parametrize("build", BUILDS)
def test_a_list_covers_all_needs_of_its_build(build: str) -> None:
    assert lacking(build, purchases(build)) == []


@pytest.mark.parametrize("build", BUILDS)
def test_the_sum_on_the_page_is_that_of_its_rows_and_stands_on_the_page_of_all(build: str) -> None:
    *lines, total = rows(build)
    assert len(lines) == len(purchases(build))
    for line, one in zip(lines, purchases(build), strict=True):
        assert both(line[2]) == (one.duo, one.classic)
        assert both(line[5]) == (one.duo * one.euro, one.classic * one.euro)
    sums = tuple(sum(amounts) for amounts in zip(*(both(line[5]) for line in lines), strict=True))
    assert both(total[5]) == sums
    overview = (FOLDER / "README.md").read_text("utf-8")
    [costs] = re.findall(r"^\| cost, estimated in euro \| (.*) \|$", overview, re.MULTILINE)
    assert both(costs.split(" | ")[BUILDS.index(build)]) == sums


@pytest.mark.parametrize("build", BUILDS)
def test_each_number_of_the_picture_has_a_line(build: str) -> None:
    picture = ET.parse(FOLDER / build / "whole.svg")  # noqa: S314, our own
    words = ["".join(node.itertext()) for node in picture.iter("{http://www.w3.org/2000/svg}text")]
    numbers = sorted(int(word) for word in words if word.isdigit())
    assert numbers
    assert sorted(one.number for one in purchases(build) if one.number) == numbers


@pytest.mark.parametrize("build", WIRED)
def test_each_row_of_the_wiring_and_each_screw_is_a_need(build: str) -> None:
    for game, wiring in (("duo", "wiring.md"), ("classic", "wiring-classic.md")):
        need, text = needs_of(build, game), (FOLDER / build / wiring).read_text("utf-8")
        for name in re.findall(r"^\| (?:supply|fuse F\d)[^|]*\| (.*) \|$", text, re.MULTILINE):
            assert need[f"supply of {name}"] or need[f"blade fuse {name}"]
        for row in re.findall(r"^\| W\d+ .*$", text, re.MULTILINE):
            section, ends = [cell.strip() for cell in row.split("|")][-3:-1]
            for end in ends.split(" / "):
                if section != "lead" and end != "soldered":
                    assert need[f"{end}, {section} mm²"]
        for part in re.findall(r"^- ([UCR]\d): ", text, re.MULTILINE):
            assert need[part]
        assert all(
            need[screw] == count for screw, count in fasteners(build, game, "module-3").items()
        )


@pytest.mark.parametrize("build", WIRED)
def test_a_line_that_is_taken_out_is_missed(build: str) -> None:
    lines = purchases(build)
    for line in lines:
        others = [one for one in lines if one is not line]
        assert bool(line.covers) <= bool(lacking(build, others)), line.what


def test_too_few_and_another_rating_are_named() -> None:
    lines = purchases("club_table")
    few = [replace(one, classic=3) if one.what == "LED panel" else one for one in lines]
    assert lacking("club_table", few) == [
        "hardware/club_table/buying.toml covers 768 of 'LED', and classic needs 1.02e+03"
    ]
    other = [
        replace(one, covers={"supply of 5 V, 5 A": 1}) if one.what == "supply, Duo" else one
        for one in lines
    ]
    stale, missed = lacking("club_table", other)
    assert "covers 'supply of 5 V, 5 A', which neither game needs" in stale
    assert "covers 0 of 'supply of 5 V, 6 A', and duo needs 1" in missed


def test_wires_are_counted_in_millimetres_and_parts_in_grams() -> None:
    need = needs_of("glowing_board", "duo")
    assert need["wire 0.5 mm², red"] == 100 + 200 + 370 + 470 + 150 + 1000 + 13 * 42
    assert 650 < need["PETG or PLA"] < 750
    assert need["clamp"] == 2 * 2
    assert not needs_of("twenty_minutes", "classic")


def test_a_sum_counts_pieces() -> None:
    [panel] = [one for one in purchases("club_table") if one.what == "LED panel"]
    assert [cost([panel], game) for game in SQUARES] == [panel.euro, 4 * panel.euro]
