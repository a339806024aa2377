"""A black board in the dark, judged by colours and by shapes."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.support.reading_scores import NAMED, score
from vision.classification.single_frame import contradicted, judge_alone, judge_by_both
from vision.features.square_features import SquareFeatures
from vision.io.image_file import load_picture
from vision.plastics import PLASTICS
from vision.reader import read_picture
from vision.reading import Reading
from vision.shape.network import BARE, COLUMNS, DARK, LIGHT, UNDER

PALETTE = ("black", "white")
EMPTY, BLACK, WHITE = range(3)
LINES = np.full(196, 4)


def dim_board(white: float) -> tuple[SquareFeatures, SquareFeatures, np.ndarray]:
    """Makes features without shapes and with them, and the content; only white differs in light.

    Args:
        white: L of white plastic; that of the board and of black is 10.
    """
    chance = np.random.default_rng(1)
    held = np.sort(chance.choice(3, (14, 14), p=[0.3, 0.3, 0.4]), axis=1).ravel()
    light = np.array([9.7, 9.6, white])[held] + chance.normal(0, 1.2, 196)
    relief = np.full((196, COLUMNS), -5.0, np.float32)
    relief[:, [BARE, DARK, LIGHT]] = np.where((held == EMPTY)[:, None], [0, -4, -4], [-4, 0, 0])
    deep, none = light.astype(np.float32), np.zeros(196, np.float32)
    tint = chance.normal(0, 0.02, (196, 2)).astype(np.float32)
    observed = SquareFeatures(tint, deep, deep, none, none > 0, np.zeros_like(relief))
    return observed, SquareFeatures(tint, deep, deep, none, none > 0, relief), held


@pytest.mark.parametrize("white", [25.0, 36.0])
def test_what_neither_light_nor_shape_can_tell_is_in_doubt(white: float) -> None:
    observed, shaped, held = dim_board(white)
    judged, _ = judge_by_both(observed, shaped, LINES, 14, PALETTE)
    evidence = judged.posteriors.evidence
    sure = evidence.max(axis=1) >= 0.9
    assert (evidence.argmax(axis=1) == held)[sure].all()


def test_right_shapes_outdo_an_explanation_that_colours_fit_no_better() -> None:
    observed, shaped, held = dim_board(36.0)
    alone = judge_alone(observed, LINES, 14, PALETTE)
    evidence = alone.posteriors.evidence
    assert contradicted(alone.posteriors, alone.covered, shaped)
    assert ((evidence.max(axis=1) >= 0.9) & (evidence.argmax(axis=1) != held)).sum() > 100
    _, used = judge_by_both(observed, shaped, LINES, 14, PALETTE)
    assert used is shaped


def grey_board(*lights: float) -> tuple[SquareFeatures, SquareFeatures]:
    """Makes a dark board with ten tiles of each L, which are lighter than the board by shapes."""
    chance = np.random.default_rng(1)
    tile = np.arange(196) < 10 * len(lights)
    light = np.full(196, 18.0)
    light[tile] = np.repeat(lights, 10)
    deep = (light + chance.normal(0, 1, 196)).astype(np.float32)
    relief = np.full((196, COLUMNS), -7.0, np.float32)
    relief[tile, LIGHT], relief[~tile, BARE] = 0, 0
    tint, none = chance.normal(0, 0.02, (196, 2)).astype(np.float32), np.zeros(196, np.float32)
    observed = SquareFeatures(tint, deep, deep, none, none > 0, np.zeros_like(relief))
    return observed, SquareFeatures(tint, deep, deep, none, none > 0, relief)


def test_black_that_is_lighter_than_the_board_is_not_white_beside_white() -> None:
    observed, shaped = grey_board(45.0, 75.0)
    judged, _ = judge_by_both(observed, shaped, LINES, 14, PALETTE)
    assert (judged.posteriors.evidence[:20].max(axis=1) < 0.9).all()
    assert (judged.posteriors.evidence[20:, EMPTY] > 0.9).all()


def test_white_of_one_lightness_is_white_though_there_is_no_black() -> None:
    observed, shaped = grey_board(75.0, 76.0)
    judged, _ = judge_by_both(observed, shaped, LINES, 14, PALETTE)
    assert (judged.posteriors.evidence[:20, WHITE] > 0.9).all()


def test_where_only_white_is_found_black_may_be_invisible() -> None:
    observed, shaped = grey_board(75.0, 76.0)
    shaped.relief[20:30, BARE] = -2.0
    shaped.relief[20:30, UNDER] = -6.0
    judged, _ = judge_by_both(observed, shaped, LINES, 14, PALETTE)
    evidence = judged.posteriors.evidence
    assert (evidence[20:30].max(axis=1) < 0.9).all()
    assert (evidence[30:, EMPTY] > 0.9).all()


def test_a_sure_tile_that_is_lighter_than_bare_board_may_mirror_a_lamp() -> None:
    chance, palette = np.random.default_rng(2), ("purple", "orange")
    tint = chance.normal(0, 0.02, (196, 2)).astype(np.float32)
    light = (50 + chance.normal(0, 1, 196)).astype(np.float32)
    tint[:30] += np.array(PLASTICS["purple"].tint, np.float32)
    tint[30:60] += np.array(PLASTICS["orange"].tint, np.float32)
    lit, dull = slice(60, 70), slice(70, 80)
    light[lit] += 12
    relief = np.full((196, COLUMNS), -6.0, np.float32)
    relief[:80, DARK], relief[80:, BARE] = 0, 0
    none = np.zeros(196, np.float32)
    observed = SquareFeatures(tint, light, light, none, none > 0, np.zeros_like(relief))
    shaped = SquareFeatures(tint, light, light, none, none > 0, relief)
    _, used = judge_by_both(observed, shaped, LINES, 14, palette)
    assert (used.relief[lit] == relief[lit]).all()
    assert not used.relief[dull].any()


def test_a_small_dark_board_is_not_read_as_black_and_white(samples: Path) -> None:
    """Red and yellow, which colours alone classified surely as black, white and board."""
    truth = json.loads((samples / "ruined.json").read_text(encoding="utf-8"))["small_dark.jpg"]
    reading = read_picture(load_picture(samples / "small_dark.jpg"), 14, corners=truth["corners"])
    assert isinstance(reading, Reading)
    assert score(reading, truth["cells"], sure=NAMED).wrong == 0
