"""Parts of the reader are switched off one at a time, and results are continued."""

from pathlib import Path

import numpy as np
import pytest

from tests.conftest import ROOT
from tests.evaluation.ablation.parts import PARTS, observed, target_of, without
from tests.evaluation.ablation.rows import EVERYTHING, Results, heading, interval, line
from tests.evaluation.ablation.subject import SUBSET
from vision.camera import Image
from vision.geometry.grid import Points
from vision.io.image_file import load_picture
from vision.reader import read_picture
from vision.reading import Reading

Board = tuple[Image, Points]
"""A picture, and the corners of its board."""

SAMPLES = ROOT / "tests" / "vision" / "data"


@pytest.fixture(scope="module")
def board() -> Board:
    image = load_picture(SAMPLES / "black_white_3.jpg")
    reading = read_picture(image, 14)
    assert isinstance(reading, Reading)
    return image, reading.corners


@pytest.mark.parametrize("name", PARTS)
def test_the_reader_works_without_a_part_and_has_it_again(board: Board, name: str) -> None:
    part, (image, corners) = PARTS[name], board
    with without(name):
        assert isinstance(read_picture(image, 14, corners=corners), Reading)
        assert all(_is_replaced(place, part.instead) for place in part.places)
    assert not any(_is_replaced(place, part.instead) for place in part.places)


def _is_replaced(place: str, instead: object) -> bool:
    target, name = target_of(place)
    return getattr(target, name) is instead


def test_parts_that_act_are_observed_and_the_others_change_nothing(board: Board) -> None:
    image, corners = board
    with observed() as acting:
        reading = read_picture(image, 14, corners=corners)
    assert isinstance(reading, Reading)
    assert "groups" in acting
    assert not acting & {"lines go on", "hopeless pictures", "resting objects"}
    for name in PARTS.keys() - acting:
        with without(name):
            other = read_picture(image, 14, corners=corners)
        assert isinstance(other, Reading)
        assert np.array_equal(other.probabilities, reading.probabilities), name


def test_results_are_continued_and_only_missing_ones_are_read(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    Results(path).add(EVERYTHING, "a", (0, 3, 1.0), {"own tints"})
    again = Results(path)
    assert again.is_known(EVERYTHING, "a")
    assert not again.is_known(EVERYTHING, "b")
    assert not again.is_known("groups", "a")
    assert again.is_known("own tints", "a")
    again.add("groups", "a", (1, 2, 0.5))
    assert Results(path).is_known("groups", "a")


def test_a_part_earns_what_its_absence_surely_costs(tmp_path: Path) -> None:
    results = Results(tmp_path / "rows.jsonl")
    pictures = [f"picture {number}" for number in range(20)]
    for number, one in enumerate(pictures):
        results.add(EVERYTHING, one, (0, 2, 1.0), () if number < 10 else {"groups"})
        results.add("own tints", one, (0, 2 + number % 2 * 2 - 1, 1.0))
    for one in pictures[:10]:
        results.add("groups", one, (1, 1, 0.5))
    row = line("groups", results, pictures)
    assert row.startswith("| groups | 10 of 20 | 10 | 30 | +6 to +14 | -14 to -6 | 0.50 |")
    assert row.endswith("| wrong, costs open |")
    assert line("own tints", results, pictures).endswith("| 1.00 | nothing |")
    assert heading().count("|") == row.count("|") * 2


def test_an_interval_holds_the_sum_and_is_reproducible() -> None:
    differences = np.random.default_rng(1).normal(1, 1, 50)
    low, high = interval(differences)
    assert low < differences.sum() < high
    assert (low, high) == interval(differences)


def test_the_fixed_subset_names_each_subject_once() -> None:
    names = SUBSET.read_text(encoding="utf-8").splitlines()
    assert len(names) == len(set(names)) > 100
