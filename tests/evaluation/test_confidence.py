"""The trial of confidence draws what it says, and counts what is sure and wrong."""

from collections import Counter

import numpy as np
import pytest

from firmware.rules.variants import EDITIONS, LETTERS
from tests.evaluation.confidence import counted, edition_of, line, rendered
from vision.reader import read_picture
from vision.reading import Reading

pytestmark = pytest.mark.slow


def test_corners_are_those_of_the_field_that_is_drawn() -> None:
    picture = rendered(1)
    reading = read_picture(picture.image, corners=picture.corners, size=len(picture.cells))
    assert isinstance(reading, Reading)
    side = np.linalg.norm(picture.corners[0] - picture.corners[1]) / len(picture.cells)
    off = np.linalg.norm(reading.corners - picture.corners, axis=1)
    assert (off < 0.25 * side).all()


def test_a_board_under_a_lamp_is_read_right_or_left_open() -> None:
    """A white-hot tile of this one was once sure to be bare board."""
    counts = counted(rendered(700_023))
    assert counts["wrong"] == counts["misplaced"] == 0
    assert counts["sure"] > 150


def test_a_board_at_the_edge_of_the_picture_is_read_as_a_whole() -> None:
    """Of this one, the middle was once sure to be a smaller board."""
    counts = counted(rendered(960_773))
    assert counts["wrong"] == counts["misplaced"] == 0
    assert counts["sure"] > 380


def test_every_board_has_an_edition_with_its_colours() -> None:
    for seed in range(5):
        picture = rendered(seed)
        colours = {LETTERS[name] for name in EDITIONS[edition_of(picture)]}
        assert set("".join(picture.cells.ravel())) <= colours | {"."}


def test_rates_have_upper_bounds() -> None:
    total = Counter(boards=300, misplaced=0, sure=3000, wrong=0, right=300, refused=3)
    text = line("all", total)
    assert "0 misplaced (below 0.99%)" in text
    assert "0 wrong (below 0.0998%)" in text
    assert "3 of 300 right ones refused (below 2.56%)" in text
