"""Outputs of the network and features of squares, made up for a board of given tiles."""

import numpy as np

from vision.plastics import PLASTICS
from vision.squares.network import BARE, KINDS, LIGHT, Shapes
from vision.squares.square_features import SquareFeatures

SQUARES = 196
FAINT = (0.0, 0.05)


def outputs(
    *groups: tuple[str, int, int], shade: int = LIGHT, tint: float = 1.0
) -> tuple[Shapes, SquareFeatures]:
    """Returns a board with groups of tiles, one after the other, and bare squares.

    Args:
        groups: name of the colour, place of the group, number of tiles.
        shade: class of the tiles.
        tint: factor on the usual tints.
    """
    classes = np.full((SQUARES, KINDS), -7.0, np.float32)
    classes[:, BARE] = 0.0
    colours = np.zeros((SQUARES, 6), np.float32)
    tints = np.zeros((SQUARES, 2), np.float32)
    tints[-1] = FAINT  # no picture of a camera that sees colours is without any
    first = 0
    for name, place, count in groups:
        squares = slice(first, first + count)
        classes[squares, BARE], classes[squares, shade] = -7.0, 0.0
        colours[squares, place] = 4.0
        tints[squares] = np.array(PLASTICS[name].tint) * tint
        first += count
    light = np.full(SQUARES, 50.0, np.float32)
    pairs = np.zeros((SQUARES, 2), np.float32)
    shapes = Shapes(
        classes,
        pairs,
        pairs,
        colours,
        np.zeros((4, 14, 17), np.float32),
        np.zeros((4, 14), np.float32),
    )
    return shapes, SquareFeatures(tints, light, *np.zeros((2, SQUARES), np.bool_))
