"""Denoising of a traced picture that preserves exactly known edges. Pure.

A joint bilateral filter (Petschnigg and others 2004): neighbours are weighted by similarity of
the noise-free outputs of tracing, colour and normal of the surface, and a little by their light.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.float32]

_REACH: Final = 2
_NEAR_PX: Final = 1.3
_ALIKE_SURFACE: Final = 0.08
_ALIKE_LIGHT: Final = 0.35
"""Standard deviations of the weights: by place in pixels, by colours and directions, and by the
logarithm of light."""


def denoised(light: Picture, surface: Picture) -> Picture:
    """Returns a picture with less noise.

    Args:
        light: (height, width, 3) linear light.
        surface: (height, width, k) noise-free values of each pixel, about 0 to 1.
    """
    grey = np.log(light.mean(axis=2) + 0.02 * float(light.mean()) + 1e-9)
    calm = np.asarray(cv2.blur(grey, (3, 3)), np.float32)
    # One picture of all values that are compared, in units of their standard deviation.
    parts = [surface / _ALIKE_SURFACE, calm[..., None] / _ALIKE_LIGHT, light]
    here = np.concatenate(parts, axis=2, dtype=np.float32)
    wide = np.pad(here, ((_REACH, _REACH), (_REACH, _REACH), (0, 0)), mode="edge")
    height, width = grey.shape
    total = np.zeros((height, width, 3), np.float32)
    weights = np.zeros((height, width, 1), np.float32)
    for down in range(2 * _REACH + 1):
        for right in range(2 * _REACH + 1):
            there = wide[down : down + height, right : right + width]
            unlike = there[..., :-3] - here[..., :-3]
            near = ((down - _REACH) ** 2 + (right - _REACH) ** 2) / _NEAR_PX**2
            weight = np.exp(-0.5 * (near + np.einsum("ijk,ijk->ij", unlike, unlike)))[..., None]
            total += weight * there[..., -3:]
            weights += weight
    return np.asarray(total / weights, np.float32)
