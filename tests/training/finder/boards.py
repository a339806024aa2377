"""Pictures of boards with known corners, as training data of the network that finds boards."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from tests.evaluation.confidence import rendered
from tests.training.finder.tables import texture
from tests.training.shapes import boards
from tests.training.shapes.boards import ShapeSample
from tests.training.shapes.plain_boards import plain_board
from tests.training.shapes.worsening import developed
from vision.camera import Image
from vision.geometry.grid import OUTLINE, Points, rescaled
from vision.geometry.image_scale import shrunk
from vision.squares.network import BARE, OUTSIDE, SCALE

FIRST_SEED: Final = 1_300_001
"""Seed of the first board of the simulated table; trials use lower ones."""

_LONGEST_PX: Final = 560
"""Longer side of the pictures that are kept."""


_DRAWN: Final = 4
"""Traced boards for each plain drawing."""

_CHEQUERED, _GRAIN = 0.4, 0.6
"""Shares of home-made boards with squares in two shades, and with the pattern of a material."""


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
    """Returns the whole boards that `tests.training.tracing` made in a folder.

    To every fourth one a plain drawing of its pieces is added.
    """
    whole = [one for one in boards.traced(folder) if one.whole]
    kept = [_kept(one.image, one.grid.corners, one.grid.size) for one in whole]
    return kept + [home_made(one, seed) for seed, one in enumerate(whole[::_DRAWN])]


def home_made(board: ShapeSample, seed: int) -> FinderSample:
    """Returns a plain drawing of the pieces of a board, on wood, paper or chequered squares."""
    chance = np.random.default_rng(seed)
    colours, pieces = np.pad(board.colours, 1), np.pad(board.pieces, 1)
    around = np.pad(np.full_like(board.shapes, BARE), 1, constant_values=OUTSIDE)
    light = plain_board(around, colours, pieces, chance)[0]
    side, n = len(light), board.grid.size
    corners = (1 + n * OUTLINE) * SCALE - 0.5
    if chance.random() < _CHEQUERED:
        chequers = np.indices((n + 2, n + 2)).sum(axis=0) % 2 * (around == BARE)
        darker = chance.normal(0, 0.6) * chequers * (colours == 0)
        light *= np.exp(np.kron(darker, np.ones((SCALE, SCALE))))[..., None]
    if chance.random() < _GRAIN:
        grain = texture(side, chance).mean(axis=2, keepdims=True) / 255 + 0.1
        light *= (grain / grain.mean()) ** chance.uniform(0.1, 0.7)
    return FinderSample(developed(light), corners, n)


def simulated(seed: int) -> FinderSample:
    """Returns a board that the renderer of the simulated table draws."""
    board = rendered(seed)
    return _kept(board.image, board.corners, len(board.cells))


def _kept(image: Image, corners: Points, size: int) -> FinderSample:
    small, zoom = shrunk(image, _LONGEST_PX)
    places = cv2.convexHull(corners.astype(np.float32), clockwise=True).reshape(4, 2)
    return FinderSample(small, rescaled(places.astype(np.float64), zoom), size)
