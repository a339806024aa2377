"""How the network of shapes learns."""

import numpy as np

from tests.trials.relief.learning import fresh, slopes_of
from vision.relief import SCALE


def test_the_slopes_are_those_of_the_loss() -> None:
    chance = np.random.default_rng(3)
    layers = fresh(chance)
    views = chance.normal(0, 1, (2, 5 * SCALE, 5 * SCALE, 3)).astype(np.float32)
    shapes = chance.integers(-1, 4, (2, 3, 3))
    slopes = slopes_of(layers, views, shapes)[1]
    for layer, slope in zip(layers, slopes, strict=True):
        place = np.unravel_index(np.abs(slope[0]).argmax(), slope[0].shape)
        losses = []
        for step in (0.01, -0.01):
            layer[0][place] += step
            losses.append(slopes_of(layers, views, shapes)[0])
            layer[0][place] -= step
        assert np.isclose((losses[0] - losses[1]) / 0.02, slope[0][place], rtol=0.05)
