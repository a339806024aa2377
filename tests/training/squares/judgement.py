"""Judges the squares of one picture: what the network sees, with the colours named."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tests.training.squares.network import SquareOutputs
from tests.training.squares.tile_colours import named
from tests.training.squares.tile_groups import grouped
from vision.classification.colour_classifier import PALETTES
from vision.features.square_features import SquareFeatures
from vision.shape.network import BARE, DARK, LIGHT, LIT, UNDER

_COVERED: Final = 0.5
"""Probability from which a square counts as covered."""

_SURE: Final = 6.0
"""Log likelihood by which a palette leads the next if it is sure."""

_TEMPER: Final = 0.85
"""Factor on the log probabilities of the classes: the network is surer than it is right."""

_BESIDE_CLASS: Final = 0.25
"""Weight of the group of a square beside its class: the network may be wrong about both at once."""

_TINT: Final = 0.8
"""Weight of the tint of a square beside its class and its group: a lamp may wash it out."""

_DOUBTED: Final = 0.15
"""Weight of the colours of tiles while the palette is not sure: so little that the rules of the
game confirm none of them."""


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """Contents of the squares in one picture.

    Attributes:
        palette: names of the colours.
        is_sure: True if the palette is sure.
        evidence: (n * n, 1 + k) probabilities of empty and each colour; rows sum to 1.
        covered: (n * n,) squares that cannot be seen.
    """

    palette: tuple[str, ...]
    is_sure: bool
    evidence: NDArray[np.float64]
    covered: NDArray[np.bool_]


def judge(
    shapes: SquareOutputs,
    observed: SquareFeatures,
    size: int,
    palette: tuple[str, ...] | None,
) -> Judgement:
    """Judges one picture.

    Args:
        shapes: output of the network.
        observed: features of each square; hidden ones are not judged.
        size: squares along a side.
        palette: names of the colours; None to detect them.
    """
    palettes = PALETTES[size] if palette is None else (palette,)
    groups = grouped(shapes, len(palettes[0]))
    colours = named(groups, shapes, observed, palettes)
    chances, even = colours.chances, 1 / len(colours.palette)
    is_sure = colours.lead >= _SURE
    if not is_sure:
        chances = even + _DOUBTED * (chances - even)
    classes = np.exp(_TEMPER * shapes.classes.astype(np.float64))
    classes /= classes.sum(axis=1, keepdims=True)
    either = np.maximum(groups.bare, groups.nearest)
    weight = _BESIDE_CLASS * colours.clear
    empty = classes[:, BARE] * (groups.bare / either) ** weight + classes[:, LIT]
    tile = (classes[:, DARK] + classes[:, LIGHT]) * (groups.nearest / either) ** weight
    empty = empty * np.exp(_TINT * np.minimum(colours.bare, 0))
    tile = tile * np.exp(-_TINT * np.maximum(colours.bare, 0))
    evidence = np.column_stack([empty, tile[:, None] * chances])
    evidence /= evidence.sum(axis=1, keepdims=True)
    under = classes[:, UNDER]
    evidence += under[:, None] * (1 / (1 + len(colours.palette)) - evidence)
    return Judgement(colours.palette, is_sure, evidence, under > _COVERED)
