"""A piece that overhangs a square is not on it; another lamp changes all tints alike."""

from dataclasses import replace

import numpy as np
import pytest

from tests.support.drawn_boards import MARGIN, PAINT, SCALE, flat_board
from vision.camera import Image
from vision.classification.colour_classifier import judge
from vision.classification.colour_fit import cast_between, fit, in_light
from vision.classification.overhang import emptied, reached_into, sides_alike
from vision.features.square_features import SquarePatches, measure_squares

PALETTE = ("purple", "orange")
ROWS = [
    "." * 14,
    "..PPPPP....OO.",
    "...........OO.",
    *["." * 14] * 3,
    ".OOOOO...PPP..",
    "..........P...",
    *["." * 14] * 6,
]


def drawn() -> Image:
    cut = (MARGIN - 1) * SCALE
    return flat_board(ROWS, markers=False)[cut:-cut, cut:-cut]


def letters(view: Image, *, rid: bool) -> list[str]:
    observed = measure_squares(view, 14, 1)
    colours = fit(observed, PALETTE)
    evidence = judge(observed, colours).evidence
    if rid:
        sides, called = sides_alike(evidence, 14), evidence.argmax(axis=1)
        empty, _, _ = reached_into(SquarePatches.of(view, 14, 1).lab, sides, called, colours)
        evidence = emptied(evidence, empty)
    marks = np.array([".", "P", "O"])[evidence.argmax(axis=1)].reshape(14, 14)
    return ["".join(row) for row in marks]


@pytest.mark.parametrize("share", [0.3, 0.4])
def test_a_strip_of_the_neighbours_colour_is_no_piece(share: float) -> None:
    view = drawn()
    strip = round(share * SCALE)
    top = left = 2 * SCALE
    # Over the square to the left of the five, and over the one below the square of four.
    view[top + 2 : top + SCALE - 2, left + SCALE - strip : left + SCALE] = PAINT["P"]
    low, column = 4 * SCALE, 12 * SCALE
    view[low : low + strip, column + 2 : column + SCALE - 2] = PAINT["O"]
    assert letters(view, rid=False) != ROWS
    assert letters(view, rid=True) == ROWS


def test_a_piece_that_leaves_a_third_of_its_square_free_still_lies_on_it() -> None:
    view = drawn()
    top, left = 2 * SCALE, 3 * SCALE
    bare = view[10 * SCALE : 11 * SCALE, 3 * SCALE : 4 * SCALE].copy()
    free = round(0.33 * SCALE)
    view[top : top + SCALE, left : left + free] = bare[:, :free]
    assert letters(view, rid=True) == ROWS


def in_a_notch(bare: tuple[float, float]) -> Image:
    """The square between two rows of purple is covered to this extent; the rest shows board."""
    view = drawn()
    for column in (2, 3, 4):
        view[4 * SCALE : 5 * SCALE, column * SCALE : (column + 1) * SCALE] = PAINT["P"]
    top, left = 3 * SCALE, 3 * SCALE
    board = view[10 * SCALE : 11 * SCALE, 3 * SCALE : 4 * SCALE].copy()
    view[top : top + SCALE, left : left + SCALE] = PAINT["P"]
    rows = slice(*(round(share * SCALE) for share in bare))
    view[top : top + SCALE, left : left + SCALE][rows] = board[rows]
    return view


@pytest.mark.parametrize(("bare", "mark"), [((0.25, 0.75), "."), ((0.7, 1.0), "P")])
def test_pieces_on_both_sides_that_overhang_a_square_do_not_fill_it(
    bare: tuple[float, float], mark: str
) -> None:
    view = in_a_notch(bare)
    assert letters(view, rid=False)[2][2] == "P"
    assert letters(view, rid=True)[2][2] == mark


def test_glare_on_a_piece_between_pieces_is_not_taken_for_empty() -> None:
    view = in_a_notch((0.0, 0.0))
    top, left = 3 * SCALE, 3 * SCALE
    inner = slice(round(0.25 * SCALE), round(0.75 * SCALE))
    view[top : top + SCALE, left : left + SCALE][inner, inner] = 255
    assert letters(view, rid=True)[2][2] == "P"


def test_glare_on_half_of_a_square_is_not_taken_for_empty() -> None:
    view = drawn()
    top, left = 2 * SCALE, 3 * SCALE
    view[top + 4 : top + SCALE - 4, left + 4 : left + SCALE // 2] = 255
    assert letters(view, rid=True) == letters(view, rid=False)


@pytest.mark.parametrize("cast", [(1.06, 0.85), (0.95, 1.1)])
def test_colours_follow_a_lamp_of_another_colour(cast: tuple[float, float]) -> None:
    observed = measure_squares(drawn(), 14, 1)
    colours = fit(observed, PALETTE)
    scale = np.array([500 / 116, -200 / 116])
    lit = (scale * (np.array(cast) * (1 + observed.tint / scale) - 1)).astype(np.float32)
    changed = replace(observed, tint=lit)
    found = cast_between(changed, observed, np.ones(196, bool))
    assert found == pytest.approx(cast, rel=1e-4)
    evidence = judge(changed, in_light(colours, 1.0, found)).evidence
    assert (evidence.argmax(axis=1) == judge(observed, colours).evidence.argmax(axis=1)).all()
    blind = judge(changed, colours)
    assert np.median(blind.strange) > np.median(judge(observed, colours).strange) + 1
