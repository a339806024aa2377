"""Parts of squares are analysed only after a change; results are reused otherwise."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.support.drawn_boards import EMPTY_ROWS, MARGIN, PAINT, SCALE, flat_board
from vision.camera import Image
from vision.classification.colour_classifier import judge
from vision.classification.colour_fit import fit
from vision.classification.colour_model import ColourModel, Values
from vision.classification.subsquare import SubsquareAnalysis, examined_parts
from vision.features.blocks import CoarseView, scene_of
from vision.features.square_features import SquarePatches, patch_features
from vision.geometry.grid import Grid, Warp

ROWS = [*EMPTY_ROWS[:2], "..PPPPP....OO.", "...........OO.", *EMPTY_ROWS[:10]]
HALF = 3 * 14 + 4
"""Square below the five that a piece covers by half."""


def drawn(*, half: bool) -> Image:
    cut = (MARGIN - 1) * SCALE
    view = flat_board(ROWS, markers=False)[cut:-cut, cut:-cut]
    if half:
        top, left = 4 * SCALE, 5 * SCALE
        for x in range(SCALE):
            view[top : top + round((0.42 + 0.15 * x / SCALE) * SCALE), left + x] = PAINT["P"]
    return view


def seen(
    view: Image, palette: tuple[str, ...] = ("purple", "orange")
) -> tuple[Values, SquarePatches, CoarseView, ColourModel]:
    squares = SquarePatches.of(view, 14, 1)
    observed = patch_features(squares)
    colours = fit(observed, palette)
    corners = SCALE * np.array([[1, 1], [15, 1], [15, 15], [1, 15]]) - 0.5
    grey = np.asarray(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY), np.uint8)
    scene = scene_of(view, grey, Warp.of(Grid.of(corners, 14, view.shape), SCALE, 1))
    return judge(observed, colours).evidence, squares, scene, colours


def test_what_was_found_holds_while_nothing_changes() -> None:
    evidence, squares, scene, colours = seen(drawn(half=True))
    first, analysis = examined_parts(evidence, squares, scene, colours, None)
    assert evidence[HALF].max() > 0.9
    assert first[HALF].max() < 0.9
    blind = replace(squares, lab=np.zeros_like(squares.lab))
    again, _ = examined_parts(evidence, blind, scene, colours, analysis)
    assert np.array_equal(again, first)


def test_still_greys_stay_what_they_are() -> None:
    rows = [row.replace("P", "K").replace("O", "W") for row in ROWS]
    cut = (MARGIN - 1) * SCALE
    view = flat_board(rows, markers=False)[cut:-cut, cut:-cut]
    evidence, squares, scene, colours = seen(view, ("black", "white"))
    first, analysis = examined_parts(evidence, squares, scene, colours, None)
    again, _ = examined_parts(evidence, squares, scene, colours, analysis)
    assert np.array_equal(again, first)


def test_a_piece_put_straight_is_looked_at_again() -> None:
    evidence, squares, scene, colours = seen(drawn(half=True))
    analysis: SubsquareAnalysis | None = examined_parts(evidence, squares, scene, colours, None)[1]
    after = seen(drawn(half=False))
    assert np.array_equal(examined_parts(*after, analysis)[0], examined_parts(*after, None)[0])


def test_other_colours_are_looked_at_again() -> None:
    evidence, squares, scene, colours = seen(drawn(half=True))
    means = colours.means + np.array([0.0, 0.0, 30.0])
    analysis = examined_parts(evidence, squares, scene, replace(colours, means=means), None)[1]
    again, _ = examined_parts(evidence, squares, scene, colours, analysis)
    assert np.array_equal(again, examined_parts(evidence, squares, scene, colours, None)[0])


@pytest.mark.parametrize(("board", "doubted"), [((96, 120, 40), True), ((62, 58, 56), False)])
def test_a_bare_notch_of_a_tinted_board_is_doubted_whatever_its_shape(
    board: tuple[int, int, int], *, doubted: bool
) -> None:
    rows = [*EMPTY_ROWS[:2], "..PPPPP.......", "..P...........", "..PPP.........", *EMPTY_ROWS[:9]]
    cut = (MARGIN - 1) * SCALE
    view = flat_board(rows, markers=False)[cut:-cut, cut:-cut]
    empty = np.kron(np.array([list(row) for row in rows]) == ".", np.ones((SCALE, SCALE))) > 0
    view[SCALE:-SCALE, SCALE:-SCALE][empty] = board
    top, left = 4 * SCALE, 4 * SCALE
    for edge in (slice(top, top + 12), slice(top + SCALE - 12, top + SCALE)):
        view[edge, left : left + SCALE] = PAINT["P"]
    evidence, squares, scene, colours = seen(view)
    notch = 3 * 14 + 3
    whole = np.zeros(196, np.bool_)
    whole[notch] = True
    assert evidence[notch, 1] > 0.9
    found, _ = examined_parts(evidence, squares, scene, colours, None, whole)
    assert (found[notch, 1] < 0.5) == doubted
