"""A board has few colours, which helps where a square alone could be two things."""

from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest

from tests.support.square_outputs import outputs
from vision.squares.judgement import PALETTES, judge
from vision.squares.network import BARE, DARK, LIGHT, LIT, OUTSIDE, PARTIAL, UNDER
from vision.squares.tile_colours import named
from vision.squares.tile_groups import grouped

BOARD = (("purple", 0, 9), ("orange", 1, 9))
PALETTE = ("purple", "orange")
FOUR = ("blue", "yellow", "red", "green")
SURE = 0.95
BETWEEN_PURPLE_AND_BLUE = (0.72, -1.08)
IN_DOUBT = -0.7
"""Log probability of each of two contents."""


def test_bare_squares_and_tiles_are_read_with_the_names_of_their_colours() -> None:
    judged = judge(*outputs(*BOARD), 14, None)
    assert judged.palette == PALETTE
    assert judged.is_sure
    assert (judged.contents == np.repeat([1, 2, 0], [9, 9, 178])).all()
    assert judged.evidence.max(axis=1).min() > SURE
    assert np.allclose(judged.evidence.sum(axis=1), 1)


def test_a_doubtful_square_is_what_others_of_its_colour_are() -> None:
    shapes, observed = outputs(*BOARD)
    shapes.classes[[3, 100], BARE] = shapes.classes[[3, 100], LIGHT] = IN_DOUBT
    judged = judge(shapes, observed, 14, PALETTE)
    assert judged.evidence[3, 1] > SURE
    assert judged.evidence[100, 0] > SURE


def test_a_doubtful_square_of_no_known_colour_stays_doubtful() -> None:
    shapes, observed = outputs(*BOARD)
    shapes.classes[100, BARE] = shapes.classes[100, LIGHT] = IN_DOUBT
    shapes.colours[100], observed.lightness[100] = -4.0, 120.0
    assert judge(shapes, observed, 14, PALETTE).evidence[100].max() < SURE


def test_colours_are_open_while_the_edition_is_not_sure() -> None:
    shapes, observed = outputs(("purple", 0, 1))
    observed.tint[0] = BETWEEN_PURPLE_AND_BLUE
    judged = judge(shapes, observed, 14, None)
    assert not judged.is_sure
    assert judged.evidence[0, 1:].max() < 0.6
    assert judged.evidence[0, 0] < 1 - SURE


@pytest.mark.parametrize("stray", [0.0, 0.03])
@pytest.mark.parametrize("palette", [None, PALETTE])
def test_a_picture_without_colours_tells_no_vivid_edition(
    palette: tuple[str, ...] | None, stray: float
) -> None:
    shapes, observed = outputs(("black", 0, 15), ("white", 1, 15))
    observed.tint[:] = np.random.default_rng(1).choice((0.0, stray), observed.tint.shape)
    judged = judge(shapes, observed, 14, palette)
    assert not judged.has_colours
    assert not judged.is_sure
    assert judged.evidence[:30, 1:].max() < 0.6, "tiles are seen, and not of which colour"
    assert judged.evidence[30:, 0].min() > SURE


def test_a_grey_picture_that_was_given_a_tint_tells_no_vivid_edition() -> None:
    shapes, observed = outputs(("black", 0, 15), ("white", 1, 15))
    observed.tint[:] = (0.1, 0.2)
    judged = judge(shapes, observed, 14, PALETTE)
    assert not judged.has_colours
    assert not judged.is_sure


def test_a_bare_board_under_a_warm_lamp_has_colours() -> None:
    shapes, observed = outputs()
    observed.tint[:] = (0.1, 0.2)
    assert judge(shapes, observed, 14, PALETTE).has_colours


def test_black_and_white_that_are_named_need_no_colours() -> None:
    shapes, observed = outputs(("black", 0, 15), ("white", 1, 15))
    observed.tint[:] = 0.0
    judged = judge(shapes, observed, 14, ("black", "white"))
    assert not judged.has_colours
    assert judged.is_sure


def test_one_grey_colour_alone_needs_more_tiles_to_be_sure() -> None:
    for count, is_sure in ((3, False), (9, True)):
        assert judge(*outputs(("black", 0, count)), 14, None).is_sure == is_sure
        assert judge(*outputs(("black", 0, count), ("white", 1, 9)), 14, None).is_sure
    assert judge(*outputs(("purple", 0, 3)), 14, None).is_sure


