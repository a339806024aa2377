"""Squares into which a neighbour's piece merely reaches.

A piece that lies 2 mm off its place and 4 degrees askew hangs over the square beside it by up to
a third, and the most colourful pixels of that square are then the piece's. But what hangs over
hugs one side of the square, and what lies on it does not: seen from that side, the half beyond
is empty.
"""

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.classification.colour_model import (
    ColourModel,
    Values,
    density_under,
    foreign_density,
    is_grey,
)
from vision.features.square_features import measured

_ACROSS: Final = 0.15
_FAR: Final = (0.12, 0.5)
_MIDDLE: Final = (0.36, 0.56)
"""Parts of a square, from the side away from the piece: its far half, and a strip about its
middle. What covers two thirds of the square reaches into both, what hangs over into none."""

_COLOURFUL: Final = 0.3
_LEAD: Final = 2.0
"""Log density by which a part has to look empty rather than of the colour."""

_SURE: Final = 0.5
_BARELY: Final = 0.55
_SURELY: Final = 0.96
"""Probability that a square is empty of which the far half is, and of which the middle is too."""

_SIDES: Final = ((0, 1, 0), (0, -1, 2), (1, 0, 1), (-1, 0, 3))
"""Where the piece is, seen from the square beside it: rows down, columns to the right; and by how
many quarters to turn the square so that the piece is at its right."""


def sides_alike(evidence: Values, size: int) -> NDArray[np.bool_]:
    """(n * n, 4) beside which of its sides each square has a neighbour of the same colour.

    Args:
        evidence: (n * n, 1 + k) probabilities of empty and each colour.
        size: squares along a side of the board.
    """
    called = evidence.argmax(axis=1).reshape(size, size)
    # Where the whole square leaves doubt, its parts tell of glare rather than of overhang.
    sure = (evidence.max(axis=1) > _SURE).reshape(size, size) & (called > 0)
    wide = np.zeros((size + 2, size + 2), called.dtype)
    wide[1:-1, 1:-1] = called
    alike = [
        sure & (called == wide[1 + down : 1 + down + size, 1 + right : 1 + right + size])
        for down, right, _ in _SIDES
    ]
    return np.stack(alike, axis=2).reshape(size * size, len(_SIDES))


def reached_into(
    lab: Image, sides: NDArray[np.bool_], called: NDArray[np.intp], colours: ColourModel
) -> tuple[Values, NDArray[np.bool_]]:
    """How likely a neighbour's piece merely reaches into each of some squares.

    Args:
        lab: (k, scale, scale, 3) what the squares show, see
            `vision.features.square_features.SquarePatches`.
        sides: (k, 4) beside which sides that piece may be, see `sides_alike`.
        called: (k,) number of the colour that each is taken for, from 1.
        colours: how they look there, with the light at these squares.

    Returns:
        (k,) the probability of being empty that each has at least; and (k,) which are seen to be
        empty for sure: board in the middle and beyond it, and a neighbour's edge.
    """
    empty, seen = np.zeros(len(lab)), np.zeros(len(lab), np.bool_)
    squares = np.concatenate([np.flatnonzero(alike) for alike in sides.T])
    cut = np.concatenate(
        [
            np.rot90(lab[alike], quarters, axes=(1, 2))
            for alike, (_, _, quarters) in zip(sides.T, _SIDES, strict=True)
        ]
    )
    far = _look_empty(_part(cut, _FAR), squares, called, colours)
    squares, cut = squares[far], cut[far]
    middle = _look_empty(_part(cut, _MIDDLE), squares, called, colours)
    np.maximum.at(empty, squares, np.where(middle, _SURELY, _BARELY))
    seen[squares[middle]] = True
    return empty, seen


def emptied(evidence: Values, empty: Values) -> Values:
    """The evidence, each square as likely empty at least as said: (n * n, 1 + k) from (n * n,)."""
    empty = np.maximum(evidence[:, 0], empty)
    rest = (1 - empty) / np.maximum(evidence[:, 1:].sum(axis=1), 1e-9)
    return np.column_stack([empty, evidence[:, 1:] * rest[:, None]])


def _part(cut: Image, along: tuple[float, float]) -> Image:
    """(k, pixels, 3) of a strip of each square."""
    scale = cut.shape[1]
    across = slice(round(_ACROSS * scale), round((1 - _ACROSS) * scale))
    strip = cut[:, across, round(along[0] * scale) : round(along[1] * scale)]
    return strip.reshape(len(cut), strip.shape[1] * strip.shape[2], 3)


def _look_empty(
    pixels: Image, squares: NDArray[np.intp], called: NDArray[np.intp], colours: ColourModel
) -> NDArray[np.bool_]:
    """(k,) whether parts of squares look empty rather than of the colour that they are called."""
    if not len(squares):
        return np.zeros(0, np.bool_)
    light, a, b = np.ascontiguousarray(pixels.transpose(2, 0, 1))
    tint, lightness, depth = measured(light, a, b, _COLOURFUL)
    features = np.column_stack([tint, depth if is_grey(colours.palette) else lightness])
    here = replace(colours, light=colours.light[squares])
    density = density_under(features, here, np.zeros_like(squares))
    rival = density_under(features, here, called[squares])
    rival = np.maximum(rival, foreign_density(features, here))
    return np.asarray(density - rival > _LEAD, np.bool_)
