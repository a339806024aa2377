"""Classifies each square by its shape alone: bevels, grooves and ridges, in any colour.

Black plastic on a black board, white under a lamp, a shadow or an LED from below cannot be told
apart by light and colour, but a person sees at once which squares are tiles. So does a small
convolutional network. It was trained on generated boards drawn by a path tracer, in random
colours and lights and under random hands, then on thirty boards rendered by another program, and
on no photograph. It ignores colour except that it tells if a tile is darker or lighter than the
board; it also measures the offset of each square. It is independent of
`vision.classification.colour_classifier`, which ignores shapes. Its training, and its results on
boards that it was not trained on, are in `tests.training.shapes`.
"""

from functools import cache, lru_cache
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
"""Weights, (kernel * kernel * channels in, channels out), and biases, (channels out,)."""

BARE: Final = 0
"""Class of an empty square; classes are places in the outputs of the network."""

DARK: Final = 1
"""Class of a tile darker than the board."""

LIGHT: Final = 2
"""Class of a tile lighter than the board."""

UNDER: Final = 3
"""Class of a square under something."""

LIT: Final = 4
"""Class of a square that is empty and lit from below."""

OUTSIDE: Final = 5
"""Class of a place that is no square of the board."""

COLUMNS: Final = 5
"""Classes in `reliefs`: those that a square of the board may have."""

KINDS: Final = 6
"""Number of classes."""

SCALE: Final = 16
"""Pixels per square in the view of the network."""

MARGIN: Final = 1
"""Squares around the field in that view."""

SHAPES: Final = (*[(4, 2, 1)] * 4, *[(3, 1, 1)] * 3, (1, 1, 0))
"""Kernel, stride and padding of each layer: four layers halve the view, down to one per square."""

_WEIGHTS: Final = Path(__file__).with_suffix(".npz")
"""File of the trained layers, `network.npz`, as `python -m tests.training shapes` saves them."""

_BAND: Final = 16
"""Rows of a layer's outputs that are computed at once: all of them took 20 MB for Classic."""

_LEAK: Final = 0.1
"""Slope of the leaky rectifier below 0."""

_REACH: Final = 4
"""Squares to each side on which the outputs of a square depend: three layers of 3 by 3 reach three,
the four before them less than one."""

_FLAT: Final = 0.06
"""Added to the spread of grey, so that a view without contrast is not amplified."""

_HALF_SEEN: Final = 0.5
"""Share of a square that has to be in the picture for its odds to count."""

_FEWEST: Final = 40
"""Fewest squares by which a grid is corrected."""

_FARTHEST: Final = 0.3
"""Largest offset of a square that is used, in squares."""

MOST: Final = 7.0
"""Bound of the log odds: of the few squares classified with more, none was wrong."""


def reliefs(
    image: Image, grid: Grid, wanted: NDArray[np.bool_] | None = None
) -> NDArray[np.float32]:
    """(n * n, 5) log likelihood of `BARE` to `LIT`, 0 for the likeliest.

    Args:
        image: (height, width, 3) uint8.
        grid: place of the board.
        wanted: (n * n,) squares to classify; the others may be meaningless. None for all.
    """
    outputs = _outputs(image, grid, 4, wanted)[:, :COLUMNS]
    outputs = outputs - outputs.max(axis=1, keepdims=True)
    return np.asarray(np.maximum(outputs, -MOST), np.float32)


def squares_under(image: Image, grid: Grid) -> NDArray[np.bool_]:
    """(n, n) squares under a hand or an object, row by row.

    Args:
        image: (height, width, 3) uint8.
        grid: place of the board.
    """
    outputs = _outputs(image, grid, 1)[:, :KINDS]
    return np.asarray(outputs.argmax(axis=1) == UNDER).reshape(grid.size, grid.size)


def settled(image: Image, grid: Grid) -> Grid:
    """Corrects the corners and the bend of a grid by the offsets that the network measures.

    Ridges are lit from one side and pieces hide them, so edges alone may be off by a tenth of a
    square; each square as a whole shows its place too.

    Args:
        image: (height, width, 3) uint8.
        grid: place of the board, to about 0.2 square.
    """
    n = grid.size
    middles = np.stack(np.meshgrid(np.arange(n) + 0.5, np.arange(n) + 0.5), axis=2).reshape(-1, 2)
    outputs = _outputs(image, grid, 1)
    there = outputs[:, :COLUMNS].argmax(axis=1) != UNDER
    if there.sum() < _FEWEST:
        return grid
    away = np.clip(outputs[there, KINDS:].astype(np.float64), -_FARTHEST, _FARTHEST)
    places = np.tile(middles[there], (2, 1))
    step, _, _ = solved(grid, places, away.T.ravel(), np.ones(len(places)))
    return grid.with_corners(grid.corners + step[:8].reshape(4, 2), grid.bend + float(step[8]))


