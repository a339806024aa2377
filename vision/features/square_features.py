"""What is measured on each square of a view straight down on the board."""

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.shape.network import BARE, COLUMNS, LIGHT, LIT, UNDER, tiles

_INSET: Final = 0.15
_COLOURFUL: Final = 0.4
_DARKER: Final = 0.1
_BURNT: Final = 250
_GREY: Final = 128
_BLACK_OFFSET: Final = 16.0
SURELY, _PLAINLY = 3.0, 6.5
"""Log likelihood by which a shape leads if it is sure, and if it is beyond doubt: of 7,700 squares
that the network had not seen and told by 5 or more, it told one wrongly."""

_LIGHTER, _BURNT_LIGHTER = 6.0, 3.5
"""The same of a tile being lighter than the board: of 2,100 none was told wrongly; and of one that
has burnt out: 100 of 154 squares of white had it, and none of 149 that mirrored lamps had burnt."""


@dataclass(frozen=True, slots=True, eq=False)
class SquareFeatures:
    """The look of each square, row by row.

    Attributes:
        tint: (n * n, 2) a / (L + 16) and b / (L + 16) of CIE Lab, the medians of the most
            colourful pixels. Since L, a and b are differences of cube roots, this hardly
            changes with brightness, in shadow or when a cloud passes.
        lightness: (n * n,) L of the same pixels, 0 to 100.
        depth: (n * n,) L of the darker pixels, a tenth being darker still: black plastic is
            black beside its highlights.
        glare: (n * n,) share of the pixels that are so bright that their colour is lost, 0 to 1.
        hidden: (n * n,) bool, squares that tell nothing: so bright throughout that colour is
            lost, or known to be under something.
        relief: (n * n, 5) log likelihood of being bare, a dark or a light tile, under something
            and lit from below, by the shapes in it; all 0 where nobody asked; see
            `vision.shape.network`.
    """

    tint: NDArray[np.float32]
    lightness: NDArray[np.float32]
    depth: NDArray[np.float32]
    glare: NDArray[np.float32]
    hidden: NDArray[np.bool_]
    relief: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class SquarePatches:
    """What each square of a board shows, row by row, cut once from a view for all that look.

    Attributes:
        lab: (n * n, scale, scale, 3) uint8, CIE Lab in the bytes of OpenCV.
        faintest: (n * n, scale, scale) uint8, the darkest of each pixel's three channels.
    """

    lab: Image
    faintest: NDArray[np.uint8]

    @staticmethod
    def of(view: Image, size: int, margin: int) -> "SquarePatches":
        """The squares in a view.

        Args:
            view: a square picture straight down on the board, as `vision.geometry.grid.Warp` makes
                it.
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
    """Measures each square in a view; see `SquarePatches.of`."""
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
    """Tint, lightness and depth of some patches; see `SquareFeatures`.

    Args:
        light: (k, pixels) L of CIE Lab of each patch, in the bytes of OpenCV.
        a: its a.
        b: its b.
        colourful: share of the pixels that counts.
    """
    # Two squares of up to 128 fit into 16 bits without a sign. One number holds a whole pixel,
    # its colourfulness first, so that one partition finds the most colourful pixels.
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
    lightness = np.asarray(middle[0] / 2.55, np.float32)
    tint = np.stack(middle[1:], axis=1).astype(np.float32) - _GREY
    tint /= lightness[:, None] + np.float32(_BLACK_OFFSET)
    darker = round(_DARKER * light.shape[1])
    depth = np.asarray(np.partition(light, darker, axis=1)[:, darker] / 2.55, np.float32)
    return tint, lightness, depth


def hiding(look: SquareFeatures, squares: NDArray[np.bool_]) -> SquareFeatures:
    """The same look, some more squares known to be under something."""
    return replace(look, hidden=look.hidden | squares)


def surely_tiles(look: SquareFeatures) -> NDArray[np.bool_]:
    """(n * n,) squares that by their shape can hardly be anything but a tile."""
    return leads(look)[1] > SURELY


def surely_empty(look: SquareFeatures) -> NDArray[np.bool_]:
    """(n * n,) squares that by their shape can hardly be anything but empty, dark or lit."""
    return np.asarray(empty_lead(look) > SURELY)


def empty_lead(look: SquareFeatures) -> NDArray[np.float32]:
    """(n * n,) log likelihood by which shapes would rather have a square empty, dark or lit."""
    empty = look.relief[:, [BARE, LIT]].max(axis=1)
    rest = np.maximum(tiles(look.relief), look.relief[:, UNDER])
    return np.asarray(empty - rest, np.float32)


def plain(look: SquareFeatures) -> NDArray[np.bool_]:
    """(n * n,) squares that by their shape are bare, or are tiles, beyond doubt."""
    return np.asarray(np.max(leads(look), axis=0) > _PLAINLY)


def plainly_light(look: SquareFeatures) -> NDArray[np.bool_]:
    """(n * n,) squares that by their shape are tiles lighter than the board, beyond doubt."""
    return np.asarray(_light_lead(look) > _LIGHTER)


def burnt_tiles(look: SquareFeatures) -> NDArray[np.bool_]:
    """(n * n,) squares that have burnt out and have the shape of a tile lighter than the board."""
    return np.asarray(look.hidden & (_light_lead(look) > _BURNT_LIGHTER))


def _light_lead(look: SquareFeatures) -> NDArray[np.float32]:
    """(n * n,) log likelihood by which shapes would rather have a square a lighter tile."""
    rest = np.delete(look.relief, LIGHT, axis=1).max(axis=1)
    return np.asarray(look.relief[:, LIGHT] - rest, np.float32)


def tile_lead(look: SquareFeatures) -> NDArray[np.float32]:
    """(n * n,) log likelihood by which shapes would rather have a square a tile than empty."""
    return np.asarray(tiles(look.relief) - look.relief[:, [BARE, LIT]].max(axis=1), np.float32)


def leads(look: SquareFeatures) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(n * n,) each: by how much shapes would rather have a square bare, and a tile."""
    bare, tile = look.relief[:, BARE], tiles(look.relief)
    rest = look.relief[:, [UNDER, LIT]].max(axis=1)
    return bare - np.maximum(tile, rest), tile - np.maximum(bare, rest)


def without_pattern(look: SquareFeatures, empty: SquareFeatures) -> SquareFeatures:
    """A look with what the board's own squares differ by taken out.

    Args:
        look: of the board as it stands.
        empty: of the same board without pieces, in the same place.
    """
    tint = look.tint - (empty.tint - np.median(empty.tint, axis=0))
    light = look.lightness - (empty.lightness - np.median(empty.lightness))
    depth = look.depth - (empty.depth - np.median(empty.depth))
    return SquareFeatures(
        tint.astype(np.float32),
        light.astype(np.float32),
        depth.astype(np.float32),
        look.glare,
        look.hidden,
        look.relief,
    )


def _cut(view: Image, size: int, margin: int) -> Image:
    """(n * n, scale, scale, channels) what each square shows, row by row."""
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
