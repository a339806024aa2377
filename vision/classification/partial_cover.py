"""Detection of squares that a piece covers in part: more than by overhang, less than it should.

A piece that is a third of a square off and askew, before somebody puts it straight, covers
about half of some squares. Their most colourful pixels are the piece's, so that colour alone is
sure of them; but it is open whether the piece belongs there.
"""

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.classification.colour_model import ColourModel, Values, log_density
from vision.features.square_features import measured

_BLOCKS: Final = 4
"""Blocks along a side of a square: the resolution of its bare part."""

_MOST_BARE: Final = 0.22
"""Largest bare share of a square under a piece laid by hand, up to 2 mm and 4 degrees off."""

_EVEN: Final = 0.5
"""Probability of being empty of a square that is half bare."""

_LEAD: Final = 2.0
"""Log density by which a block has to be empty rather than of any colour."""

_BRIGHTER: Final = 20.0
"""L above that of empty squares from which a block without colour is glare."""


def half_bare(lab: Image, colours: ColourModel) -> NDArray[np.bool_]:
    """(k,) True for squares that are barer than under any piece laid by hand.

    Only bare parts that reach a corner of the square count: glare, which looks bare, is in the
    flat middle of a piece.

    Args:
        lab: (k, scale, scale, 3) pixels of the squares, from
            `vision.features.square_features.SquarePatches`.
        colours: colour model with the light at these squares.
    """
    if not len(lab):
        return np.zeros(0, np.bool_)
    block = lab.shape[1] // _BLOCKS
    cut = lab.reshape(len(lab), _BLOCKS, block, _BLOCKS, block, 3).transpose(5, 0, 1, 3, 2, 4)
    light, a, b = np.ascontiguousarray(cut).reshape(3, -1, block * block)
    tint, lightness, _ = measured(light, a, b)
    features = np.column_stack([tint, lightness]).astype(np.float64)
    here = replace(colours, light=np.repeat(colours.light, _BLOCKS**2, axis=0))
    density = log_density(features, here)[0]
    # The edge of a piece of another colour must not count as bare, so all colours are compared.
    bare = (density[:, 0] - density[:, 1:].max(axis=1) > _LEAD) & (
        lightness < colours.means[0, 2] + _BRIGHTER
    )
    return np.asarray(_from_corners(bare.reshape(-1, _BLOCKS, _BLOCKS)) > _MOST_BARE)


def doubting_parts(evidence: Values, bare: NDArray[np.bool_]) -> Values:
    """Makes half bare squares as likely empty as not.

    Args:
        evidence: (n * n, 1 + k) probabilities of empty and each colour.
        bare: (n * n,) half bare squares.
    """
    doubted = evidence.copy()
    doubted[bare, 1:] *= ((1 - _EVEN) / evidence[bare, 1:].sum(axis=1))[:, None]
    doubted[bare, 0] = _EVEN
    return doubted


def _from_corners(bare: NDArray[np.bool_]) -> Values:
    """(k,) share of the blocks that are bare and connected to a bare corner."""
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
