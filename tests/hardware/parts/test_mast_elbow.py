"""The elbow, measured: both tubes go through and pass each other."""

import pytest

from hardware.parts.catalogue import triangles_of
from hardware.parts.dimensions import TUBE
from tests.support.solids import hollow_along, lengths, solid_along

ELBOW = triangles_of("mast-elbow")


def test_both_tubes_go_in_with_a_little_play() -> None:
    along = hollow_along(ELBOW, (-27.03, 0, 10.07), 1)
    across = hollow_along(ELBOW, (0, 13.07, 0.03), 0)
    assert lengths(along) == pytest.approx([TUBE + 0.4], abs=0.07)
    assert lengths(across) == pytest.approx([TUBE + 0.4], abs=0.07)


def test_the_tubes_pass_each_other() -> None:
    upright = hollow_along(ELBOW, (0, 4.03, 14.07), 0)[0]
    assert sum(upright) / 2 == pytest.approx(-27, abs=0.05)
    between = next(one for one in solid_along(ELBOW, (0, 0.03, 0.04), 0) if one[0] < -13 < one[1])
    assert between[1] - between[0] > 6


def test_the_bores_go_right_through() -> None:
    assert solid_along(ELBOW, (-27.03, 0.04, 0), 2) == []
    assert solid_along(ELBOW, (0.03, 0, 0.04), 1) == []
