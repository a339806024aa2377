"""A view of the board in coarse blocks of light, to compare frames by."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.geometry.grid import WITHIN, Warp

BLOCKS: Final = 4
"""Blocks along a side of a square: the resolution of changes."""

_SHADE: Final = 8.0
"""Added to brightness, 0 to 255, before its logarithm, so that noise in shade counts little."""

_SAME: Final = 0.12
"""Change in the log of brightness up to which a block is unchanged: noise causes less, an edge that
moves by a twentieth of a square causes more."""

_AXES: Final = ((2, 0), (0, 2))
"""Second derivatives across and down: the edges of a picture."""


@dataclass(frozen=True, slots=True, eq=False)
class CoarseView:
    """A view in coarse blocks, to compare others with.

    Attributes:
        light: (m, m, 3) float32, log of brightness in each channel; m = 4 (n + 2) blocks.
        inside: (m, m) bool, blocks within the picture.
        sharpness: strength of edges relative to brightness, the geometric mean of both directions:
            a camera or board that moves blurs the edges across its way alone.
        brightness: mean of the field, 0 to 255.
    """

    light: NDArray[np.float32]
    inside: NDArray[np.bool_]
    sharpness: float
    brightness: float


def scene_of(view: Image, grey: NDArray[np.uint8], warp: Warp) -> CoarseView:
    """Reduces a view with one square of margin to blocks.

    Args:
        view: picture seen through `warp`.
        grey: its brightness.
        warp: warp whose mask has the parts within the picture.
    """
    side = (warp.grid.size + 2) * BLOCKS
    inside = cv2.resize(warp.inside, (side, side), interpolation=cv2.INTER_AREA)
    small = np.asarray(cv2.resize(view, (side, side), interpolation=cv2.INTER_AREA), np.float32)
    across, down = (
        cv2.norm(cv2.Sobel(grey, cv2.CV_16S, *axis, ksize=1), cv2.NORM_L1) for axis in _AXES
    )
    sharpness = float(np.sqrt(across * down) / (grey.mean() + 4) / grey.size)
    brightness = float(small[BLOCKS:-BLOCKS, BLOCKS:-BLOCKS].mean())
    light = np.log(small + np.float32(_SHADE))
    return CoarseView(light, np.asarray(inside) == WITHIN, sharpness, brightness)


def blocks_of(scene: CoarseView) -> NDArray[np.float32]:
    """(n + 2, n + 2, 48) log brightness of a scene in the blocks of each square, also around."""
    size = len(scene.light) // BLOCKS
    apart = scene.light.reshape(size, BLOCKS, size, BLOCKS, 3).transpose(0, 2, 1, 3, 4)
    return apart.reshape(size, size, -1)


def unlike(blocks: NDArray[np.float32], before: NDArray[np.float32]) -> NDArray[np.bool_]:
    """(n + 2, n + 2) squares in which any block differs between two results of `blocks_of`."""
    return np.asarray(np.abs(blocks - before).max(axis=2) > _SAME)
