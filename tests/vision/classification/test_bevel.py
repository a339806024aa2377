"""Shiny black is distinguished from a bare board by its bevels."""

import numpy as np
import pytest

from tests.support.drawn_boards import EMPTY_ROWS, MARGIN, SCALE, flat_board
from vision.classification.bevel import dark_rims, doubting_rims
from vision.features.square_features import SquarePatches

PALETTE = ("black", "white")
ROWS = [*EMPTY_ROWS[:2], "..KKKKK....WW.", "...........WW.", *EMPTY_ROWS[:10]]
PLACE = 2 * 14 + 4


@pytest.mark.parametrize("mirrored", [60, 130, 255])
def test_a_light_middle_between_black_bevels_is_no_bare_square(mirrored: int) -> None:
    cut = (MARGIN - 1) * SCALE
    view = flat_board(ROWS, markers=False)[cut:-cut, cut:-cut]
    assert not dark_rims(SquarePatches.of(view, 14, 1).lab).any()
    top, left = 3 * SCALE, 5 * SCALE
    view[top + 7 : top + 33, left + 7 : left + 33] = mirrored
    evidence = np.tile([0.98, 0.01, 0.01], (196, 1))
    dark = dark_rims(SquarePatches.of(view, 14, 1).lab)
    doubted = doubting_rims(evidence, dark, PALETTE).max(axis=1) < 0.9
    assert np.flatnonzero(doubted).tolist() == [PLACE]
