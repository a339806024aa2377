import re

import pytest

from firmware.rules.pieces import PIECES
from web.presentation.svg import CELL, heart, is_light, outline, seams, shade


def corners(path: str) -> list[tuple[float, ...]]:
    return [tuple(map(float, pair)) for pair in re.findall(r"[ML](\S+?) ([-\d.]+)", path)]


def area(path: str) -> float:
    """Returns the area of all loops together by the shoelace formula; holes count negative."""
    total = 0.0
    for loop in path.split("Z")[:-1]:
        points = corners(loop)
        after = [*points[1:], points[0]]
        total += sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, after, strict=True)) / 2
    return total


def test_a_square_is_four_corners() -> None:
    assert outline([(0, 1)]) == "M20 0L40 0L40 20L20 20Z"
    assert outline([(0, 1)], inset=2) == "M22 2L38 2L38 18L22 18Z"
    assert outline([(0, 0)], radius=3).count("Q") == 4


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.name)
def test_every_piece_is_one_outline_around_its_squares(piece: object) -> None:
    for shape in piece.orientations:  # type: ignore[attr-defined]
        path = outline(shape)
        assert path.count("M") == 1
        assert area(path) == len(shape) * CELL**2
        inside = area(outline(shape, inset=2))
        assert 0 < inside < area(path)


def test_a_hole_is_an_outline_of_its_own() -> None:
    ring = [(r, c) for r in range(3) for c in range(3) if (r, c) != (1, 1)]
    assert outline(ring).count("M") == 2
    assert area(outline(ring)) == 8 * CELL**2


def test_squares_that_meet_at_a_corner_keep_their_own_outlines() -> None:
    for pair in ([(0, 0), (1, 1)], [(0, 1), (1, 0)]):
        assert outline(pair).count("M") == 2
        assert area(outline(pair, inset=2)) == 2 * 16**2


def test_nothing_has_no_outline() -> None:
    assert outline([]) == ""


def test_seams_lie_between_squares() -> None:
    assert seams([(0, 0), (0, 1)], inset=3) == "M20 3v14"
    assert seams([(0, 0), (1, 0)]) == "M0 20h20"


def test_the_letter_goes_to_the_middle() -> None:
    assert heart([(0, 0), (0, 1), (0, 2)]) == (0, 1)
    assert heart([(5, 5)]) == (5, 5)


def test_letters_are_read_on_their_ink() -> None:
    assert is_light("#f4c20d")
    assert not is_light("#7d3c98")
    assert shade("#ff0000", "#000000", 0.5) == "#800000"
