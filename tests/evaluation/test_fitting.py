"""Constants move where that is surely better, and readings are continued."""

import tomllib
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import ROOT
from tests.evaluation.ablation.rows import Counts, Results
from tests.evaluation.fitting.pictures import MeasuredPicture, chosen, sources
from tests.evaluation.fitting.report import described, source_line, table_text
from tests.evaluation.fitting.search import FACTORS, ConstantSearch, Settings
from tests.evaluation.variations import VariationSample
from vision.io.image_file import load_picture
from vision.squares.fitted_constants import FittedConstant, fitted_constants

VALUES = {"sharp": 10.0, "blunt": 1.0, "idle": 5.0}
PICTURES = [f"plain bare/board_{number}" for number in range(20)]


class OpenSquares:
    """Leaves fewest squares open with `sharp` at 12, and on one picture with `blunt` at 0.7."""

    def __init__(self) -> None:
        self.read: list[tuple[str, Settings]] = []

    def __call__(self, picture: str, settings: Settings) -> Counts:
        self.read.append((picture, settings))
        values = VALUES | settings
        blunt = abs(values["blunt"] - 0.7) if picture == PICTURES[0] else 0.0
        return 0, round(abs(values["sharp"] - 12) + 100 * blunt), 1.0


def searched(path: Path, reader: OpenSquares, pictures: Iterable[str] = PICTURES) -> ConstantSearch:
    search = ConstantSearch(VALUES, reader, Results(path))
    for picture in pictures:
        search.sweep(picture)
    return search


def test_a_constant_moves_if_that_is_surely_better(tmp_path: Path) -> None:
    search = searched(tmp_path / "rows.jsonl", OpenSquares())
    assert search.fitted(PICTURES) == {"sharp": 12.0}
    assert search.fitted(PICTURES, surely=False) == {"sharp": 12.0, "blunt": 0.7}
    assert search.fitted(PICTURES[1:], surely=False) == {"sharp": 12.0}


def test_a_constant_that_changes_nothing_is_read_at_its_ends_alone(tmp_path: Path) -> None:
    reader = OpenSquares()
    search = searched(tmp_path / "rows.jsonl", reader, PICTURES[:1])
    tried = [settings["idle"] for _, settings in reader.read if "idle" in settings]
    assert tried == [5 * FACTORS[0], 5 * FACTORS[-1]]
    assert search.acts_on("idle", PICTURES[:1]) == 0
    assert search.acts_on("sharp", PICTURES[:1]) == 1


def test_readings_are_continued_unless_the_table_is_another(tmp_path: Path) -> None:
    path, reader, again = tmp_path / "rows.jsonl", OpenSquares(), OpenSquares()
    before = searched(path, reader, PICTURES[:2])
    after = searched(path, again)
    assert {picture for picture, _ in again.read} == set(PICTURES[2:])
    assert after.counts(PICTURES[0], {}) == before.counts(PICTURES[0], {})
    other = ConstantSearch(VALUES | {"sharp": 12.0}, again, Results(path))
    again.read.clear()
    other.counts(PICTURES[0], {})
    assert again.read == [(PICTURES[0], {})]


def test_the_table_is_read_back_as_it_was_written() -> None:
    entry = replace(
        next(iter(fitted_constants().values())), value=0.1, data='a "b"', date=date(2026, 2, 3)
    )
    entries = tomllib.loads(table_text({"some.module.name": entry}))
    assert FittedConstant(**entries["some.module.name"]) == entry


def test_the_table_of_sources_counts_each_fit(tmp_path: Path) -> None:
    search = searched(tmp_path / "rows.jsonl", OpenSquares())
    line = source_line("A", search, PICTURES[1:3], [{}, {"sharp": 12.0}])
    assert line == "| A | 2 | 0, 4 | 0, 4 | 0, 0 |"


def test_the_worst_value_that_is_as_good_elsewhere_is_found(tmp_path: Path) -> None:
    search = searched(tmp_path / "rows.jsonl", OpenSquares())
    equal = search.as_good(PICTURES[1:])
    assert {"blunt": 1.4} in equal
    assert {"sharp": 8.5} not in equal
    assert search.dearest(PICTURES[:1], equal) == {"blunt": 1.4}


def test_data_are_described_without_their_folders() -> None:
    drawn = ["plain rendered/950001", "plain rendered/950002"]
    traced = [f"plain positions/traced-7-{number:05}" for number in range(40)]
    text = described(["plain bare/a", "cut photos/b", *drawn, *traced])
    assert text == (
        "44 pictures: 1 bare, 1 photos, 40 positions (traced-7-00000 to traced-7-00039), "
        "2 rendered (950001 to 950002)"
    )


def test_photographs_are_used_in_all_ways_and_have_a_source(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "one.json").write_text('{"source": "A"}', encoding="utf-8")
    ways = {name.split(" ", 1)[0] for name in chosen([tmp_path])}
    assert ways == {"plain", "varied", "ruined", "bare", "cut"}
    assert sources([tmp_path]) == {"photos/one": "A"}


@pytest.mark.parametrize("settings", [{}, {"squares.tile_colours.as_before": 0.5}])
def test_a_measured_picture_is_read_like_a_new_one(settings: Settings) -> None:
    measured = MeasuredPicture(board)
    measured.counts({"squares.tile_colours.most_tiles": 4.0})
    assert measured.counts(settings)[:2] == MeasuredPicture(board).counts(settings)[:2]


def board() -> VariationSample:
    image = load_picture(ROOT / "tests" / "vision" / "data" / "black_white_3.jpg")
    corners, cells = np.zeros((4, 2)), np.full((14, 14), ".")
    corners[1:3, 0] = corners[2:, 1] = 1
    return VariationSample("board", image, corners, cells, np.ones((14, 14), np.bool_))
