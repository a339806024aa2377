"""Contrast between the tiles of a board and its bare squares.

Black plastic on a board of its shade is hardly seen, and the network does not know how often it is
wrong there.
"""

from typing import Final

import numpy as np

from vision.classification.tile_groups import TileGroups, Values
from vision.features.square_features import SquareFeatures
from vision.fitted.constants import fitted
from vision.shape.network import BARE, Shapes, tiles

_LIKELY: Final = fitted("classification.tile_groups.likely")
"""Probability from which a square shows the colour of bare ones."""


def contrast(groups: TileGroups, shapes: Shapes, observed: SquareFeatures) -> Values:
    """Returns (n * n,) the distance in CIE Lab between a square's colour and what it may be else.

    A tile has the colour of its group, which is compared with bare squares; a bare square that of
    all bare ones, which is compared with the group most like it. Infinite where either is missing.

    Args:
        groups: the groups of tiles.
        shapes: output of the network.
        observed: features of each square.
    """
    seen = ~observed.hidden
    bare = seen & (np.exp(shapes.classes[:, BARE]) > _LIKELY)
    if not (bare.any() and groups.members.any()):
        return np.full(len(seen), np.inf)
    nearest = groups.shares.argmax(axis=1)
    board = np.median(observed.lab[bare], axis=0)
    apart = np.full(groups.shares.shape[1], np.inf)
    for group in range(len(apart)):
        own = seen & groups.members & (nearest == group)
        if own.any():
            apart[group] = np.linalg.norm(np.median(observed.lab[own], axis=0) - board)
    is_tile = tiles(shapes) > shapes.classes[:, BARE]
    return np.where(is_tile, apart[nearest], apart.min())
