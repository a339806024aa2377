"""What lies on each square by its shape alone: bevels, grooves and ridges, whatever their colour.

Black plastic on a black board, white under a lamp, a shadow or an LED from below: light and
colour cannot tell them from one another, but a person sees at once which squares are tiles. So
does a small convolutional network. It was taught on boards that were made up for it and drawn by
a path tracer, in any colours and lights and under made-up hands, then on thirty boards rendered
by another hand, and on no photograph. It knows no colour, only whether a tile is darker or
lighter than the board; it tells where the squares lie, too, to a part of a square. It is a second
witness beside `vision.classification.colour_classifier`, which knows no shapes. How it is taught,
and what it makes of boards that it was not taught on, is told by `tests.training.shapes`.
"""

from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.geometry.grid import WITHIN, Grid, Warp
from vision.geometry.grid_solver import solved
from vision.geometry.image_scale import zoomed

Layer = tuple[NDArray[np.float32], NDArray[np.float32]]
"""Weights, (kernel * kernel * channels in, channels out), and what is added, (channels out,)."""

BARE, DARK, LIGHT, UNDER, LIT, OUTSIDE = range(6)
"""What the network tells: an empty square, a tile that is dark or light beside the board, something
over it, empty and lit from below; and none of the board's squares at all."""

COLUMNS: Final = 5
"""What `reliefs` has of them: all that a square of the board may be."""

KINDS: Final = 6

SCALE: Final = 16
MARGIN: Final = 1
SHAPES: Final = (*[(4, 2, 1)] * 4, *[(3, 1, 1)] * 3, (1, 1, 0))
"""Kernel, stride and padding of each layer: four halve the view down to a place a square."""

_WEIGHTS: Final = Path(__file__).with_suffix(".npz")
_LEAK: Final = 0.1
_FLAT: Final = 0.06
_HALF_SEEN: Final = 0.5
_FEWEST: Final = 40
_FARTHEST: Final = 0.3
"""Squares to settle a grid by, and how far off, in squares, one may be told to lie and still be
believed."""

MOST: Final = 7.0
"""Log odds of its word at most: of what it claimed more surely, none was wrong, but few were."""


def reliefs(image: Image, grid: Grid) -> NDArray[np.float32]:
    """(n * n, 5) log likelihood of `BARE` to `LIT`, 0 for the likeliest.

    Args:
        image: (height, width, 3) uint8.
        grid: where the board lies.
    """
    said = _outputs(image, grid, sides=4)[:, :COLUMNS]
    said = said - said.max(axis=1, keepdims=True)
    return np.asarray(np.maximum(said, -MOST), np.float32)


def squares_under(image: Image, grid: Grid) -> NDArray[np.bool_]:
    """(n, n) squares that something lies over, row by row.

    Args:
        image: (height, width, 3) uint8.
        grid: where the board lies.
    """
    said = _outputs(image, grid, sides=1)[:, :KINDS]
    return np.asarray(said.argmax(axis=1) == UNDER).reshape(grid.size, grid.size)


def settled(image: Image, grid: Grid) -> Grid:
    """The grid moved, and bent, to where shapes have the squares.

    Ridges are lit from one side and pieces hide them, so edges alone may be off by a tenth of a
    square; what is seen of each square as a whole tells its place too.

    Args:
        image: (height, width, 3) uint8.
        grid: where the board lies, to about 0.2 square.
    """
    n = grid.size
    middles = np.stack(np.meshgrid(np.arange(n) + 0.5, np.arange(n) + 0.5), axis=2).reshape(-1, 2)
    said = _outputs(image, grid, sides=1)
    there = said[:, :COLUMNS].argmax(axis=1) != UNDER
    if there.sum() < _FEWEST:
        return grid
    away = np.clip(said[there, KINDS:].astype(np.float64), -_FARTHEST, _FARTHEST)
    places = np.tile(middles[there], (2, 1))
    step, _, _ = solved(grid, places, away.T.ravel(), np.ones(len(places)))
    return grid.with_corners(grid.corners + step[:8].reshape(4, 2), grid.bend + float(step[8]))


