"""What lies on each square by its shape alone: bevels, grooves and ridges, whatever their colour.

Black plastic on a black board, white under a lamp, a shadow or an LED from below: light and
colour cannot tell them from one another, but a person sees at once which squares are tiles. So
does a small convolutional network. It was taught on 30 ray-traced boards and 16 frames of a
rendered game, in made-up colours, lights and under made-up hands, and on no photograph; it knows
no colour and is a second witness beside `vision.classify`, which knows no shapes. How it is
taught, and what it makes of boards that it was not taught on, is told by `tests.trials.relief`.
"""

from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.geometry import Grid, Warp
from vision.scale import rescaled

Layer = tuple[NDArray[np.float32], NDArray[np.float32]]
"""Weights, (kernel * kernel * channels in, channels out), and what is added, (channels out,)."""

BARE, PLASTIC, UNDER, LIT = range(4)
"""Columns of `reliefs`: an empty square, a tile, something over it, empty and lit from below."""

SCALE: Final = 16
MARGIN: Final = 1
SHAPES: Final = ((4, 2, 1), (4, 2, 1), (4, 2, 1), (4, 2, 1), (3, 1, 1), (1, 1, 0))
"""Kernel, stride and padding of each layer: four halve the view down to a place a square."""

_LEAK: Final = 0.1
_FLAT: Final = 0.06
_TRUST: Final = 0.8
_MOST: Final = 5.0
"""How far its word counts: log odds are taken by so much, and no further apart than this."""


def reliefs(image: Image, grid: Grid) -> NDArray[np.float32]:
    """(n * n, 4) log likelihood of `BARE`, `PLASTIC`, `UNDER` and `LIT`, 0 for the likeliest.

    Args:
        image: (height, width, 3) uint8.
        grid: where the board lies.
    """
    said = network(levelled(view_of(image, grid))[None], weights())[0, 1:-1, 1:-1].reshape(-1, 4)
    said = _TRUST * (said - said.max(axis=1, keepdims=True))
    return np.asarray(np.maximum(said, -_MOST), np.float32)


def view_of(image: Image, grid: Grid) -> Image:
    """What the network looks at: the board from above, without what is too fine for it."""
    finer = int(grid.square_px / SCALE)
    if finer > 1:
        part = 1 / finer
        image = np.asarray(cv2.resize(image, None, fx=part, fy=part, interpolation=cv2.INTER_AREA))
        grid = Grid.of(rescaled(grid.corners, part), grid.size, image.shape, grid.bend)
    return Warp.of(grid, SCALE, MARGIN)(image)


def levelled(view: Image) -> NDArray[np.float32]:
    """A view, each channel about its mean, the spread of grey taken as the unit."""
    light = view.astype(np.float32) / 255
    spread = light.mean(axis=2).std() + _FLAT
    return np.asarray((light - light.mean(axis=(0, 1))) / spread, np.float32)


@cache
def weights() -> tuple[Layer, ...]:
    """What the network was taught."""
    with np.load(Path(__file__).with_suffix(".npz")) as kept:
        return tuple(
            (kept[f"w{k}"].astype(np.float32), kept[f"b{k}"].astype(np.float32))
            for k in range(len(SHAPES))
        )


def network(views: NDArray[np.float32], layers: tuple[Layer, ...]) -> NDArray[np.float32]:
    """(k, n + 2, n + 2, 4) what the network says of each square, the margin's included.

    Args:
        views: (k, side, side, 3) as `levelled` makes them, `SCALE` pixels a square.
        layers: as `weights` gives them.
    """
    values = views
    for number, (shape, (weight, offset)) in enumerate(zip(SHAPES, layers, strict=True)):
        patches = patches_of(values, *shape)
        values = patches @ weight + offset
        if number < len(SHAPES) - 1:
            values = np.maximum(values, np.float32(_LEAK) * values)
    return values


def patches_of(
    values: NDArray[np.float32], kernel: int, stride: int, padding: int
) -> NDArray[np.float32]:
    """(k, rows, columns, kernel * kernel * channels) what a convolution looks at."""
    count, height, width, channels = values.shape
    edge = (padding, padding)
    wide = np.pad(values, ((0, 0), edge, edge, (0, 0)))
    rows = (height + 2 * padding - kernel) // stride + 1
    columns = (width + 2 * padding - kernel) // stride + 1
    steps = wide.strides
    patches = np.empty((count, rows, columns, kernel, kernel * channels), np.float32)
    for down in range(kernel):
        # Pixels of a row that lie beside each other in the picture do so in memory.
        patches[:, :, :, down] = np.lib.stride_tricks.as_strided(
            wide[:, down:],
            (count, rows, columns, kernel * channels),
            (steps[0], steps[1] * stride, steps[2] * stride, steps[3]),
        )
    return patches.reshape(count, rows, columns, -1)
