"""JPEG files of pictures."""

import cv2
import numpy as np

from vision.io.image_file import encode_jpeg


def test_a_picture_comes_back_and_a_lower_quality_is_smaller() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (64, 80, 3), np.uint8)
    smooth = np.asarray(cv2.GaussianBlur(noise, (0, 0), 4), np.uint8)
    fine, coarse = encode_jpeg(smooth, 95), encode_jpeg(smooth, 30)
    assert len(coarse) < len(fine)
    back = np.asarray(cv2.imdecode(np.frombuffer(fine, np.uint8), cv2.IMREAD_COLOR))
    assert np.abs(back.astype(int) - smooth).max() < 10
