"""Squares that a piece covers in part: too much to reach in merely, too little to lie there.

A piece that lies a third of a square off and askew, before somebody puts it straight, covers
about half of some squares. Their most colourful pixels are the piece's, so that colour alone is
sure of them; but nobody could say whether the piece lies there.
"""

from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.colours import Colours, Values, is_grey, log_density
from vision.look import measured, squares_of

_BLOCKS: Final = 4
"""Blocks along a side of a square: how finely its bare part is seen."""

_MOST_BARE: Final = 0.22
"""Share of a square that a piece laid by hand never leaves bare: 2 mm and 4 degrees off."""

_EVEN: Final = 0.5

_LEAD: Final = 2.0
"""Log density by which a block has to look empty rather than of the colour."""

_BRIGHTER: Final = 20.0
"""L above that of empty squares from where a block without colour is glare."""


def doubting_parts(evidence: Values, view: Image, colours: Colours, size: int) -> Values:
    """The evidence with squares doubted that a piece covers, but leaves bare from a corner on.

    Args:
        evidence: (n * n, 1 + k) probabilities of empty and each colour.
        view: straight down on the board with one square of margin.
        colours: how they look there.
        size: squares along a side.
    """
    called = evidence.argmax(axis=1)
    squares = np.flatnonzero((called > 0) & (evidence[:, 0] < _EVEN))
    if is_grey(colours.palette) or not len(squares):
        # A shadow, or the mirror image of a lamp, is as dark or bright as a part of a square.
        return evidence
    bare = bare_share(view, squares, called[squares], colours, size) > _MOST_BARE
    doubtful = squares[bare]
    doubted = evidence.copy()
    doubted[doubtful, 1:] *= ((1 - _EVEN) / evidence[doubtful, 1:].sum(axis=1))[:, None]
    doubted[doubtful, 0] = _EVEN
    return doubted


def bare_share(
    view: Image, squares: NDArray[np.intp], called: NDArray[np.intp], colours: Colours, size: int
) -> Values:
    """(k,) share of some squares that is bare from a corner on.

    What glare makes look bare lies in the middle of a piece, where it is flat; what a piece
    leaves bare reaches a corner of the square.

    Args:
        view: straight down on the board with one square of margin, as
            `vision.geometry.Warp` makes it.
        squares: numbers of the k squares.
        called: (k,) which colour each is taken for, from 1.
        colours: how they look there.
        size: squares along a side.
    """
    cut = squares_of(view, size, margin=1)[squares]
    block = cut.shape[1] // _BLOCKS
    cut = cut.reshape(len(squares), _BLOCKS, block, _BLOCKS, block, 3).transpose(0, 1, 3, 2, 4, 5)
    pixels = np.ascontiguousarray(cut).reshape(-1, 1, 3)
    lab = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2LAB), np.uint8)
    light, a, b = lab.reshape(-1, block * block, 3).transpose(2, 0, 1)
    tint, lightness, _ = measured(light, a, b)
    features = np.column_stack([tint, lightness]).astype(np.float64)
    each = np.repeat(squares, _BLOCKS**2)
    density = log_density(features, replace(colours, light=colours.light[each]))[0]
    rival = density[np.arange(len(each)), np.repeat(called, _BLOCKS**2)]
    bare = (density[:, 0] - rival > _LEAD) & (lightness < colours.means[0, 2] + _BRIGHTER)
    return _from_corners(bare.reshape(-1, _BLOCKS, _BLOCKS))


def _from_corners(bare: NDArray[np.bool_]) -> Values:
    """(k,) share of the blocks that hang together with a bare corner."""
    wide = np.zeros((len(bare), _BLOCKS + 2, _BLOCKS + 2), np.bool_)
    wide[:, 1:-1, 1:-1] = bare
    reached = np.zeros_like(wide)
    last = _BLOCKS - 1
    reached[:, 1::last, 1::last] = wide[:, 1::last, 1::last]
    reached &= wide
    for _ in range(_BLOCKS**2):
        grown = reached.copy()
        grown[:, 1:] |= reached[:, :-1]
        grown[:, :-1] |= reached[:, 1:]
        grown[:, :, 1:] |= reached[:, :, :-1]
        grown[:, :, :-1] |= reached[:, :, 1:]
        grown &= wide
        if (grown == reached).all():
            break
        reached = grown
    return np.asarray(reached.mean(axis=(1, 2)) * (_BLOCKS + 2) ** 2 / _BLOCKS**2)
