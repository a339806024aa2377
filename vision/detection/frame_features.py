"""All measurements of a frame, made before anything is judged.

The view is reduced to coarse blocks by which frames are compared. A shift of the board is measured
by the phase of its edges: in the view from above, edges repeat with every square, and the change of
their phase on each square since the last clear frame is the shift of that square; pieces laid
meanwhile change only their own squares, a hand only those it covers, and the median ignores both.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.geometry.grid import WITHIN, Grid, Warp
from vision.squares.square_features import SquareFeatures, measure_squares

BLOCKS: Final = 4
"""Blocks along a side of a square: the resolution of changes."""

_SHADE: Final = 8.0
"""Added to brightness, 0 to 255, before its logarithm, so that noise in shade counts little."""

_SAME: Final = 0.12
"""Change in the log of brightness up to which a block is unchanged: noise causes less, an edge that
moves by a twentieth of a square causes more."""

_AXES: Final = ((2, 0), (0, 2))
"""Second derivatives across and down: the edges of a picture."""


@dataclass(frozen=True, slots=True, eq=False)
class CoarseView:
    """A view in coarse blocks, to compare others with.

    Attributes:
        light: (m, m, 3) float32, log of brightness in each channel; m = 4 (n + 2) blocks.
        inside: (m, m) bool, blocks within the picture.
        sharpness: strength of edges relative to brightness, the geometric mean of both directions:
            a camera or board that moves blurs the edges across its way alone.
        brightness: mean of the field, 0 to 255.
    """

    light: NDArray[np.float32]
    inside: NDArray[np.bool_]
    sharpness: float
    brightness: float


def scene_of(view: Image, grey: NDArray[np.uint8], warp: Warp) -> CoarseView:
    """Reduces a view with one square of margin to blocks.

    Args:
        view: picture seen through `warp`.
        grey: its brightness.
        warp: warp whose mask has the parts within the picture.
    """
    side = (warp.grid.size + 2) * BLOCKS
    inside = cv2.resize(warp.inside, (side, side), interpolation=cv2.INTER_AREA)
    small = np.asarray(cv2.resize(view, (side, side), interpolation=cv2.INTER_AREA), np.float32)
    across, down = (
        cv2.norm(cv2.Sobel(grey, cv2.CV_16S, *axis, ksize=1), cv2.NORM_L1) for axis in _AXES
    )
    sharpness = float(np.sqrt(across * down) / (grey.mean() + 4) / grey.size)
    brightness = float(small[BLOCKS:-BLOCKS, BLOCKS:-BLOCKS].mean())
    light = np.log(small + np.float32(_SHADE))
    return CoarseView(light, np.asarray(inside) == WITHIN, sharpness, brightness)


def blocks_of(scene: CoarseView) -> NDArray[np.float32]:
    """(n + 2, n + 2, 48) log brightness of a scene in the blocks of each square, also around."""
    size = len(scene.light) // BLOCKS
    apart = scene.light.reshape(size, BLOCKS, size, BLOCKS, 3).transpose(0, 2, 1, 3, 4)
    return apart.reshape(size, size, -1)


def unlike(blocks: NDArray[np.float32], before: NDArray[np.float32]) -> NDArray[np.bool_]:
    """(n + 2, n + 2) squares in which any block differs between two results of `blocks_of`."""
    return np.asarray(np.abs(blocks - before).max(axis=2) > _SAME)


_CLOSE: Final = 0.06
"""Squares from the median within which the shift of a square agrees with it."""

_FEWEST_AGREEING: Final = 0.5
"""Share of the squares that have to agree."""

_MOST_COVERED: Final = 0.85
"""Share of the squares above which too many are covered."""

_THUMBNAIL: Final = (160, 120)
"""Width and height of the reduced picture in pixels."""


def rhythm_of(grey: NDArray[np.uint8], size: int, margin: int) -> NDArray[np.complex64]:
    """(2, n * n) amplitude and phase, as complex numbers, of the edges on each square, x then y.

    Args:
        grey: brightness of the board seen from above, from `vision.geometry.grid.Warp`.
        size: squares along a side.
        margin: squares of surroundings on each side of the view.
    """
    scale = grey.shape[0] // (size + 2 * margin)
    waves = np.exp(-2j * np.pi * (np.arange(scale) + 0.5) / scale).astype(np.complex64)
    shift, span = margin * scale, size * scale
    both = []
    for dx, dy in ((1, 0), (0, 1)):
        slope = np.abs(np.asarray(cv2.Sobel(grey, cv2.CV_16S, dx, dy, ksize=3)))
        slope = slope[shift : shift + span, shift : shift + span].astype(np.float32)
        squares = slope.reshape(size, scale, size, scale)
        profile = squares.sum(axis=1) if dx else squares.sum(axis=3).transpose(0, 2, 1)
        both.append((profile @ waves).reshape(-1))
    return np.stack(both)


def drift_between(
    now: NDArray[np.complex64], clear: NDArray[np.complex64], covered: NDArray[np.bool_]
) -> NDArray[np.float64] | None:
    """Measures the shift of the board between two frames.

    Args:
        now: `rhythm_of` a frame.
        clear: `rhythm_of` the last clear frame.
        covered: (n * n,) squares to ignore.

    Returns:
        (2,) shift to the right and down in squares, at most half of one; None if too few squares
        agree on it.
    """
    if covered.mean() > _MOST_COVERED:
        return None
    moves = -np.angle(now[:, ~covered] * clear[:, ~covered].conj()) / (2 * np.pi)
    middle = np.median(moves, axis=1)
    near = (np.abs(moves - middle[:, None]) < _CLOSE).all(axis=0)
    return middle.astype(np.float64) if near.mean() > _FEWEST_AGREEING else None


def thumbnail(image: Image) -> NDArray[np.float32]:
    """Reduces the whole picture to a small grey one, by which large movements are found."""
    small = cv2.resize(image, _THUMBNAIL, interpolation=cv2.INTER_NEAREST)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)


def jumped(now: NDArray[np.float32], clear: NDArray[np.float32], grid: Grid) -> NDArray[np.float64]:
    """Measures the shift of the whole picture between two thumbnails.

    Returns:
        (2,) to the right and down, in pixels of the picture.
    """
    window = cv2.createHanningWindow(_THUMBNAIL, cv2.CV_32F)
    # If no border has to be added, OpenCV multiplies its arguments by the window in place.
    (x, y), _ = cv2.phaseCorrelate(clear.copy(), now.copy(), window)
    zoom = (grid.middle * 2 + 1) / np.array(_THUMBNAIL)
    return np.asarray(np.array([x, y]) * zoom, np.float64)


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