def tiles(likelihoods: NDArray[np.float32]) -> NDArray[np.float32]:
    """(k,) log likelihood of a tile of either shade.

    Args:
        likelihoods: (k, 5) from `reliefs`, or 0 where the network was not run.
    """
    either = np.logaddexp(likelihoods[:, DARK], likelihoods[:, LIGHT])
    return np.asarray(np.where(likelihoods.any(axis=1), either, 0), np.float32)


def belonging(image: Image, grid: Grid, margin: int) -> NDArray[np.float32]:
    """(n + 2 margin, n + 2 margin) log odds that each square belongs to a board.

    They are 0 outside the picture.

    Args:
        image: (height, width, 3) uint8.
        grid: grid on the lines of a board, possibly off by some rows.
        margin: squares around the grid to classify as well, at least 1.
    """
    image, warp = _from_above(image, grid, margin)
    outputs = network(levelled(warp(image), margin - MARGIN)[None], weights())[0]
    odds = np.logaddexp.reduce(outputs[..., :COLUMNS], axis=2) - outputs[..., OUTSIDE]
    seen = cv2.resize(warp.inside, odds.shape, interpolation=cv2.INTER_AREA)
    return np.where(np.asarray(seen) > _HALF_SEEN * WITHIN, odds, np.float32(0))


def view_of(image: Image, grid: Grid) -> Image:
    """Returns the input view of the network: the board from above, at `SCALE` pixels per square."""
    image, warp = _from_above(image, grid, MARGIN)
    return warp(image)


def _from_above(image: Image, grid: Grid, margin: int) -> tuple[Image, Warp]:
    """Returns the picture reduced to about the network's scale, and the warp to its view."""
    finer = int(grid.square_px / SCALE)
    if finer > 1:
        image = zoomed(image, 1 / finer)
    return image, _warp(grid, finer, image.shape, margin)


@lru_cache(maxsize=2)
def _warp(grid: Grid, finer: int, shape: tuple[int, ...], margin: int) -> Warp:
    """Returns the warp to the network's view, stored because a board seldom moves."""
    if finer > 1:
        grid = grid.shrunk(1 / finer, shape)
    return Warp.of(grid, SCALE, margin)


def _outputs(
    image: Image, grid: Grid, sides: int, wanted: NDArray[np.bool_] | None = None
) -> NDArray[np.float32]:
    """(n * n, 8) log probabilities of the classes of each square, and its offset in squares.

    They are the mean over the view from one or more sides; four give fewer errors than one. Squares
    that are not wanted are 0, or computed from a part of their surroundings.
    """
    view = levelled(view_of(image, grid))
    rows, columns = _window(grid.size, wanted)
    part = view[_pixels(rows), _pixels(columns)]
    # One after the other: at once they take up to 80 MB, of which a small computer has few.
    seen = [_seen_from(part, quarters) for quarters in range(sides)]
    outputs = np.zeros((grid.size + 2 * MARGIN, grid.size + 2 * MARGIN, seen[0].shape[2]))
    outputs[rows, columns] = np.mean(seen, axis=0)
    inner = outputs[MARGIN:-MARGIN, MARGIN:-MARGIN]
    return np.asarray(inner, np.float32).reshape(grid.size**2, -1)


def _window(size: int, wanted: NDArray[np.bool_] | None) -> tuple[slice, slice]:
    """Rows and columns of the view, in squares, on which the outputs of wanted squares depend."""
    if wanted is None or not wanted.any():
        return slice(0, size + 2 * MARGIN), slice(0, size + 2 * MARGIN)
    ends = [(at.min() + MARGIN, at.max() + MARGIN) for at in wanted.reshape(size, size).nonzero()]
    rows, columns = (
        slice(max(0, first - _REACH), min(size + 2 * MARGIN, last + _REACH + 1))
        for first, last in ends
    )
    return rows, columns


