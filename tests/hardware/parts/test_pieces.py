"""The pieces, measured: which squares they cover, their pitch, gap and height."""

import numpy as np
import pytest

from firmware.rules.pieces import PIECES, Piece
from hardware.parts.catalogue import triangles_of
from tests.support.solids import lengths, solid_along

PITCH = 50 / 3
each_piece = pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.name)


@each_piece
def test_it_covers_the_squares_of_its_shape_and_no_other(piece: Piece) -> None:
    triangles = triangles_of(f"piece-{piece.name.lower()}")
    covered = {
        (row, column)
        for row in range(-1, 6)
        for column in range(-1, 6)
        if solid_along(triangles, ((column + 0.51) * PITCH, -(row + 0.52) * PITCH, 0), 2)
    }
    assert covered == set(piece.orientations[0])


@each_piece
def test_it_is_as_high_as_drawn(piece: Piece) -> None:
    row, column = piece.orientations[0][0]
    middle = ((column + 0.51) * PITCH, -(row + 0.52) * PITCH, 0)
    triangles = triangles_of(f"piece-{piece.name.lower()}")
    assert lengths(solid_along(triangles, middle, 2)) == pytest.approx([4.5])


@each_piece
def test_two_pieces_side_by_side_have_0_3_between_them(piece: Piece) -> None:
    triangles = triangles_of(f"piece-{piece.name.lower()}")
    for axis in (0, 1):
        for line in range(5):
            middle = np.array([(line + 0.51) * PITCH, -(line + 0.52) * PITCH, 2.03])
            for start, end in solid_along(triangles, (middle[0], middle[1], middle[2]), axis):
                squares = round((end - start) / PITCH)
                assert end - start == pytest.approx(squares * PITCH - 0.3, abs=0.01)
                assert (start - 0.15) / PITCH == pytest.approx(round(start / PITCH), abs=0.001)


def test_edges_have_small_chamfers() -> None:
    one = triangles_of("piece-1")
    wide = [lengths(solid_along(one, (0, -8.03, z), 0))[0] for z in (0.003, 2.03, 4.497)]
    assert wide[1] - wide[0] == pytest.approx(0.6, abs=0.02)
    assert wide[1] - wide[2] == pytest.approx(1.2, abs=0.02)
