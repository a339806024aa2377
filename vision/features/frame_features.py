"""What is measured in a frame before anything is judged, and kept of the last clear one."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.features.blocks import CoarseView, scene_of
from vision.features.edge_phase import rhythm_of, thumbnail
from vision.features.exposure_correction import exposed
from vision.features.square_features import SquareFeatures, SquarePatches, patch_features
from vision.geometry.grid import Warp

SCALE: Final = 12
"""Pixels a square in the view of a frame."""

MARGIN: Final = 1
"""Squares of surroundings in it."""


@dataclass(frozen=True, slots=True, eq=False)
class FrameFeatures:
    """What is measured in a frame.

    Attributes:
        view: the board from above, in a fair light.
        squares: what each square shows in it.
        look: what was measured on it.
        scene: the view in coarse blocks.
        rhythm: strength and phase with which edges repeat on each square.
        small: the whole picture, small and grey.
    """

    view: Image
    squares: SquarePatches
    look: SquareFeatures
    scene: CoarseView
    rhythm: NDArray[np.complex64]
    small: NDArray[np.float32]


def frame_features_of(image: Image, warp: Warp) -> FrameFeatures:
    """What is measured in a picture, (height, width, 3) uint8, seen through a warp."""
    view = warp(image)
    grey = np.asarray(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY), np.uint8)
    size = warp.grid.size
    fair = exposed(view)
    squares = SquarePatches.of(fair, size, MARGIN)
    return FrameFeatures(
        fair,
        squares,
        patch_features(squares),
        scene_of(view, grey, warp),
        rhythm_of(grey, size, MARGIN),
        thumbnail(image),
    )


def scene_at(image: Image, warp: Warp) -> CoarseView:
    """A picture in coarse blocks, seen through a warp."""
    view = warp(image)
    return scene_of(view, np.asarray(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY), np.uint8), warp)


def beside(lit: NDArray[np.bool_], size: int) -> NDArray[np.bool_]:
    """(n * n,) squares on which light from their neighbours may fall, and the lit ones."""
    mask = lit.reshape(size, size).astype(np.uint8)
    return np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)), bool).ravel()


def to_tell_light_by(covered: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The squares to tell the light by: those that can be seen, or all if none can."""
    return ~covered if (~covered).any() else np.ones_like(covered)


def gain_between(look: SquareFeatures, clear: SquareFeatures, seen: NDArray[np.bool_]) -> float:
    """What L + 16 has been multiplied by on the squares that can be seen."""
    return float(np.median((look.lightness[seen] + 16) / (clear.lightness[seen] + 16)))
