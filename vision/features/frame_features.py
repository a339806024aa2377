"""All measurements of a frame, made before anything is judged."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.features.blocks import CoarseView, scene_of
from vision.features.edge_phase import rhythm_of, thumbnail
from vision.features.square_features import SquareFeatures, measure_squares
from vision.geometry.grid import Warp

SCALE: Final = 12
"""Pixels per square in the view of a frame."""

MARGIN: Final = 1
"""Squares of surroundings in that view, on each side."""


@dataclass(frozen=True, slots=True, eq=False)
class FrameFeatures:
    """Measurements of a frame.

    Attributes:
        observed: features of each square.
        scene: the view in coarse blocks.
        rhythm: amplitude and phase of the edges on each square.
        small: the whole picture, small and grey.
    """

    observed: SquareFeatures
    scene: CoarseView
    rhythm: NDArray[np.complex64]
    small: NDArray[np.float32]


def frame_features_of(image: Image, warp: Warp) -> FrameFeatures:
    """Measures a picture, (height, width, 3) uint8, seen through a warp."""
    view = warp(image)
    grey = np.asarray(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY), np.uint8)
    size = warp.grid.size
    return FrameFeatures(
        measure_squares(view, size, MARGIN),
        scene_of(view, grey, warp),
        rhythm_of(grey, size, MARGIN),
        thumbnail(image),
    )


def scene_at(image: Image, warp: Warp) -> CoarseView:
    """Reduces a picture, seen through a warp, to coarse blocks."""
    view = warp(image)
    return scene_of(view, np.asarray(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY), np.uint8), warp)


def beside(lit: NDArray[np.bool_], size: int) -> NDArray[np.bool_]:
    """(n * n,) lit squares and their neighbours, on which their light may fall."""
    mask = lit.reshape(size, size).astype(np.uint8)
    return np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)), bool).ravel()
