"""Detection of empty squares that a neighbour's piece overhangs.

A piece that is 2 mm off its place and 4 degrees askew overhangs the neighbouring square by up to
a third, and the most colourful pixels of that square are then the piece's. But an overhanging
piece covers only one side of the square: the opposite half is empty.
"""

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.classification.colour_model import (
    APART,
    OFFSET,
    ColourModel,
    Values,
    density_under,
    foreign_density,
    is_grey,
)
from vision.features.square_features import L_BYTES, measured
from vision.fitted.constants import fitted

_ACROSS: Final = (0.15, 0.85)
"""Extent of a part along the edge of the piece, in squares."""

_FAR: Final = (0.12, 0.5)
"""Extent of the far half of a square, from the side away from the piece, in squares."""

_MIDDLE: Final = (0.36, 0.56)
"""Extent of a strip about its middle. A piece that covers two thirds of the square reaches into
both parts, an overhanging one into none."""

_NOTCH: Final = (0.25, 0.44, 0.36)
"""Edges that are left out of a square between several sides of pieces, in squares: without a piece
at this side, with one, and with one at the opposite side too."""

_COLOURFUL: Final = 0.3
"""Share of the pixels of a part, the most colourful ones, that is measured."""

_NOTCH_COLOURFUL: Final = 0.6
"""The same between several sides: at 18 px a square their colours bleed into what lies between."""

_LEAD: Final = fitted("classification.overhang.lead")
"""Log density by which a part has to be empty rather than of the colour."""

_SURE: Final = 0.5
"""Probability of its content from which a square is examined."""

_BARELY: Final = 0.55
"""Probability that a square is empty if its far half is."""

_SURELY: Final = 0.96
"""Probability that a square is empty if its far half and its middle are."""

_NEAR: Final = 0.5
"""Share of the tint of a board by which that of a part may differ: grey itself differs by 1."""

_SIDES: Final = ((0, 1, 0), (0, -1, 2), (1, 0, 1), (-1, 0, 3))
"""Offset of the piece from the square, in rows down and columns to the right, and the number of
quarter turns of the square after which the piece is at its right."""


def sides_alike(evidence: Values, size: int) -> NDArray[np.bool_]:
    """(n * n, 4) True for each side of a square at which the neighbour has the same colour.

    Args:
        evidence: (n * n, 1 + k) probabilities of empty and each colour.
        size: squares along a side of the board.
    """
    called = evidence.argmax(axis=1).reshape(size, size)
    # If the whole square is in doubt, its parts rather show glare than overhang.
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
) -> tuple[Values, NDArray[np.bool_], NDArray[np.bool_]]:
    """Finds squares that are empty although a neighbour's piece overhangs them.

    Args:
        lab: (k, scale, scale, 3) pixels of the squares, from
            `vision.features.square_features.SquarePatches`.
        sides: (k, 4) sides at which that piece may be, from `sides_alike`.
        called: (k,) number of the likeliest colour of each, from 1.
        colours: colour model with the light at these squares.

    Returns:
        (k,) lower bound of the probability of being empty; (k,) True for squares that are
        surely empty: board in the middle and beyond it, and a neighbour's edge; and (k,) True for
        squares with several such sides and a tinted board between them.
    """
    empty, seen = np.zeros(len(lab)), np.zeros(len(lab), np.bool_)
    squares = np.concatenate([np.flatnonzero(alike) for alike in sides.T])
    cut = np.concatenate(
        [
            np.rot90(lab[alike], quarters, axes=(1, 2))
            for alike, (_, _, quarters) in zip(sides.T, _SIDES, strict=True)
        ]
    )
    far = _look_empty(_measured(_part(cut, _ACROSS, _FAR), colours), squares, called, colours)
    squares, cut = squares[far], cut[far]
    part = _measured(_part(cut, _ACROSS, _MIDDLE), colours)
    middle = _look_empty(part, squares, called, colours)
    np.maximum.at(empty, squares, np.where(middle, _SURELY, _BARELY))
    seen[squares[middle]] = True
    notches, tinted = _empty_notches(lab, sides, called, colours)
    return np.maximum(empty, notches), seen, tinted


