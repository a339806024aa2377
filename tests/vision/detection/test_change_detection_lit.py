"""Lit frames are compared with frames in which the same LEDs glow, and with no others."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.detection.change_detection import LASTS_S, LitChange
from vision.detection.frame_features import BLOCKS, CoarseView

SIZE = 14
SIDE = (SIZE + 2) * BLOCKS
STILL = CoarseView(np.zeros((SIDE, SIDE, 3), np.float32), np.ones((SIDE, SIDE), bool), 1.0, 100.0)
LAID, OTHER = 3 * SIZE + 3, 9 * SIZE + 9
STEP_S = 0.3


def lit(*squares: int) -> NDArray[np.bool_]:
    mask = np.zeros(SIZE**2, bool)
    mask[list(squares)] = True
    return mask


def changed(*squares: int) -> CoarseView:
    light = STILL.light.copy()
    for square in squares:
        row, column = (BLOCKS * (1 + part) for part in divmod(square, SIZE))
        light[row : row + BLOCKS, column : column + BLOCKS] -= 0.5
    return replace(STILL, light=light)


class Watch:
    """Adds lit frames one after another and returns the squares that have changed."""

    def __init__(self) -> None:
        self.found = LitChange()
        self.now_s = 0.0

    def see(self, scene: CoarseView, mask: NDArray[np.bool_], seconds: float = 1.0) -> list[int]:
        squares: list[int] = []
        for _ in range(round(seconds / STEP_S)):
            self.now_s += STEP_S
            squares = np.flatnonzero(self.found.add(scene, mask, self.now_s)).tolist()
        return squares


@pytest.mark.parametrize("lights", [lit(LAID), lit(LAID + 1), lit(OTHER)], ids=["on", "by", "far"])
def test_a_square_that_stays_different_has_changed(lights: NDArray[np.bool_]) -> None:
    watch = Watch()
    assert watch.see(STILL, lights) == []
    assert watch.see(changed(LAID), lights, LASTS_S - STEP_S) == []
    assert watch.see(changed(LAID), lights) == [LAID]


def test_what_is_back_in_time_has_not_changed() -> None:
    watch = Watch()
    watch.see(STILL, lit(OTHER))
    watch.see(changed(LAID), lit(OTHER), 1.5)
    watch.see(STILL, lit(OTHER), STEP_S)
    assert watch.see(changed(LAID), lit(OTHER), 1.5) == []


def test_lights_that_blink_are_no_change() -> None:
    watch = Watch()
    for _ in range(6):
        # A frame of a camera with buffers may show either state.
        assert watch.see(STILL, lit(OTHER)) == []
        assert watch.see(changed(OTHER), lit(OTHER)) == []


def test_a_change_is_found_between_lights_that_blink() -> None:
    watch = Watch()
    for _ in range(2):
        watch.see(STILL, lit(OTHER), 0.6)
        watch.see(STILL, lit(OTHER, OTHER + 1), 0.6)
    found: list[int] = []
    for _ in range(3):
        found += watch.see(changed(LAID), lit(OTHER), 0.6)
        found += watch.see(changed(LAID), lit(OTHER, OTHER + 1), 0.6)
    assert set(found) == {LAID}


def test_after_a_dark_frame_the_board_is_known_again() -> None:
    watch = Watch()
    watch.see(STILL, lit(OTHER))
    watch.found.forget()
    assert watch.see(changed(LAID), lit(OTHER), 3.0) == []


def test_the_first_frame_with_other_lights_is_no_reference() -> None:
    watch = Watch()
    watch.see(changed(LAID), lit(OTHER), STEP_S)
    assert watch.see(STILL, lit(OTHER), 3.0) == []


def test_patterns_do_not_pile_up() -> None:
    watch = Watch()
    for square in range(100):
        watch.see(STILL, lit(square))
    assert len(watch.found._patterns) < 10


def test_a_dark_frame_without_a_change_drops_no_reference() -> None:
    watch = Watch()
    watch.found.dark(STILL)
    watch.see(STILL, lit(OTHER))
    watch.found.dark(STILL)
    assert watch.see(changed(LAID), lit(OTHER), LASTS_S + 4 * STEP_S) == [LAID]


def test_what_a_dark_frame_has_shown_is_no_change_any_more() -> None:
    watch = Watch()
    watch.found.dark(STILL)
    watch.see(STILL, lit(OTHER))
    watch.found.dark(changed(LAID))
    assert watch.see(changed(LAID), lit(OTHER), 3 * LASTS_S) == []
