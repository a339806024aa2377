"""The network that reads squares: content, colours of tiles, and where pieces end.

A person sees at once which squares are tiles, even black ones on a black board, white ones under a
lamp, in shadow or lit from below. So does a small convolutional network, which sees the board from
above. It tells the class of each square, the offset of the square from its place, whether a piece
ends at its right and at its lower edge, and a place for the colour of its tile: tiles of one colour
lie close together. It knows no names of colours. It was trained on boards that are drawn by a path
tracer and by the simulated table, in random colours and lights, under hands and with noise, and on
no photograph; see `tests.training.shapes`.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.geometry.grid import WITHIN, Grid, Warp
from vision.geometry.image_scale import zoomed
from vision.reading import border_of
from vision.squares.border import across_border, features, odds_of

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

PARTIAL: Final = 5
"""Class of a square that a piece between squares covers in part."""

OUTSIDE: Final = 6
"""Class of a place that is no square of the board."""

COLUMNS: Final = 6
"""Number of classes that a square of the board may have."""

KINDS: Final = 7
"""Number of classes."""

AWAY: Final = slice(7, 9)
"""Outputs with the offset of a square to the right and down, in squares."""

PARTED: Final = slice(9, 11)
"""Outputs with the log odds that a piece ends at the right and at the lower edge of a square."""

COLOUR: Final = slice(11, 17)
"""Outputs with a place of the colour of a tile: tiles of one colour are less than `APART` apart."""

APART: Final = 3.0
"""Square of the distance from which two tiles are more probably of two colours than of one."""

OUTPUTS: Final = 17
"""Number of outputs for each square."""

SCALE: Final = 16
"""Pixels per square in the view of the network."""

MARGIN: Final = 1
"""Squares around the field in that view."""

FILE: Final = Path(__file__).with_suffix(".onnx")
"""File of the network, `network.onnx`, as `python -m tests.training shapes` saves it."""

_LOCK: Final = Lock()
"""A network keeps the values of its last run, so threads take turns."""

_REACH: Final = 5
"""Squares to each side on which the outputs of a square depend: five layers of 3 by 3, two of them
at twice the scale, reach four, the four that halve the view less than one."""

_FLAT: Final = 0.06
"""Added to the spread of grey, so that a view without contrast is not amplified."""

_HALF_SEEN: Final = 0.5
"""Share of a square that has to be in the picture for its odds to count."""

_MOST_TILE: Final = 6.0
"""Largest log odds of a tile that count there."""

_LEAST: Final = 1e-4
"""Least log probability that a square is no tile, so that its log odds are finite."""

_IN_PICTURE: Final = 0.9
"""Share of a square beyond the border that has to be in the picture for it to be judged."""


@dataclass(frozen=True, slots=True, eq=False)
class Shapes:
    """Outputs of the network for the squares of a board.

    Attributes:
        classes: (n * n, 7) log probability of each class.
        away: (n * n, 2) offset of each square to the right and down, in squares.
        ends: (n * n, 2) log odds that a piece ends at the right and at the lower edge.
        colours: (n * n, 6) places of the colours of tiles; see `APART`.
        around: (4, n, 17) all outputs for the squares next to the border: upper side, right, lower
            and left, each from the left or from the top; classes as log probabilities.
        beyond: (4, n) log odds that a tile on a square of the border goes on beyond it; 0 under a
            hand, minus infinity where the picture ends.
    """

    classes: NDArray[np.float32]
    away: NDArray[np.float32]
    ends: NDArray[np.float32]
    colours: NDArray[np.float32]
    around: NDArray[np.float32]
    beyond: NDArray[np.float32]

    def stood(self, before: "Shapes") -> NDArray[np.bool_]:
        """(4, n) squares next to the border that held such a tile as the border does now.

        Args:
            before: outputs of an earlier picture from the same place.
        """
        same = _apart(self.colours, before.around) < APART
        return np.asarray(same & (_tile_odds(before.around) > 0))

    def replaced(self, squares: NDArray[np.bool_], other: "Shapes") -> "Shapes":
        """Returns the outputs with those of another picture on some squares, (n * n,)."""
        mask = squares[:, None]
        return Shapes(
            np.where(mask, other.classes, self.classes),
            np.where(mask, other.away, self.away),
            np.where(mask, other.ends, self.ends),
            np.where(mask, other.colours, self.colours),
            np.where(border_of(mask), other.around, self.around),
            np.where(border_of(squares), other.beyond, self.beyond),
        )


def shapes_of(image: Image, grid: Grid, wanted: NDArray[np.bool_] | None = None) -> Shapes:
    """Runs the network on the squares of a board.

    Args:
        image: (height, width, 3) uint8.
        grid: place of the board.
        wanted: (n * n,) squares to classify; the others may be meaningless. None for all.
    """
    view, outputs, warp = _run(image, grid, wanted)
    inner = _inner(outputs)
    around = next_to_border(outputs)
    odds = odds_of(_border(view, outputs)) * (1 - np.exp(around[..., UNDER]))
    pictured = next_to_border(_share_seen(warp)) >= _IN_PICTURE
    return Shapes(
        inner[:, :KINDS],
        inner[:, AWAY],
        inner[:, PARTED],
        inner[:, COLOUR],
        around,
        np.asarray(np.where(pictured, odds, -np.inf), np.float32),
    )


def _run(
    image: Image, grid: Grid, wanted: NDArray[np.bool_] | None
) -> tuple[NDArray[np.float32], NDArray[np.float32], Warp]:
    """Returns the view of the network, (n + 2, n + 2, 17) outputs for it, and its warp."""
    image, warp = _from_above(image, grid, MARGIN)
    view = levelled(warp(image))
    rows, columns = _window(grid.size, wanted)
    outputs = np.zeros((grid.size + 2 * MARGIN, grid.size + 2 * MARGIN, OUTPUTS), np.float32)
    outputs[rows, columns] = network(view[_pixels(rows), _pixels(columns)])
    outputs[..., :KINDS] -= np.logaddexp.reduce(outputs[..., :KINDS], axis=2, keepdims=True)
    return view, outputs, warp


def _inner(outputs: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n * n, 17) outputs for the squares of the board."""
    return outputs[MARGIN:-MARGIN, MARGIN:-MARGIN].reshape(-1, OUTPUTS)


