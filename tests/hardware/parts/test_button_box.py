"""The boxes, measured: holes of the buttons, screws of the lid, hole of the cable."""

import pytest

from hardware.parts.catalogue import triangles_of
from hardware.parts.mesh import bounds
from tests.support.solids import hollow_along, lengths, middles, solid_along

both_boxes = pytest.mark.parametrize("count", [1, 2])


@both_boxes
def test_arcade_buttons_of_30_snap_in(count: int) -> None:
    box = triangles_of(f"button-box-{count}")
    holes = hollow_along(box, (0, 0.03, 44.53), 0)
    assert len(holes) == count
    assert all(29.5 <= length <= 30.0 for length in lengths(holes))
    assert middles(holes) == pytest.approx([0] if count == 1 else [-25, 25], abs=0.02)


@both_boxes
def test_the_plate_is_thin_enough_to_snap_in(count: int) -> None:
    x = bounds(triangles_of(f"button-box-{count}"))[1][0] - 8
    (plate,) = solid_along(triangles_of(f"button-box-{count}"), (x, 0.53, 0), 2)
    assert plate == pytest.approx((43, 46), abs=0.01)


@both_boxes
def test_a_button_of_34_has_room_above_the_lid(count: int) -> None:
    box, x = triangles_of(f"button-box-{count}"), 0 if count == 1 else 25
    assert solid_along(box, (x + 0.03, 0.04, 0), 2) == []
    inside = hollow_along(box, (0, 0.03, 20.03), 0)
    assert min(abs(edge - x) for edge in inside[0]) > 16


@both_boxes
def test_screws_of_the_lid_meet_the_posts(count: int) -> None:
    box, lid = triangles_of(f"button-box-{count}"), triangles_of(f"button-lid-{count}")
    for y in (-24.47, 24.53):
        taps = [one for one in hollow_along(box, (0, y, 5.03), 0) if one[1] - one[0] < 4]
        holes = hollow_along(lid, (0, y, -1.03), 0)
        assert middles(taps) == pytest.approx(middles(holes), abs=0.02)
        assert len(taps) == 2


def test_a_cable_of_6_goes_out() -> None:
    hole = hollow_along(triangles_of("button-box-1"), (0, 29.03, 10.03), 0)
    assert lengths(hole) == pytest.approx([6.5], abs=0.05)