def tiles(told: NDArray[np.float32]) -> NDArray[np.float32]:
    """(k,) log likelihood of a tile of either shade.

    Args:
        told: (k, 5) as `reliefs` has it, or 0 where nobody asked.
    """
    either = np.logaddexp(told[:, DARK], told[:, LIGHT])
    return np.asarray(np.where(told.any(axis=1), either, 0), np.float32)


def belonging(image: Image, grid: Grid, margin: int) -> NDArray[np.float32]:
    """(n + 2 margin, n + 2 margin) log odds of each square being one of a board's.

    They are even where the picture has ended.

    Args:
        image: (height, width, 3) uint8.
        grid: lines on which a board's squares lie, be it some rows further.
        margin: how many squares beyond it are looked at, 1 at least.
    """
    image, warp = _from_above(image, grid, margin)
    said = network(levelled(warp(image), margin - MARGIN)[None], weights())[0]
    odds = np.logaddexp.reduce(said[..., :COLUMNS], axis=2) - said[..., OUTSIDE]
    seen = cv2.resize(warp.inside, odds.shape, interpolation=cv2.INTER_AREA)
    return np.where(np.asarray(seen) > _HALF_SEEN * WITHIN, odds, np.float32(0))


def view_of(image: Image, grid: Grid) -> Image:
    """What the network looks at: the board from above, without what is too fine for it."""
    image, warp = _from_above(image, grid, MARGIN)
    return warp(image)


def _from_above(image: Image, grid: Grid, margin: int) -> tuple[Image, Warp]:
    """A picture without what is too fine for the network, and the view that it looks at."""
    finer = int(grid.square_px / SCALE)
    if finer > 1:
        part = 1 / finer
        image = zoomed(image, part)
        grid = grid.shrunk(part, image.shape)
    return image, Warp.of(grid, SCALE, margin)


def _outputs(image: Image, grid: Grid, *, sides: int) -> NDArray[np.float32]:
    """(n * n, 8) what the network says of each square: log chances, and how far off it lies.

    The mean of what it says of the view from one or more sides; of four it errs less than of one.
    """
    view = levelled(view_of(image, grid))
    views = np.stack([np.ascontiguousarray(np.rot90(view, quarters)) for quarters in range(sides)])
    said = network(views, weights())[:, 1:-1, 1:-1]
    chances = said[..., :KINDS]
    chances = chances - np.logaddexp.reduce(chances, axis=3, keepdims=True)
    right, down = said[..., KINDS], said[..., KINDS + 1]
    away = [(right, down), (-down, right), (-right, -down), (down, -right)]
    told = [
        np.rot90(np.dstack([chances[k], away[k][0][k], away[k][1][k]]), -k) for k in range(sides)
    ]
    return np.asarray(np.mean(told, axis=0), np.float32).reshape(grid.size**2, -1)


def levelled(view: Image, beyond: int = 0) -> NDArray[np.float32]:
    """A view, each channel about its mean, the spread of grey taken as the unit.

    Args:
        view: (side, side, 3) uint8.
        beyond: how many squares at each edge are not asked for the mean and the spread.
    """
    light = view.astype(np.float32) / 255
    inner = slice(beyond * SCALE, len(view) - beyond * SCALE)
    grey = cv2.transform(light[inner, inner], np.full((1, 3), 1 / 3))
    spread = float(cv2.meanStdDev(grey)[1].item()) + _FLAT
    mean = np.array(cv2.mean(view[inner, inner])[:3], np.float32) / 255
    return np.asarray((light - mean) / spread, np.float32)


@cache
def weights(path: Path = _WEIGHTS) -> tuple[Layer, ...]:
    """What the network was taught."""
    with np.load(path) as kept:
        return tuple(
            (kept[f"w{k}"].astype(np.float32), kept[f"b{k}"].astype(np.float32))
            for k in range(len(SHAPES))
        )


def network(views: NDArray[np.float32], layers: tuple[Layer, ...]) -> NDArray[np.float32]:
    """(k, n + 2, n + 2, 8) what the network says of each square, the margin's included.

    The last two are how many squares to the right and down it lies from where the view has it.

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
