"""Finds what is of no set on a board: paper in place of a lost piece, tiles of another set."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.squares.network import BARE, LIT, Shapes
from vision.squares.square_features import SquareFeatures
from vision.squares.tile_groups import TileGroups

_OF_THE_SET: Final = 0.6
"""Likelihood of having the colour of bare squares, or of a group, below which a square is foreign.
Of the squares of ten photographs 12 of 15 with paper had less, and 3 of 3,900 others."""

_RATHER: Final = 0.5
"""Probability from which a square is rather bare than anything else."""

_NEARBY: Final = 2
"""Squares to each side that are nearby."""

_FEWEST: Final = 4
"""Fewest bare squares nearby with which one is compared."""

_UNLIKE: Final = 5.0
"""Distance in CIE Lab from the mean of bare squares nearby from which a bare square may be foreign.
Of 2,267 bare squares of rendered boards 99 % had at most 4.8; paper on light boards had 5 to 18."""

_DARKER: Final = 0.8
"""Weight of L that is lower there, as in the shadow of a piece."""

_STRAY: Final = 2.0
"""Factor by which it has to exceed that of most bare squares: under a lamp all are unlike."""

_MOSTLY: Final = 0.95
"""Share of the squares that are most."""

_PLAINLY_BARE: Final = 0.9
"""Likelihood of having the colour of bare squares from which none is foreign."""


def foreign_squares(
    groups: TileGroups, shapes: Shapes, observed: SquareFeatures, size: int
) -> NDArray[np.bool_]:
    """Finds squares of another colour than all tiles, and than bare squares nearby.

    Lit ones are not among them.

    Args:
        groups: the groups of tiles.
        shapes: output of the network.
        observed: features of each square.
        size: squares along a side, n.

    Returns:
        (n * n,) bool.
    """
    bare = np.exp(shapes.classes[:, BARE]) > _RATHER
    around = np.column_stack([observed.lab * bare[:, None], bare]).reshape(size, size, 4)
    reach = (2 * _NEARBY + 1, 2 * _NEARBY + 1)
    edge = cv2.BORDER_CONSTANT
    sums = cv2.boxFilter(around, cv2.CV_32F, reach, normalize=False, borderType=edge)
    usual, count = np.split(np.asarray(sums).reshape(size * size, 4), [3], axis=1)
    unlike_lab = observed.lab - usual / np.maximum(count, 1)
    # A square that is only darker may lie in a shadow.
    unlike_lab[:, 2] *= np.where(unlike_lab[:, 2] < 0, _DARKER, 1)
    away = np.linalg.norm(unlike_lab, axis=1)
    spread = np.quantile(away[bare], _MOSTLY) if bare.any() else np.inf
    unlike = (count[:, 0] >= _FEWEST) & (away > max(_UNLIKE, _STRAY * spread))
    unlike &= bare & (groups.bare < _PLAINLY_BARE)
    unlike |= np.maximum(groups.bare, groups.nearest) < _OF_THE_SET
    return np.asarray(unlike & (np.exp(shapes.classes[:, LIT]) < _RATHER))
