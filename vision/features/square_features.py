"""Measurements on each square of a view from above."""

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.shape.network import BARE, COLUMNS, LIGHT, LIT, UNDER, tiles

L_BYTES: Final = 2.55
"""Bytes of OpenCV for 1 of L of CIE Lab, 0 to 100."""

_INSET: Final = 0.15
"""Width of the edge of a square that is not measured, in squares."""

_COLOURFUL: Final = 0.4
"""Share of the pixels of a square, the most colourful ones, by which its tint is measured."""

_DARKER: Final = 0.1
"""Quantile of L that is measured as depth."""

_BURNT: Final = 250
"""Value of the darkest channel, 0 to 255, from which a pixel is overexposed. At 245 too much of
white plastic was, and a board of black and white was misread."""

_GREY: Final = 128
"""Value of a and b of a pixel without colour, in the bytes of OpenCV."""

_BLACK_OFFSET: Final = 16.0
"""Constant of CIE Lab that makes L + 16 proportional to the cube root of light."""

SURELY: Final = 3.0
"""Log likelihood by which a shape leads if it is sure; no measurement of this value is recorded."""

_PLAINLY: Final = 6.5
"""Log likelihood by which a shape leads if it is beyond doubt: of 7,700 squares that the network
was not trained on and classified by 5 or more, one was wrong."""

_LIGHTER: Final = 6.0
"""Log likelihood by which a tile lighter than the board leads if it is beyond doubt: of 2,100 none
was wrong."""

_BURNT_LIGHTER: Final = 3.5
"""The same for an overexposed tile: 100 of 154 white squares had it, and none of 149 overexposed by
mirrored lamps."""


@dataclass(frozen=True, slots=True, eq=False)
class SquareFeatures:
    """Features of each square, row by row.

    Attributes:
        tint: (n * n, 2) a / (L + 16) and b / (L + 16) of CIE Lab, the medians of the most
            colourful pixels. Since L, a and b are differences of cube roots, this hardly
            changes with brightness, in shadow or when a cloud passes.
        lightness: (n * n,) L of the same pixels, 0 to 100.
        depth: (n * n,) tenth percentile of L: black plastic is black beside its highlights.
        glare: (n * n,) share of the pixels so bright that their colour is lost, 0 to 1.
        hidden: (n * n,) bool, squares without information: so bright throughout that colour is
            lost, or known to be under something.
        relief: (n * n, 5) log likelihood of being bare, a dark or a light tile, under something
            and lit from below, from `vision.shape.network`; all 0 where the network was not run.
    """

    tint: NDArray[np.float32]
    lightness: NDArray[np.float32]
    depth: NDArray[np.float32]
    glare: NDArray[np.float32]
    hidden: NDArray[np.bool_]
    relief: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class SquarePatches:
    """Pixels of each square of a board, row by row, cut from a view.

    Attributes:
        lab: (n * n, scale, scale, 3) uint8, CIE Lab in the bytes of OpenCV.
        faintest: (n * n, scale, scale) uint8, the darkest of each pixel's three channels.
    """

    lab: Image
    faintest: NDArray[np.uint8]

    @staticmethod
    def of(view: Image, size: int, margin: int) -> "SquarePatches":
        """Cuts a view into squares.

        Args:
            view: square picture of the board from above, from `vision.geometry.grid.Warp`.
            size: squares along a side of the board.
            margin: squares of surroundings on each side of the view.
        """
        lab = np.asarray(cv2.cvtColor(view, cv2.COLOR_BGR2LAB), np.uint8)
        blue, green, red = cv2.split(view)
        faintest = np.asarray(cv2.min(cv2.min(blue, green), red), np.uint8)
        return SquarePatches(
            _cut(lab, size, margin), _cut(faintest[..., None], size, margin)[..., 0]
        )


def measure_squares(view: Image, size: int, margin: int) -> SquareFeatures:
    """Measures each square in a view; the arguments are those of `SquarePatches.of`."""
    return patch_features(SquarePatches.of(view, size, margin))


def patch_features(squares: SquarePatches) -> SquareFeatures:
    """Measures each square."""
    light, a, b = _inner(squares.lab)
    tint, lightness, depth = measured(light, a, b)
    (faintest,) = _inner(squares.faintest[..., None])
    glare = (faintest >= _BURNT).mean(axis=1, dtype=np.float32)
    unasked = np.zeros((len(tint), COLUMNS), np.float32)
    return SquareFeatures(tint, lightness, depth, glare, glare > 1 - _COLOURFUL, unasked)


