"""Dark frames: those whose whole exposure is without lights, and no others."""

import numpy as np
import pytest

from firmware.lights.led_exposure import LATCH_S, SAFE_FRAMES, CameraDelay, LedExposure
from vision.camera import Frame

ALL = frozenset(range(196))
ONE = frozenset({7})
NONE: frozenset[int] = frozenset()


def frame(number: int, exposure: tuple[float, float] | None = None, time_s: float = 9.0) -> Frame:
    return Frame(np.zeros((1, 1, 3), np.uint8), time_s, number, exposure)


@pytest.fixture
def glow() -> LedExposure:
    """Dark from 1.0 to 2.0, then square 7 is lit until 3.0; each write takes 10 ms."""
    glow = LedExposure(ALL)
    glow.seen_in(frame(1))
    for at, squares in ((1.0, NONE), (2.0, ONE), (3.0, NONE)):
        glow.change(squares, at, at + 0.010)
    return glow


@pytest.mark.parametrize(
    ("exposure", "seen"),
    [
        ((0.5, 0.6), ALL),
        ((1.010, 1.030), ALL),
        ((1.0 + 0.010 + LATCH_S + 1e-6, 1.999), NONE),
        ((1.5, 2.0), ONE),
        ((2.2, 2.3), ONE),
        ((1.5, 3.5), ONE),
        ((3.010, 3.012), ONE),
        ((3.1, 3.2), NONE),
        ((0.9, 3.2), ALL),
    ],
)
def test_a_frame_shows_all_light_of_its_exposure(
    glow: LedExposure, exposure: tuple[float, float], seen: frozenset[int]
) -> None:
    assert glow.seen_in(frame(2, exposure)) == seen


def test_at_first_anything_may_glow() -> None:
    assert LedExposure(ALL).seen_in(frame(1, (5.0, 5.1))) == ALL


def test_a_camera_that_does_not_say_when_waits_a_safe_number_of_frames() -> None:
    glow = LedExposure(ALL)
    assert glow.seen_in(frame(1)) == ALL
    glow.change(NONE, 1.0, 1.01)
    assert [bool(glow.seen_in(frame(n))) for n in range(2, 9)] == [True] * SAFE_FRAMES + [False] * 2
    glow.change(ONE, 2.0, 2.01)
    glow.change(NONE, 2.1, 2.11)
    assert [glow.seen_in(frame(n)) for n in range(9, 15)] == [ONE] * 5 + [NONE]


def test_a_camera_in_a_network_waits_a_safe_time_as_well() -> None:
    glow = LedExposure(ALL)
    glow.delay = CameraDelay(2, 1.5)
    glow.change(NONE, 1.0, 1.01)
    dark_s = 1.01 + LATCH_S + 1.5
    assert glow.seen_in(frame(1, time_s=dark_s + 0.01)) == ALL
    assert glow.seen_in(frame(3, time_s=dark_s - 0.01)) == ALL
    assert glow.seen_in(frame(4, time_s=dark_s + 0.01)) == NONE


def test_exposure_times_are_believed_whatever_the_delay() -> None:
    glow = LedExposure(ALL)
    glow.delay = CameraDelay(50, 60.0)
    glow.change(NONE, 1.0, 1.01)
    assert glow.seen_in(frame(1, (2.0, 2.1))) == NONE
