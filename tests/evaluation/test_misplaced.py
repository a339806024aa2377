"""A sample of the trial `misplaced`: no piece is judged on other squares, or passed over."""

import pytest

from tests.evaluation.misplaced import ASKED, NEAREST, laid, off

pytestmark = pytest.mark.slow

CLEARLY = 0.2
"""Squares by which a piece may be off so that its place is plain."""


def test_pieces_between_squares_are_judged_where_they_lie_or_asked_about() -> None:
    found = [laid(1, number) for number in range(12)]
    assert {verdict for _, verdict in found} == {NEAREST, ASKED}
    assert all(verdict == NEAREST for piece, verdict in found if off(piece) < CLEARLY)
