"""Pictures show what is in front, hide what is behind, and are equal when drawn again."""

import re

import numpy as np
import pytest

from hardware.drawings.drawing import INK, NEW, PLAIN, Drawing
from hardware.drawings.notes import NOTE
from hardware.drawings.solids import box
from hardware.drawings.view import View, edges
from hardware.drawings.visibility import Raster

FRONT = View(turn_deg=0, tilt_deg=0)


def test_a_cube_seen_from_a_corner_shows_nine_edges_and_six_of_them_as_outline() -> None:
    seen = list(edges(box(10, 10, 10), View()))
    assert len(seen) == 9
    assert sum(edge.is_outline for edge in seen) == 6


def test_of_a_line_behind_a_wall_only_what_rises_above_it_is_in_sight() -> None:
    raster = Raster.of((-30.0, -50.0), (30.0, 10.0), 4.0)
    for triangle in FRONT.seen(box(20, 2, 20).triangles):
        raster.cover(triangle, 0)
    start, end = FRONT.seen(np.array([(0.0, 30.0, 0.0), (0.0, 30.0, 40.0)]))
    [(low, high)] = raster.in_sight(start, end)
    assert low[1] == pytest.approx(-20, abs=0.6)
    assert high[1] == pytest.approx(-40, abs=0.1)
    start, end = FRONT.seen(np.array([(0.0, -30.0, 0.0), (0.0, -30.0, 40.0)]))
    [(low, high)] = raster.in_sight(start, end)
    assert low[1] - high[1] == pytest.approx(40)


def drawing() -> Drawing:
    drawn = Drawing("a box & its lid", View())
    drawn.add(box(40, 30, 20))
    drawn.add(box(40, 30, 2).moved(z=20), NEW)
    drawn.number(1, (0, 0, 22), (30, 30, 40))
    drawn.arrow((0, 0, 60), (0, 0, 24))
    drawn.length((-20, -25, 0), (20, -25, 0), "40 mm")
    return drawn


def test_a_picture_has_its_title_its_colours_and_its_notes() -> None:
    text = drawing().svg()
    assert "<title>a box &amp; its lid</title>" in text
    assert ">1</text>" in text
    assert ">40 mm</text>" in text
    for colour in (INK, NOTE):
        assert colour in text
    assert re.search(r'fill="#ff?[a-f0-9]{4,5}"', text)


def test_a_picture_drawn_again_is_equal() -> None:
    assert drawing().svg() == drawing().svg()


def test_everything_lies_within_the_drawing() -> None:
    text = drawing().svg()
    found = re.search(r'viewBox="0 0 (\d+) (\d+)"', text)
    assert found is not None
    width, height = (int(side) for side in found.groups())
    places = re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", text)
    assert len(places) > 20
    for x, y in places:
        assert 0 <= float(x) <= width
        assert 0 <= float(y) <= height


@pytest.mark.parametrize("colour", [PLAIN, NEW])
def test_a_hidden_thing_leaves_no_trace(colour: str) -> None:
    alone, with_hidden = Drawing("one", FRONT), Drawing("one", FRONT)
    for drawn in (alone, with_hidden):
        drawn.add(box(40, 10, 40))
    with_hidden.add(box(20, 10, 20).moved(y=40, z=10), colour)
    assert with_hidden.svg() == alone.svg()
