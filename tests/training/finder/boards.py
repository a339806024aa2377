"""Pictures of boards with known corners, as training data of the network that finds boards."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from tests.evaluation.confidence import rendered
from tests.training.shapes import boards
from vision.camera import Image
from vision.geometry.grid import Points, rescaled
from vision.geometry.image_scale import shrunk

FIRST_SEED: Final = 1_300_001
"""Seed of the first board of the simulated table; trials use lower ones."""

_LONGEST_PX: Final = 560
"""Longer side of the pictures that are kept."""


@dataclass(frozen=True, slots=True, eq=False)
class FinderSample:
    """A picture and the boards in it.

    Attributes:
        image: (height, width, 3) uint8.
        corners: (4, 2) outer corners of the field in pixels, clockwise.
        size: squares along a side.
    """

    image: Image
    corners: Points
    size: int


def traced(folder: Path) -> list[FinderSample]:
    """Returns the whole boards that `tests.training.tracing` made in a folder."""
    found = boards.traced(folder)
    return [_kept(one.image, one.grid.corners, one.grid.size) for one in found if one.whole]


def simulated(seed: int) -> FinderSample:
    """Returns a board that the renderer of the simulated table draws."""
    board = rendered(seed)
    return _kept(board.image, board.corners, len(board.cells))


def _kept(image: Image, corners: Points, size: int) -> FinderSample:
    small, zoom = shrunk(image, _LONGEST_PX)
    places = cv2.convexHull(corners.astype(np.float32), clockwise=True).reshape(4, 2)
    return FinderSample(small, rescaled(places.astype(np.float64), zoom), size)
