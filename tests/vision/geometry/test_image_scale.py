"""Tests for the reduction of pictures."""

import numpy as np
import pytest

from vision.geometry.image_scale import zoomed


@pytest.mark.parametrize("shape", [(3, 5000), (700, 2), (64, 64)])
def test_a_reduced_picture_has_a_pixel_at_least(shape: tuple[int, int]) -> None:
    image = np.full((*shape, 3), 90, np.uint8)
    small = zoomed(image, 0.001)
    assert min(small.shape[:2]) == 1
    assert (small == 90).all()
