"""The holders of panels, measured as assembled."""

import numpy as np
import pytest

from hardware.parts.catalogue import triangles_of
from hardware.parts.mesh import Triangles
from hardware.parts.placement import assembly
from tests.support.solids import hollow_along, lengths, middles, solid_along

PANEL = 160.0


def test_a_panel_of_160_and_its_opal_sheet_lie_in_the_tray() -> None:
    tray = triangles_of("panel-tray")
    for axis in (0, 1):
        assert lengths(hollow_along(tray, (3.03, 3.04, 5.03), axis)) == pytest.approx([PANEL + 1])
        (opening,) = lengths(hollow_along(tray, (3.03, 3.04, 14.03), axis))
        (sheet,) = lengths(solid_along(triangles_of("panel-opal-one"), (3.03, 3.04, 1.03), axis))
        assert opening - sheet == pytest.approx(1.0, abs=0.01)


def four(name: str) -> Triangles:
    """Returns the triangles of all parts of a name around the middle of the four panels."""
    parts = assembly("club_table", "classic", "module-3")
    middle = next(one.position for one in parts if one.name == "panel-opal-four")
    return np.concatenate([one.placed - middle * (1, 1, 0) for one in parts if one.name == name])


def test_four_panels_lie_side_by_side_without_a_gap() -> None:
    corners = four("panel-corner")
    for axis in (0, 1):
        inside = lengths(hollow_along(corners, (71.03, 71.04, 17.03), axis))
        assert inside == pytest.approx([2 * PANEL + 1], abs=0.01)


def test_the_opal_sheet_over_four_lies_on_their_ledge() -> None:
    line = (71.03, 71.04, 26.03)
    (opening,) = lengths(hollow_along(four("panel-corner"), line, 0))
    (sheet,) = lengths(solid_along(four("panel-opal-four"), line, 0))
    assert opening - sheet == pytest.approx(1.0, abs=0.01)


def test_dovetails_of_four_holders_have_a_gap() -> None:
    corners = four("panel-corner")
    for depth in (0.53, 3.03, 5.53):
        floor = hollow_along(corners, (depth, 0, 13.53), 1)
        beside_tail = [one for one in floor if one[0] > PANEL / 4 and one[1] - one[0] < 1]
        assert lengths(beside_tail) == pytest.approx([0.211, 0.211], abs=0.01)


def test_screws_of_the_tray_meet_the_wedges() -> None:
    parts = assembly("club_table", "duo", "module-3")
    tray = next(one for one in parts if one.name == "panel-tray")
    wedges = [one for one in parts if one.name == "panel-wedge"]
    assert len(wedges) == 2
    for wedge in wedges:
        upright = (wedge.placed - tray.position) @ tray.rotation
        for y in (-59.97, 60.03):
            x = wedge.position[0] - tray.position[0]
            tap = hollow_along(upright, (0, y, -2.03), 0)
            hole = hollow_along(tray.triangles, (0, y, 0.53), 0)
            assert middles(tap) == pytest.approx([x], abs=0.02)
            assert min(abs(one - x) for one in middles(hole)) < 0.02
