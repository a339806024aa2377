"""Contrast between the tiles of a board and its bare squares.

Black plastic on a board of its shade is hardly seen, and the network does not know how often it is
wrong there.
"""

import numpy as np

from vision.classification.tile_groups import TileGroups, Values
from vision.features.square_features import SquareFeatures
from vision.shape.network import BARE, Shapes, tiles


def contrast(groups: TileGroups, shapes: Shapes, observed: SquareFeatures) -> Values:
    """Returns (n * n,) how unlike each square is to what else it may be: a distance in CIE Lab.

    A tile has the colour of its group, and may be bare; a bare square has the colour of the board,
    and may be a tile of the group most like it. Infinite if there are no tiles or no bare squares.

    Args:
        groups: the groups of tiles.
        shapes: output of the network.
        observed: features of each square; hidden ones show no colour.
    """
    lab, seen = observed.lab, ~observed.hidden
    bare = seen & (shapes.classes.argmax(axis=1) == BARE)
    if not (bare.any() and groups.members.any()):
        return np.full(len(seen), np.inf)
    nearest, board = groups.shares.argmax(axis=1), np.median(lab[bare], axis=0)
    apart = np.full(groups.shares.shape[1], np.inf)
    for group in range(len(apart)):
        own = seen & groups.members & (nearest == group)
        if own.any():
            apart[group] = np.linalg.norm(np.median(lab[own], axis=0) - board)
    is_tile = tiles(shapes) > shapes.classes[:, BARE]
    return np.asarray(np.where(is_tile, apart[nearest], apart.min()))
