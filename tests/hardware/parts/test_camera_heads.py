"""The heads, measured: holes of the boards, the tube, the jaws of the phone."""

import pytest

from firmware.cameras.mounting import MODELS
from hardware.parts.catalogue import triangles_of
from hardware.parts.dimensions import PHONE_WIDE, TUBE
from hardware.parts.mesh import Triangles
from hardware.parts.placement import HEADS
from tests.support.solids import hollow_along, lengths, middles, solid_along

SMALL, LARGE = triangles_of("head-small"), triangles_of("head-large")
IN_POSTS = 8.07
"""Height at which a line goes through the posts, below the plate."""


def test_every_camera_has_a_head() -> None:
    assert set(HEADS) == set(MODELS)


@pytest.mark.parametrize(
    ("head", "row", "apart"), [(SMALL, 0.03, 21.0), (SMALL, -12.47, 21.0), (LARGE, -14.97, 30.0)]
)
def test_the_holes_fit_the_board(head: Triangles, row: float, apart: float) -> None:
    posts = hollow_along(head, (0, row, IN_POSTS), 0)
    holes = [one for one in posts if one[1] - one[0] < 3]
    left, right = middles(holes)
    assert right - left == pytest.approx(apart, abs=0.02)
    assert left + right == pytest.approx(0, abs=0.02)
    assert all(length < 2.3 for length in lengths(holes))


def test_the_other_holes_are_12_5_behind_the_lens() -> None:
    holes = [one for one in hollow_along(SMALL, (10.47, 0, IN_POSTS), 1) if one[1] - one[0] < 3]
    assert middles(holes) == pytest.approx([-12.5, 0], abs=0.02)


@pytest.mark.parametrize("name", ["head-small", "head-large", "head-usb", "head-phone"])
def test_the_arm_ends_at_its_stop(name: str) -> None:
    place = next(head for head in HEADS.values() if head.name == name)
    head, x = triangles_of(name), place.arm_aside
    bore = hollow_along(head, (0, place.arm_end + 20.1, 0.03), 0)
    assert lengths(bore) == pytest.approx([TUBE + 0.4], abs=0.07)
    assert middles(bore) == pytest.approx([x], abs=0.02)
    stop = [end for _, end in solid_along(head, (x + 5.03, 0, 6.07), 1)]
    assert stop[-1] == pytest.approx(place.arm_end, abs=0.01)


def test_a_photo_screw_goes_through_the_plate_of_a_webcam() -> None:
    slot = hollow_along(triangles_of("head-usb"), (0, 37.03, -48.07), 0)
    assert lengths(slot) == pytest.approx([6.6], abs=0.05)


def test_the_shelf_holds_phones_of_60_to_85() -> None:
    head, jaw = triangles_of("head-phone"), triangles_of("phone-jaw")
    edge = solid_along(head, (35.03, 0, -8.07), 1)[0][0]
    slot = hollow_along(head, (60.03, 0, -14.07), 1)[0]
    bolt = middles(hollow_along(jaw, (0.03, 0, 1.07), 1))[0]
    half = 2.2
    reach = [edge - (y - bolt) for y in (slot[1] - half, slot[0] + half)]
    assert reach[0] <= PHONE_WIDE[0]
    assert reach[1] >= PHONE_WIDE[1]
