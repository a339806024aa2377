"""Pictures of boards with known corners, as training data of the network that finds boards."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from tests.evaluation.confidence import outline_px, random_look, taken
from vision.camera import Image
from vision.geometry.grid import Points
from vision.geometry.image_scale import shrunk
from vision.io.image_file import load_picture
from vision.synthetic.renderer import Renderer

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
    boards = []
    for path in sorted(folder.glob("traced-*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        if truth["whole"]:
            image = load_picture(path.with_suffix(".jpg"))
            boards.append(_kept(image, np.array(truth["corners"]), len(truth["colours"])))
    return boards


def simulated(seed: int) -> FinderSample:
    """Returns a board that the renderer of the simulated table draws."""
    look, cells, chance = random_look(seed)
    image = taken(Renderer(seed, noise=0.0).render(look), chance)
    return _kept(image, outline_px(look), len(cells))


def _kept(image: Image, corners: Points, size: int) -> FinderSample:
    small, zoom = shrunk(image, _LONGEST_PX)
    places = cv2.convexHull(corners.astype(np.float32), clockwise=True).reshape(4, 2)
    return FinderSample(small, np.asarray((places + 0.5) * zoom - 0.5, np.float64), size)
