"""The time for which nothing over the board has moved."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.detection.change_detection import Stillness
from vision.detection.frame_features import BLOCKS, CoarseView

SIZE = 14
SIDE = (SIZE + 2) * BLOCKS
STILL = CoarseView(np.zeros((SIDE, SIDE, 3), np.float32), np.ones((SIDE, SIDE), bool), 1.0, 100.0)
CUP = 5 * SIZE + 3


def lit(*squares: int) -> NDArray[np.bool_]:
    mask = np.zeros(SIZE**2, bool)
    mask[list(squares)] = True
    return mask


def test_what_stirs_has_to_rest_again() -> None:
    pause = Stillness()
    assert pause.lasts_s(0.0, STILL, lit()) == 0
    assert pause.lasts_s(3.0, STILL, lit()) == 3
    noise = np.random.default_rng(1).normal(0, 1, STILL.light.shape).astype(np.float32)
    moved = replace(STILL, light=noise)
    assert pause.lasts_s(4.0, moved, lit()) == 0
    assert pause.lasts_s(7.0, moved, lit()) == 3


def test_lights_that_go_out_or_on_stir_nothing() -> None:
    dark = brighter(CUP)
    pause = Stillness()
    assert pause.lasts_s(0.0, dark, lit(CUP)) == 0
    assert pause.lasts_s(3.0, STILL, lit()) == 3
    pause = Stillness()
    assert pause.lasts_s(0.0, dark, lit()) == 0
    assert pause.lasts_s(3.0, STILL, lit()) == 0


def brighter(square: int) -> CoarseView:
    light = STILL.light.copy()
    row, column = (BLOCKS * (1 + part) for part in divmod(square, SIZE))
    light[row : row + BLOCKS, column : column + BLOCKS] += 1.0
    return replace(STILL, light=light)
