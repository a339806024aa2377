"""The line across the border of a board, on each of its sides."""

import numpy as np
import pytest

from vision.reading import GOES_ON
from vision.squares.border import across_border, features, odds_of

N, STEP = 14, 16


def square(row: int, column: int) -> tuple[slice, slice]:
    """Pixels of a square of the view; the board begins at row and column 1."""
    return slice(row * STEP, (row + 1) * STEP), slice(column * STEP, (column + 1) * STEP)


@pytest.mark.parametrize(
    ("side", "at", "inside", "outside"),
    [
        (0, 2, (1, 3), (0, 3)),
        (1, 5, (6, N), (6, N + 1)),
        (2, 9, (N, 10), (N + 1, 10)),
        (3, 13, (14, 1), (14, 0)),
    ],
)
def test_a_tile_that_goes_on_differs_nowhere_from_what_lies_beyond(
    side: int, at: int, inside: tuple[int, int], outside: tuple[int, int]
) -> None:
    view = np.zeros((STEP * (N + 2), STEP * (N + 2), 3), np.float32)
    view[square(*inside)] = 2.0
    ends = across_border(view, N)
    view[square(*outside)] = 2.0
    goes_on = across_border(view, N)
    assert goes_on.shape == (4, N, 28)
    assert not goes_on[side, at].any()
    apart, darker = ends[side, at, :14], ends[side, at, 14:]
    assert not apart[:4].any()
    assert apart[4:] == pytest.approx(2 * 3**0.5)
    assert not darker[:4].any()
    assert darker[4:] == pytest.approx(2.0)


def test_a_seam_speaks_against_one_piece() -> None:
    plain = np.zeros((1, 28), np.float32)
    seam = plain.copy()
    seam[:, 4:9] = seam[:, 18:23] = 1.5
    edge, alike, tile = (np.array([value], np.float32) for value in (-4.0, 0.5, 4.0))
    one, two = (float(odds_of(features(edge, alike, tile, line))[0]) for line in (plain, seam))
    assert one > GOES_ON
    assert two < one
