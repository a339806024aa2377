"""A square that a piece covers in part is doubtful; a piece with glare is not."""

import numpy as np
import pytest

from tests.support.drawn_boards import EMPTY_ROWS, MARGIN, PAINT, SCALE, flat_board
from vision.camera import Image
from vision.classification.colour_classifier import judge
from vision.classification.colour_fit import fit
from vision.classification.colour_model import Values
from vision.classification.partial_cover import doubting_parts, half_bare
from vision.features.square_features import SquarePatches, measure_squares

PALETTE = ("purple", "orange")
ROWS = [*EMPTY_ROWS[:2], "..PPPPP....OO.", "...........OO.", *EMPTY_ROWS[:10]]
PLACE = 3 * 14 + 4
"""A square below the five."""


def drawn() -> Image:
    cut = (MARGIN - 1) * SCALE
    return flat_board(ROWS, markers=False)[cut:-cut, cut:-cut]


def surest(view: Image) -> Values:
    colours = fit(measure_squares(view, 14, 1), PALETTE)
    evidence = judge(measure_squares(view, 14, 1), colours).evidence
    called = evidence.argmax(axis=1)
    bare = half_bare(SquarePatches.of(view, 14, 1).lab, colours)
    return np.asarray(doubting_parts(evidence, bare & (called > 0)).max(axis=1))


@pytest.mark.parametrize("down", [0.4, 0.6])
@pytest.mark.parametrize("slope", [-0.15, 0.15])
def test_a_square_that_a_piece_half_covers_is_doubtful(down: float, slope: float) -> None:
    view = drawn()
    top, left = 4 * SCALE, 5 * SCALE
    for x in range(SCALE):
        depth = round((down + slope * (x / SCALE - 0.5)) * SCALE)
        view[top : top + depth, left + x] = PAINT["P"]
    assert surest(view)[PLACE] < 0.9


def test_pieces_in_their_places_and_bare_squares_stay_sure() -> None:
    assert surest(drawn()).min() > 0.9


def test_another_piece_that_reaches_in_bares_nothing() -> None:
    view = drawn()
    top, left = 3 * SCALE, 5 * SCALE
    view[top : top + round(0.28 * SCALE), left : left + SCALE] = PAINT["O"]
    assert surest(view)[PLACE - 14] > 0.9


@pytest.mark.parametrize("grey", [75, 255], ids=["mirrored wall", "mirrored lamp"])
def test_glare_in_the_middle_of_a_piece_bares_nothing(grey: int) -> None:
    view = drawn()
    top, left = 3 * SCALE, 5 * SCALE
    view[top + 12 : top + 30, left + 12 : left + 30] = grey
    assert surest(view)[PLACE - 14] > 0.9
