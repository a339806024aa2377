"""The network that reads squares: content, colours of tiles, and where pieces end.

A person sees at once which squares are tiles, even black ones on a black board, white ones under a
lamp, in shadow or lit from below. So does a small convolutional network, which sees the board from
above. It tells the class of each square, the offset of the square from its place, whether a piece
ends at its right and at its lower edge, and a place for the colour of its tile: tiles of one colour
lie close together. It knows no names of colours. It was trained on boards that are drawn by a path
tracer and by the simulated table, in random colours and lights, under hands and with noise, and on
no photograph; see `tests.training.squares`.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.geometry.grid import Grid
from vision.shape.network import DARK, KINDS, LIGHT, MARGIN, levelled, view_of

AWAY: Final = slice(6, 8)
"""Outputs with the offset of a square to the right and down, in squares."""

PARTED: Final = slice(8, 10)
"""Outputs with the log odds that a piece ends at the right and at the lower edge of a square."""

COLOUR: Final = slice(10, 16)
"""Outputs with a place of the colour of a tile: tiles of one colour are less than `APART` apart."""

APART: Final = 3.0
"""Square of the distance from which two tiles are more probably of two colours than of one."""

OUTPUTS: Final = 16
"""Number of outputs for each square."""

FILE: Final = Path(__file__).with_suffix(".onnx")
"""File of the network, `network.onnx`, as `python -m tests.training squares` saves it."""


@dataclass(frozen=True, slots=True, eq=False)
class SquareOutputs:
    """Outputs of the network for the squares of a board.

    Attributes:
        classes: (n * n, 6) log probability of each class.
        away: (n * n, 2) offset of each square to the right and down, in squares.
        ends: (n * n, 2) log odds that a piece ends at the right and at the lower edge.
        colours: (n * n, 6) places of the colours of tiles; see `APART`.
    """

    classes: NDArray[np.float32]
    away: NDArray[np.float32]
    ends: NDArray[np.float32]
    colours: NDArray[np.float32]


def outputs_of(image: Image, grid: Grid) -> SquareOutputs:
    """Runs the network on the squares of a board.

    Args:
        image: (height, width, 3) uint8.
        grid: place of the board.
    """
    outputs = network(levelled(view_of(image, grid)))
    inner = outputs[MARGIN:-MARGIN, MARGIN:-MARGIN].reshape(grid.size**2, OUTPUTS)
    classes = inner[:, :KINDS]
    classes = classes - np.logaddexp.reduce(classes, axis=1, keepdims=True)
    return SquareOutputs(classes, inner[:, AWAY], inner[:, PARTED], inner[:, COLOUR])


def tiles(shapes: SquareOutputs) -> NDArray[np.float32]:
    """(n * n,) log probability of a tile, dark or light."""
    return np.asarray(np.logaddexp(shapes.classes[:, DARK], shapes.classes[:, LIGHT]), np.float32)


def network(view: NDArray[np.float32]) -> NDArray[np.float32]:
    """(rows, columns, 16) outputs of the network for each square of a view.

    Args:
        view: (16 rows, 16 columns, 3) from `levelled`, `SCALE` pixels per square.
    """
    loaded = _loaded(FILE)
    loaded.setInput(np.ascontiguousarray(view.transpose(2, 0, 1))[None])
    outputs = loaded.forward()[0]
    return np.asarray(outputs, np.float32).transpose(1, 2, 0)


@cache
def _loaded(path: Path) -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(str(path))
