"""The frames of a game are numbered without gaps, whatever the camera saw in between."""

import numpy as np

from firmware.session.frame_reading import FrameClock
from vision.camera import Frame

IMAGE = np.zeros((2, 2, 3), np.uint8)


def test_a_frame_that_is_passed_over_leaves_no_gap() -> None:
    clock = FrameClock()
    clock.pass_over()
    numbers = []
    for number in range(7, 12):
        if number in {9, 10}:
            clock.pass_over()
        else:
            frame = clock.dated(Frame(IMAGE, number / 2, number))
            clock.advance(frame)
            numbers.append((frame.number, frame.time_s))
    assert numbers == [(1, 0.0), (2, 0.5), (3, 2.0)]
