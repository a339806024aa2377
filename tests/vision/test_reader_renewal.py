"""Squares are looked at again until they were seen in a quiet frame, and while they are open."""

from collections.abc import Callable
from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.drawn_boards import EMPTY_ROWS, flat_board, photograph, with_hand
from vision import reader
from vision.camera import Frame, Image
from vision.detection import shape_cache
from vision.errors import GeometryError
from vision.geometry.grid import Grid
from vision.reader import Reader, read_picture
from vision.reading import Reading
from vision.squares.judgement import judge
from vision.squares.network import UNDER, Shapes, shapes_of

ROWS = [*EMPTY_ROWS[:4], "....PP........", "....P..OO.....", ".......OO.....", *EMPTY_ROWS[:7]]
PICTURE = photograph(flat_board(ROWS))
STEP_S = 0.25
MIDDLE = [90, 91, 104, 105]
"""Squares in the middle of the board."""


class CountedReader:
    """A reader with a count of the squares that the network looks at.

    Args:
        seen: changes what the network sees in the frame of this number, from 1.
    """

    def __init__(self, seen: Callable[[Shapes, int], Shapes] = lambda shapes, _: shapes) -> None:
        self.reader = Reader(14)
        self.looked: list[int] = []
        self._seen = seen

    def read(self, image: Image = PICTURE, lit: NDArray[np.bool_] | None = None) -> Reading:
        self.looked.append(0)
        with patch.object(shape_cache, "shapes_of", self._shapes_of):
            number = len(self.looked)
            reading = self.reader.read(Frame(image, number * STEP_S, number), lit)
        assert isinstance(reading, Reading)
        return reading

    def _shapes_of(
        self, image: Image, grid: Grid, wanted: NDArray[np.bool_] | None = None
    ) -> Shapes:
        self.looked[-1] += 196 if wanted is None else int(wanted.sum())
        return self._seen(shapes_of(image, grid, wanted), len(self.looked))


def under(shapes: Shapes, squares: list[int]) -> Shapes:
    classes = shapes.classes.copy()
    classes[squares], classes[squares, UNDER] = -9.0, 0.0
    return replace(shapes, classes=classes)


def test_the_first_frame_is_looked_at_twice_and_then_only_changes() -> None:
    watched = CountedReader()
    for _ in range(4):
        watched.read()
    assert watched.looked[:2] == [196, 196]
    assert sum(watched.looked[2:]) == 0


def test_what_changed_beside_a_hand_is_looked_at_again_without_it() -> None:
    watched = CountedReader()
    for _ in range(3):
        watched.read()
    more = photograph(flat_board([*ROWS[:12], "PP............", ROWS[13]]))
    watched.read(with_hand(more))
    during = watched.looked[-1]
    assert during > 0
    watched.read(more)
    assert watched.looked[-1] >= during
    watched.read(more)
    assert watched.looked[-1] == 0


def test_a_square_wrongly_seen_covered_is_looked_at_again_without_a_change() -> None:
    watched = CountedReader(lambda shapes, number: under(shapes, MIDDLE) if number <= 3 else shapes)
    readings = [watched.read() for _ in range(16)]
    assert readings[2].covered[MIDDLE].all()
    assert not readings[-1].covered.any()
    assert sum(looked > 0 for looked in watched.looked) <= 4


def test_lit_squares_at_the_edge_are_no_hand() -> None:
    reading = read_picture(PICTURE, 14, ("purple", "orange"), lit=frozenset({0, 1, 2, 3}))
    assert isinstance(reading, Reading)
    assert not reading.hand
    assert np.flatnonzero(reading.covered).tolist() == [0, 1, 2, 3]


def test_an_unknown_colour_of_plastic_is_refused() -> None:
    with pytest.raises(GeometryError, match=r"not 'pink'"):
        read_picture(PICTURE, 14, ("purple", "pink"))


def test_colours_that_were_only_confirmed_confirm_nothing() -> None:
    watched = CountedReader()
    watched.reader.confirm(("blue", "green"))
    assert set(watched.read().palette) == {"blue", "green"}
    watched.reader.confirm(None)
    with patch.object(reader, "judge", wraps=judge) as judged:
        assert set(watched.read().palette) == {"purple", "orange"}
    assert not judged.call_args.args[4].is_sure


def test_a_hand_that_comes_back_has_not_rested_meanwhile() -> None:
    watched = CountedReader()
    lit = np.arange(196) == MIDDLE[0]
    for _ in range(3):
        watched.read()
    assert watched.read(with_hand(PICTURE)).hand
    for _ in range(16):
        assert not watched.read(lit=lit).hand
    assert watched.read(with_hand(PICTURE)).hand


def test_squares_that_change_at_once_are_not_trusted_for_some_seconds_only() -> None:
    watched = CountedReader()
    for _ in range(3):
        watched.read()
    full = [row if k % 3 else "PPPPP....OOOOO" for k, row in enumerate(ROWS)]
    picture = photograph(flat_board(full))
    readings = [watched.read(picture) for _ in range(60)]
    new = [square for square, letter in enumerate("".join(full)) if letter != "."]
    assert readings[4].probabilities[new].max(axis=1).min() < 0.4
    assert readings[-1].probabilities[new].max(axis=1).mean() > 0.9
