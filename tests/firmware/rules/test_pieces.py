from collections import Counter

from firmware.rules.pieces import PIECES, SQUARES_OF_A_COLOUR


def test_there_are_21_pieces_in_91_orientations_with_89_squares() -> None:
    assert len(PIECES) == 21
    assert sum(len(piece.orientations) for piece in PIECES) == 91
    assert SQUARES_OF_A_COLOUR == 89
    assert Counter(piece.size for piece in PIECES) == {1: 1, 2: 1, 3: 2, 4: 5, 5: 12}


def test_pieces_have_the_names_and_the_order_of_the_records() -> None:
    names = "1 2 I3 V3 I4 L4 T4 Z4 O F I5 L5 N P T5 U V5 W X Y Z5"
    assert " ".join(piece.name for piece in PIECES) == names
    assert [piece.index for piece in PIECES] == list(range(21))


def test_no_orientation_belongs_to_two_pieces() -> None:
    shapes = [shape for piece in PIECES for shape in piece.orientations]
    assert len(set(shapes)) == len(shapes)