def test_an_edition_is_surer_by_many_tiles_and_by_colours_other_than_greys() -> None:
    for first, second, count, is_sure in (
        ("purple", "orange", 5, False),
        ("purple", "orange", 10, True),
        ("black", "white", 10, False),
    ):
        shapes, observed = outputs((first, 0, count), (second, 1, count))
        colours = replace(
            named(grouped(shapes, 2), shapes, observed, PALETTES[14]),
            lead=9.0,
            palette=(first, second),
        )
        with patch("vision.squares.judgement.named", return_value=colours):
            assert judge(shapes, observed, 14, None).is_sure == is_sure


def test_a_palette_that_leaves_a_colour_unexplained_is_not_sure() -> None:
    shapes, observed = outputs(*BOARD)
    assert judge(shapes, observed, 14, None).is_sure
    # Between green and blue, far from both.
    observed.tint[9:18] = (-0.3, -0.5)
    assert not judge(shapes, observed, 14, None).is_sure
    assert judge(shapes, observed, 14, PALETTE).is_sure


def test_a_guess_does_not_confirm_itself() -> None:
    shapes, observed = outputs(("purple", 0, 5))
    observed.tint[:5] = BETWEEN_PURPLE_AND_BLUE
    before = judge(shapes, observed, 14, None)
    again = judge(shapes, observed, 14, None, before)
    assert not again.is_sure
    assert np.array_equal(again.evidence, before.evidence)


def test_a_colour_that_cannot_be_told_is_not_told_in_later_frames() -> None:
    shapes, observed = outputs(("yellow", 0, 5))
    observed.tint[:5], observed.lightness[:5] = 0.0, 97.0
    judged = judge(shapes, observed, 14, FOUR)
    for _ in range(3):
        judged = judge(shapes, observed, 14, FOUR, judged)
    assert judged.is_sure
    assert judged.evidence[:5].max() < 0.5


@pytest.mark.parametrize("classes", [{BARE: -0.08, LIGHT: -2.6}, {BARE: -2.6, LIGHT: -0.08}])
def test_a_square_of_which_a_lamp_leaves_nothing_to_see_is_doubtful(
    classes: dict[int, float],
) -> None:
    shapes, observed = outputs(*BOARD)
    shapes.classes[3, list(classes)] = list(classes.values())
    assert judge(shapes, observed, 14, PALETTE).evidence[3].max() > SURE
    observed.hidden[3] = observed.burnt[3] = True
    assert judge(shapes, observed, 14, PALETTE).evidence[3].max() < SURE


def test_bare_squares_that_are_all_overexposed_are_bare_but_for_an_unlike_one() -> None:
    shapes, observed = outputs(*BOARD)
    observed.hidden[18:] = observed.burnt[18:] = True
    assert judge(shapes, observed, 14, PALETTE).evidence[18:, 0].min() > 0.99
    shapes.classes[100, LIGHT], shapes.colours[100] = -2.6, 0.5
    bare = judge(shapes, observed, 14, PALETTE).evidence[:, 0]
    assert bare[100] < SURE
    assert bare[[99, 101]].min() > 0.99


def test_a_tile_that_is_overexposed_has_the_colour_of_its_group_if_its_shape_is_plain() -> None:
    shapes, observed = outputs(*BOARD)
    observed.hidden[3] = observed.burnt[3] = True
    assert judge(shapes, observed, 14, PALETTE).evidence[3, 1] > SURE
    shapes.colours[3] = 2.0
    assert judge(shapes, observed, 14, PALETTE).evidence[3].max() < SURE


def test_what_is_covered_has_even_evidence() -> None:
    shapes, observed = outputs(*BOARD)
    classes = shapes.classes.copy()
    classes[50], classes[50, UNDER] = -9.0, 0.0
    judged = judge(replace(shapes, classes=classes), observed, 14, PALETTE)
    assert np.flatnonzero(judged.covered).tolist() == [50]
    assert np.allclose(judged.evidence[50], 1 / 3, atol=0.01)


