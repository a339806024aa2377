"""How unlike the board its tiles are."""

import numpy as np
import pytest

from tests.support.square_outputs import outputs
from vision.squares.judgement import contrast
from vision.squares.tile_groups import grouped


def test_tiles_are_compared_with_the_board_and_the_board_with_the_tiles_most_like_it() -> None:
    shapes, observed = outputs(("black", 0, 9), ("white", 1, 9))
    observed.tint[:18] = 0.0
    observed.lightness[:18] = [45.0] * 9 + [80.0] * 9
    apart = contrast(grouped(shapes, 2), shapes, observed)
    assert apart[:9] == pytest.approx(np.full(9, 5.0))
    assert apart[9:18] == pytest.approx(np.full(9, 30.0))
    assert apart[18:] == pytest.approx(np.full(178, 5.0))


def test_hidden_squares_show_no_colour() -> None:
    shapes, observed = outputs(("black", 0, 9))
    observed.tint[:9], observed.lightness[:9] = 0.0, [45.0] * 4 + [80.0] * 5
    observed.hidden[4:9] = True
    assert contrast(grouped(shapes, 2), shapes, observed).max() == pytest.approx(5.0)


def test_a_board_without_tiles_is_like_nothing() -> None:
    shapes, observed = outputs()
    assert np.isinf(contrast(grouped(shapes, 2), shapes, observed)).all()
