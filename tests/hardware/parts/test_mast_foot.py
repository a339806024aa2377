"""The foot, measured: what it grips, the tube, its bolt."""

import pytest

from hardware.parts.catalogue import triangles_of
from hardware.parts.dimensions import FOOT_GRIP, TUBE
from tests.support.solids import hollow_along, lengths, middles, solid_along


@pytest.mark.parametrize("name", ["mast-foot", "mast-flange"])
def test_the_tube_goes_in_with_a_little_play(name: str) -> None:
    foot = triangles_of(name)
    across = hollow_along(foot, (-0.03, 0, 20.1), 1)
    assert lengths(across) == pytest.approx([TUBE + 0.4], abs=0.07)
    assert middles(across) == pytest.approx([0], abs=0.02)


@pytest.mark.parametrize("name", ["mast-foot", "mast-flange"])
def test_the_tube_stands_on_plastic(name: str) -> None:
    foot = triangles_of(name)
    assert solid_along(foot, (5.1, 3.3, 0), 2)[-1] == pytest.approx((0, 9), abs=0.01)


def test_the_jaws_take_every_table_top_with_pad_and_nut() -> None:
    mouth = lengths(hollow_along(triangles_of("mast-foot"), (8.03, 9.07, 0), 2))[0]
    pad = lengths(solid_along(triangles_of("foot-pad"), (6.1, 5.2, 0), 2))[0]
    assert mouth >= FOOT_GRIP[1] + pad + 1


def test_the_bolt_presses_below_the_tube() -> None:
    foot = triangles_of("mast-foot")
    hole = hollow_along(foot, (0, 0.07, -63.1), 0)
    assert lengths(hole) == pytest.approx([6.5], abs=0.1)
    assert lengths(hollow_along(foot, (0.07, 0, -53.1), 1)) == pytest.approx([10.3], abs=0.05)
    assert lengths(hollow_along(foot, (0, 0.07, -53.1), 0)) == pytest.approx([11.9], abs=0.1)


def test_the_flange_has_four_screws_beside_the_tube() -> None:
    flange = triangles_of("mast-flange")
    rows = [hollow_along(flange, (0, y, 1.03), 0) for y in (-6.03, 18.03)]
    for row in rows:
        assert middles(row) == pytest.approx([-35, 35], abs=0.05)
        assert lengths(row) == pytest.approx([4.5, 4.5], abs=0.1)
