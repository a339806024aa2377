"""A camera that sees all of a drawing."""

import math

import numpy as np
import pytest

from hardware.renders.framing import SIZE, Viewpoint, framed


def shares(points: np.ndarray, viewpoint: Viewpoint) -> np.ndarray:
    """Places of points in the picture, as shares of half its width and height (n, 2)."""
    away = np.subtract(viewpoint.target, viewpoint.place)
    away = away / np.linalg.norm(away)
    right = np.cross(away, (0.0, 0.0, 1.0))
    right = right / np.linalg.norm(right)
    seen = (points - viewpoint.place) @ np.stack([right, np.cross(away, right), away]).T
    slope = math.tan(math.radians(viewpoint.across_deg / 2))
    half = np.array((slope, slope * SIZE[1] / SIZE[0]))
    return np.asarray(seen[:, :2] / seen[:, 2:] / half)


@pytest.mark.parametrize("turn_deg", [-40.0, 0.0, 25.0])
@pytest.mark.parametrize("tilt_deg", [10.0, 60.0])
def test_all_points_are_in_view_and_fill_it(turn_deg: float, tilt_deg: float) -> None:
    rng = np.random.default_rng(3)
    points = rng.uniform((-300, -200, 0), (500, 200, 400), (200, 3))
    viewpoint = framed(points, turn_deg, tilt_deg)
    places = np.abs(shares(points, viewpoint))
    assert places.max() < 0.96
    assert places.max() > 0.9


def test_it_looks_down_from_the_front() -> None:
    points = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (0.0, 1.0)])
    viewpoint = framed(points, 0.0, 30.0)
    assert viewpoint.place[1] < -1
    assert viewpoint.place[2] > viewpoint.target[2]
    fall = viewpoint.place[2] - viewpoint.target[2]
    assert fall / -(viewpoint.place[1] - viewpoint.target[1]) == pytest.approx(
        math.tan(math.radians(30))
    )