def measured(
    light: NDArray[np.uint8],
    a: NDArray[np.uint8],
    b: NDArray[np.uint8],
    colourful: float = _COLOURFUL,
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Tint, lightness and depth of patches, as in `SquareFeatures`.

    Args:
        light: (k, pixels) L of CIE Lab of each patch, in the bytes of OpenCV.
        a: (k, pixels) a of CIE Lab.
        b: (k, pixels) b of CIE Lab.
        colourful: share of the pixels, the most colourful ones, that counts.
    """
    # The sum of two squares of up to 128 fits into 16 bits without a sign. One number holds a
    # whole pixel, its colourfulness first, so that one partition finds the most colourful pixels.
    away_a, away_b = a.astype(np.int16) - _GREY, b.astype(np.int16) - _GREY
    colour = (away_a * away_a).view(np.uint16) + (away_b * away_b).view(np.uint16)
    pixels = np.zeros((*colour.shape, 8), np.uint8)
    pixels[..., 0], pixels[..., 1], pixels[..., 2] = light, a, b
    keys = pixels.view("<u8")[..., 0]
    keys |= colour.astype(np.uint64) << np.uint64(24)
    first = round(colour.shape[1] * (1 - colourful))
    keys.partition(first, axis=1)
    chosen = keys[:, first:].astype("<u8").view(np.uint8).reshape(len(keys), -1, 8)
    half = chosen.shape[1] // 2
    middle = [
        np.partition(np.ascontiguousarray(chosen[:, :, k]), half, axis=1)[:, half] for k in range(3)
    ]
    lightness = np.asarray(middle[0] / L_BYTES, np.float32)
    tint = np.stack(middle[1:], axis=1).astype(np.float32) - _GREY
    tint /= lightness[:, None] + np.float32(_BLACK_OFFSET)
    darker = round(_DARKER * light.shape[1])
    depth = np.asarray(np.partition(light, darker, axis=1)[:, darker] / L_BYTES, np.float32)
    return tint, lightness, depth


def hiding(observed: SquareFeatures, squares: NDArray[np.bool_]) -> SquareFeatures:
    """Returns the features with some more squares hidden."""
    return replace(observed, hidden=observed.hidden | squares)


def surely_tiles(observed: SquareFeatures) -> NDArray[np.bool_]:
    """(n * n,) squares that are tiles by their shape, with a lead above `SURELY`."""
    return leads(observed)[1] > SURELY


def empty_lead(observed: SquareFeatures) -> NDArray[np.float32]:
    """(n * n,) lead of the shape of an empty square, dark or lit, as log likelihood."""
    empty = observed.relief[:, [BARE, LIT]].max(axis=1)
    rest = np.maximum(tiles(observed.relief), observed.relief[:, UNDER])
    return np.asarray(empty - rest, np.float32)


def plain(observed: SquareFeatures) -> NDArray[np.bool_]:
    """(n * n,) squares that are bare or tiles beyond doubt by their shape."""
    return np.asarray(np.max(leads(observed), axis=0) > _PLAINLY)


def plainly_light(observed: SquareFeatures) -> NDArray[np.bool_]:
    """(n * n,) squares that are tiles lighter than the board beyond doubt by their shape."""
    return np.asarray(_light_lead(observed) > _LIGHTER)


def burnt_tiles(observed: SquareFeatures) -> NDArray[np.bool_]:
    """(n * n,) overexposed squares with the shape of a tile lighter than the board."""
    return np.asarray(observed.hidden & (_light_lead(observed) > _BURNT_LIGHTER))


def _light_lead(observed: SquareFeatures) -> NDArray[np.float32]:
    """(n * n,) lead of the shape of a tile lighter than the board, as log likelihood."""
    rest = np.delete(observed.relief, LIGHT, axis=1).max(axis=1)
    return np.asarray(observed.relief[:, LIGHT] - rest, np.float32)


def tile_lead(observed: SquareFeatures) -> NDArray[np.float32]:
    """(n * n,) lead of the shape of a tile over that of an empty square, as log likelihood."""
    return np.asarray(
        tiles(observed.relief) - observed.relief[:, [BARE, LIT]].max(axis=1), np.float32
    )


def leads(observed: SquareFeatures) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(n * n,) each: lead of the shape of a bare square, and of a tile, over all others."""
    bare, tile = observed.relief[:, BARE], tiles(observed.relief)
    rest = observed.relief[:, [UNDER, LIT]].max(axis=1)
    return bare - np.maximum(tile, rest), tile - np.maximum(bare, rest)


def without_pattern(observed: SquareFeatures, empty: SquareFeatures) -> SquareFeatures:
    """Removes the pattern of the bare board from the features.

    Args:
        observed: features of the board with its pieces.
        empty: features of the same board without pieces, in the same place.
    """
    tint = observed.tint - (empty.tint - np.median(empty.tint, axis=0))
    light = observed.lightness - (empty.lightness - np.median(empty.lightness))
    depth = observed.depth - (empty.depth - np.median(empty.depth))
    return SquareFeatures(
        tint.astype(np.float32),
        light.astype(np.float32),
        depth.astype(np.float32),
        observed.glare,
        observed.hidden,
        observed.relief,
    )


def _cut(view: Image, size: int, margin: int) -> Image:
    """(n * n, scale, scale, channels) pixels of each square, row by row."""
    scale = view.shape[0] // (size + 2 * margin)
    inner = slice(margin * scale, (margin + size) * scale)
    apart = view[inner, inner].reshape(size, scale, size, scale, -1).transpose(0, 2, 1, 3, 4)
    return apart.reshape(size * size, scale, scale, -1)


def _inner(squares: Image) -> NDArray[np.uint8]:
    """(channels, n * n, pixels): the inner part of each square, one channel after another."""
    count, scale, _, channels = squares.shape
    edge = round(_INSET * scale)
    inner = squares[:, edge : scale - edge, edge : scale - edge].transpose(3, 0, 1, 2)
    return np.ascontiguousarray(inner).reshape(channels, count, -1)