def _border(view: NDArray[np.float32], outputs: NDArray[np.float32]) -> NDArray[np.float32]:
    """(4, n, 31) features of the border, from the view of the network and its outputs."""
    right, lower = range(PARTED.start, PARTED.stop)
    inner, around = _inner(outputs), next_to_border(outputs)
    border = border_of(inner)
    edges = np.stack(
        [around[0, :, lower], border[1, :, right], border[2, :, lower], around[3, :, right]]
    )
    apart = _apart(inner[:, COLOUR], around)
    return features(edges, apart, _tile_odds(around), across_border(view, border.shape[1]))


def _apart(colours: NDArray[np.float32], around: NDArray[np.float32]) -> NDArray[np.float32]:
    """(4, n) squares of distances between the colours on the border and next to it."""
    return np.asarray(((around[..., COLOUR] - border_of(colours)) ** 2).sum(axis=2))


def next_to_border(squares: NDArray[Any]) -> NDArray[Any]:
    """(4, n, ...) what (n + 2, n + 2, ...) squares have next to the border; see `border_of`."""
    inner = slice(MARGIN, -MARGIN)
    return np.stack([squares[0, inner], squares[inner, -1], squares[-1, inner], squares[inner, 0]])


def _share_seen(warp: Warp) -> NDArray[np.float32]:
    """(n + 2, n + 2) share of each square of a view that is in the picture."""
    side = warp.grid.size + 2 * MARGIN
    small = cv2.resize(warp.inside, (side, side), interpolation=cv2.INTER_AREA)
    return np.asarray(np.asarray(small) / WITHIN, np.float32)


def _tile_odds(squares: NDArray[np.float32]) -> NDArray[np.float32]:
    """(...,) bounded log odds of a tile, of (..., 17) outputs with normalised classes."""
    tile = np.logaddexp(squares[..., DARK], squares[..., LIGHT])
    odds = tile - np.log1p(-np.exp(np.minimum(tile, -_LEAST)))
    return np.asarray(np.clip(odds, -_MOST_TILE, _MOST_TILE), np.float32)


def tiles(shapes: Shapes) -> NDArray[np.float32]:
    """(n * n,) log probability of a tile, dark or light."""
    return np.asarray(np.logaddexp(shapes.classes[:, DARK], shapes.classes[:, LIGHT]), np.float32)


def belonging(image: Image, grid: Grid, margin: int) -> NDArray[np.float32]:
    """(n + 2 margin, n + 2 margin) log odds that each square belongs to a board.

    They are 0 outside the picture.

    Args:
        image: (height, width, 3) uint8.
        grid: grid on the lines of a board, possibly off by some rows.
        margin: squares around the grid to classify as well, at least 1.
    """
    image, warp = _from_above(image, grid, margin)
    outputs = network(levelled(warp(image), margin - MARGIN))
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


def network(view: NDArray[np.float32]) -> NDArray[np.float32]:
    """(rows, columns, 17) outputs of the network for each square of a view.

    Args:
        view: (16 rows, 16 columns, 3) from `levelled`, `SCALE` pixels per square.
    """
    outputs = forward(FILE, np.ascontiguousarray(view.transpose(2, 0, 1)))
    return outputs.transpose(1, 2, 0)


def forward(file: Path, values: NDArray[np.float32]) -> NDArray[np.float32]:
    """(channels, rows, columns) outputs of the network in a file, for values of the same form."""
    with _LOCK:
        loaded = _loaded(file)
        loaded.setInput(values[None])
        outputs = loaded.forward()[0]
    return np.asarray(outputs, np.float32)


@cache
def _loaded(path: Path) -> cv2.dnn.Net:
    loaded = cv2.dnn.readNetFromONNX(str(path))
    # Winograd's kernels are faster by a third, but take 20 MB more, of 200 on a small computer.
    loaded.enableWinograd(useWinograd=False)
    return loaded
