"""The degraded pictures of the trials: each is degraded by the stated amount."""

import numpy as np
import pytest

from tests.evaluation.coverage import SquareResults, samples
from tests.support.degraded_pictures import WORSENINGS
from vision.geometry.grid import Grid, Warp
from vision.geometry.image_quality import blur_px, burnt_shares, light_of

pytestmark = pytest.mark.slow

PICTURE = next(samples())
EVERYWHERE = np.ones(PICTURE.image.shape[:2], bool)
WAYS = {way.name: way for way in WORSENINGS}


def worse(name: str, step: float) -> tuple[np.ndarray, np.ndarray]:
    return WAYS[name].apply(PICTURE.image, PICTURE.corners, step, np.random.default_rng(1))


def test_a_stop_less_light_halves_it() -> None:
    darker, _ = worse("dark", 2)
    light = [((one / 255.0) ** 2.2).mean() for one in (PICTURE.image, darker)]
    assert light[0] / light[1] == pytest.approx(4, rel=0.1)


def test_blur_and_noise_are_as_strong_as_they_say() -> None:
    blurred, _ = worse("blur", 0.15)
    square_px = Grid.of(PICTURE.corners, 14, PICTURE.image.shape).square_px
    assert blur_px(blurred, EVERYWHERE) == pytest.approx(0.15 * square_px, rel=0.25)
    noisy, _ = worse("noise", 20)
    difference = noisy.astype(float) - PICTURE.image
    assert difference.std() == pytest.approx(20, rel=0.3)


def test_a_smaller_picture_keeps_its_corners_on_the_board() -> None:
    small, corners = worse("small", 13)
    grid = Grid.of(corners, 14, small.shape)
    assert grid.square_px == pytest.approx(13, rel=0.02)
    before = Warp.of(Grid.of(PICTURE.corners, 14, PICTURE.image.shape), 4, 0)(PICTURE.image)
    after = Warp.of(grid, 4, 0)(small)
    assert np.abs(before.astype(float) - after).mean() < 12


def test_mirrored_lamps_burn_out_squares() -> None:
    glaring, corners = worse("glare", 2)
    view = Warp.of(Grid.of(corners, 14, glaring.shape), 16, 1)(glaring)
    assert (burnt_shares(view, 14, 1) > 0.5).sum() >= 3
    assert light_of(glaring, EVERYWHERE).white >= 250


def test_the_first_step_is_the_picture_as_taken() -> None:
    assert all(way.steps[0] == 0 for way in WORSENINGS)


def test_risk_and_odds_are_counted() -> None:
    squares = SquareResults([0.99, 0.6, 0.95, 0.9999], [True, False, False, True], open=4)
    assert squares.shares() == (0.25, 0.625, 0.125)
    cover, risk = squares.risk()
    assert cover.tolist() == [0.125, 0.25, 0.375, 0.5]
    assert risk.tolist() == pytest.approx([0, 0, 1 / 3, 1 / 2])
    bins = [(count, wrong) for _, count, wrong in squares.calibration()]
    assert bins == [(1, 1), (1, 1), (1, 0), (1, 0)]