def test_what_hides_a_part_of_a_square_makes_it_less_sure_and_not_another() -> None:
    seen = []
    for share in (0.0, 0.2, 0.4):
        shapes, observed = outputs(*BOARD)
        shapes.classes[100] += np.log(1 - share)
        shapes.classes[100, UNDER] = np.log(share + 1e-9)
        seen.append(judge(shapes, observed, 14, PALETTE).evidence[100, 0])
    assert 1 > seen[0] > seen[1] > seen[2] > SURE


def test_a_square_that_a_piece_covers_in_part_is_open_but_not_covered() -> None:
    shapes, observed = outputs(*BOARD)
    shapes.classes[3], shapes.classes[3, PARTIAL] = -9.0, 0.0
    judged = judge(shapes, observed, 14, PALETTE)
    assert not judged.covered.any()
    assert np.allclose(judged.evidence[3], 1 / 3, atol=0.01)


def test_a_board_beside_its_grid_has_no_sure_square() -> None:
    shapes, observed = outputs(*BOARD)
    shapes.classes[182:], shapes.classes[182:, OUTSIDE] = -9.0, 0.0
    judged = judge(shapes, observed, 14, PALETTE)
    assert judged.is_elsewhere
    assert np.allclose(judged.evidence, 1 / 3)
    assert not judge(*outputs(*BOARD), 14, PALETTE).is_elsewhere


def test_where_many_squares_may_be_dark_tiles_the_others_are_trusted_less() -> None:
    shapes, observed = outputs(*BOARD)
    shapes.classes[50, BARE], shapes.classes[50, LIGHT] = -0.03, -3.5
    alone = judge(shapes, observed, 14, PALETTE).evidence[50, 0]
    shapes.classes[100:160, BARE] = shapes.classes[100:160, DARK] = IN_DOUBT
    assert judge(shapes, observed, 14, PALETTE).evidence[50, 0] < alone


def test_a_hand_makes_no_doubtful_board_surer() -> None:
    shapes, observed = outputs(*BOARD)
    shapes.classes[81, BARE], shapes.classes[81, LIGHT] = -0.03, -3.5
    shapes.classes[20::2, BARE] = shapes.classes[20::2, DARK] = IN_DOUBT
    before = judge(shapes, observed, 14, PALETTE).evidence[81, 0]
    shapes.classes[108:], shapes.classes[108:, UNDER] = -9.0, 0.0
    assert judge(shapes, observed, 14, PALETTE).evidence[81, 0] < before + 0.02


def test_tiles_like_the_board_make_all_that_may_be_such_less_sure() -> None:
    shapes, observed = outputs(("black", 0, 9), ("white", 1, 9))
    shapes.classes[[3, 12, 50]] /= 2
    observed.lightness[:18] = [20.0] * 9 + [90.0] * 9
    clear = judge(shapes, observed, 14, ("black", "white")).evidence.max(axis=1)
    observed.lightness[18:] = 24.0
    alike = judge(shapes, observed, 14, ("black", "white")).evidence.max(axis=1)
    assert (alike[[3, 50]] < clear[[3, 50]] - 0.02).all()
    assert alike[12] == clear[12]


def test_white_is_not_told_from_bare_squares_where_both_are_overexposed() -> None:
    shapes, observed = outputs(("black", 0, 9), ("white", 1, 9))
    shapes.classes[[12, 50]] /= 2
    observed.burnt[9:18] = True
    white, bare = judge(shapes, observed, 14, ("black", "white")).evidence[[12, 50]].max(axis=1)
    observed.burnt[50] = True
    burnt = judge(shapes, observed, 14, ("black", "white")).evidence[[12, 50]].max(axis=1)
    assert burnt[0] < white - 0.02
    assert burnt[1] < bare - 0.02


def test_a_bright_tile_alone_is_a_tile_where_all_lit_squares_are_known() -> None:
    shapes, observed = outputs(("orange", 0, 1))
    shapes.classes[0], shapes.classes[0, [LIT, LIGHT]] = -10.0, [-0.2, -1.7]
    assert judge(shapes, observed, 14, PALETTE).evidence[0].max() < SURE
    assert judge(shapes, observed, 14, PALETTE, may_glow=False).evidence[0, 2] > SURE
