"""The shift of a whole picture, measured repeatedly."""

import cv2
import numpy as np
import pytest

from vision.detection.frame_features import jumped
from vision.geometry.grid import Grid

GRID = Grid.of([[40, 20], [600, 20], [600, 460], [40, 460]], 14, (480, 640, 3))


def test_a_slide_is_measured_alike_however_often_it_is_asked() -> None:
    noise = np.random.default_rng(1).normal(128, 60, (120, 160)).astype(np.float32)
    clear = np.asarray(cv2.GaussianBlur(noise, (0, 0), 2), np.float32)
    now = np.roll(clear, (3, -5), axis=(0, 1))
    for _ in range(40):
        assert jumped(now, clear, GRID) == pytest.approx([-20.0, 12.0], abs=2.5)
