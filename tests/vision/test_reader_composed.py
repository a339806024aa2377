"""Boards composed of path-traced crops are read right, or left in doubt.

No square of such a board fits the next one, so that shadows and grooves mislead: much is left open,
which is not so on a board of one piece, and nothing is read wrong.
"""

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.evaluation.composed import BASE, CLASSIC, SHEET, SquareTally, read
from tests.support.composed_boards import (
    SIDE,
    ComposedSetup,
    compose,
    from_sheet,
    random_cells,
    recoloured,
    to_sheet,
)
from tests.support.reading_scores import LETTERS
from vision.detection.board_detector import locate
from vision.errors import BoardFailure
from vision.geometry.grid import Grid
from vision.squares.square_features import measure_squares

pytestmark = pytest.mark.slow

CROPS = from_sheet(SHEET)


@pytest.mark.parametrize(
    ("setting", "known", "unknown"),
    [
        (replace(BASE, light="gradient"), "edition", 50),
        (replace(BASE, light="dim", square_px=20), "corners", 35),
        # Sunlit crops, half of them darkened by a shadow: spots of light that may be lamps.
        (ComposedSetup(CLASSIC, "half in shadow", 15, 26), "edition", 300),
        (ComposedSetup(("red", "yellow"), "corner lamp", 10, 24), "edition", 90),
        (replace(BASE, square_px=13), "edition", 35),
        (ComposedSetup(CLASSIC, square_px=13), "edition", 130),
        (BASE, "markers", 85),
    ],
    ids=str,
)
def test_composed_boards_are_read_right_or_left_in_doubt(
    setting: ComposedSetup, known: str, unknown: int
) -> None:
    tally = SquareTally()
    for seed in (3, 4):
        read(tally, compose(CROPS[seed % len(CROPS)], setting, seed), setting, known)
    assert tally.boards == 2
    assert tally.lost == tally.editions == 0
    assert tally.unknown <= unknown
    assert tally.phantom == tally.missed == tally.swapped == 0


def test_grey_plastic_is_read_right_or_left_in_doubt() -> None:
    setting = replace(BASE, edition=("black", "white"))
    tally = SquareTally()
    for seed in (0, 2):
        read(tally, compose(CROPS[seed], setting, seed), setting, "edition")
    assert tally.phantom == tally.missed == tally.swapped == 0
    assert tally.right > 2 * tally.unknown


def test_the_corners_of_a_composed_board_are_where_it_is_seen() -> None:
    made = compose(CROPS[1], replace(BASE, slant_deg=20), 7)
    found = locate(made.image, 14, None)
    assert not isinstance(found, BoardFailure)
    true = Grid.of(made.corners, 14, made.image.shape)
    square = np.array([[0, 0], [14, 0], [14, 14], [0, 14.0]])
    assert np.abs(found.grid.unproject(true.project(square)) - square).max() < 0.1


def test_a_recoloured_tile_has_the_new_hue_and_the_old_relief() -> None:
    tiles = CROPS[0].squares["orange"]
    turned = recoloured(tiles[0], "orange", "blue", tiles)
    tint = measure_squares(np.asarray(turned), 1, 0).tint[0]
    assert tint[1] < -0.5
    relief = [np.sort(one.astype(float).mean(axis=2).ravel()) for one in (tiles[0], turned)]
    assert np.corrcoef(np.stack(relief))[0, 1] > 0.9
    assert np.array_equal(recoloured(tiles[0], "orange", "orange", tiles), tiles[0])


def test_a_composed_board_is_a_position_of_legal_moves() -> None:
    cells = random_cells(CLASSIC, random.Random(2))  # noqa: S311
    letters = {LETTERS[name] for name in CLASSIC}
    assert set("".join(cells)) <= letters | {"."}
    assert sum(line.count(".") for line in cells) < 400
    assert [len(line) for line in cells] == [20] * 20


def test_misread_squares_are_counted_by_kind() -> None:
    tally = SquareTally()
    tally.count(["P.O", "?P."], ["PPP", "P.."])
    figures = (tally.right, tally.missed, tally.swapped, tally.unknown, tally.phantom)
    assert figures == (2, 1, 1, 1, 1)


def test_crops_survive_their_sheet(tmp_path: Path) -> None:
    to_sheet(CROPS, 5, tmp_path / "some.jpg")
    again = from_sheet(tmp_path / "some.jpg")
    assert [one.name for one in again] == [one.name for one in CROPS]
    for before, after in zip(CROPS, again, strict=True):
        for colour, squares in after.squares.items():
            assert squares.shape == (5, SIDE, SIDE, 3)
            middles = [
                one.astype(float).mean(axis=(1, 2)) for one in (before.squares[colour], squares)
            ]
            nearest = np.abs(middles[0][:, None] - middles[1]).max(axis=2).min(axis=0)
            assert nearest.max() < 4
