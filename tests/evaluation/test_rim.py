"""A sample of the trial `rim`: nothing is accepted as less, and right moves are followed."""

import pytest

from tests.evaluation.rim import RimVerdict, sweep

pytestmark = pytest.mark.slow

SCENES = 3


def test_pieces_over_the_rim_are_refused_as_off_the_board() -> None:
    counts = sweep(1, 0, SCENES, hangs=True)
    refused = counts[RimVerdict.OFF_BOARD]
    assert refused + counts[RimVerdict.ASKED] + counts[RimVerdict.LOST] == counts.total()
    assert refused >= SCENES - 1


def test_things_beside_the_board_do_not_disturb_moves_along_the_rim() -> None:
    counts = sweep(1, 0, SCENES, hangs=False)
    unclear = sum(count for name, count in counts.items() if name not in tuple(RimVerdict))
    assert counts[RimVerdict.MOVED] + counts[RimVerdict.LOST] + unclear == counts.total()


def test_what_lay_beside_a_tile_is_known_though_a_hand_was_there_meanwhile() -> None:
    # Spare pieces of the same colour lie against both squares; a hand covers them in a clear frame.
    assert sweep(41003, 0, 1, hangs=False) == {RimVerdict.MOVED: 1}


def test_what_goes_on_beyond_the_border_is_known_while_the_squares_before_it_are_lit() -> None:
    # Some LEDs blink under the piece, others while a spare piece comes.
    assert sweep(44001, 21, 1, hangs=True) == {RimVerdict.ASKED: 1}
    assert sweep(44003, 24, 1, hangs=True) == {RimVerdict.OFF_BOARD: 1}


def test_what_lay_beside_a_tile_in_its_colour_does_not_prove_that_it_goes_on() -> None:
    # A spare piece of the same colour lies against the border, and its light changes a little.
    assert sweep(94002, 475, 1, hangs=False) == {RimVerdict.ASKED: 1}
