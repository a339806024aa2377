"""Shapes are closed, and turn and move as they say."""

from collections import Counter

import numpy as np
import pytest

from hardware.drawings.solids import Solid, box, cylinder, prism, rod, rounded_box

SHAPES = {
    "box": box(3, 4, 5),
    "rounded": rounded_box(30, 20, 5, 4),
    "cylinder": cylinder(3, 7),
    "prism": prism(((0, 0), (4, 0), (2, 3)), 2),
    "rod": rod((1, 2, 3), (4, 6, 15), 3),
}


def volume(solid: Solid) -> float:
    a, b, c = (solid.triangles[:, k] for k in range(3))
    return float((a * np.cross(b, c)).sum() / 6)


@pytest.mark.parametrize("solid", SHAPES.values(), ids=list(SHAPES))
def test_each_edge_of_a_shape_has_a_face_on_both_sides(solid: Solid) -> None:
    sides: Counter[tuple[bytes, bytes]] = Counter()
    for corners in np.round(solid.triangles, 9) + 0.0:
        for k in range(3):
            sides[corners[k].tobytes(), corners[(k + 1) % 3].tobytes()] += 1
    assert all(count == 1 and sides[b, a] == 1 for (a, b), count in sides.items())
    assert volume(solid) > 0


def test_shapes_have_the_size_that_they_are_asked_for() -> None:
    assert volume(SHAPES["box"]) == pytest.approx(60)
    assert volume(SHAPES["prism"]) == pytest.approx(12)
    assert volume(SHAPES["cylinder"]) == pytest.approx(np.pi * 9 * 7, rel=0.01)
    assert volume(SHAPES["rod"]) == pytest.approx(np.pi * 9 * 13, rel=0.01)


def test_a_rod_goes_from_one_point_to_the_other() -> None:
    points = rod((1, 2, 3), (4, 6, 15), 0.001).triangles.reshape(-1, 3)
    assert points.min(axis=0) == pytest.approx([1, 2, 3], abs=0.01)
    assert points.max(axis=0) == pytest.approx([4, 6, 15], abs=0.01)


def test_a_quarter_turn_is_exact() -> None:
    turned = box(2, 4, 6).turned("z", 90).moved(x=10).triangles
    assert turned.reshape(-1, 3).max(axis=0).tolist() == [12.0, 1.0, 6.0]
    raised = box(2, 4, 6).turned("x", 90).triangles
    assert raised.reshape(-1, 3).min(axis=0).tolist() == [-1.0, -6.0, -2.0]
