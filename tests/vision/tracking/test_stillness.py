"""A still object over the board is judged twice, and then again only after a change."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.classification.colour_classifier import SquarePosteriors
from vision.classification.colour_model import ColourModel
from vision.classification.single_frame import SingleFrameResult
from vision.features.blocks import BLOCKS, CoarseView
from vision.tracking.stillness import Stillness

SIZE = 14
SIDE = (SIZE + 2) * BLOCKS
STILL = CoarseView(np.zeros((SIDE, SIDE, 3), np.float32), np.ones((SIDE, SIDE), bool), 1.0, 100.0)
CUP, BESIDE = 5 * SIZE + 3, 9 * SIZE + 9


def judgement() -> SingleFrameResult:
    covered = np.zeros(SIZE**2, bool)
    covered[CUP] = True
    looks = np.zeros((2, 3)), np.zeros((2, 3, 3)), np.zeros(2), np.zeros((SIZE**2, 3))
    posteriors = SquarePosteriors(np.full((SIZE**2, 2), 0.5), np.zeros(SIZE**2), 0.0)
    return SingleFrameResult(
        ColourModel(("purple",), *looks),
        is_sure=True,
        posteriors=posteriors,
        covered=covered,
        tiles=np.zeros(SIZE**2, bool),
    )


def dimmed(square: int) -> CoarseView:
    light = STILL.light.copy()
    row, column = (BLOCKS * (1 + part) for part in divmod(square, SIZE))
    light[row, column] -= 0.2
    return replace(STILL, light=light)


def lit(*squares: int) -> NDArray[np.bool_]:
    mask = np.zeros(SIZE**2, bool)
    mask[list(squares)] = True
    return mask


def rested() -> Stillness:
    pause, held = Stillness(), judgement()
    assert not pause.is_over(0.0, STILL, lit())
    for now_s in (3.0, 3.1):
        assert pause.is_over(now_s, STILL, lit())
        assert pause.judged(STILL, lit()) is None
        pause.keep(held, STILL)
    return pause


def test_two_frames_are_judged_and_then_hold() -> None:
    pause = rested()
    assert pause.judged(STILL, lit()) is pause.judgement


def test_the_faintest_change_beside_it_is_judged_again_but_not_one_of_its_own() -> None:
    pause = rested()
    assert pause.is_over(3.2, dimmed(BESIDE), lit())
    assert pause.judged(dimmed(BESIDE), lit()) is None
    assert pause.judged(dimmed(BESIDE), lit(BESIDE)) is pause.judgement
    assert pause.judged(dimmed(CUP), lit()) is pause.judgement


def test_what_stirs_has_to_rest_again() -> None:
    pause = rested()
    noise = np.random.default_rng(1).normal(0, 1, STILL.light.shape).astype(np.float32)
    moved = replace(STILL, light=noise)
    assert not pause.is_over(4.0, moved, lit())
    assert pause.is_over(7.0, moved, lit())
    assert pause.judged(STILL, lit()) is None


def test_lights_that_go_out_or_on_stir_nothing() -> None:
    dark = brighter(CUP)
    pause = Stillness()
    assert not pause.is_over(0.0, dark, lit(CUP))
    assert pause.is_over(3.0, STILL, lit())
    pause = Stillness()
    assert not pause.is_over(0.0, dark, lit())
    assert not pause.is_over(3.0, STILL, lit())


def brighter(square: int) -> CoarseView:
    light = STILL.light.copy()
    row, column = (BLOCKS * (1 + part) for part in divmod(square, SIZE))
    light[row : row + BLOCKS, column : column + BLOCKS] += 1.0
    return replace(STILL, light=light)