def _empty_notches(
    lab: Image, sides: NDArray[np.bool_], called: NDArray[np.intp], colours: ColourModel
) -> tuple[Values, NDArray[np.bool_]]:
    """Finds empty squares between several sides of pieces.

    Returns:
        (k,) lower bound of the probability of being empty; and (k,) True if the tint of the board
        is seen there, which no glare has.
    """
    empty, tinted = np.zeros(len(lab)), np.zeros(len(lab), np.bool_)
    for kind in np.unique(sides[sides.sum(axis=1) > 1], axis=0):
        squares = np.flatnonzero((sides == kind).all(axis=1))
        middle = _part(lab[squares], *_between(kind))
        features = _measured(middle, colours, _NOTCH_COLOURFUL)
        bare = _look_empty(features, squares, called, colours)
        here = replace(colours, light=colours.light[squares])
        empty[squares] = bare * np.where(_are_shaded(middle, here), _SURELY, _BARELY)
        tinted[squares] = bare & _have_tint_of_board(features, here)
    return empty, tinted


def _have_tint_of_board(features: Values, colours: ColourModel) -> NDArray[np.bool_]:
    """(k,) True for parts with the tint of a board that has one; glare is grey."""
    tint, board = features[:, :2] - colours.light[:, :2], colours.means[0, :2]
    depth = float(np.hypot(*board))
    near = np.hypot(*(tint - board).T) < _NEAR * depth
    return np.asarray(near & (depth > APART), np.bool_)


def _are_shaded(pixels: Image, colours: ColourModel) -> NDArray[np.bool_]:
    """(k,) True for parts darker than empty squares, so that they are no glare on a piece.

    Greys have no colour by which black would differ from shade.
    """
    if is_grey(colours.palette):
        return np.zeros(len(pixels), np.bool_)
    lightness = np.median(pixels[..., 0], axis=1) / L_BYTES
    even = (lightness + OFFSET) / colours.light[:, 2] - OFFSET
    return np.asarray(even < colours.means[0, 2], np.bool_)


def _between(kind: NDArray[np.bool_]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Extent of the middle of a square down and across, by the sides at which pieces are."""
    free, one, both = _NOTCH
    right, left, below, above = (
        (both if kind[opposite] else one) if kind[side] else free
        for side, opposite in enumerate((1, 0, 3, 2))
    )
    return (above, 1 - below), (left, 1 - right)


def emptied(evidence: Values, empty: Values) -> Values:
    """Raises the probability of being empty to at least `empty`, (n * n,)."""
    empty = np.maximum(evidence[:, 0], empty)
    rest = (1 - empty) / np.maximum(evidence[:, 1:].sum(axis=1), 1e-9)
    return np.column_stack([empty, evidence[:, 1:] * rest[:, None]])


def _part(cut: Image, down: tuple[float, float], across: tuple[float, float]) -> Image:
    """(k, pixels, 3) pixels of a rectangle of each square."""
    scale = cut.shape[1]
    rows, columns = (slice(round(a * scale), round(b * scale)) for a, b in (down, across))
    part = cut[:, rows, columns]
    return part.reshape(len(cut), part.shape[1] * part.shape[2], 3)


def _measured(pixels: Image, colours: ColourModel, colourful: float = _COLOURFUL) -> Values:
    """(k, 3) tint and lightness of parts, from their most colourful pixels; depth for greys."""
    if not len(pixels):
        return np.zeros((0, 3))
    light, a, b = np.ascontiguousarray(pixels.transpose(2, 0, 1))
    tint, lightness, depth = measured(light, a, b, colourful)
    return np.column_stack([tint, depth if is_grey(colours.palette) else lightness])


def _look_empty(
    features: Values, squares: NDArray[np.intp], called: NDArray[np.intp], colours: ColourModel
) -> NDArray[np.bool_]:
    """(k,) True for parts of squares that are empty rather than of the likeliest colour."""
    if not len(squares):
        return np.zeros(0, np.bool_)
    here = replace(colours, light=colours.light[squares])
    density = density_under(features, here, np.zeros_like(squares))
    rival = density_under(features, here, called[squares])
    rival = np.maximum(rival, foreign_density(features, here))
    return np.asarray(density - rival > _LEAD, np.bool_)