def _pixels(squares: slice) -> slice:
    return slice(squares.start * SCALE, squares.stop * SCALE)


def _seen_from(part: NDArray[np.float32], quarters: int) -> NDArray[np.float32]:
    """(rows, columns, 8) outputs for a part of the view turned by some quarters, turned back."""
    turned = np.ascontiguousarray(np.rot90(part, quarters))
    outputs = network(turned[None], weights())[0]
    chances = outputs[..., :KINDS]
    chances = chances - np.logaddexp.reduce(chances, axis=2, keepdims=True)
    right, down = outputs[..., KINDS], outputs[..., KINDS + 1]
    away = [(right, down), (-down, right), (-right, -down), (down, -right)][quarters]
    return np.rot90(np.dstack([chances, *away]), -quarters)


def levelled(view: Image, beyond: int = 0) -> NDArray[np.float32]:
    """Normalises a view: subtracts each channel's mean and divides by the spread of grey.

    Args:
        view: (side, side, 3) uint8.
        beyond: squares at each edge that are left out of the mean and the spread.
    """
    light = view.astype(np.float32) / 255
    inner = slice(beyond * SCALE, len(view) - beyond * SCALE)
    grey = cv2.transform(light[inner, inner], np.full((1, 3), 1 / 3))
    spread = float(cv2.meanStdDev(grey)[1].item()) + _FLAT
    mean = np.array(cv2.mean(view[inner, inner])[:3], np.float32) / 255
    return np.asarray((light - mean) / spread, np.float32)


@cache
def weights(path: Path = _WEIGHTS) -> tuple[Layer, ...]:
    """Loads the layers of the network from a file."""
    with np.load(path) as stored:
        return tuple(
            (stored[f"w{k}"].astype(np.float32), stored[f"b{k}"].astype(np.float32))
            for k in range(len(SHAPES))
        )


def network(views: NDArray[np.float32], layers: tuple[Layer, ...]) -> NDArray[np.float32]:
    """(k, n + 2, n + 2, 8) outputs of the network for each square, the margin included.

    The last two are the offset of the square to the right and down, in squares.

    Args:
        views: (k, side, side, 3) from `levelled`, `SCALE` pixels per square.
        layers: layers from `weights`.
    """
    values = views
    for number, (shape, layer) in enumerate(zip(SHAPES, layers, strict=True)):
        values = _convolved(values, shape, layer, is_last=number == len(SHAPES) - 1)
    return values


def _convolved(
    values: NDArray[np.float32], shape: tuple[int, int, int], layer: Layer, *, is_last: bool
) -> NDArray[np.float32]:
    """Returns the outputs of a layer, computed in bands of rows, see `_BAND`."""
    kernel, stride, padding = shape
    weight, offset = layer
    wide = values
    if padding:
        count, height, width, channels = values.shape
        wide = np.zeros((count, height + 2 * padding, width + 2 * padding, channels), np.float32)
        wide[:, padding:-padding, padding:-padding] = values
    rows, columns = ((side - kernel) // stride + 1 for side in wide.shape[1:3])
    outputs = np.empty((len(values), rows, columns, len(offset)), np.float32)
    for first in range(0, rows, _BAND):
        above = wide[:, first * stride : (first + _BAND - 1) * stride + kernel]
        band = patches_of(above, kernel, stride) @ weight
        band += offset
        slope = np.float32(1 if is_last else _LEAK)
        np.maximum(band, slope * band, out=outputs[:, first : first + _BAND])
    return outputs


def patches_of(values: NDArray[np.float32], kernel: int, stride: int) -> NDArray[np.float32]:
    """(k, rows, columns, kernel * kernel * channels) inputs of a convolution at each place."""
    count, channels = len(values), values.shape[3]
    rows, columns = ((side - kernel) // stride + 1 for side in values.shape[1:3])
    steps = values.strides
    patches = np.empty((count, rows, columns, kernel, kernel * channels), np.float32)
    for down in range(kernel):
        # Neighbouring pixels of a row are also neighbours in memory.
        patches[:, :, :, down] = np.lib.stride_tricks.as_strided(
            values[:, down:],
            (count, rows, columns, kernel * channels),
            (steps[0], steps[1] * stride, steps[2] * stride, steps[3]),
        )
    return patches.reshape(count, rows, columns, -1)
